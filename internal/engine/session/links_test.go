package session

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/timeline"
	"paretoplay/scenes"
)

var regenerate = flag.Bool("regen", false, "write the golden files of this package anew; the links in them stay as they are listed")

// ---- a session's outcome

// opened is a session that has loaded a link and whose runs are at the link's iteration.
type opened struct {
	*Session
	notices []string
	fault   string // the error of loading or running, or ""
}

func openLink(address string) (*opened, error) {
	s, err := New(scenes.All, "fonseca")
	if err != nil {
		return nil, err
	}
	settings, notices := link.Parse(address)
	out := &opened{Session: s}
	fault := s.Load(settings)
	for pending := fault == nil; pending && fault == nil; {
		pending, fault = s.Work(always)
	}
	if fault != nil {
		out.fault = fault.Error()
	}
	out.notices = append(notices, s.TakeNotices()...)
	return out, nil
}

// cardLink returns the link of a card, with the latest iteration and the marker of the link address.
func cardLink(card, address string) (string, error) {
	asked, _ := link.Parse(address)
	s, err := New(scenes.All, asked.Scene)
	if err != nil {
		return "", err
	}
	if err := s.Card(card); err != nil {
		return "", err
	}
	out := s.Settings()
	out.Latest, out.Marker = asked.Latest, asked.Marker
	out.Card, out.Hero = "", "" // a card's link also names the card
	return out.Hash(), nil
}

// track is the path of one solution of a run. A run of MOO-SVGD has one track for each start point; other runs have one track.
type track struct {
	name, method, label, status string

	line timeline.Track
	runs *timeline.Timeline
}

func tracksOf(s *opened) []track {
	var out []track
	t := s.timeline()
	for _, r := range t.Tracks() {
		status := r.Status().String()
		if d := r.Divergence(); d.Quantity != "" {
			status += fmt.Sprintf(" at %d: %s", d.K, d.Quantity)
		}
		out = append(out, track{r.Name(), r.Method, r.Label(), status, r, t})
	}
	return out
}

// quantity holds the values recorded under one name at an iteration. Its values are nil if none were recorded.
type quantity struct {
	name   string
	values []float64
}

// at returns what was recorded at iteration k, or at the last iteration if the run ended earlier. bp is the number of
// backpropagations up to that iteration.
func (t track) at(k int) (last int, recorded []quantity, bp int, err error) {
	row, err := t.runs.At(t.line.Run, k)
	if err != nil {
		return 0, nil, 0, err
	}
	row = t.line.Of(row)
	recorded = []quantity{{"x", row.X}, {"f", row.F}, {"stationarity", []float64{row.Stationarity}}, {"weights", row.Weights}}
	add := func(e timeline.Extra, values []float64) { recorded = append(recorded, quantity{e.Name, values}) }
	row.Further(add)
	return row.K, recorded, row.BP, nil
}

// shared reports whether a track has only a share of its run's backpropagations. For such runs, only totals are compared.
func (t track) shared() bool { return t.line.Several }

// ---- the stored outcome of a link

// stored is a link with its stored outcome.
type stored struct {
	Link   string `json:"link"`
	Card   string `json:"card,omitempty"`   // the card with this link
	Export bool   `json:"export,omitempty"` // files are compared, too
	given
}

// given is the outcome of a link. Hashes are the first 16 hexadecimal digits of SHA-256.
type given struct {
	Fault       string          `json:"fault,omitempty"`
	Canonical   string          `json:"canonical,omitempty"` // the session's own link, or "" if it is the stored link
	Marker      int             `json:"marker"`
	Latest      int             `json:"latest"`
	Selected    string          `json:"selected,omitempty"`
	Notices     int             `json:"notices,omitempty"`
	NoticesHash string          `json:"noticesHash,omitempty"`
	Readout     string          `json:"readout,omitempty"` // hash of the table
	Panels      string          `json:"panels,omitempty"`  // hash of identifiers, titles and descriptions
	Results     json.RawMessage `json:"results,omitempty"` // hash, or the results if their last bits may differ
	CSV         string          `json:"csv,omitempty"`
	JSON        []piece         `json:"json,omitempty"`
	SharedBP    map[string]int  `json:"sharedBP,omitempty"` // of all tracks of a method at the end
	Tracks      []storedTrack   `json:"tracks,omitempty"`
}

