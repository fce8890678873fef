package check

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

var cluster = flag.String("cluster", "",
	"follow docs/cluster.md with the schedulers of this machine, and check its manifest with this `program`")

// TestCluster follows docs/cluster.md literally, once with healthy workers and once with a killed one. After the kill,
// the guide's commands and the command in merge's error must both lead to the same bytes.
func TestCluster(t *testing.T) {
	if *cluster == "" {
		t.Skip("make test-cluster runs it: it needs Slurm, GNU parallel and kubernetes-validate")
	}
	text, err := os.ReadFile(filepath.Join("docs", "cluster.md"))
	if err != nil {
		t.Fatal(err)
	}
	guide := string(text)
	g := newGrid(t)

	recipe := block(t, guide, "parallel --jobs")
	_, merging, _ := strings.Cut(recipe, "&&\n")

	t.Run("parallel", func(t *testing.T) {
		all := g.shell(t, "well", recipe, 0)
		g.same(t, "well")

		g.kill(t, "2/4")
		if out := g.shell(t, "killed", recipe, -1); g.there("killed", "all.csv") {
			t.Errorf("merged without a shard: %s", out)
		}
		said := g.shell(t, "killed", merging, 2)
		said = said[max(0, strings.Index(said, "paretoplay merge: no file")):] // follows a warning if the build has no commit
		if !strings.Contains(guide, said) {
			t.Errorf("the guide does not show merge's message: %s", said)
		}
		g.shell(t, "killed", repairOf(t, said), 0)
		g.shell(t, "killed", merging, 0)
		g.same(t, "killed")
		t.Logf("all well: %q; killed: %s", all, said)
	})

	t.Run("slurm", func(t *testing.T) {
		g.startSlurm(t)
		script, both := block(t, guide, "#!/bin/sh"), block(t, guide, "job=$(sbatch --parsable shards.sh)")
		again := block(t, guide, "job=$(sbatch --parsable --array=2")
		_, waiting, _ := strings.Cut(both, "\n")
		for _, folder := range []string{"array", "lost"} {
			g.write(t, folder, "shards.sh", script)
		}
		begun := time.Now()
		g.shell(t, "array", both, 0)
		g.same(t, "array")
		t.Logf("all well: %v", time.Since(begun).Round(time.Second))

		g.kill(t, "2/4")
		begun = time.Now()
		said := g.shell(t, "lost", both, 1)
		t.Logf("killed, after %v: %s", time.Since(begun).Round(time.Second), said)
		if !strings.Contains(said, "no file has shard 2/4: run ") || g.there("lost", "all.csv") {
			t.Errorf("the recipe ends without an error that names the shard: %s", said)
		}
		g.shell(t, "lost", again+waiting, 0)
		g.same(t, "lost")

		// The command in merge's error must be enough for the repair, without the guide's commands.
		if err := os.Remove(filepath.Join(g.folder, "lost", "shard-2.csv")); err != nil {
			t.Fatal(err)
		}
		g.shell(t, "lost", repairOf(t, said), 0)
		g.shell(t, "lost", "rm all.csv\n"+merging, 0)
		g.same(t, "lost")
	})

	t.Run("kubernetes", func(t *testing.T) {
		manifest := block(t, guide, "apiVersion: batch/v1")
		for _, c := range []struct {
			name, text string
			status     int
		}{{"job.yaml", manifest, 0}, {"wrong.yaml", strings.Replace(manifest, "completionMode:", "completionMood:", 1), 1}} {
			g.write(t, "kubernetes", c.name, c.text)
			t.Log(g.shell(t, "kubernetes", "'"+*cluster+"' --strict "+c.name, c.status))
		}
	})
}

// block returns the guide's fenced block that starts with the given words.
func block(t *testing.T, guide, first string) string {
	t.Helper()
	for i, text := range strings.Split(guide, "```") {
		_, text, _ = strings.Cut(text, "\n") // skips the language after the fence
		if i%2 == 1 && strings.HasPrefix(text, first) {
			return text
		}
	}
	t.Fatalf("the guide has no block that starts with %q", first)
	return ""
}

// repairOf returns the command that merge's error suggests.
func repairOf(t *testing.T, said string) string {
	t.Helper()
	_, command, found := strings.Cut(said, ": run ")
	if !found {
		t.Fatalf("no command in %q", said)
	}
	command, _, _ = strings.Cut(command, "\n")
	return command
}

// grid holds the program, and a folder in which a test follows the guide.
type grid struct {
	folder string
	whole  []byte   // the table computed by a single process
	env    []string // with the program in PATH
}

