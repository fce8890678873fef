package browser

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"
)

// driven is a window, about 1280×900 pixels in size, of a browser other than Chromium. Each browser has a different
// protocol: WebKit uses WebDriver, and Firefox uses WebDriver BiDi, for which Debian's Firefox needs no other program.
type driven interface {
	// version returns the browser's name and version.
	version() string
	open(address string) error
	// call calls a JavaScript function in the page, waits for its promise, and returns its value as JSON.
	call(function string, args ...any) (string, error)
	// mouse performs the given gestures with the mouse.
	mouse(gestures []gesture) error
	// screenshot returns a PNG of the window.
	screenshot() ([]byte, error)
	close() error
}

// gesture is one action of a pointer, in the form that both protocols use.
type gesture struct {
	Type     string `json:"type"` // pointerMove, pointerDown, pointerUp or pause
	X        int    `json:"x"`
	Y        int    `json:"y"`
	Button   int    `json:"button"`
	Duration int    `json:"duration"` // milliseconds
}

// byMouse returns the parameters of a command that performs the given gestures with the mouse.
func byMouse(gestures []gesture) map[string]any {
	return map[string]any{"actions": []any{map[string]any{
		"type": "pointer", "id": "mouse", "parameters": map[string]string{"pointerType": "mouse"}, "actions": gestures,
	}}}
}

// expression returns an asynchronous JavaScript expression whose value is the function's result, as JSON text.
func expression(function string, args []any) (string, error) {
	texts := make([]string, len(args))
	for i, a := range args {
		data, err := json.Marshal(a)
		if err != nil {
			return "", err
		}
		texts[i] = string(data)
	}
	return "(async () => JSON.stringify(await (" + function + ")(" + strings.Join(texts, ", ") + ")) ?? 'null')()", nil
}

// scriptTime is the maximum running time of a function.
const scriptTime = 3 * time.Minute

// needed finds a program. If it is missing, the error names the Debian package that contains it.
func needed(debian string, patterns ...string) (string, error) {
	for _, p := range patterns {
		if found, err := exec.LookPath(p); err == nil {
			return found, nil
		}
		if found, err := filepath.Glob(p); err == nil && len(found) > 0 {
			return found[len(found)-1], nil
		}
	}
	return "", fmt.Errorf("%s is missing: install Debian's package %s", filepath.Base(patterns[0]), debian)
}

// process is a program that runs until it is stopped.
type process struct {
	*exec.Cmd
	said *bufio.Scanner // reads its standard error
}

// begin starts a program.
func begin(environment []string, name string, args ...string) (*process, error) {
	p := &process{Cmd: exec.Command(name, args...)}
	p.Env = append(os.Environ(), environment...)
	out, err := p.StderrPipe()
	if err != nil {
		return nil, err
	}
	p.said = bufio.NewScanner(out)
	return p, p.Start()
}

// line waits for a line on standard error that matches the pattern, and returns what the pattern's group matches. It
// drops all later lines.
func (p *process) line(pattern *regexp.Regexp) (string, error) {
	var before strings.Builder
	for p.said.Scan() {
		if found := pattern.FindStringSubmatch(p.said.Text()); found != nil {
			go func() {
				for p.said.Scan() {
				}
			}()
			return found[1], nil
		}
		before.WriteString(p.said.Text() + "\n")
	}
	return "", errors.Join(fmt.Errorf("%s has ended without %q:\n%s", p.Path, pattern, before.String()), p.said.Err())
}

func (p *process) stop() error {
	if err := p.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	if err := p.Wait(); err != nil && p.ProcessState == nil {
		return err
	}
	return nil
}

// display starts an X server without a screen, and returns the value of DISPLAY that selects this server.
func display() (name string, stop func() error, err error) {
	program, err := needed("xvfb", "Xvfb")
	if err != nil {
		return "", nil, err
	}
	p, err := begin(nil, program, "-displayfd", "2", "-screen", "0", "1400x1000x24", "-nolisten", "tcp")
	if err != nil {
		return "", nil, err
	}
	number, err := p.line(regexp.MustCompile(`^(\d+)$`))
	return ":" + number, p.stop, err
}

// Firefox, driven by WebDriver BiDi.

// bidi is a window of Firefox.
type bidi struct {
	browser *process
	profile string
	conn    net.Conn
	id      int
	context string
	name    string
}