// storedTrack is the stored form of a track.
type storedTrack struct {
	Track  string `json:"track"`
	Method string `json:"method"`
	Label  string `json:"label"`
	Status string `json:"status"`
	Bits   string `json:"bits"`           // hash of the records at some iterations, to the last bit
	Each   string `json:"each"`           // two digits per iteration, to find the first iteration that differs
	BP     *int   `json:"bp,omitempty"`   // at the end
	Last   int    `json:"last,omitempty"` // iteration
}

// piece is a part of a JSON object.
type piece struct {
	Name    string  `json:"name"`
	Hash    string  `json:"hash"`
	Options []piece `json:"options,omitempty"` // of a choice; the choice's hash covers everything else
}

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

func hashJSON(v any) (string, error) {
	data, err := json.Marshal(v)
	return hash(data), err
}

// sampled is the number of iterations, besides the start, at which tracks are compared.
const sampled = 8

// digest reads a track at iterations from 0 to latest. It reads them out of order, because the values at an iteration must
// not depend on the order in which iterations are read.
func (t track) digest(latest int) (storedTrack, error) {
	out := storedTrack{Track: t.name, Method: t.method, Label: t.label, Status: t.status}
	rows := make([][]byte, sampled+1)
	for i := range rows {
		at := (5*i + sampled) % len(rows) // 5 and 9 have no common divisor
		k, recorded, bp, err := t.at(latest * at / sampled)
		if err != nil {
			return out, err
		}
		if t.shared() {
			bp = 0
		} else if at == sampled {
			out.BP = &bp
		}
		out.Last = max(out.Last, k)
		rows[at] = binary.BigEndian.AppendUint64(rows[at], uint64(k))
		rows[at] = binary.BigEndian.AppendUint64(rows[at], uint64(bp))
		for _, q := range recorded {
			rows[at] = append(rows[at], q.name...)
			length := uint64(len(q.values))
			if q.values == nil {
				length = math.MaxUint64
			}
			rows[at] = binary.BigEndian.AppendUint64(rows[at], length)
			for _, v := range q.values {
				if math.IsNaN(v) {
					v = math.NaN() // one bit pattern for all NaNs
				}
				rows[at] = binary.BigEndian.AppendUint64(rows[at], math.Float64bits(v))
			}
		}
		if at == sampled && k != out.Last {
			return out, fmt.Errorf("the last iteration of %s is %d and %d", t.name, k, out.Last)
		}
	}
	for _, row := range rows {
		out.Each += hash(row)[:2]
	}
	out.Bits = hash(slices.Concat(rows...))
	return out, nil
}

