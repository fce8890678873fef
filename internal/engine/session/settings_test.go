package session

import (
	"bytes"
	"fmt"
	"html"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paretoplay/algo/param"
	"paretoplay/internal/engine/files"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/timeline"
	"paretoplay/scenes"
)

// randomValue returns the text of a random value of the parameter.
func randomValue(r *rand.Rand, d param.Descriptor) string {
	between := func() float64 { return d.Min + r.Float64()*(d.Max-d.Min) }
	d.Options = slices.DeleteFunc(slices.Clone(d.Options), func(o param.Option) bool { return o.Disabled != "" })
	switch d.Kind {
	case param.Number:
		return strconv.FormatFloat(between(), 'g', -1, 64)
	case param.Integer, param.Seed:
		return strconv.FormatFloat(float64(int(between())), 'f', 0, 64)
	case param.Choice:
		return d.Options[r.IntN(len(d.Options))].Value
	case param.Set:
		if d.Open {
			return []string{"", "PM10", `PM2.5,"a, b"`}[r.IntN(3)]
		}
		chosen := []string{d.Options[r.IntN(len(d.Options))].Value}
		for _, o := range d.Options {
			if r.IntN(2) == 0 && !slices.Contains(chosen, o.Value) {
				chosen = append(chosen, o.Value)
			}
		}
		return strings.Join(chosen, ",")
	case param.Bool:
		return strconv.FormatBool(r.IntN(2) == 0)
	case param.Text:
		return []string{"", "x^2 +", d.Default.(string)}[r.IntN(3)]
	case param.Points:
		rows := make([]string, 1+r.IntN(3))
		for i := range rows {
			rows[i] = strconv.FormatFloat(between(), 'g', -1, 64) + "," + strconv.FormatFloat(between(), 'g', -1, 64)
		}
		return strings.Join(rows, ";")
	}
	panic("no values of kind " + string(d.Kind))
}

// randomSettings returns random settings that a visitor could reach.
func randomSettings(r *rand.Rand, s *Session) link.Settings {
	out := link.Settings{Scene: s.about.ID, Latest: r.IntN(40)}
	out.Marker = r.IntN(out.Latest + 1)
	for _, d := range s.scene.Params().Descriptors() {
		if r.IntN(3) > 0 {
			continue
		}
		out.Values = append(out.Values, link.Value{Name: d.Name, Text: randomValue(r, d)})
		if d.Effect == param.Live {
			out.Log = append(out.Log, timeline.Change{K: r.IntN(out.Latest + 1), Name: d.Name, Text: randomValue(r, d)})
		}
	}
	slices.SortStableFunc(out.Log, func(a, b timeline.Change) int { return a.K - b.K })
	return out
}

// TestHashRoundTrip checks that reading a written link gives the same settings.
func TestHashRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	s := open(t)
	for range 500 {
		want := randomSettings(r, s)
		if r.IntN(2) == 0 {
			want.Selected, want.Hero = "ls-3", "weights & more=1"
		}
		if r.IntN(2) == 0 {
			want.Card, want.Lesson = "settle", link.Place{Name: "stale-weights", Step: 1 + r.IntN(link.MaxStep)}
		}
		for _, letter := range link.PinLetters {
			if r.IntN(2) == 0 {
				pinned := randomSettings(r, s)
				want.Pins = append(want.Pins, link.Pin{Letter: string(letter), Hash: pinned.Hash()})
			}
		}
		if want.Latest == 0 {
			want.Marker = 0
		}
		hash := want.Hash()
		got, notices := link.Parse(hash)
		if len(notices) > 0 || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: got\n%+v\nwant\n%+v\nnotices %q", hash, got, want, notices)
		}
		if !strings.HasPrefix(hash, "v=1&scene=fonseca") {
			t.Fatalf("hash %s", hash)
		}
	}
}

