// Package chrome drives Chromium for the tests of the page: it starts a browser, opens windows, acts as a visitor
// does and reports what a window says. No other package knows the client of Chromium's protocol.
package chrome

import (
	"context"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// Flag is an argument of Chromium's command line: --Name=Value, or --Name if Value is true.
type Flag struct {
	Name  string
	Value any
}

// Browser is a running Chromium.
type Browser struct {
	ctx  context.Context
	stop func()
}

// Launch starts Chromium with a profile of its own, no sandbox and a first window of 1280×800.
func Launch(program string, flags ...Flag) (*Browser, error) {
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.NoFirstRun, chromedp.WindowSize(1280, 800),
		chromedp.WSURLReadTimeout(time.Minute),
	}
	for _, f := range flags {
		options = append(options, chromedp.Flag(f.Name, f.Value))
	}
	allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	// The client says of events that it does not know that it cannot read them.
	ctx, stopBrowser := chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {}))
	b := &Browser{ctx, func() {
		stopBrowser()
		stopAllocator()
	}}
	if err := chromedp.Run(ctx); err != nil {
		b.stop()
		return nil, fmt.Errorf("starting %s: %w", program, err)
	}
	return b, nil
}

// Close ends the browser.
func (b *Browser) Close() { b.stop() }

// outside calls a function with a context whose commands are the browser's, not a tab's.
func (b *Browser) outside(f func(ctx context.Context) error) error {
	return chromedp.Run(b.ctx, chromedp.ActionFunc(func(ctx context.Context) error {
		return f(cdp.WithExecutor(ctx, chromedp.FromContext(ctx).Browser))
	}))
}

// Tab opens a tab as the client does by itself.
func (b *Browser) Tab() (*Tab, error) { return b.tab(nil) }

// Window opens a window of this size in CSS pixels: in a tab beside others a page would be hidden.
func (b *Browser) Window(width, height int64) (*Tab, error) {
	var id target.ID
	if err := b.outside(func(ctx context.Context) (err error) {
		id, err = target.CreateTarget("about:blank").WithNewWindow(true).WithWidth(width).WithHeight(height).Do(ctx)
		return err
	}); err != nil {
		return nil, err
	}
	return b.tab(nil, chromedp.WithTargetID(id))
}

// Apart opens a window that shares with others neither what was stored nor what was loaded.
func (b *Browser) Apart(width, height int64) (*Tab, error) {
	var id target.ID
	var within cdp.BrowserContextID
	if err := b.outside(func(ctx context.Context) (err error) {
		if within, err = target.CreateBrowserContext().Do(ctx); err != nil {
			return err
		}
		id, err = target.CreateTarget("about:blank").WithBrowserContextID(within).WithNewWindow(true).WithWidth(width).WithHeight(height).Do(ctx)
		return err
	}); err != nil {
		return nil, err
	}
	tab, err := b.tab(nil, chromedp.WithTargetID(id))
	if err == nil {
		tab.within = within
	}
	return tab, err
}

// Document is a window, or an iframe that has a process of its own.
type Document struct {
	Kind    string // "page" or "iframe"
	Address string

	id target.ID
}

// Documents lists the browser's documents.
func (b *Browser) Documents() ([]Document, error) {
	all, err := chromedp.Targets(b.ctx)
	documents := make([]Document, len(all))
	for i, it := range all {
		documents[i] = Document{it.Type, it.URL, it.TargetID}
	}
	return documents, err
}

// Attach attaches to a document, and listens to it from the beginning.
func (b *Browser) Attach(to Document, hear func(event any)) (*Tab, error) {
	return b.tab(hear, chromedp.WithTargetID(to.id))
}

// tab attaches to a target, by default a new one. It calls hear, unless that is nil, with every event.
func (b *Browser) tab(hear func(event any), options ...chromedp.ContextOption) (*Tab, error) {
	ctx, leave := chromedp.NewContext(b.ctx, options...)
	t := &Tab{browser: b, ctx: ctx, leave: leave}
	if hear != nil {
		t.Listen(hear)
	}
	// What attaches to the window would end with the time of the first action.
	if err := chromedp.Run(ctx); err != nil {
		leave()
		return nil, err
	}
	return t, nil
}

// ProcessorTime returns the time that all processes of the browser have computed so far.
func (b *Browser) ProcessorTime() (sum time.Duration, err error) {
	err = b.outside(func(ctx context.Context) error {
		processes, err := systeminfo.GetProcessInfo().Do(ctx)
		for _, process := range processes {
			sum += time.Duration(process.CPUTime * float64(time.Second))
		}
		return err
	})
	return sum, err
}

// Tab is a window, a tab or an iframe of a browser.
type Tab struct {
	browser *Browser
	ctx     context.Context
	leave   func()
	within  cdp.BrowserContextID // what was made for this tab alone, or ""
}

// Browser returns the tab's browser.
func (t *Tab) Browser() *Browser { return t.browser }

// Close closes the tab.
func (t *Tab) Close() error {
	// Nobody reads what a window says while it closes, and after 1024 events chromedp stands still, for all windows.
	quiet, cancel := context.WithTimeout(t.ctx, 2*time.Second)
	defer cancel()
	_ = chromedp.Run(quiet, network.Disable(), log.Disable(), runtime.Disable()) // a page that hangs is closed all the same
	t.leave()
	if t.within == "" {
		return nil
	}
	return t.browser.outside(target.DisposeBrowserContext(t.within).Do)
}

// For returns the same tab, whose actions fail and whose events end after this time or once done is called.
func (t *Tab) For(limit time.Duration) (limited *Tab, done func()) {
	ctx, cancel := context.WithTimeout(t.ctx, limit)
	return &Tab{t.browser, ctx, t.leave, t.within}, cancel
}

// Ended reports whether the tab's time is over.
func (t *Tab) Ended() bool { return t.ctx.Err() != nil }

// Do does actions, one after the other, until one fails.
func (t *Tab) Do(actions ...Action) error {
	for _, a := range actions {
		if err := a(t.ctx); err != nil {
			return err
		}
	}
	return nil
}