// give opens a link and returns its outcome. Of the parameters in files, only those with the given names count.
func give(address string, export bool, names []string, later additions) (given, error) {
	s, err := openLink(address)
	if err != nil {
		return given{}, err
	}
	out := given{
		Fault: s.fault, Notices: len(s.notices),
		Marker: s.timeline().Marker(), Latest: s.timeline().Latest(), Selected: s.timeline().SelectedName(),
	}
	settings := s.Settings()
	if out.Canonical = settings.Hash(); out.Canonical == address {
		out.Canonical = ""
	}
	if len(s.notices) > 0 {
		out.NoticesHash = hash([]byte(later.leaveOut(strings.Join(s.notices, "\n"))))
	}
	tracks := tracksOf(s)
	shared := slices.ContainsFunc(tracks, track.shared)

	results, err := json.Marshal(s.scene.Results())
	if err != nil {
		return out, err
	}
	var object map[string]any
	if err := json.Unmarshal(results, &object); err != nil {
		return out, err
	}
	if shared {
		withoutBP(object)
		if results, err = json.Marshal(object); err != nil {
			return out, err
		}
	}
	if unsteady(object) {
		withoutNoise(object)
		if out.Results, err = json.Marshal(object); err != nil {
			return out, err
		}
	} else {
		if out.Results, err = json.Marshal(hash(results)); err != nil {
			return out, err
		}
		if out.Readout, err = readoutHash(s.Readout(), shared); err != nil {
			return out, err
		}
		if out.Panels, err = panelsHash(s.describe(), shared); err != nil {
			return out, err
		}
	}
	if export {
		if err := out.files(s, names); err != nil {
			return out, err
		}
	}
	for _, t := range tracks {
		d, err := t.digest(out.Latest)
		if err != nil {
			return out, err
		}
		out.Tracks = append(out.Tracks, d)
		if t.shared() {
			_, _, bp, err := t.at(out.Latest)
			if err != nil {
				return out, err
			}
			if out.SharedBP == nil {
				out.SharedBP = map[string]int{}
			}
			out.SharedBP[t.method] += bp
		}
	}
	return out, nil
}

// unsteady reports whether results contain a min-norm point of three or more gradients, whose last bits depend on the solver.
func unsteady(results map[string]any) bool {
	m, ok := results["objectives"].(float64)
	return ok && m > 2
}

// withoutBP removes backpropagation counts from results.
func withoutBP(v any) {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "bp")
		for _, w := range v {
			withoutBP(w)
		}
	case []any:
		for _, w := range v {
			withoutBP(w)
		}
	}
}

// withoutNoise removes from results the cosines of directions whose norm is zero up to rounding.
func withoutNoise(results map[string]any) {
	methods, _ := results["methods"].([]any)
	for _, m := range methods {
		if m, ok := m.(map[string]any); ok {
			if norm, ok := m["norm"].(float64); ok && norm < 1e-9 {
				delete(m, "cosines")
			}
		}
	}
}

// readoutHash returns the hash of a table. It leaves out backpropagations if runs share them.
func readoutHash(table timeline.Readout, shared bool) (string, error) {
	if i := slices.IndexFunc(table.Columns, func(c timeline.Column) bool { return c.Label == "backpropagations" }); shared && i >= 0 {
		table.Columns = slices.Delete(slices.Clone(table.Columns), i, i+1)
		for j, row := range table.Rows {
			table.Rows[j].Cells = slices.Delete(slices.Clone(row.Cells), i, i+1)
		}
	}
	lines := [][]string{}
	for _, c := range table.Columns {
		lines = append(lines, []string{c.Symbol, c.Label})
	}
	for _, row := range table.Rows {
		lines = append(lines, append([]string{row.Run, row.Method, row.Label}, row.Cells...))
	}
	return hashJSON(lines)
}

// panelsHash returns the hash of the panels' texts. It leaves out words about backpropagations if runs share them.
func panelsHash(panels []PanelText, shared bool) (string, error) {
	var lines [][]string
	for _, p := range panels {
		if shared && strings.Contains(p.Text, "backpropagation") {
			p.Text = ""
		}
		lines = append(lines, []string{p.ID, p.Title, p.Text})
	}
	return hashJSON(lines)
}

// wholeReal matches a whole number that a table writes as a real number.
var wholeReal = regexp.MustCompile(`^(-?\d+)\.0$`)

// withoutSolutions drops the column with the solutions' numbers from a table, because runs of links with files have
// only one solution. In columns of real numbers, it writes whole numbers without a decimal point, as tables did when
// the first links were stored.
func withoutSolutions(table string) ([]byte, error) {
	lines, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	if at := slices.Index(lines[0], "solution"); at >= 0 {
		for i, line := range lines {
			lines[i] = slices.Delete(line, at, at+1)
		}
	}
	for _, line := range lines {
		for i, cell := range line {
			line[i] = wholeReal.ReplaceAllString(cell, "$1")
		}
	}
	err = w.WriteAll(lines)
	return out.Bytes(), err
}

