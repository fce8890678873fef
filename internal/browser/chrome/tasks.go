package chrome

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// traced is an event of a trace, with the fields that Tasks uses.
type traced struct {
	Name     string  `json:"name"`
	Phase    string  `json:"ph"`
	Process  int64   `json:"pid"`
	Thread   int64   `json:"tid"`
	Computed float64 `json:"tdur"` // µs of processor time
	Args     struct {
		Name string `json:"name"`
	} `json:"args"`
}

// Tasks calls f, and returns the processor time of every task that runs meanwhile on a main thread of the browser's
// pages.
func (t *Tab) Tasks(f func()) (times []time.Duration, err error) {
	var lock sync.Mutex
	var events []traced
	var fault error
	complete := make(chan struct{})
	ctx, done := context.WithCancel(t.ctx)
	defer done()
	err = chromedp.Listen(ctx, func(event any) {
		switch e := event.(type) {
		case *tracing.EventDataCollected:
			lock.Lock()
			defer lock.Unlock()
			for _, value := range e.Value {
				var one traced
				if err := json.Unmarshal(value, &one); err != nil {
					fault = err
					return
				}
				if one.Name == "thread_name" || one.Computed > 0 {
					events = append(events, one)
				}
			}
		case *tracing.EventTracingComplete:
			close(complete)
		}
	})
	if err != nil {
		return nil, err
	}
	if _, err := chromedp.Call(t.ctx, tracing.Start, tracing.StartParams{TransferMode: tracing.StartTransferModeReportEvents,
		TraceConfig: &tracing.TraceConfig{IncludedCategories: []string{"toplevel"}, ExcludedCategories: []string{"*"}}}); err != nil {
		return nil, err
	}
	f()
	if _, err := chromedp.Call(t.ctx, tracing.End, cdp.Empty{}); err != nil {
		return nil, err
	}
	select {
	case <-complete:
	case <-t.ctx.Done():
		return nil, t.ctx.Err()
	}
	lock.Lock()
	defer lock.Unlock()
	if fault != nil {
		return nil, fault
	}
	type thread struct{ process, thread int64 }
	main := map[thread]bool{}
	for _, e := range events {
		if e.Name == "thread_name" && e.Args.Name == "CrRendererMain" {
			main[thread{e.Process, e.Thread}] = true
		}
	}
	for _, e := range events {
		if main[thread{e.Process, e.Thread}] && e.Phase == "X" {
			times = append(times, time.Duration(e.Computed*float64(time.Microsecond)))
		}
	}
	if len(times) == 0 {
		return nil, fmt.Errorf("no task of %d main threads was traced", len(main))
	}
	return times, nil
}
