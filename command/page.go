package command

import (
	"context"
	"errors"
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

// build writes the static site.
func build(c *call) error {
	o := site.BuildOptions{Notices: c.Notices}
	c.flags.StringVar(&o.Folder, "o", "dist", "the `folder` that the site goes to")
	c.flags.BoolVar(&o.Quick, "quick", false, "compress at low effort: larger files, a minute less")
	own := c.lessonsFlag()
	c.explain("which writes the static site. It needs the source tree and the Go toolchain.")
	if err := c.parse(); err != nil {
		return err
	}
	if o.Folder == "" {
		return errors.New("-o is empty; a folder is expected")
	}
	o.Lessons = *own
	return untilInterrupted(func(ctx context.Context) error { return site.Build(ctx, o, c.stdout, c.stderr) })
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