// files hashes a session's files: the table as a whole, and the JSON object field by field, with only the named
// parameters.
func (g *given) files(s *opened, names []string) error {
	var b bytes.Buffer
	if err := s.Files().WriteCSV(&b, 1); err != nil {
		return err
	}
	table, err := withoutSolutions(b.String())
	if err != nil {
		return err
	}
	g.CSV = hash(table)
	b.Reset()
	if err := s.Files().WriteJSON(&b, 1); err != nil {
		return err
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(b.Bytes(), &object); err != nil {
		return err
	}
	var params map[string]json.RawMessage
	if err := json.Unmarshal(object["params"], &params); err != nil {
		return err
	}
	maps.DeleteFunc(params, func(name string, _ json.RawMessage) bool { return !slices.Contains(names, name) })
	data, err := json.Marshal(params)
	if err != nil {
		return err
	}
	object["params"] = data
	for _, name := range sortedKeys(object) {
		g.JSON = append(g.JSON, piece{Name: name, Hash: hash(object[name])})
	}
	return nil
}

// ---- the catalog

// storedPart is a part of a scene's catalog entry: a text, or a list of items with the fields to compare.
type storedPart struct {
	Name   string   `json:"name"`
	Hash   string   `json:"hash,omitempty"`
	Fields []string `json:"fields,omitempty"`
	Items  []piece  `json:"items,omitempty"`
}

type storedScene struct {
	Scene string       `json:"scene"`
	Parts []storedPart `json:"parts"`
}

// comparedParts lists the parts of a catalog entry to compare. The panels' texts at the start are not among these parts,
// because they are compared together with the links.
var comparedParts = []string{"title", "summary", "try", "dataSummary", "dataTry", "methods", "params", "presets", "symbols"}

func catalogEntries() (map[string]map[string]json.RawMessage, []string, error) {
	data, err := CatalogJSON(scenes.All)
	if err != nil {
		return nil, nil, err
	}
	var list []map[string]json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, nil, err
	}
	entries, order := map[string]map[string]json.RawMessage{}, []string{}
	for _, e := range list {
		id := unquoted(e["id"])
		entries[id], order = e, append(order, id)
	}
	return entries, order, nil
}

// unquoted returns the text of a JSON string, or "" for anything else.
func unquoted(data json.RawMessage) string {
	var text string
	if json.Unmarshal(data, &text) != nil {
		return ""
	}
	return text
}

// partOf hashes a part of a catalog entry. If fields is nil, it hashes all fields.
func partOf(name string, data json.RawMessage, fields []string, later additions) (storedPart, error) {
	out := storedPart{Name: name, Fields: fields}
	var items []map[string]json.RawMessage
	if json.Unmarshal(data, &items) != nil {
		out.Hash = hash(data)
		return out, nil
	}
	if fields == nil {
		seen := map[string]bool{}
		for _, item := range items {
			for field := range item {
				seen[field] = true
			}
		}
		out.Fields = sortedKeys(seen)
	}
	for _, item := range items {
		name := cmp.Or(unquoted(item["id"]), unquoted(item["name"]), unquoted(item["sign"]))
		maps.DeleteFunc(item, func(field string, _ json.RawMessage) bool { return !slices.Contains(out.Fields, field) })
		var options []json.RawMessage
		if json.Unmarshal(item["options"], &options) == nil {
			delete(item, "options")
		}
		text, err := json.Marshal(item)
		if err != nil {
			return out, err
		}
		p := piece{Name: name, Hash: hash([]byte(later.leaveOut(string(text))))}
		for _, o := range options {
			var option struct{ Value string }
			if err := json.Unmarshal(o, &option); err != nil {
				return out, err
			}
			p.Options = append(p.Options, piece{Name: option.Value, Hash: hash(o)})
		}
		out.Items = append(out.Items, p)
	}
	return out, nil
}