// firefoxPreferences stops Firefox from asking questions and from searching for updates.
const firefoxPreferences = `user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.startup.homepage_override.mstone", "ignore");
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("app.normandy.enabled", false);
user_pref("app.update.enabled", false);
user_pref("browser.safebrowsing.downloads.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("services.settings.server", "");
user_pref("browser.aboutwelcome.enabled", false);
user_pref("termsofuse.bypassNotification", true);
`

func firefox(display string) (_ driven, err error) {
	program, err := needed("firefox-esr", "firefox-esr", "firefox")
	if err != nil {
		return nil, err
	}
	b := &bidi{}
	if b.profile, err = os.MkdirTemp("", "paretoplay-firefox-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, b.close())
		}
	}()
	if err := os.WriteFile(filepath.Join(b.profile, "user.js"), []byte(firefoxPreferences), 0o644); err != nil {
		return nil, err
	}
	b.browser, err = begin([]string{"DISPLAY=" + display, "MOZ_DISABLE_AUTO_SAFE_MODE=1"}, program, "--no-remote", "--profile", b.profile,
		"--remote-debugging-port", "0", "--width", "1280", "--height", "960", "about:blank")
	if err != nil {
		return nil, err
	}
	address, err := b.browser.line(regexp.MustCompile(`WebDriver BiDi listening on (ws://\S+)`))
	if err != nil {
		return nil, err
	}
	if b.conn, _, _, err = ws.Dial(context.Background(), address+"/session"); err != nil {
		return nil, err
	}
	var session struct {
		Capabilities struct{ BrowserName, BrowserVersion string }
	}
	if err := b.command(&session, "session.new", map[string]any{"capabilities": map[string]any{}}); err != nil {
		return nil, err
	}
	b.name = session.Capabilities.BrowserName + " " + session.Capabilities.BrowserVersion
	var tree struct {
		Contexts []struct{ Context string }
	}
	if err := b.command(&tree, "browsingContext.getTree", map[string]any{}); err != nil {
		return nil, err
	}
	if len(tree.Contexts) == 0 {
		return nil, errors.New("Firefox has no window")
	}
	b.context = tree.Contexts[0].Context
	return b, nil
}

// command sends a command and waits for its answer. It drops all events.
func (b *bidi) command(out any, method string, params map[string]any) error {
	b.id++
	data, err := json.Marshal(map[string]any{"id": b.id, "method": method, "params": params})
	if err != nil {
		return err
	}
	if err := b.conn.SetDeadline(time.Now().Add(scriptTime)); err != nil {
		return err
	}
	if err := wsutil.WriteClientText(b.conn, data); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	for {
		data, err := wsutil.ReadServerText(b.conn)
		if err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		var answer struct {
			Type    string
			ID      int
			Message string
			Result  json.RawMessage
		}
		if err := json.Unmarshal(data, &answer); err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		switch {
		case answer.ID != b.id:
		case answer.Type == "error":
			return fmt.Errorf("%s: %s", method, answer.Message)
		case out == nil:
			return nil
		default:
			return json.Unmarshal(answer.Result, out)
		}
	}
}

func (b *bidi) version() string { return b.name }

func (b *bidi) open(address string) error {
	return b.command(nil, "browsingContext.navigate", map[string]any{"context": b.context, "url": address, "wait": "complete"})
}

func (b *bidi) call(function string, args ...any) (string, error) {
	text, err := expression(function, args)
	if err != nil {
		return "", err
	}
	var answer struct {
		Type             string
		Result           struct{ Value string }
		ExceptionDetails struct{ Text string }
	}
	err = b.command(&answer, "script.evaluate", map[string]any{
		"expression": text, "awaitPromise": true, "target": map[string]string{"context": b.context},
	})
	if err == nil && answer.Type != "success" {
		err = errors.New(answer.ExceptionDetails.Text)
	}
	return answer.Result.Value, err
}

func (b *bidi) mouse(gestures []gesture) error {
	params := byMouse(gestures)
	params["context"] = b.context
	return b.command(nil, "input.performActions", params)
}

func (b *bidi) screenshot() ([]byte, error) {
	var answer struct{ Data string }
	if err := b.command(&answer, "browsingContext.captureScreenshot", map[string]any{"context": b.context}); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(answer.Data)
}