// roundTrips loads random settings count times, without values for the parameters listed in without. Loading the resulting
// link must give the same link and state again.
func roundTrips(t *testing.T, r *rand.Rand, open func(testing.TB) *Session, count int, without ...string) {
	t.Helper()
	for range count {
		s := open(t)
		in := randomSettings(r, s)
		in.Values = slices.DeleteFunc(in.Values, func(v link.Value) bool { return slices.Contains(without, v.Name) })
		if err := s.Load(in); err != nil {
			t.Fatal(err)
		}
		settle(t, s)
		noticed(t, s, "")
		out := s.Settings()
		want := stateJSON(t, s)
		again := open(t)
		if err := again.Load(out); err != nil {
			t.Fatal(err)
		}
		settle(t, again)
		if got := again.Settings(); got.Hash() != out.Hash() {
			t.Errorf("link %s\nbecame %s", out.Hash(), got.Hash())
		}
		sameState(t, out.Hash(), stateJSON(t, again), want)
	}
}

// TestSettingsRoundTrip checks that loading the link of a session with any valid settings gives the same link and the same
// state. It leaves out schedules, because some of them accept only some step sizes.
func TestSettingsRoundTrip(t *testing.T) {
	roundTrips(t, rand.New(rand.NewPCG(3, 4)), open, 40, "budget", "d", "etaschedule")
}

// usable checks that a session works after a malformed link.
func usable(t testing.TB, s *Session, address string) {
	t.Helper()
	if st := consistent(t, s, address); len(st.Runs) == 0 || st.Scene != "fonseca" {
		t.Errorf("%.200q: %d runs in %s", address, len(st.Runs), st.Scene)
	}
}

// loadBounded loads a link and does a little of the replay, so that a link to many iterations takes no longer than others.
func loadBounded(t testing.TB, s *Session, address string) {
	t.Helper()
	in, notices := link.Parse(address)
	s.events.notices = append(s.events.notices, notices...)
	if err := s.Load(in); err != nil {
		t.Fatalf("%.200q: %v", address, err)
	}
	left := 8
	if _, err := s.Work(func() bool { left--; return left >= 0 }); err != nil {
		t.Fatalf("%.200q: %v", address, err)
	}
	shown(t, s, address)
}

// shown checks that nothing failed or panicked while a link's state was loaded. Otherwise the scene's default state would open
// instead and hide the failure.
func shown(t testing.TB, s *Session, address string) {
	t.Helper()
	for _, n := range s.events.notices {
		if strings.HasPrefix(n, "The link’s state cannot be shown") {
			t.Errorf("%.300q: %s", address, n)
		}
	}
}

// TestMalformedLinks checks that a session works after loading malformed links: 600 random ones, or 100 with -short.
func TestMalformedLinks(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	seeds := linkSeeds(t, r)
	pieces := []string{"&", "=", "%", "%zz", ";", ",", ":", "NaN", "-Inf", "1e999", "-1", "99999999999999999999", "\x00", "é", "\xff",
		"log=", "start=", "#", "+", " ", "R=", strings.Repeat("9", 400)}
	count := 600
	if testing.Short() {
		count = 100
	}
	for i := range count {
		address := []byte(seeds[i%len(seeds)])
		for range 1 + r.IntN(4) {
			at := r.IntN(len(address) + 1)
			switch r.IntN(4) {
			case 0:
				address = slices.Insert(address, at, []byte(pieces[r.IntN(len(pieces))])...)
			case 1:
				end := min(len(address), at+r.IntN(12))
				address = slices.Delete(address, at, end)
			case 2:
				if at < len(address) {
					address[at] = byte(r.IntN(256))
				}
			case 3:
				address = append(address, address[at:min(len(address), at+40)]...)
			}
		}
		s := open(t)
		loadBounded(t, s, string(address))
		usable(t, s, string(address))
	}
	for _, address := range []string{
		strings.Repeat("&log=1:R:2", 9000), "log=" + strings.Repeat("1:R:2,", 20000), "start=" + strings.Repeat("1,", 6000),
		"start=" + strings.Repeat(";", 9000), strings.Repeat("%", 90000), "method=" + strings.Repeat("psmgd,", 2000), strings.Repeat("a", 1<<20),
		"d=30&starts=50&method=psmgd,mgda,crmogm,ls&budget=100000&latest=100000&k=99999",
	} {
		s := open(t)
		loadBounded(t, s, address)
		usable(t, s, address)
	}
}

func linkSeeds(t testing.TB, r *rand.Rand) []string {
	s := open(t)
	seeds := []string{"", "v=1&scene=fonseca"}
	for range 30 {
		settings := randomSettings(r, s)
		settings.Selected = "psmgd-2"
		seeds = append(seeds, settings.Hash())
	}
	return seeds
}