func storeCatalog() ([]storedScene, error) {
	entries, order, err := catalogEntries()
	if err != nil {
		return nil, err
	}
	var out []storedScene
	for _, id := range order {
		scene := storedScene{Scene: id}
		for _, name := range comparedParts {
			data, ok := entries[id][name]
			if !ok {
				continue
			}
			part, err := partOf(name, data, nil, nil)
			if err != nil {
				return nil, err
			}
			scene.Parts = append(scene.Parts, part)
		}
		out = append(out, scene)
	}
	return out, nil
}

// ---- the golden file

// golden is the content of the file of stored links. To add a link, list it in the file and run the test with -regen.
type golden struct {
	Catalog []storedScene `json:"catalog"`
	Links   []stored      `json:"links"`
}

var goldenLinks = filepath.Join("testdata", "links.json")

func readGolden(t *testing.T) *golden {
	t.Helper()
	data, err := os.ReadFile(goldenLinks)
	if err != nil {
		t.Fatal(err)
	}
	out := &golden{}
	if err := json.Unmarshal(data, out); err != nil {
		t.Fatal(err)
	}
	return out
}

// additions are patterns. In lists, they match the names of scenes that the golden file lacks, and of new options of the
// scenes that it contains.
type additions []*regexp.Regexp

// additions finds the scenes and options that the file does not contain.
func (g *golden) additions() (additions, error) {
	known := map[string]bool{}
	note := func(catalog []storedScene, name func(string)) {
		for _, s := range catalog {
			name(s.Scene)
			for _, part := range s.Parts {
				for _, item := range part.Items {
					for _, o := range item.Options {
						name(o.Name)
					}
				}
			}
		}
	}
	note(g.Catalog, func(name string) { known[name] = true })
	now, err := storeCatalog()
	// A new scene's options need no patterns: other scenes' texts do not list them, and they may be common words.
	for i := range now {
		if !known[now[i].Scene] {
			now[i].Parts = nil
		}
	}
	var out additions
	note(now, func(name string) {
		if name != "" && !known[name] { // "" is the option of a choice for none
			known[name] = true
			out = append(out, regexp.MustCompile(`[ ,]`+regexp.QuoteMeta(name)+`\b`))
		}
	})
	return out, err
}

// leaveOut removes the additions from a text, such as a message about allowed values or a card that runs every method.
func (a additions) leaveOut(text string) string {
	for _, name := range a {
		text = name.ReplaceAllString(text, "")
	}
	return text
}

// params returns the names of a scene's parameters that the file contains.
func (g *golden) params(scene string) []string {
	var out []string
	for _, s := range g.Catalog {
		for _, part := range s.Parts {
			for _, item := range part.Items {
				if s.Scene == scene && part.Name == "params" {
					out = append(out, item.Name)
				}
			}
		}
	}
	return out
}