func newGrid(t *testing.T) *grid {
	t.Helper()
	g := &grid{folder: t.TempDir()}
	if out, err := exec.Command("go", "build", "-o", filepath.Join(g.folder, "bin", "real"), ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	// A worker whose shard is in the file "kill" is killed once, as if the machine had run out of memory.
	g.write(t, "bin", "paretoplay", fmt.Sprintf(`#!/bin/sh
real=%[1]s/bin/real kill=%[1]s/kill
if [ -e "$kill" ] && case " $* " in *" -shard $(cat "$kill") "*) true ;; *) false ;; esac; then
	rm "$kill"
	"$real" "$@" &
	kill -KILL $!
	wait $!
	exit $?
fi
exec "$real" "$@"
`, g.folder))
	g.env = append(os.Environ(), "PATH="+filepath.Join(g.folder, "bin")+":"+os.Getenv("PATH"))
	g.shell(t, "whole", "paretoplay experiment zdt -quick -jobs 1 -csv all.csv", 0)
	var err error
	if g.whole, err = os.ReadFile(filepath.Join(g.folder, "whole", "all.csv")); err != nil {
		t.Fatal(err)
	}
	return g
}

// write creates an executable file.
func (g *grid) write(t *testing.T, folder, name, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Join(g.folder, folder), 0o755)
	if err == nil {
		err = os.WriteFile(filepath.Join(g.folder, folder, name), []byte(text), 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// kill makes the program kill the next worker on a shard.
func (g *grid) kill(t *testing.T, shard string) {
	t.Helper()
	g.write(t, ".", "kill", shard)
}

func (g *grid) there(folder, name string) bool {
	_, err := os.Stat(filepath.Join(g.folder, folder, name))
	return err == nil
}

// shell runs lines in a folder and returns their output. The test fails unless they end with the given status, where −1
// means any status except 0.
func (g *grid) shell(t *testing.T, folder, lines string, status int) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(g.folder, folder), 0o755); err != nil {
		t.Fatal(err)
	}
	late, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(late, "bash", "-c", lines)
	cmd.Dir, cmd.Env, cmd.WaitDelay = filepath.Join(g.folder, folder), g.env, 10*time.Second
	out, err := cmd.CombinedOutput()
	got := cmd.ProcessState.ExitCode()
	if late.Err() != nil || got != status && !(status < 0 && got > 0) {
		t.Fatalf("%s\nends with status %d, want %d; %v, %v\n%s", lines, got, status, err, late.Err(), out)
	}
	return string(out)
}

// same checks that the table in a folder has the same bytes as the table that a single process computes.
func (g *grid) same(t *testing.T, folder string) {
	t.Helper()
	if got, err := os.ReadFile(filepath.Join(g.folder, folder, "all.csv")); err != nil || !bytes.Equal(got, g.whole) {
		t.Errorf("%s: the %d bytes differ from the %d of a single process; %v", folder, len(got), len(g.whole), err)
	}
}

// startSlurm runs Slurm's daemons on this machine, as one node in one partition, until the test ends.
func (g *grid) startSlurm(t *testing.T) {
	t.Helper()
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	host, _, _ = strings.Cut(host, ".")
	here := filepath.Join(g.folder, "slurm")
	for _, name := range []string{"state", "spool"} {
		if err := os.MkdirAll(filepath.Join(here, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	// munge requires a key that only its owner can read, in a folder that others cannot write to.
	if err := os.WriteFile(filepath.Join(here, "key"), bytes.Repeat([]byte("a test's key, no secret; "), 8), 0o400); err != nil {
		t.Fatal(err)
	}
	g.write(t, "slurm", "slurm.conf", fmt.Sprintf(`ClusterName=one
SlurmctldHost=%[1]s(127.0.0.1)
SlurmUser=%[4]s
SlurmdUser=%[4]s
SlurmctldPort=17817
SlurmdPort=17818
AuthType=auth/munge
AuthInfo=socket=%[2]s/socket
StateSaveLocation=%[2]s/state
SlurmdSpoolDir=%[2]s/spool
SlurmctldPidFile=%[2]s/slurmctld.pid
SlurmdPidFile=%[2]s/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
NodeName=%[1]s NodeAddr=127.0.0.1 CPUs=%[3]d State=UNKNOWN
PartitionName=all Nodes=%[1]s Default=YES MaxTime=INFINITE State=UP
`, host, here, min(2, runtime.NumCPU()), g.shell(t, "slurm", "printf %s \"$(id -un)\"", 0)))
	g.env = append(g.env, "SLURM_CONF="+filepath.Join(here, "slurm.conf"))
	for _, daemon := range [][]string{
		{"munged", "--foreground", "--force", "--key-file=" + here + "/key", "--socket=" + here + "/socket", "--pid-file=" + here + "/munged.pid",
			"--log-file=" + here + "/munged.log", "--seed-file=" + here + "/munged.seed"},
		{"slurmctld", "-c", "-D"}, {"slurmd", "-D"},
	} {
		var said bytes.Buffer
		cmd := exec.Command(daemon[0], daemon[1:]...)
		cmd.Env, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = append(g.env, "PATH="+os.Getenv("PATH")+":/usr/sbin:/sbin"), &said, &said, 10*time.Second
		if path, err := exec.LookPath(daemon[0]); err != nil {
			cmd.Path, cmd.Err = filepath.Join("/usr/sbin", daemon[0]), nil // /usr/sbin is not in every user's PATH
		} else {
			cmd.Path = path
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = cmd.Process.Signal(os.Interrupt) // it may have ended already
			ended := time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() })
			_ = cmd.Wait() // fails because of the interrupt
			ended.Stop()
			if t.Failed() {
				t.Logf("%s said\n%s", daemon[0], said.String())
			}
		})
		if daemon[0] == "munged" {
			g.shell(t, "slurm", "for i in $(seq 100); do [ -e socket ] && exit 0; sleep 0.1; done; exit 1", 0)
		}
	}
	g.shell(t, "slurm", "for i in $(seq 300); do sinfo -h -o %T 2>/dev/null | grep -q idle && exit 0; sleep 0.1; done; sinfo; exit 1", 0)
}
