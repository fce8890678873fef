package session

import (
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/param"
	"paretoplay/internal/draw/panel"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// trials are what is shown with other values of one parameter, each in a session of its own.
type trials struct {
	param param.Descriptor
	all   []*trial
}

// trial is one value.
type trial struct {
	text string // of the parameter
	pin  *pinned
}

// Trials is what TryAll has come to.
type Trials struct {
	Name  string  `json:"name"`  // of the parameter
	Label string  `json:"label"` // its words
	K     int     `json:"k"`     // the iteration at which all are shown
	Panel string  `json:"panel"` // the ID of the panel that is drawn
	Fact  string  `json:"fact"`  // the words of the number under each picture, "" for none
	Cells []Trial `json:"cells"`
}

// Trial is one value of the parameter.
type Trial struct {
	Value  string `json:"value"` // as set takes it
	Word   string `json:"word"`  // as people read it
	Fact   string `json:"fact"`  // the number, "" for none
	Chosen bool   `json:"chosen"`
	PNG    string `json:"picture,omitempty"` // a PNG file as a data URL; only programs that write such have it
}

const (
	mostTrials  = 9
	usualTrials = 7
)

// Try says that the page shows what other values of a parameter lead to, "" for none any more. The state
// holds it; the pictures are made by TryAll, in a program beside the page.
func (s *Session) Try(name string) error {
	if name != "" {
		d, ok := s.scene.Params().Lookup(name)
		if !ok {
			return fmt.Errorf("%s is no parameter of the scene %s", scene.Quote(name), s.about.ID)
		}
		if spread(d, s.scene.Params().Text(name)) == nil {
			return fmt.Errorf("%s has no range to try", name)
		}
	}
	s.trying = name
	s.changed()
	return nil
}

// TryAll begins to make what is shown with other values of a parameter, nil for those that spread over its
// range about the default. Work brings them to the marker; Tried is the result.
func (s *Session) TryAll(name string, values []string) error {
	params := s.scene.Params()
	d, ok := params.Lookup(name)
	if !ok {
		return fmt.Errorf("%s is no parameter of the scene %s", scene.Quote(name), s.about.ID)
	}
	if values == nil {
		if values = spread(d, params.Text(name)); values == nil {
			return fmt.Errorf("%s has no range to try: give the values", name)
		}
	}
	if len(values) < 2 || len(values) > mostTrials {
		return fmt.Errorf("%d values of %s: there can be 2 to %d", len(values), name, mostTrials)
	}
	made := &trials{param: d}
	for i, text := range values {
		canonical, notice, err := params.Canonical(name, text)
		if err == nil && notice != "" {
			err = errors.New(notice)
		}
		if err != nil {
			return err
		}
		if slices.Contains(values[:i], text) {
			return fmt.Errorf("%s = %s is given twice", name, text)
		}
		settings := s.unpinned()
		settings.Card = ""
		settings.Latest = settings.Marker
		settings.Ended = false
		settings.Values = slices.DeleteFunc(settings.Values, func(v link.Value) bool { return v.Name == name })
		settings.Values = append(settings.Values, link.Value{Name: name, Text: canonical})
		settings.Log = slices.DeleteFunc(slices.Clone(settings.Log), func(c timeline.Change) bool { return c.Name == name })
		pin, err := s.pin(link.Pin{Hash: settings.Hash()})
		if err != nil {
			return fmt.Errorf("%s = %s: %w", name, text, err)
		}
		made.all = append(made.all, &trial{canonical, pin})
	}
	s.trials = made
	return nil
}

// workTrials brings them to the marker, while more() holds.
func (s *Session) workTrials(more func() bool) (pending bool, err error) {
	if s.trials == nil {
		return false, nil
	}
	for _, t := range s.trials.all {
		for t.pin.session.job != nil {
			if pending, err := t.pin.session.work(more); err != nil || pending {
				return pending, err
			}
		}
	}
	return false, nil
}

// spread are the values of a parameter that TryAll takes by itself: all options, or numbers about the
// default, with the present one among them. They stay when another of them is set.
func spread(d param.Descriptor, now string) (values []string) {
	switch d.Kind {
	case param.Bool:
		return []string{"false", "true"}
	case param.Choice, param.Set:
		for _, o := range d.Options {
			if o.Disabled == "" && !o.Folded && len(values) < mostTrials {
				values = append(values, o.Value)
			}
		}
		if len(values) < 2 {
			return nil
		}
		return values
	case param.Number, param.Integer:
	default:
		return nil
	}
	present, err := strconv.ParseFloat(now, 64)
	if err != nil || !(d.Max > d.Min) {
		return nil
	}
	const each = usualTrials / 2 // to either side
	middle := present
	switch v := d.Default.(type) {
	case float64:
		middle = v
	case int:
		middle = float64(v)
	}
	numbers := []float64{middle}
	add := func(v float64) {
		v = min(max(v, d.Min), d.Max)
		if d.Kind == param.Integer {
			v = math.Round(v)
		} else {
			v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 2, 64), 64) // what was written can be read
		}
		if !slices.Contains(numbers, v) {
			numbers = append(numbers, v)
		}
	}
	for i := 1; i <= each; i++ {
		if d.Scale == param.Log && middle > 0 {
			ratio := math.Pow(math.Max(d.Max/middle, 1), float64(i)/each)
			add(middle * math.Min(ratio, math.Pow(2, float64(i))))
			if d.Min > 0 {
				ratio = math.Pow(math.Max(middle/d.Min, 1), float64(i)/each)
				add(middle / math.Min(ratio, math.Pow(2, float64(i))))
			}
			continue
		}
		add(middle + (d.Max-middle)*float64(i)/each)
		add(middle - (middle-d.Min)*float64(i)/each)
	}
	if !slices.Contains(numbers, present) {
		numbers = append(numbers, present)
	}
	slices.Sort(numbers)
	for _, v := range numbers {
		values = append(values, strconv.FormatFloat(v, 'g', -1, 64))
	}
	if len(values) < 2 {
		return nil
	}
	return values
}