// write writes the file with one line per track, so that differences are easy to read.
func (g *golden) write(t *testing.T) {
	t.Helper()
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // keeps links readable
	if err := encoder.Encode(g); err != nil {
		t.Fatal(err)
	}
	data := bytes.TrimSpace(b.Bytes())
	for _, key := range []string{"link", "track", "scene", "catalog", "links"} {
		for _, before := range []string{"{", ",", "["} {
			// Quotation marks in texts are escaped, so only keys match.
			data = bytes.ReplaceAll(data, []byte(before+`"`+key+`":`), []byte(before+"\n"+`"`+key+`":`))
		}
		data = bytes.ReplaceAll(data, []byte("{\n"+`"`+key+`":`), []byte("\n{"+`"`+key+`":`))
	}
	if err := os.WriteFile(goldenLinks, append(data, '\n'), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestCatalogStays checks that the descriptions from which the page builds its controls do not change. Items, fields and options
// may be added.
func TestCatalogStays(t *testing.T) {
	want := readGolden(t)
	if *regenerate {
		var err error
		if want.Catalog, err = storeCatalog(); err != nil {
			t.Fatal(err)
		}
		want.write(t)
	}
	entries, _, err := catalogEntries()
	if err != nil {
		t.Fatal(err)
	}
	later, err := want.additions()
	if err != nil {
		t.Fatal(err)
	}
	for _, scene := range want.Catalog {
		for _, part := range scene.Parts {
			got, err := partOf(part.Name, entries[scene.Scene][part.Name], part.Fields, later)
			if err != nil {
				t.Fatal(err)
			}
			if got.Hash != part.Hash {
				t.Errorf("%s: %s has changed", scene.Scene, part.Name)
			}
			stay(t, scene.Scene+": "+part.Name, got.Items, part.Items)
		}
	}
	if t.Failed() {
		t.Log("if that is meant: make regen-catalog")
	}
}

// stay checks that all stored pieces still exist, unchanged and in the same order.
func stay(t *testing.T, where string, got, want []piece) {
	t.Helper()
	at := -1
	for _, item := range want {
		i := slices.IndexFunc(got, func(p piece) bool { return p.Name == item.Name })
		switch {
		case i < 0:
			t.Errorf("%s: %q is missing", where, item.Name)
			continue
		case i <= at:
			t.Errorf("%s: %q is in another place", where, item.Name)
		case got[i].Hash != item.Hash:
			t.Errorf("%s: %q has changed", where, item.Name)
		}
		stay(t, where+": options of "+item.Name, got[i].Options, item.Options)
		at = max(at, i)
	}
}

// TestLinksGiveTheSame checks that every stored link gives the same iterates, to the last bit, and the same words, tables and files.
func TestLinksGiveTheSame(t *testing.T) {
	file := readGolden(t)
	later, err := file.additions()
	if err != nil {
		t.Fatal(err)
	}
	if *regenerate {
		for i := range file.Links {
			l := &file.Links[i]
			if l.Card != "" {
				address, err := cardLink(l.Card, l.Link)
				if err != nil {
					t.Fatalf("%s: %v", l.Link, err)
				}
				l.Link = address
			}
			var err error
			if l.given, err = give(l.Link, l.Export, file.params(sceneOf(l.Link)), later); err != nil {
				t.Fatalf("%s: %v", l.Link, err)
			}
		}
		file.write(t)
		file = readGolden(t)
	}
	seen, byScene := map[string]bool{}, map[string][]stored{}
	for _, l := range file.Links {
		if seen[l.Link] {
			t.Errorf("%s: this link is listed twice", l.Link)
		}
		seen[l.Link] = true
		scene := sceneOf(cmp.Or(l.Canonical, l.Link))
		byScene[scene] = append(byScene[scene], l)
	}
	if len(file.Links) < 320 {
		t.Errorf("got %d links", len(file.Links))
	}
	for _, scene := range sortedKeys(byScene) {
		t.Run(scene, func(t *testing.T) {
			t.Parallel()
			for _, l := range byScene[scene] {
				l.check(t, file.params(scene), later)
			}
		})
	}
}

func sceneOf(address string) string {
	settings, _ := link.Parse(address)
	return settings.Scene
}

// check opens a link and compares its outcome.
func (l *stored) check(t *testing.T, params []string, later additions) {
	t.Helper()
	name := l.Link
	if len(name) > 300 {
		name = name[:300] + "…"
	}
	if l.Card != "" {
		if address, err := cardLink(l.Card, l.Link); err != nil || later.leaveOut(address) != l.Link {
			t.Errorf("%s\n\tthe card %s gives %s, error %v", name, l.Card, address, err)
		}
	}
	got, err := give(l.Link, l.Export, params, later)
	if err != nil {
		t.Errorf("%s\n\t%v", name, err)
		return
	}
	differs := func(what string, got, want any) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s\n\t%s: %v, was %v", name, what, got, want)
		}
	}
	differs("fault", got.Fault, l.Fault)
	differs("canonical link", got.Canonical, l.Canonical)
	differs("marker", got.Marker, l.Marker)
	differs("latest iteration", got.Latest, l.Latest)
	differs("selected run", got.Selected, l.Selected)
	differs("number of notices", got.Notices, l.Notices)
	differs("notices (hash)", got.NoticesHash, l.NoticesHash)
	differs("readout (hash)", got.Readout, l.Readout)
	differs("what panels say (hash)", got.Panels, l.Panels)
	differs("CSV file (hash)", got.CSV, l.CSV)
	differs("backpropagations of runs of several solutions", got.SharedBP, l.SharedBP)
	if difference := compareResults(got.Results, l.Results); difference != "" {
		t.Errorf("%s\n\tresults: %s", name, difference)
	}
	differs("number of pieces of the JSON file", len(got.JSON), len(l.JSON))
	for i := range min(len(got.JSON), len(l.JSON)) {
		differs("piece of the JSON file", got.JSON[i], l.JSON[i])
	}
	differs("number of tracks", len(got.Tracks), len(l.Tracks))
	for i := range min(len(got.Tracks), len(l.Tracks)) {
		if difference := compareTracks(got.Tracks[i], l.Tracks[i], l.Latest); difference != "" {
			t.Errorf("%s\n\ttrack %s, the first that differs: %s", name, l.Tracks[i].Track, difference)
			return
		}
	}
}

