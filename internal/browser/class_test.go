package browser

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"paretoplay/internal/browser/chrome"
	"paretoplay/internal/teach/class"
)

// joins types a name into the dialog that a class's link opens, and waits until the page has reloaded.
func (p *page) joins(name string) {
	p.Helper()
	p.until("the question for a name", `() => document.getElementById('class-dialog').open &&
		document.activeElement.id === 'class-name'`)
	p.js(nil, `() => { window.old = true; document.activeElement.select(); }`)
	p.key(name)
	p.key(chrome.Enter)
	p.until("the page anew", `() => !window.old && window.playground !== undefined`)
	p.js(nil, `() => playground.ready`)
}

// knowing returns an option that gives a page the rules that keepsRules checks, if they are available.
func knowing(t *testing.T) option {
	t.Helper()
	if *rules == "" {
		return func(*page) {}
	}
	script, err := os.ReadFile(*rules)
	if err != nil {
		t.Fatal(err)
	}
	return injecting(string(script))
}

// keepsRules checks the accessibility rules if they are available.
func (p *page) keepsRules(what string) {
	p.Helper()
	if *rules != "" {
		p.lawful(what)
	}
}

// firstWith returns the first lesson in one of the given scenes.
func (p *page) firstWith(scenes ...string) (l lessonEntry) {
	p.Helper()
	for _, l := range p.path() {
		for _, scene := range scenes {
			if l.Scene == scene {
				return l
			}
		}
	}
	p.Fatalf("no lesson has a scene in %v", scenes)
	return l
}

// TestClass: a student of a class enters a name, completes a lesson, and gets a code for it. The next student on the
// same machine starts from the beginning. The page for teachers reads the code.
func TestClass(t *testing.T) {
	t.Parallel()
	p := readyApart(t, 5*time.Minute, "?class=%20Bio%20%203#v=1&scene=lab", size(1440, 900), knowing(t))
	l := p.firstWith("lab")
	p.keepsRules("the question for a name")
	p.joins(" Zoë   Lima ")
	var state struct {
		Label string
		Open  bool
	}
	p.js(&state, `() => ({ label: document.querySelector('#class-button [data-label]').textContent,
		open: document.getElementById('class-dialog').open })`)
	if state.Label != "Zoë Lima" || state.Open {
		t.Errorf("after the name: %+v", state)
	}
	p.learn(l, false)
	var code string
	p.until("the code", `() => document.querySelector('#lesson .class-code code')?.checkVisibility()`)
	p.js(&code, `() => document.querySelector('#lesson .class-code code').textContent`)
	p.keepsRules("the code")
	lines, err := class.Check(strings.NewReader(code), "bio 3", []string{l.Name})
	if err != nil || len(lines) != 1 {
		t.Fatalf("%v, %v", lines, err)
	}
	right, predictions := 0, 0
	for i, s := range p.steps(l.Name) {
		if s.Predict == nil {
			continue
		}
		predictions++
		for _, r := range s.Predict.Right {
			if r == i%2 { // the answer that learn chooses
				right++
			}
		}
	}
	got := lines[0]
	if !got.Valid || got.Name != "Zoë Lima" || got.Lesson != l.Name || got.Right != right || got.Predictions != predictions ||
		got.Shown != got.Goals || got.Reached != 0 {
		t.Errorf("the code contains %+v; %d of %d predictions were right", got, right, predictions)
	}

	// The dialog lists all codes, and saves all statements.
	p.js(nil, `() => document.getElementById('class-button').click()`)
	p.until("the list", `() => document.querySelector('.class-done li code')`)
	p.keepsRules("the list")
	var listed string
	if p.js(&listed, `() => document.querySelector('.class-done code').textContent`); listed != code {
		t.Errorf("the list has %s", listed)
	}
	var statements []struct {
		Verb  struct{ ID string }
		Actor struct{ Account struct{ Name string } }
	}
	p.js(&statements, `async () => {
		let made;
		const { createObjectURL } = URL;
		URL.createObjectURL = (blob) => { made = blob; return createObjectURL.call(URL, blob); };
		[...document.querySelectorAll('#class-dialog button')].find(({ textContent }) => textContent.startsWith('Save')).click();
		URL.createObjectURL = createObjectURL;
		return JSON.parse(await made.text());
	}`)
	if n := len(statements); n != predictions+1 || !strings.HasSuffix(statements[n-1].Verb.ID, "/completed") ||
		statements[0].Actor.Account.Name != "Bio 3/Zoë Lima" {
		t.Errorf("the statements are %+v", statements)
	}

	// Another student uses the same machine.
	p.js(nil, `() => document.getElementById('class-name').focus()`)
	p.joins("Ben")
	p.at(l, 1, p.steps(l.Name)[0].Title)
	p.js(nil, `() => document.getElementById('class-button').click()`)
	p.until("nothing that the next student has done", `() =>
		document.getElementById('class-dialog').textContent.includes('You have not started a lesson here.')`)
	var why string
	p.js(&why, `() => {
		document.getElementById('class-name').value = 'Wolfgang-Alexander Müller-Lüdenscheidt';
		document.querySelector('#class-dialog [type=submit]').click();
		return document.querySelector('#class-dialog .failure-text').textContent;
	}`)
	if !strings.Contains(why, "room only for “Wolfgang-Alexander Mülle”") {
		t.Errorf("a name that no code has room for: %q", why)
	}

	// The page for teachers reads the code.
	p.run(chrome.Navigate(site + "teachers-sheet.html"))
	p.until("the page for teachers", `() => document.querySelector('#codes-table thead')`)
	p.js(nil, `(code) => {
		const type = (id, text) => {
			const field = document.getElementById(id);
			field.value = text;
			field.dispatchEvent(new InputEvent('input', { bubbles: true }));
		};
		type('link-class', 'BIO 3');
		type('codes-text', 'nonsense\n' + code.toLowerCase());
		document.getElementById('link-lesson').selectedIndex = 1;
		type('link-canvas', '');
	}`, code)
	var told struct{ Said, Link, First, Second string }
	p.js(&told, `() => {
		const [first, second] = [...document.querySelectorAll('#codes-table tbody tr')].map((row) => row.textContent);
		return { said: document.getElementById('codes-said').textContent, link: document.getElementById('link-address').href, first, second };
	}`)
	link, err := url.Parse(told.Link)
	if err != nil || link.Query().Get("class") != "BIO 3" || !strings.Contains(link.Fragment, "lesson=") {
		t.Errorf("the link is %s, error %v", told.Link, err)
	}
	if told.Said != "1 of 2 codes are valid." || !strings.Contains(told.First, "it is too short") ||
		!strings.Contains(told.Second, "Zoë Lima"+l.Title) {
		t.Errorf("the codes contain %+v", told)
	}
	p.keepsRules("the page for teachers")
}

