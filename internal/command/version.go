package command

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
)

// printVersion prints the version. The commit is unknown in a program built by go run.
func printVersion(c *call) error {
	c.explain("Writes the program's version and commit, and the version of Go.")
	if err := c.parse(); err != nil {
		return err
	}
	info, known := debug.ReadBuildInfo()
	if !known {
		info = &debug.BuildInfo{GoVersion: runtime.Version()}
	}
	return c.print(func(w io.Writer) error {
		_, err := io.WriteString(w, describeBuild(info))
		return err
	})
}

// describeBuild returns the three lines that version prints.
func describeBuild(info *debug.BuildInfo) string {
	version, commit, changed := info.Main.Version, "unknown", ""
	if version == "" {
		version = "(devel)"
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = ", with changes"
		}
	}
	return fmt.Sprintf("paretoplay %s\ncommit %s%s\n%s %s/%s\n", version, commit, changed, info.GoVersion, runtime.GOOS, runtime.GOARCH)
}