// Tried is what TryAll has come to, once Work has nothing to do. picture draws a scene's panel as a PNG
// file in a program that writes such; nil leaves pictures out.
func (s *Session) Tried(picture func(of *Session, panel string) ([]byte, error)) (Trials, error) {
	if s.trials == nil {
		return Trials{}, fmt.Errorf("no values are tried")
	}
	d := s.trials.param
	out := Trials{Name: d.Name, Label: d.Label, K: s.timeline().Marker(), Panel: s.front()}
	now := s.scene.Params().Text(d.Name)
	for _, t := range s.trials.all {
		cell := Trial{Value: t.text, Word: trialWord(d, t.text), Chosen: t.text == now}
		if f, ok := t.pin.session.fact(); ok {
			out.Fact, cell.Fact = f.Label, timeline.Number(f.Value())
			if _, words, found := strings.Cut(f.Label, ": "); found && d.Name == "method" { // whose the number is
				out.Fact = words
			}
		}
		if picture != nil {
			data, err := picture(t.pin.session, out.Panel)
			if err != nil {
				return Trials{}, err
			}
			cell.PNG = "data:image/png;base64," + base64.StdEncoding.EncodeToString(data)
		}
		out.Cells = append(out.Cells, cell)
	}
	return out, nil
}

// trialWord says a value to people: an option by its label, others with the parameter's name.
func trialWord(d param.Descriptor, text string) string {
	var labels []string
	for name := range strings.SplitSeq(text, ",") {
		i := slices.IndexFunc(d.Options, func(o param.Option) bool { return o.Value == name })
		if i < 0 {
			return link.Word(d, text)
		}
		labels = append(labels, d.Options[i].Label)
	}
	return strings.Join(labels, ", ")
}

// fact is the number that tells most of a scene: the one by which its methods are compared, of the selected
// run's method, or the first that there is.
func (s *Session) fact() (scene.Fact, bool) {
	facts := s.scene.Facts()
	if by := s.about.Comparison; by != nil {
		method := s.timeline().Selected().Run
		for _, f := range facts {
			if method != nil && f.Name == by.Fact+"."+method.Method && !math.IsNaN(f.Value()) {
				return f, true
			}
		}
	}
	for _, f := range facts {
		if !math.IsNaN(f.Value()) {
			return f, true
		}
	}
	return scene.Fact{}, false
}

// The size of a trial's picture in CSS pixels, and dots to each.
const (
	trialWidth, trialHeight = 240, 180
	trialScale              = 2
)