// compareTracks returns how a track differs from the stored one, or "" if they are equal.
func compareTracks(got, want storedTrack, latest int) string {
	gotBP, wantBP := got.BP, want.BP
	got.BP, want.BP = nil, nil
	switch {
	case !reflect.DeepEqual(gotBP, wantBP):
		return fmt.Sprintf("backpropagations %s, were %s", optional(gotBP), optional(wantBP))
	case got == want:
		return ""
	case got.Bits == want.Bits:
		return fmt.Sprintf("%+v, was %+v", got, want)
	}
	for i := range sampled + 1 {
		if at := 2 * i; got.Each[at:at+2] != want.Each[at:at+2] {
			return fmt.Sprintf("numbers at iteration %d, and none before among the %d that are compared; status %q, was %q",
				latest*i/sampled, sampled+1, got.Status, want.Status)
		}
	}
	return fmt.Sprintf("numbers; status %q, was %q", got.Status, want.Status)
}

func optional(n *int) string {
	if n == nil {
		return "none"
	}
	return fmt.Sprint(*n)
}

// compareResults compares hashes exactly. Numbers in results may differ by 1e-9 of their size or, because of cancellation, by
// 1e-12 of the largest number.
func compareResults(got, want json.RawMessage) string {
	var a, b any
	if err := json.Unmarshal(got, &a); err != nil {
		return err.Error()
	}
	if err := json.Unmarshal(want, &b); err != nil {
		return err.Error()
	}
	return compareNumbers("results", a, b, 1e-12*largest(b))
}

func largest(v any) float64 {
	out := 0.0
	switch v := v.(type) {
	case float64:
		out = math.Abs(v)
	case []any:
		for _, w := range v {
			out = max(out, largest(w))
		}
	case map[string]any:
		for _, w := range v {
			out = max(out, largest(w))
		}
	}
	return out
}

// compareNumbers returns the first difference between two JSON values, or "" if they are equal.
func compareNumbers(where string, got, want any, floor float64) string {
	switch want := want.(type) {
	case float64:
		if got, ok := got.(float64); ok && math.Abs(got-want) <= 1e-9*math.Abs(want)+floor {
			return ""
		}
	case []any:
		if got, ok := got.([]any); ok && len(got) == len(want) {
			for i := range want {
				if d := compareNumbers(fmt.Sprintf("%s[%d]", where, i), got[i], want[i], floor); d != "" {
					return d
				}
			}
			return ""
		}
	case map[string]any:
		if got, ok := got.(map[string]any); ok && slices.Equal(sortedKeys(got), sortedKeys(want)) {
			for _, name := range sortedKeys(want) {
				if d := compareNumbers(where+"."+name, got[name], want[name], floor); d != "" {
					return d
				}
			}
			return ""
		}
	default:
		if got == want {
			return ""
		}
	}
	return fmt.Sprintf("%s is %v, was %v", where, got, want)
}
