// Package chrome drives Chromium for the page's tests. It starts a browser, opens windows, acts like a visitor, and
// reports the events of a window. No other package uses the client of Chromium's protocol.
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

// Flag is an argument on Chromium's command line: --Name=Value, or --Name if Value is true.
type Flag struct {
	Name  string
	Value any
}

// Browser is a running Chromium.
type Browser struct {
	ctx  context.Context
	stop func()
}

// Launch starts Chromium with a separate profile, without a sandbox, and with a first window of 1280×800.
func Launch(program string, flags ...Flag) (*Browser, error) {
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.NoFirstRun, chromedp.WindowSize(1280, 800),
	}
	for _, f := range flags {
		options = append(options, chromedp.Flag(f.Name, f.Value))
	}
	allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	// Ignore chromedp's messages, because chromedp reports every unknown event as an error.
	ctx, stopBrowser := chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {}))
	b := &Browser{ctx, func() {
		stopBrowser()
		stopAllocator()
	}}
	if err := chromedp.Do(ctx); err != nil {
		b.stop()
		return nil, fmt.Errorf("starting %s: %w", program, err)
	}
	return b, nil
}

// Close ends the browser.
func (b *Browser) Close() { b.stop() }

// Tab opens a tab with chromedp's defaults.
func (b *Browser) Tab() (*Tab, error) { return b.tab() }

// Window opens a window of the given size in CSS pixels. A page in another tab of the same window would be hidden.
func (b *Browser) Window(width, height int64) (*Tab, error) {
	return b.window(width, height, "")
}

// Apart opens a window that shares neither storage nor caches with other windows.
func (b *Browser) Apart(width, height int64) (*Tab, error) {
	made, err := chromedp.CallBrowser(b.ctx, target.CreateBrowserContext, target.CreateBrowserContextParams{})
	if err != nil {
		return nil, err
	}
	return b.window(width, height, made.BrowserContextID)
}

// window opens a window within a context of the browser, by default within the shared one.
func (b *Browser) window(width, height int64, within cdp.BrowserContextID) (*Tab, error) {
	made, err := chromedp.CallBrowser(b.ctx, target.CreateTarget, target.CreateTargetParams{
		URL: "about:blank", NewWindow: new(true), Width: width, Height: height, BrowserContextID: within,
	})
	if err != nil {
		return nil, err
	}
	tab, err := b.tab(chromedp.WithTargetID(made.TargetID))
	if err == nil {
		tab.within = within
	}
	return tab, err
}

// Document is a window, or an iframe with a separate process.
type Document struct {
	Kind    string // "page" or "iframe"
	Address string

	id target.ID
}

// Documents lists the documents that are open in the browser.
func (b *Browser) Documents() ([]Document, error) {
	all, err := chromedp.Targets(b.ctx)
	documents := make([]Document, len(all))
	for i, it := range all {
		documents[i] = Document{it.Type, it.URL, it.TargetID}
	}
	return documents, err
}

// Attach attaches to a document, and reports its events from the beginning.
func (b *Browser) Attach(to Document, hear func(event any)) (*Tab, error) {
	return b.tab(chromedp.WithTargetID(to.id), chromedp.WithListener(plainly(hear)))
}

// tab attaches to a target, by default to a new one.
func (b *Browser) tab(options ...chromedp.ContextOption) (*Tab, error) {
	ctx, leave := chromedp.NewContext(b.ctx, options...)
	// Without this call, the tab would be detached when the first action's time is over.
	if err := chromedp.Do(ctx); err != nil {
		leave()
		return nil, err
	}
	return &Tab{browser: b, ctx: ctx, leave: leave}, nil
}

// ProcessorTime returns the processor time that all processes of the browser have used so far.
func (b *Browser) ProcessorTime() (sum time.Duration, err error) {
	all, err := chromedp.CallBrowser(b.ctx, systeminfo.GetProcessInfo, cdp.Empty{})
	for _, process := range all.ProcessInfo {
		sum += time.Duration(process.CPUTime * float64(time.Second))
	}
	return sum, err
}

// Tab is a window, a tab or an iframe of a browser.
type Tab struct {
	browser *Browser
	ctx     context.Context
	leave   func()
	within  cdp.BrowserContextID // a context created only for this tab, or ""
}

// Browser returns the browser to which the tab belongs.
func (t *Tab) Browser() *Browser { return t.browser }

// Close closes the tab, and any context that was created only for it.
func (t *Tab) Close() error {
	// A tab that is closing emits events that nobody reads. After 1024 such events, chromedp blocks for all windows.
	quiet, cancel := context.WithTimeout(t.ctx, 2*time.Second)
	defer cancel()
	for _, domain := range []cdp.Command[cdp.Empty, cdp.Empty]{network.Disable, log.Disable, runtime.Disable} {
		_, _ = chromedp.Call(quiet, domain, cdp.Empty{}) // close even a page that hangs
	}
	t.leave()
	if t.within == "" {
		return nil
	}
	_, err := chromedp.CallBrowser(t.browser.ctx, target.DisposeBrowserContext, target.DisposeBrowserContextParams{BrowserContextID: t.within})
	return err
}

// For returns the same tab with a time limit. After the limit, or once done has been called, actions fail and no more
// events arrive.
func (t *Tab) For(limit time.Duration) (limited *Tab, done func()) {
	ctx, cancel := context.WithTimeout(t.ctx, limit)
	return &Tab{t.browser, ctx, t.leave, t.within}, cancel
}

// Ended reports whether the tab's time is over.
func (t *Tab) Ended() bool { return t.ctx.Err() != nil }

// Do performs actions in turn, until one fails.
func (t *Tab) Do(actions ...Action) error {
	for _, a := range actions {
		if err := a(t.ctx); err != nil {
			return err
		}
	}
	return nil
}
