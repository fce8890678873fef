package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// shardProcess names the variable with which the test's program is the command.
const shardProcess = "PARETOPLAY_SHARD_TEST"

// TestShardProcess is no test but the command, in a process of its own.
func TestShardProcess(t *testing.T) {
	if args := os.Getenv(shardProcess); args != "" {
		os.Exit((&Program{}).Run(strings.Split(args, "\n"), os.Stdin, os.Stdout, os.Stderr))
	}
}

// process is a command line in a process of its own.
func process(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "-test.run=^TestShardProcess$")
	cmd.Env = append(os.Environ(), shardProcess+"="+strings.Join(args, "\n"))
	return cmd
}

// TestShardsMerge: shards of processes side by side are the whole, byte by byte; what does not fit is refused. The short form
// has two experiments of four.
func TestShardsMerge(t *testing.T) {
	names := []string{"fonseca-noise", "hyper-cleaning", "fonseca-staleness", "zdt"}
	if testing.Short() {
		names = names[:2]
	}
	for _, name := range names {
		folder := t.TempDir()
		at := func(file string) string { return filepath.Join(folder, file) }
		var files []string
		var running []*exec.Cmd
		for _, i := range []string{"0", "1", "2"} {
			files = append(files, at(i))
			running = append(running, process("experiment", name, "-quick", "-jobs", "1", "-shard", i+"/3", "-csv", at(i)))
		}
		running = append(running, process("experiment", name, "-quick", "-csv", at("whole")))
		for _, p := range running {
			if err := p.Start(); err != nil {
				t.Fatal(err)
			}
		}
		for _, p := range running {
			if err := p.Wait(); err != nil {
				t.Fatal(name, err)
			}
		}
		if out, err := process(append(append([]string{"merge"}, files...), "-csv", at("all"))...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %s", name, out)
		}
		whole, err := os.ReadFile(at("whole"))
		if err != nil {
			t.Fatal(err)
		}
		if all, err := os.ReadFile(at("all")); err != nil || string(all) != string(whole) {
			t.Errorf("%s: merged shards are not the whole, error %v", name, err)
		}
		if out, err := process("merge", at("0"), at("2"), "-csv", at("never")).CombinedOutput(); err == nil ||
			!strings.Contains(string(out), "cells are missing; ") || strings.Contains(string(out), "panic") {
			t.Errorf("%s without a shard: %v, %s", name, err, out)
		}
		if name != "fonseca-staleness" {
			continue
		}
		shard, err := os.ReadFile(at("0"))
		if err != nil {
			t.Fatal(err)
		}
		for file, text := range map[string]string{"cut": string(shard[:len(shard)-3]),
			"old": strings.Replace(string(shard), "# paretoplay ", "# paretoplay v0", 1)} {
			if err := os.WriteFile(at(file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range []struct {
			want string
			args []string
		}{
			{"cells are missing", []string{"merge", at("0"), at("2")}},
			{"is in", []string{"merge", at("0"), at("0")}},
			{"it is no shard", []string{"merge", at("whole")}},
			{"cut off", []string{"merge", at("cut"), at("1"), at("2")}},
			{"are not those of", []string{"merge", at("0"), at("old")}},
			{"it is of version", []string{"merge", at("old")}},
			{"no such file", []string{"merge", at("none")}},
			{"no file is named", []string{"merge"}},
			{"is no shard", []string{"experiment", name, "-shard", "3/3"}},
			{"exclude each other", []string{"experiment", name, "-shard", "0/3", "-resume"}},
			{"more shards than", []string{"experiment", name, "-shard", "0/100000"}},
			{"measures times", []string{"experiment", "forum-cost", "-shard", "0/2"}},
		} {
			args := c.args
			if args[0] == "merge" {
				args = append(args, "-csv", at("never"))
			}
			p := process(args...)
			out, err := p.CombinedOutput()
			_, missing := os.Stat(at("never"))
			if err == nil || p.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), c.want) || missing == nil {
				t.Errorf("%v: status %d, %s", c.args, p.ProcessState.ExitCode(), out)
			}
		}
	}
}