// TestClassOnPhone: the fields of a class fit a phone, and the page asks for the name only once.
func TestClassOnPhone(t *testing.T) {
	t.Parallel()
	p := readyApart(t, endurance, "?class=Bio%203#v=1&scene=lab", touchScreen(320, 640))
	p.joins("Maximiliane Oberhuber-Jo")
	var shown struct{ Wide, Asks bool }
	p.js(&shown, `() => ({ wide: document.documentElement.scrollWidth > innerWidth, asks: document.getElementById('class-dialog').open })`)
	if shown.Wide || shown.Asks {
		t.Errorf("%+v", shown)
	}
	p.run(chrome.Navigate(site + "teachers-sheet.html"))
	p.until("the page for teachers", `() => document.querySelector('#codes-table thead')`)
	var wide []string
	p.js(&wide, `() => document.documentElement.scrollWidth <= innerWidth ? []
		: [String(document.documentElement.scrollWidth), ...document.querySelectorAll('main *')].flatMap((node) => (typeof node === 'string'
		? [node]
			: node.getBoundingClientRect().right > innerWidth && !node.closest('.codes-table')
				? [node.tagName + ' ' + node.textContent.slice(0, 40)] : []))`)
	if len(wide) > 0 {
		t.Errorf("the page for teachers is wider than a phone: %q", wide)
	}
}

// store is a learning record store with another origin.
type store struct {
	*httptest.Server
	mu       sync.Mutex
	received []statement
	refusals int // number of coming requests that the store refuses
}

type statement struct {
	ID     string
	Actor  struct{ Mbox string }
	Verb   struct{ ID string }
	Object struct{ ID string }
	Result struct {
		Success    *bool
		Completion bool
		Response   string
	}
	Context   struct{ Registration string }
	Timestamp time.Time
}

