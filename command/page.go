package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"paretoplay/site"
)

// serve serves the page.
func serve(c *call) error {
	o := ServeOptions{}
	c.flags.StringVar(&o.Address, "addr", "127.0.0.1:8080", "where to listen, `host:port`; port 0 takes any free one")
	c.flags.BoolVar(&o.Open, "open", false, "open the page in the browser")
	own := c.lessonsFlag()
	c.explain("which serves the page and compiles it behind. It needs the source tree and the Go toolchain.")
	if err := c.parse(); err != nil {
		return err
	}
	o.Lessons = *own
	return untilInterrupted(func(ctx context.Context) error { return c.Serve(ctx, o, c.stdout, c.stderr) })
}

// build writes the static site, or what is made of it for a class.
func build(c *call) error {
	o := site.BuildOptions{Notices: c.Notices}
	scorm := c.flags.String("scorm", "", "instead of a site, a lesson for a learning platform: a `file` of zip, as SCORM has it")
	version := c.flags.String("scormversion", "1.2", "with -scorm: the `version`, 1.2 or 2004")
	worksheet := c.flags.String("worksheet", "", "instead of a site, a lesson's worksheet for print: a `file` of HTML")
	only := c.flags.String("lesson", "", "with -scorm or -worksheet: the `name` of the lesson")
	c.flags.StringVar(&o.Folder, "o", "dist", "the `folder` that the site goes to")
	c.flags.BoolVar(&o.Quick, "quick", false, "compress at low effort: larger files, a minute less")
	own := c.lessonsFlag()
	c.explain("which writes the static site, or a lesson for a learning platform or for print. It needs the source tree and the Go toolchain.")
	if err := c.parse(); err != nil {
		return err
	}
	if o.Folder == "" {
		return errors.New("-o is empty; a folder is expected")
	}
	o.Lessons = *own
	switch {
	case c.given("scorm") && c.given("worksheet"):
		return errors.New("-scorm and -worksheet write a file each; ask for one at a time")
	case c.given("scorm"):
		return c.oneLesson("scorm", *scorm, *only, func(ctx context.Context) ([]byte, error) {
			p := site.PackageOptions{Lesson: *only, Version: *version, Lessons: o.Lessons, Notices: o.Notices}
			return site.Package(ctx, p, c.stderr)
		})
	case c.given("scormversion"):
		return errors.New("-scormversion goes with -scorm, which names the file")
	case c.given("worksheet"):
		return c.oneLesson("worksheet", *worksheet, *only, func(context.Context) ([]byte, error) {
			return site.Worksheet(*only, o.Lessons...)
		})
	case c.given("lesson"):
		return errors.New("-lesson goes with -scorm or -worksheet, which name the file")
	}
	return untilInterrupted(func(ctx context.Context) error { return site.Build(ctx, o, c.stdout, c.stderr) })
}

// oneLesson writes the file that an option names, made of one lesson.
func (c *call) oneLesson(option, file, lesson string, make func(context.Context) ([]byte, error)) error {
	for _, name := range []string{"o", "quick"} {
		if c.given(name) {
			return fmt.Errorf("-%s is of a site, and -%s writes one file", name, option)
		}
	}
	if lesson == "" {
		return fmt.Errorf("-%s: a lesson is expected, by -lesson and its name", option)
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

// untilInterrupted lets f work until the program is told to end; a second signal ends it at
// once. An error of f becomes a Fault, unless it is a site.InputError.
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
