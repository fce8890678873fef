package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"paretoplay/internal/site"
)

func serve(c *call) error {
	o := c.serveFlags()
	own := c.lessonsFlag()
	c.explain("Serves the page and compiles it in the meantime. It needs the source tree and the Go toolchain.")
	if err := c.parse(); err != nil {
		return err
	}
	o.Lessons = *own
	return untilInterrupted(func(ctx context.Context) error { return c.Serve(ctx, *o, c.stdout, c.stderr) })
}

// serveFlags declares the flags common to all commands that serve the page.
func (c *call) serveFlags() *ServeOptions {
	o := &ServeOptions{}
	c.flags.StringVar(&o.Address, "addr", "127.0.0.1:8080", "address to listen on, `host:port`; port 0 selects a free port")
	c.flags.BoolVar(&o.Open, "open", false, "open the page in the browser")
	return o
}

// build writes the static site, a single-file page, or files for a lesson.
func build(c *call) error {
	o, only := site.BuildOptions{Notices: c.Notices}, &repeated{}
	single := c.flags.String("single", "", "instead of a site, write one HTML `file` that opens without a server or a network")
	scorm := c.flags.String("scorm", "", "instead of a site, write a lesson for a learning platform: a SCORM `file`, which is a zip")
	version := c.flags.String("scormversion", "1.2", "SCORM `version` for -scorm, 1.2 or 2004")
	worksheet := c.flags.String("worksheet", "", "instead of a site, write a lesson's worksheet for print: an HTML `file`")
	c.flags.Var(only, "lesson", "`name` of the lesson for -single, -scorm or -worksheet; with -single, repeat for more")
	c.flags.StringVar(&o.Folder, "o", "dist", "the output `folder` of the site")
	c.flags.BoolVar(&o.Quick, "quick", false, "compress less: the build is a minute faster, the files are larger")
	own := c.lessonsFlag()
	c.explain("Writes the static site, a single-file page, or a lesson for a learning platform or for print.\n" +
		"It needs the source tree and the Go toolchain.")
	if err := c.parse(); err != nil {
		return err
	}
	if o.Folder == "" {
		return errors.New("-o is empty; expected a folder")
	}
	o.Lessons = *own
	var named []string
	for _, name := range []string{"single", "scorm", "worksheet"} {
		if c.given(name) {
			named = append(named, name)
		}
	}
	switch {
	case len(named) > 1:
		return fmt.Errorf("-%s and -%s each write a file; use only one at a time", named[0], named[1])
	case c.given("scormversion") && !c.given("scorm"):
		return errors.New("-scormversion needs a SCORM file; add -scorm")
	case c.given("single"):
		return c.oneFile("single", *single, func(ctx context.Context) ([]byte, error) {
			return site.Single(ctx, site.SingleOptions{Lessons: o.Lessons, Only: *only, Notices: o.Notices}, c.stderr)
		})
	case c.given("scorm"):
		return c.oneLesson("scorm", *scorm, *only, func(ctx context.Context, lesson string) ([]byte, error) {
			return site.Package(ctx, site.PackageOptions{Lesson: lesson, Version: *version, Lessons: o.Lessons, Notices: o.Notices}, c.stderr)
		})
	case c.given("worksheet"):
		return c.oneLesson("worksheet", *worksheet, *only, func(_ context.Context, lesson string) ([]byte, error) {
			return site.Worksheet(lesson, o.Lessons...)
		})
	case c.given("lesson"):
		return errors.New("-lesson needs a file to write; add -single, -scorm or -worksheet")
	}
	return untilInterrupted(func(ctx context.Context) error { return site.Build(ctx, o, c.stdout, c.stderr) })
}

// oneLesson calls make with the only lesson that -lesson names, and writes the result to the file that the option
// names.
func (c *call) oneLesson(option, file string, only repeated, make func(context.Context, string) ([]byte, error)) error {
	if len(only) != 1 || only[0] == "" {
		return fmt.Errorf("-%s: expected one lesson; add -lesson with its name", option)
	}
	return c.oneFile(option, file, func(ctx context.Context) ([]byte, error) { return make(ctx, only[0]) })
}

// oneFile calls make and writes the result to the file that the option names.
func (c *call) oneFile(option, file string, make func(context.Context) ([]byte, error)) error {
	for _, name := range []string{"o", "quick"} {
		if c.given(name) {
			return fmt.Errorf("-%s applies to a site, but -%s writes one file", name, option)
		}
	}
	if err := c.reserve("-"+option, file); err != nil {
		return err
	}
	return untilInterrupted(func(ctx context.Context) error {
		data, err := make(ctx)
		if err != nil {
			return err
		}
		return c.fill("-"+option, func(w io.Writer) error {
			_, err := w.Write(data)
			return err
		})
	})
}

// untilInterrupted runs f with a context that the first interrupt cancels. A second interrupt ends the program at once.
// An error from f is returned as a Fault, unless it is a site.InputError.
func untilInterrupted(f func(context.Context) error) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	err := f(ctx)
	if err != nil && !errors.As(err, new(site.InputError)) {
		return Fault{err}
	}
	return err
}