// FuzzParseHash checks that no link crashes or breaks a session.
func FuzzParseHash(f *testing.F) {
	for _, address := range linkSeeds(f, rand.New(rand.NewPCG(7, 8))) {
		f.Add(address)
	}
	f.Add("v=1&scene=fonseca&log=3:R:2,3:R:4,1:eta:9&latest=5&k=2&start=1,2;;3")
	s := open(f)
	f.Fuzz(func(t *testing.T, address string) {
		loadBounded(t, s, address)
		usable(t, s, address)
	})
}

// TestExportsSayWhereTheyComeFrom opens the link stored in a picture and checks that it gives the same picture.
func TestExportsSayWhereTheyComeFrom(t *testing.T) {
	s := open(t)
	do(t, s, "set", `{"name":"starts","value":2}`)
	do(t, s, "set", `{"name":"R","value":7}`)
	do(t, s, "step", `{"n":6}`)
	described := regexp.MustCompile(`(?s)<title>(.*?)</title>\n<desc>(.*?)</desc>`)
	first, err := s.Take("svg", files.Taking{Panel: "objective"})
	if err != nil {
		t.Fatal(err)
	}
	m := described.FindStringSubmatch(string(first.Data))
	if m == nil || !strings.Contains(m[1], " – Objective space") || !strings.Contains(m[2], "R=7") {
		t.Fatalf("described by %q", m)
	}
	_, address, found := strings.Cut(html.UnescapeString(m[2]), "index.html#")
	if !found || address != state(t, s).Hash {
		t.Errorf("link %q", address)
	}
	if !strings.Contains(string(first.Data), ">PSMGD</text>") {
		t.Error("a panel alone has no legend of the methods")
	}
	s.SetPage("https://example.org/play/")
	again, err := s.Take("svg", files.Taking{Panel: "objective"})
	if err != nil || !strings.Contains(string(again.Data), "https://example.org/play/#v=1&amp;scene=fonseca") {
		t.Errorf("no address of the page: %v", err)
	}
	lowered, err := s.Take("svg", files.Taking{Panel: "weights"})
	if err != nil || !strings.Contains(string(lowered.Data), " – Weights: the share of f1</title>") {
		t.Errorf("a title has notation in it: %v", err)
	}
	settings, notices := link.Parse(address)
	if len(notices) > 0 {
		t.Fatal(notices)
	}
	other := open(t)
	if err := other.Load(settings); err != nil {
		t.Fatal(err)
	}
	settle(t, other)
	if f, err := other.Take("svg", files.Taking{Panel: "objective"}); err != nil || !bytes.Equal(f.Data, first.Data) {
		t.Errorf("the link draws another picture: %v", err)
	}
}

// TestExports checks that every kind of file has the right name and type, and begins as its format requires.
func TestExports(t *testing.T) {
	s := open(t)
	do(t, s, "set", `{"name":"starts","value":2}`)
	do(t, s, "step", `{"n":6}`)
	do(t, s, "set", `{"name":"R","value":2}`)
	do(t, s, "step", `{"n":4}`)
	do(t, s, "seek", `{"k":4}`)
	for kind, c := range map[string]struct{ mime, starts string }{
		"png": {"image/png", "\x89PNG\r\n"}, "svg": {"image/svg+xml", "<?xml"}, "pdf": {"application/pdf", "%PDF-"},
		"csv": {"text/csv", "run,method,k,solution,x1,x2,f1,f2,weight1,weight2,stationarity,bp\n"}, "json": {"application/json",
			`{"scene":"fonseca"`},
	} {
		for _, id := range []string{"", "decision", "weights"} {
			f, err := s.Take(kind, files.Taking{Panel: id})
			if err != nil {
				t.Fatal(err)
			}
			name := "fonseca-k4." + kind
			if id != "" {
				name = "fonseca-k4-" + id + "." + kind
			}
			if f.Name != name || f.Type != c.mime || !strings.HasPrefix(string(f.Data), c.starts) || len(f.Data) < 500 {
				t.Errorf("%s of %q: name %s, type %s, %d bytes that start with %.60q", kind, id, f.Name, f.Type, len(f.Data), f.Data)
			}
		}
	}
	if _, err := s.Take("bmp", files.Taking{Panel: ""}); err == nil || !strings.Contains(err.Error(), "png svg pdf gif csv json go python") {
		t.Errorf("bmp: %v", err)
	}
	if _, err := s.Take("svg", files.Taking{Panel: "zzz"}); err == nil {
		t.Error("an unknown panel is not refused")
	}
}

