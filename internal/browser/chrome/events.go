package chrome

import (
	"strings"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// These are the events of a tab.
type (
	// Exception is an error that a script did not catch.
	Exception struct{ Text string }

	// Message is a call of console.log or a similar function.
	Message struct {
		Kind string // "log", "warning", "error", "assert", …
		Text string
	}

	// Entry is an entry of the browser's own log.
	Entry struct{ Level, Source, Text, Address string }

	// Request is the beginning of a request.
	Request struct{ Address string }

	// Response is the beginning of a response.
	Response struct {
		Address string
		Status  int64
	}

	// Received is a request that has succeeded.
	Received struct{ Bytes float64 } // received over the network

	// Failure is a request that has failed.
	Failure struct {
		Reason   string
		Canceled bool // whether the page itself cancelled it
	}

	// World is the newly created context in which a document's scripts run.
	World struct{ ID int64 }
)

// Listen calls a function with every event from now on. The function must not act on the tab.
func (t *Tab) Listen(hear func(event any)) error { return chromedp.Listen(t.ctx, plainly(hear)) }

// plainly returns a function that converts events of Chromium's protocol and passes the converted events to hear.
func plainly(hear func(event any)) func(event any) {
	return func(event any) {
		if told := plain(event); told != nil {
			hear(told)
		}
	}
}

// plain converts an event of Chromium's protocol to this package's matching event. It returns nil if no event matches.
func plain(event any) any {
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			text += " " + e.ExceptionDetails.Exception.Description
		}
		return Exception{text}
	case *runtime.EventConsoleAPICalled:
		var words []string
		for _, a := range e.Args {
			words = append(words, strings.Trim(string(a.Value), `"`)+a.Description)
		}
		return Message{string(e.Type), strings.Join(words, " ")}
	case *log.EventEntryAdded:
		return Entry{string(e.Entry.Level), string(e.Entry.Source), e.Entry.Text, e.Entry.URL}
	case *network.EventRequestWillBeSent:
		return Request{e.Request.URL}
	case *network.EventResponseReceived:
		return Response{e.Response.URL, e.Response.Status}
	case *network.EventLoadingFinished:
		return Received{e.EncodedDataLength}
	case *network.EventLoadingFailed:
		return Failure{e.ErrorText, e.Canceled}
	case *runtime.EventExecutionContextCreated:
		return World{int64(e.Context.ID)}
	}
	return nil
}

// Answer replaces the server's answer to a request.
type Answer struct {
	Status  int64
	Body    string
	Blocked bool // whether to send no answer, as if something in the browser blocked the request
}

// Intercept calls answer for each request of the tab whose address matches a pattern with "*". A nil answer lets the
// request through. Several goroutines may call answer at once. Errors while answering go to fail, until the tab's time
// is over.
func (t *Tab) Intercept(pattern string, answer func(address string) *Answer, fail func(error)) error {
	if err := chromedp.Listen(t.ctx, func(event any) {
		e, ok := event.(*fetch.EventRequestPaused)
		if !ok {
			return
		}
		go func() {
			if err := t.answer(e.RequestID, answer(e.Request.URL)); err != nil && !t.Ended() {
				fail(err)
			}
		}()
	}); err != nil {
		return err
	}
	return t.Do(command(fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: pattern}}}))
}

func (t *Tab) answer(request fetch.RequestID, a *Answer) error {
	switch {
	case a == nil:
		return t.Do(command(fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: request}))
	case a.Blocked:
		return t.Do(command(fetch.FailRequest, fetch.FailRequestParams{RequestID: request, ErrorReason: network.ErrorReasonBlockedByClient}))
	}
	return t.Do(command(fetch.FulfillRequest, fetch.FulfillRequestParams{RequestID: request, ResponseCode: a.Status, Body: []byte(a.Body)}))
}

// Accept accepts each dialog that the browser itself opens in the tab, and reports its kind: "alert", "confirm",
// "prompt" or "beforeunload". Errors while answering go to fail, until the tab's time is over.
func (t *Tab) Accept(told func(kind string), fail func(error)) error {
	return chromedp.Listen(t.ctx, func(event any) {
		e, ok := event.(*page.EventJavascriptDialogOpening)
		if !ok {
			return
		}
		told(string(e.Type))
		go func() {
			err := t.Do(command(page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true}))
			if err != nil && !t.Ended() {
				fail(err)
			}
		}()
	})
}