func newStore(t *testing.T) *store {
	s := &store{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range map[string]string{"Origin": "*", "Headers": "Authorization, Content-Type, X-Experience-API-Version",
			"Methods": "POST"} {
			w.Header().Set("Access-Control-Allow-"+name, value)
		}
		w.Header().Set("Access-Control-Expose-Headers", "Retry-After")
		if r.Method == http.MethodOptions {
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		body, err := io.ReadAll(r.Body)
		var list []statement
		err = errorOr(err, json.Unmarshal(body, &list))
		if err != nil || r.URL.Path != "/xapi/statements" || r.Header.Get("Authorization") != "Basic secret" ||
			r.Header.Get("X-Experience-API-Version") != "1.0.3" {
			t.Errorf("the store receives %s %v, %s, error %v", r.URL, r.Header, body, err)
		}
		if s.refusals > 0 {
			s.refusals--
			w.Header().Set("Retry-After", "1")
			http.Error(w, "busy", http.StatusServiceUnavailable)
			return
		}
		s.received = append(s.received, list...)
		_, _ = w.Write([]byte("[]")) // fails only if the page is gone
	}))
	t.Cleanup(s.Close)
	return s
}

func errorOr(first, second error) error {
	if first != nil {
		return first
	}
	return second
}

// refuse makes the store refuse the next n requests.
func (s *store) refuse(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusals = n
}

func (s *store) all() []statement {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]statement(nil), s.received...)
}

// launchOf returns the query with which a learning platform opens the page for the student with the address mbox.
func launchOf(endpoint, auth, mbox, registration string) string {
	return "?" + url.Values{"endpoint": {endpoint}, "auth": {auth}, "actor": {`{"mbox":"mailto:` + mbox + `"}`},
		"registration": {registration}, "activity_id": {"https://school.example/conflict"}}.Encode() +
		"#v=1&scene=lab&lesson=01-conflict:1"
}

// lesson returns the named lesson of the path.
func (p *page) lesson(name string) lessonEntry {
	p.Helper()
	for _, l := range p.path() {
		if l.Name == name {
			return l
		}
	}
	p.Fatalf("no lesson %s", name)
	return lessonEntry{}
}

// agrees allows the page to send statements. It uses only the keyboard.
func (p *page) agrees(endpoint, who string) {
	p.Helper()
	p.until("the question whether to send", `() => document.getElementById('consent-dialog').open && document.activeElement.value === 'send'`)
	var asked string
	p.js(&asked, `() => [...document.querySelectorAll('#consent-dialog code')].map((code) => code.textContent).join(' ')`)
	if asked != endpoint+" "+who {
		p.Errorf("the question whether to send is %q", asked)
	}
	p.key(chrome.Enter)
	p.until("the end of the question", `() => !document.getElementById('consent-dialog').open`)
}

// warns reports whether the page warns visitors who leave it.
func (p *page) warns() (on bool) {
	p.Helper()
	p.js(&on, `() => !dispatchEvent(new Event('beforeunload', { cancelable: true }))`)
	return on
}

// eventually waits for an effect that the page causes by itself.
func (p *page) eventually(what string, holds func() bool) {
	p.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			p.Fatalf("waiting for %s", what)
		}
	}
}