func (b *bidi) close() (err error) {
	if b.conn != nil {
		err = b.conn.Close()
	}
	if b.browser != nil && b.browser.Process != nil {
		err = errors.Join(err, b.browser.stop())
	}
	return errors.Join(err, os.RemoveAll(b.profile))
}

// WebKitGTK, driven by WebDriver.

// classic is a window of WebKitGTK's MiniBrowser.
type classic struct {
	driver  *process
	address string // address of the session
	name    string
}

func webkit(display string) (_ driven, err error) {
	const debian = "webkit2gtk-driver"
	program, err := needed(debian, "WebKitWebDriver")
	if err != nil {
		return nil, err
	}
	mini, err := needed(debian, "MiniBrowser", "/usr/lib/*/webkit2gtk-4.*/MiniBrowser", "/usr/libexec/webkit2gtk-4.*/MiniBrowser")
	if err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	c := &classic{}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.close())
		}
	}()
	// WebKit's own sandbox needs features that many containers lack.
	environment := []string{"DISPLAY=" + display, "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS=1", "GDK_BACKEND=x11"}
	if c.driver, err = begin(environment, program, "--port="+strconv.Itoa(port)); err != nil {
		return nil, err
	}
	root := fmt.Sprintf("http://127.0.0.1:%d", port)
	if err := listening(port); err != nil {
		return nil, err
	}
	var session struct {
		SessionID    string `json:"sessionId"`
		Capabilities struct{ BrowserName, BrowserVersion string }
	}
	options := map[string]any{"binary": mini, "args": []string{"--automation"}}
	err = request(&session, http.MethodPost, root+"/session", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"webkitgtk:browserOptions": options,
		"timeouts":                 map[string]int64{"script": scriptTime.Milliseconds(), "pageLoad": scriptTime.Milliseconds()},
	}}})
	if err != nil {
		return nil, err
	}
	c.name, c.address = session.Capabilities.BrowserName+" "+session.Capabilities.BrowserVersion, root+"/session/"+session.SessionID
	return c, request(nil, http.MethodPost, c.address+"/window/rect", map[string]int{"x": 0, "y": 0, "width": 1280, "height": 960})
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

// listening waits until a program listens on a port.
func listening(port int) (err error) {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		var conn net.Conn
		if conn, err = net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			return conn.Close()
		}
	}
	return err
}

// request sends a WebDriver command.
func request(out any, method, address string, params any) error {
	var body io.Reader
	if params != nil {
		data, err := json.Marshal(params)
		if err != nil {
			return err
		}
		body = bytes.NewReader(data)
	}
	asked, err := http.NewRequest(method, address, body)
	if err != nil {
		return err
	}
	client := http.Client{Timeout: scriptTime + patience}
	answer, err := client.Do(asked)
	if err != nil {
		return err
	}
	data, err := io.ReadAll(answer.Body)
	if err := errors.Join(err, answer.Body.Close()); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %s", method, address, data)
	}
	var holds struct{ Value json.RawMessage }
	if err := json.Unmarshal(data, &holds); err != nil || out == nil {
		return err
	}
	return json.Unmarshal(holds.Value, out)
}

func (c *classic) version() string { return c.name }

func (c *classic) open(address string) error {
	return request(nil, http.MethodPost, c.address+"/url", map[string]string{"url": address})
}

func (c *classic) call(function string, args ...any) (string, error) {
	text, err := expression(function, args)
	if err != nil {
		return "", err
	}
	var answer struct{ Value, Error string }
	err = request(&answer, http.MethodPost, c.address+"/execute/async", map[string]any{
		"script": "const done = arguments[0];\n" + text +
			".then((value) => done({ value }), (error) => done({ error: String(error?.message ?? error) }))", "args": []any{},
	})
	if err == nil && answer.Error != "" {
		err = errors.New(answer.Error)
	}
	return answer.Value, err
}

func (c *classic) mouse(gestures []gesture) error {
	return request(nil, http.MethodPost, c.address+"/actions", byMouse(gestures))
}

func (c *classic) screenshot() ([]byte, error) {
	var data string
	if err := request(&data, http.MethodGet, c.address+"/screenshot", nil); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(data)
}

func (c *classic) close() (err error) {
	if c.address != "" {
		err = request(nil, http.MethodDelete, c.address, nil)
	}
	if c.driver != nil && c.driver.Process != nil {
		err = errors.Join(err, c.driver.stop())
	}
	return err
}