// TestFiles checks that JSON and CSV hold the same rows, whether the files contain all rows or only every n-th row and the
// last.
func TestFiles(t *testing.T) {
	s := open(t)
	do(t, s, "set", `{"name":"starts","value":2}`)
	do(t, s, "set", `{"name":"method","value":"psmgd,ls"}`)
	do(t, s, "step", `{"n":6}`)
	do(t, s, "set", `{"name":"R","value":2}`)
	do(t, s, "step", `{"n":4}`)
	for every, want := range map[int][]int{1: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 4: {0, 4, 8, 10}, 5: {0, 5, 10}, 1 << 62: {0, 10}} {
		var j, c strings.Builder
		if err := s.Files().WriteJSON(&j, every); err != nil {
			t.Fatal(err)
		}
		if err := s.Files().WriteCSV(&c, every); err != nil {
			t.Fatal(err)
		}
		var record struct {
			Params, Base map[string]any
			Log          []link.LogEntry
			Runs         []struct {
				Name, Method string
				Iterates     []files.Iterate
			}
		}
		decode(t, j.String(), &record)
		if record.Base["R"] != 4.0 || len(record.Log) != 1 || record.Log[0] != (link.LogEntry{K: 6, Name: "R", Value: 2.0}) ||
			record.Params["R"] != 2.0 {
			t.Errorf("log %v on %v with R = %v", record.Log, record.Base, record.Params["R"])
		}
		lines := strings.Split(strings.TrimSpace(c.String()), "\n")[1:]
		if len(record.Runs) != 4 || len(lines) != 4*len(want) {
			t.Fatalf("every %d: %d runs, %d lines", every, len(record.Runs), len(lines))
		}
		n := 0
		for _, run := range record.Runs {
			for i, it := range run.Iterates {
				fields := []string{run.Name, run.Method, strconv.Itoa(it.K), "1"} // one solution
				fields = csvNumbers(csvNumbers(fields, vector(it.X)), vector(it.F))
				if it.K == 10 {
					fields = append(fields, "", "")
				}
				fields = append(csvNumbers(csvNumbers(fields, vector(it.Weights)), []float64{it.Stationarity.(float64)}), strconv.Itoa(it.BP))
				if it.K != want[i] || lines[n] != strings.Join(fields, ",") {
					t.Errorf("every %d: line %q, JSON %v", every, lines[n], fields)
				}
				n++
			}
		}
	}
}

// TestConfigured checks that values on the command line are read strictly, and that given starts replace the random ones.
func TestConfigured(t *testing.T) {
	s, err := NewConfigured(scenes.All, "fonseca", Setup{Values: []link.Value{{Name: "d", Text: "3"}, {Name: "R", Text: "2"}},
		Starts: []string{"1,2,3", "0,0,0.5"}})
	if err != nil {
		t.Fatal(err)
	}
	if runs := s.timeline().Runs(); len(runs) != 2 || !slices.Equal(runs[1].Starts[0], []float64{0, 0, 0.5}) {
		t.Errorf("%d runs", len(runs))
	}
	for _, starts := range [][]string{{"1,2"}, {"1,2,3,4"}, {""}, {"1,2,x"}, {"1,2,99"}, {"1,2,3;4,5,6"},
		slices.Repeat([]string{"1,2,3"}, 51)} {
		if _, err := NewConfigured(scenes.All, "fonseca", Setup{Values: []link.Value{{Name: "d", Text: "3"}}, Starts: starts}); err == nil {
			t.Errorf("starts %.60q are accepted", fmt.Sprint(starts))
		}
	}
	for _, v := range []link.Value{{Name: "R", Text: "0"}, {Name: "R", Text: "x"}, {Name: "zzz", Text: "1"},
		{Name: "method", Text: "newton"}} {
		if _, err := NewConfigured(scenes.All, "fonseca", Setup{Values: []link.Value{v}}); err == nil {
			t.Errorf("%v is accepted", v)
		}
	}
	if _, err := NewConfigured(scenes.All, "zzz", Setup{}); err == nil {
		t.Error("an unknown scene is not refused")
	}
}