// TestStatements: a page opened by a learning platform asks for consent, and then sends statements about the visitor's
// actions to the platform's store. If the store refuses a statement, the page sends the statement again. Another
// student in the same browser starts from the beginning. Statements that the store did not accept are sent when the
// page next opens. The page itself can only reach its own host.
func TestStatements(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	const auth, registration = "Basic secret", "0e5d4b0c-1c3e-4b2f-9a3d-2f1f2c3d4e5f"
	endpoint := s.URL + "/xapi"
	p := readyApart(t, 4*time.Minute, launchOf(endpoint, auth, "ana@example.org", registration), size(1440, 900), knowing(t),
		expecting(`503`, `Service Unavailable`, `violates the (document's|following) Content Security Policy`, `Failed to fetch`, `csp`))
	l := p.lesson("01-conflict")
	first := p.steps(l.Name)[0]
	p.learn(l, false)
	p.keepsRules("the question whether to send")
	if got := s.all(); len(got) > 0 || p.warns() {
		t.Errorf("before the visitor agrees, the store has %+v, or the page warns about leaving", got)
	}
	s.refuse(1)
	p.agrees(endpoint+"/", "ana@example.org")
	count := func(actor, verb string) (n int) {
		for _, st := range s.all() {
			if st.Actor.Mbox == "mailto:"+actor && strings.HasSuffix(st.Verb.ID, "/"+verb) {
				n++
			}
		}
		return n
	}
	p.eventually("the end of the lesson in the store", func() bool { return count("ana@example.org", "completed") > 0 })
	asked, ids := 0, map[string]bool{}
	for _, step := range p.steps(l.Name) {
		if step.Predict != nil {
			asked++
		}
	}
	for _, st := range s.all() {
		if strings.HasSuffix(st.Verb.ID, "/answered") && (st.Result.Success == nil || st.Result.Response == "") {
			t.Errorf("an answer: %+v", st)
		}
		if strings.HasSuffix(st.Verb.ID, "/completed") && (st.Object.ID != "https://school.example/conflict" || !st.Result.Completion) {
			t.Errorf("the end: %+v", st)
		}
		if st.Actor.Mbox != "mailto:ana@example.org" || st.Context.Registration != registration || time.Since(st.Timestamp) > time.Hour ||
			ids[st.ID] {
			t.Errorf("%+v", st)
		}
		ids[st.ID] = true
	}
	if n := count("ana@example.org", "answered"); n != asked || count("ana@example.org", "completed") != 1 {
		t.Errorf("%d answers to %d questions, %d ends", n, asked, count("ana@example.org", "completed"))
	}
	var said, refused string
	p.js(&said, `() => document.getElementById('notices').textContent`)
	if !strings.Contains(said, "does not accept your work: it answers 503") || !strings.Contains(said, "has accepted all your work") {
		t.Errorf("about the refusal, the page says %q", said)
	}
	p.js(&refused, `(address) => fetch(address).then(() => 'the page may speak with another host', () => '')`, s.URL)
	if refused != "" {
		t.Error(refused)
	}

	// Another student, whose store is down, uses the same browser.
	const everyOne = 1 << 20
	s.refuse(everyOne)
	ben := site + launchOf(endpoint, auth, "ben@example.org", "1e5d4b0c-1c3e-4b2f-9a3d-2f1f2c3d4e5f")
	p.run(chrome.Navigate(ben))
	p.until("the page of the other", `() => playground.ready.then(() => true)`)
	p.agrees(endpoint+"/", "ben@example.org")
	p.at(l, 1, first.Title)
	p.answer(first, 1) // fails if there is an answer already
	p.until("what the page says of the store", `() => document.getElementById('notices').textContent.includes('This browser keeps your work')`)
	if !p.warns() || count("ben@example.org", "answered") > 0 {
		t.Error("the page does not warn visitors who leave it while the store has nothing")
	}
	questions := make(chan string, 1)
	if err := p.tab.Accept(func(kind string) { questions <- kind }, func(err error) { p.fault(err.Error()) }); err != nil {
		t.Fatal(err)
	}
	p.run(chrome.Navigate("about:blank"))
	select {
	case kind := <-questions:
		if kind != "beforeunload" {
			t.Errorf("on leaving, the page asks with %s", kind)
		}
	default:
		t.Error("on leaving, the page asks nothing")
	}
	s.refuse(0)
	p.run(chrome.Navigate(ben))
	p.eventually("what the store did not take before", func() bool { return count("ben@example.org", "answered") == 1 })
	p.until("the page without a warning", `() => playground.ready.then(() => dispatchEvent(new Event('beforeunload', { cancelable: true })))`)
	var open bool
	if p.js(&open, `() => document.getElementById('consent-dialog').open`); open {
		t.Error("the page asks again for the same store")
	}
}

// TestWorksheetPrints: a worksheet fits on a few sheets of A4 or Letter paper, has answers on separate sheets, and is
// readable on a phone.
func TestWorksheetPrints(t *testing.T) {
	t.Parallel()
	p := open(t, "worksheets/01-conflict.html", touchScreen(320, 640), knowing(t))
	p.until("the worksheet", `() => document.querySelectorAll('.sheet').length === 3`)
	var wide bool
	if p.js(&wide, `() => document.documentElement.scrollWidth > innerWidth`); wide {
		t.Error("the worksheet is wider than a phone")
	}
	p.keepsRules("a worksheet")
	for name, paper := range map[string][2]float64{"A4": {8.27, 11.69}, "Letter": {8.5, 11}} {
		var pdf []byte
		p.run(chrome.PDF(paper[0], paper[1], &pdf))
		const least, limit = 3, 8
		if n := len(regexp.MustCompile(`/Type /Page\b`).FindAll(pdf, -1)); n < least || n > limit {
			t.Errorf("on %s it has %d pages", name, n)
		}
	}
	var breaks string
	p.run(chrome.Printed())
	p.js(&breaks, `() => [...document.querySelectorAll('.sheet')].map((sheet) => getComputedStyle(sheet).breakBefore).join(' ')`)
	if breaks != "auto page page" {
		t.Errorf("before its parts there are breaks: %s", breaks)
	}
}
