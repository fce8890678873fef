package command

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"paretoplay/internal/engine/experiment"
)

// shardProcess is the environment variable that makes the test binary run as the command.
const shardProcess = "PARETOPLAY_SHARD_TEST"

// TestShardProcess is not a test: it runs the command in a separate process.
func TestShardProcess(t *testing.T) {
	if args := os.Getenv(shardProcess); args != "" {
		os.Exit((&Program{}).Run(strings.Split(args, "\n"), os.Stdin, os.Stdout, os.Stderr))
	}
}

// process returns a command that runs a command line in a separate process.
func process(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "-test.run=^TestShardProcess$")
	cmd.Env = append(os.Environ(), shardProcess+"="+strings.Join(args, "\n"))
	return cmd
}

// repaired checks the error that merge reports if shard 1/3 is missing or lacks its last cell. The command that the
// error suggests must compute the shard.
func repaired(t *testing.T, folder, name string) {
	t.Helper()
	at := func(file string) string { return filepath.Join(folder, file) }
	shard, err := os.ReadFile(at("1"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(shard), "\n")
	if err := os.WriteFile(at("1"), []byte(strings.Join(lines[:len(lines)-2], "")), 0o600); err != nil {
		t.Fatal(err)
	}
	all := []string{at("0"), at("1"), at("2")}
	for _, c := range []struct {
		want  string
		files []string
	}{
		{fmt.Sprintf("%s lacks 1 of its %d cells: run ", all[1], len(lines)-3), all},
		{"no file has shard 1/3: run ", []string{all[0], all[2]}},
	} {
		want := c.want
		p := process(append(append([]string{"merge"}, c.files...), "-csv", at("never"))...)
		out, err := p.CombinedOutput()
		_, command, _ := strings.Cut(strings.TrimSpace(string(out)), ": run ")
		_, there := os.Stat(at("never"))
		if err == nil || p.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), want) || there == nil {
			t.Errorf("%s: %v, %s, want %s", name, err, out, want)
			return
		}
		if command != "paretoplay experiment "+name+" -seeds 1 -quick -shard 1/3 -csv "+all[1] {
			t.Errorf("%s is repaired by %s", name, command)
			continue
		}
		if out, err := process(strings.Fields(command)[1:]...).CombinedOutput(); err != nil {
			t.Errorf("%s: %s", command, out)
		}
		if got, err := os.ReadFile(all[1]); err != nil || string(got) != string(shard) {
			t.Errorf("%s: repaired is %s, error %v", name, got, err)
		}
	}
}

// TestRepair checks that the command for a missing shard names the file according to the pattern of the other shards'
// file names.
func TestRepair(t *testing.T) {
	e, err := FindExperiment("zdt")
	if err != nil {
		t.Fatal(err)
	}
	type file = struct {
		name string
		i    int
	}
	for _, c := range []struct {
		files   []file
		lacking []int
		want    string
	}{
		{[]file{{"shard-0.csv", 0}, {"shard-2.csv", 2}}, []int{1}, "-shard 1/4 -csv shard-1.csv"},
		{[]file{{"run2/zdt2-0.csv", 0}, {"run2/zdt2-2.csv", 2}}, []int{1, 3}, "-shard 1/4 -csv run2/zdt2-1.csv, and likewise for the others"},
		{[]file{{"a.csv", 0}, {"b.csv", 1}}, []int{3}, "-shard 3/4 -csv shard-3.csv"},
		{[]file{{"my grid/0.csv", 0}, {"my grid/one.csv", 1}}, []int{3}, "-shard 3/4 -csv 'my grid/shard-3.csv'"},
		{[]file{{"a.csv", 0}, {"cut.csv", 3}}, []int{3}, "-shard 3/4 -csv cut.csv"},
	} {
		var parts []experiment.Part
		for _, f := range c.files {
			parts = append(parts, experiment.Part{Name: f.name, Shard: experiment.Shard{I: f.i, N: 4}})
		}
		var lacking []experiment.Shard
		for _, i := range c.lacking {
			lacking = append(lacking, experiment.Shard{I: i, N: 4})
		}
		if got := repair(e, []string{"-seeds", "2", "-set", "a=$b c"}, parts, lacking); got !=
			"paretoplay experiment zdt -seeds 2 -set 'a=$b c' "+c.want {
			t.Errorf("%v: %s", c.files, got)
		}
	}
	many := &experiment.Lacking{}
	for i := range 12 {
		many.Shards = append(many.Shards, experiment.Shard{I: i, N: 20})
	}
	if text := many.Error(); !strings.HasPrefix(text, "no file has shards 0/20, 1/20, ") || !strings.HasSuffix(text, ", 8/20 and 3 more") {
		t.Error(text)
	}
}

// TestShardsMerge checks that shards computed in parallel processes merge to the same bytes as the whole table, and
// that shards that do not match are rejected. In short mode, it tests two of four experiments.
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
		repaired(t, folder, name)
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
			{"is also in", []string{"merge", at("0"), at("0")}},
			{"not a shard", []string{"merge", at("whole")}},
			{"cut off", []string{"merge", at("cut"), at("1"), at("2")}},
			{"differ from", []string{"merge", at("0"), at("old")}},
			{"the shard is of version", []string{"merge", at("old")}},
			{"no such file", []string{"merge", at("none")}},
			{"no file is named", []string{"merge"}},
			{"invalid shard", []string{"experiment", name, "-shard", "3/3"}},
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
