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

// build writes the static site, or a page that is one file.
func build(c *call) error {
	o := site.BuildOptions{Notices: c.Notices}
	single, only := c.flags.String("single", "", "instead of a site, one `file` of HTML that opens without a server or a network"), &repeated{}
	c.flags.Func("lesson", "with -single: the lesson of that `name` alone goes in; repeat for more", only.Set)
	c.flags.StringVar(&o.Folder, "o", "dist", "the `folder` that the site goes to")
	c.flags.BoolVar(&o.Quick, "quick", false, "compress at low effort: larger files, a minute less")
	own := c.lessonsFlag()
	c.explain("which writes the static site, or a page that is one file. It needs the source tree and the Go toolchain.")
	if err := c.parse(); err != nil {
		return err
	}
	if o.Folder == "" {
		return errors.New("-o is empty; a folder is expected")
	}
	o.Lessons = *own
	if c.given("single") {
		return c.single(*single, site.SingleOptions{Lessons: o.Lessons, Only: *only, Notices: c.Notices})
	}
	if c.given("lesson") {
		return errors.New("-lesson goes with -single, which names the file that the lesson goes into")
	}
	return untilInterrupted(func(ctx context.Context) error { return site.Build(ctx, o, c.stdout, c.stderr) })
}

// single writes a page that is one file.
func (c *call) single(file string, o site.SingleOptions) error {
	for _, name := range []string{"o", "quick"} {
		if c.given(name) {
			return fmt.Errorf("-%s is of a site, and -single writes one file", name)
		}
	}
	if err := c.reserve("-single", file); err != nil {
		return err
	}
	return untilInterrupted(func(ctx context.Context) error {
		page, err := site.Single(ctx, o, c.stderr)
		if err != nil {
			return err
		}
		return c.fill("-single", func(w io.Writer) error {
			_, err := w.Write(page)
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