// trialPicture draws the panel of a trial without words.
func trialPicture(of *Session, id string) ([]byte, error) {
	var out bytes.Buffer
	placed := panel.Placed{Rect: vg.Rectangle{Max: vg.Point{X: trialWidth, Y: trialHeight}}, Detail: panel.Mini}
	for _, p := range of.scene.Panels() {
		if p.ID() == id || placed.Panel == nil {
			placed.Panel = p
		}
	}
	err := panel.WritePNG(&out, trialWidth, trialHeight, trialScale, of.theme, []panel.Placed{placed})
	return out.Bytes(), err
}

// trialsFigure is all pictures side by side, each under its value and fact.
func (s *Session) trialsFigure() (*panel.Figure, error) {
	tried, err := s.Tried(nil)
	if err != nil {
		return nil, err
	}
	const across, gap, words = 3, 16, 44
	width, height := vg.Length(exportWidth)/2, vg.Length(exportHeight)/2+words
	rows := (len(tried.Cells) + across - 1) / across
	f := &panel.Figure{Width: across * width, Height: vg.Length(rows)*height + words, Theme: s.theme}
	rect := func(left, top, wide, high vg.Length) vg.Rectangle {
		return vg.Rectangle{Min: vg.Point{X: left, Y: f.Height - top - high}, Max: vg.Point{X: left + wide, Y: f.Height - top}}
	}
	write := func(text string, at vg.Rectangle) {
		f.Placed = append(f.Placed, panel.Placed{Panel: textPanel(text), Rect: at, Detail: panel.Mini})
	}
	heading := fmt.Sprintf("%s, at k = %d", tried.Label, tried.K)
	if tried.Fact != "" {
		heading += ". The numbers: " + tried.Fact
	}
	write(heading, rect(0, 0, f.Width, words))
	for i, cell := range tried.Cells {
		left, top := vg.Length(i%across)*width, words+vg.Length(i/across)*height
		caption := cell.Word
		if cell.Fact != "" {
			caption += ": " + cell.Fact
		}
		write(caption, rect(left, top, width-gap, words))
		for _, p := range s.trials.all[i].pin.session.scene.Panels() {
			if p.ID() == tried.Panel {
				f.Placed = append(f.Placed, panel.Placed{Panel: p, Rect: rect(left, top+words, width-gap, height-words-gap), Detail: panel.Mini})
			}
		}
	}
	if tried.Name != "method" { // there the words over the pictures name them
		f.Legend = func(t *panel.Theme) []panel.Entry { return panel.MethodEntries(t, s.about.Methods, s.timeline()) }
	}
	f.About = s.aboutPicture(s.scene.Panels(), "")
	f.About.Title += ": " + strings.ToLower(s.trials.param.Label) + " tried"
	return f, nil
}

// textPanel is a panel that holds nothing but a text.
func textPanel(text string) panel.Panel {
	return &panel.Plane{Name: "words", Bare: true, Sheets: func() []panel.Sheet { return panel.WordSheets(text) },
		Axes: func() (x, y panel.Axis) { return panel.Axis{Max: 1}, panel.Axis{Max: 1} }}
}

// ExportTrials writes what TryAll has come to: all pictures in one as PNG, SVG or PDF, or the values and
// facts as CSV or JSON.
func (s *Session) ExportTrials(kind string) (File, error) {
	tried, err := s.Tried(nil)
	if err != nil {
		return File{}, err
	}
	var b bytes.Buffer
	name := s.about.ID + "-" + tried.Name + "." + kind
	switch kind {
	case "json":
		err = json.NewEncoder(&b).Encode(tried)
		return File{name, "application/json", b.Bytes()}, err
	case "csv":
		out := csv.NewWriter(&b)
		rows := [][]string{{tried.Name, tried.Fact}}
		for _, cell := range tried.Cells {
			rows = append(rows, []string{cell.Value, cell.Fact})
		}
		err = out.WriteAll(rows)
		return File{name, "text/csv", b.Bytes()}, err
	}
	figure, err := s.trialsFigure()
	if err != nil {
		return File{}, err
	}
	switch kind {
	case "svg":
		err = figure.WriteSVG(&b)
		return File{name, "image/svg+xml", b.Bytes()}, err
	case "pdf":
		err = figure.WritePDF(&b)
		return File{name, "application/pdf", b.Bytes()}, err
	case "png":
		err = figure.WritePNG(&b)
		return File{name, "image/png", b.Bytes()}, err
	}
	return File{}, fmt.Errorf("%s is no kind of file; there are: png svg pdf csv json", scene.Quote(kind))
}
