package files

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
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/portable"
)

// Beside is a state of the scene that is computed in addition to the displayed one.
type Beside interface {
	Scene() scene.Scene
	// Busy reports whether some of the state's runs have yet to reach the marker. Work advances them.
	Busy() bool
	Work(more func() bool) (pending bool, err error)
}

// TrialRuns holds runs with different values of one parameter.
type TrialRuns struct {
	param param.Descriptor
	theme *brush.Theme
	all   []trial
}

// trial holds the runs for one value.
type trial struct {
	text string // the parameter's value
	runs Beside
}

// Trials is the result of TryAll for all values.
type Trials struct {
	Name  string  `json:"name"`  // the parameter's name
	Label string  `json:"label"` // the parameter's label
	K     int     `json:"k"`     // iteration shown
	Panel string  `json:"panel"` // ID of the panel in the pictures
	Fact  string  `json:"fact"`  // label of the fact that every trial shows, or ""
	Cells []Trial `json:"cells"`
}

// Trial is the result for one value.
type Trial struct {
	Value  string `json:"value"` // in the form that the verb "set" accepts
	Word   string `json:"word"`  // in words for visitors
	Fact   string `json:"fact"`  // value of the fact, or ""
	Chosen bool   `json:"chosen"`
	PNG    string `json:"picture,omitempty"` // PNG file as a data URL; only in programs that can write PNG
}

const (
	maxTrials   = 9
	usualTrials = 7
)

// TryAll prepares runs with different values of a parameter. If values is nil, TryAll uses the values of Spread. It
// calls open to create the state for each value. Work then advances the runs to the marker.
func (s Source) TryAll(name string, values []string, open func(link.Settings) (Beside, error)) (*TrialRuns, error) {
	params := s.Scene.Params()
	d, ok := params.Lookup(name)
	if !ok {
		return nil, fmt.Errorf("unknown parameter %s of the scene %s", scene.Quote(name), s.About.ID)
	}
	if values == nil {
		if values = Spread(d, params.Text(name)); values == nil {
			return nil, fmt.Errorf("%s has no range to try; give the values", name)
		}
	}
	if len(values) < 2 || len(values) > maxTrials {
		return nil, fmt.Errorf("%d values of %s: allowed is 2 to %d values", len(values), name, maxTrials)
	}
	made := &TrialRuns{param: d, theme: s.Theme}
	for i, text := range values {
		canonical, notice, err := params.Canonical(name, text)
		if err == nil && notice != "" {
			err = errors.New(notice)
		}
		if err != nil {
			return nil, err
		}
		if slices.Contains(values[:i], text) {
			return nil, fmt.Errorf("%s = %s is given twice", name, text)
		}
		settings := s.Settings().Alone()
		settings.Card = ""
		settings.Latest = settings.Marker
		settings.Ended = false
		settings.Values = slices.DeleteFunc(settings.Values, func(v link.Value) bool { return v.Name == name })
		settings.Values = append(settings.Values, link.Value{Name: name, Text: canonical})
		settings.Log = slices.DeleteFunc(slices.Clone(settings.Log), func(c timeline.Change) bool { return c.Name == name })
		runs, err := open(settings)
		if err != nil {
			return nil, fmt.Errorf("%s = %s: %w", name, text, err)
		}
		made.all = append(made.all, trial{canonical, runs})
	}
	return made, nil
}

// Work advances the runs to the marker while more() is true. It reports whether any run has not reached the marker. It
// does nothing if r is nil.
func (r *TrialRuns) Work(more func() bool) (pending bool, err error) {
	if r == nil {
		return false, nil
	}
	for _, t := range r.all {
		for t.runs.Busy() {
			if pending, err := t.runs.Work(more); err != nil || pending {
				return pending, err
			}
		}
	}
	return false, nil
}

// Spread returns the default values for TryAll. For a parameter with options, it returns all options. Otherwise it
// returns the current value and numbers around the default.
func Spread(d param.Descriptor, now string) (values []string) {
	switch d.Kind {
	case param.Bool:
		return []string{"false", "true"}
	case param.Choice, param.Set:
		for _, o := range d.Options {
			if o.Disabled == "" && !o.Folded && len(values) < maxTrials {
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
	const each = usualTrials / 2 // number of values on either side
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
			v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 2, 64), 64) // ParseFloat cannot fail on FormatFloat's text
		}
		if !slices.Contains(numbers, v) {
			numbers = append(numbers, v)
		}
	}
	for i := 1; i <= each; i++ {
		if d.Scale == param.Log && middle > 0 {
			ratio := portable.Pow(math.Max(d.Max/middle, 1), float64(i)/each)
			add(middle * math.Min(ratio, portable.Pow(2, float64(i))))
			if d.Min > 0 {
				ratio = portable.Pow(math.Max(middle/d.Min, 1), float64(i)/each)
				add(middle / math.Min(ratio, portable.Pow(2, float64(i))))
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

// Tried returns the result of TryAll. Call it after Work has returned false. If pictures is true, Tried also draws a
// picture for each value. The pictures need a program that can write PNG files.
func (s Source) Tried(r *TrialRuns, pictures bool) (Trials, error) {
	if r == nil {
		return Trials{}, fmt.Errorf("there are no trial values yet")
	}
	d := r.param
	out := Trials{Name: d.Name, Label: d.Label, K: s.Scene.Timeline().Marker(), Panel: s.Front}
	now := s.Scene.Params().Text(d.Name)
	for _, t := range r.all {
		cell := Trial{Value: t.text, Word: trialWord(d, t.text), Chosen: t.text == now}
		if f, ok := mainFact(s.About, t.runs.Scene()); ok {
			out.Fact, cell.Fact = f.Label, timeline.Number(f.Value())
			if tally := s.About.Tally; tally != nil && strings.HasPrefix(f.Name, tally.Fact+".") {
				cell.Fact = fmt.Sprintf("%s %s of %d", tally.Word, cell.Fact, runsOf(t.runs.Scene()))
			}
			if _, words, found := strings.Cut(f.Label, ": "); found && d.Name == "method" { // the label before the colon is the method's name
				out.Fact = words
			}
		}
		if pictures {
			data, err := trialPicture(t.runs.Scene(), out.Panel, r.theme)
			if err != nil {
				return Trials{}, err
			}
			cell.PNG = "data:image/png;base64," + base64.StdEncoding.EncodeToString(data)
		}
		out.Cells = append(out.Cells, cell)
	}
	return out, nil
}

// trialWord returns a value in words for visitors: an option's label, or the parameter's name and the value.
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

// runsOf returns the number of runs with the selected run's method.
func runsOf(of scene.Scene) (count int) {
	selected := of.Timeline().Selected().Run
	for _, r := range of.Timeline().Runs() {
		if selected != nil && r.Method == selected.Method {
			count++
		}
	}
	return count
}

// mainFact returns a scene's most important fact. For the selected run's method, this is the count that summarises the
// runs, or the number that comparisons of methods use. Without such a fact, mainFact returns the first fact.
func mainFact(about scene.About, of scene.Scene) (scene.Fact, bool) {
	facts := of.Facts()
	var names []string
	if about.Tally != nil {
		names = append(names, about.Tally.Fact)
	}
	if about.Comparison != nil {
		names = append(names, about.Comparison.Fact)
	}
	method := of.Timeline().Selected().Run
	for _, name := range names {
		for _, f := range facts {
			if method != nil && f.Name == name+"."+method.Method && !math.IsNaN(f.Value()) {
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

// Size of a trial's picture in CSS pixels, and its dots per CSS pixel.
const (
	trialWidth, trialHeight = 240, 180
	trialScale              = 2
)

// trialPicture returns a PNG file of a trial's panel without text.
func trialPicture(of scene.Scene, id string, theme *brush.Theme) ([]byte, error) {
	var out bytes.Buffer
	placed := axes.Placed{Rect: vg.Rectangle{Max: vg.Point{X: trialWidth, Y: trialHeight}}, Detail: brush.Mini}
	for _, p := range of.Panels() {
		if p.ID() == id || placed.Panel == nil {
			placed.Panel = p
		}
	}
	err := axes.WritePNG(&out, trialWidth, trialHeight, trialScale, theme, []axes.Placed{placed})
	return out.Bytes(), err
}

// trialsFigure returns a figure with all pictures side by side, each below its value and fact.
func (s Source) trialsFigure(r *TrialRuns) (*axes.Figure, error) {
	tried, err := s.Tried(r, false)
	if err != nil {
		return nil, err
	}
	const across, gap, words = 3, 16, 44
	width, height := vg.Length(exportWidth)/2, vg.Length(exportHeight)/2+words
	rows := (len(tried.Cells) + across - 1) / across
	f := &axes.Figure{Width: across * width, Height: vg.Length(vg.Length(rows)*height) + words, Theme: s.Theme}
	rect := func(left, top, wide, high vg.Length) vg.Rectangle {
		return vg.Rectangle{Min: vg.Point{X: left, Y: f.Height - top - high}, Max: vg.Point{X: left + wide, Y: f.Height - top}}
	}
	write := func(text string, at vg.Rectangle) {
		f.Placed = append(f.Placed, axes.Placed{Panel: textPanel(text), Rect: at, Detail: brush.Mini})
	}
	heading := fmt.Sprintf("%s, at k = %d", tried.Label, tried.K)
	if tried.Fact != "" {
		heading += ". The numbers: " + tried.Fact
	}
	write(heading, rect(0, 0, f.Width, words))
	for i, cell := range tried.Cells {
		left, top := vg.Length(vg.Length(i%across)*width), words+vg.Length(vg.Length(i/across)*height)
		caption := cell.Word
		if cell.Fact != "" {
			caption += ": " + cell.Fact
		}
		write(caption, rect(left, top, width-gap, words))
		for _, p := range r.all[i].runs.Scene().Panels() {
			if p.ID() == tried.Panel {
				f.Placed = append(f.Placed, axes.Placed{Panel: p, Rect: rect(left, top+words, width-gap, height-words-gap), Detail: brush.Mini})
			}
		}
	}
	if tried.Name != "method" { // otherwise the texts above the pictures name the methods
		f.Legend = func(t *brush.Theme) []axes.Entry { return kinds.MethodEntries(t, s.About.Methods, s.Scene.Timeline()) }
	}
	f.About = s.aboutPicture(s.Scene.Panels(), "")
	f.About.Title += ": " + strings.ToLower(r.param.Label) + " tried"
	return f, nil
}

func textPanel(text string) axes.Panel {
	return &axes.Plane{Name: "words", Bare: true, Sheets: func() []axes.Sheet { return axes.WordSheets(text) },
		Axes: func() (x, y axes.Axis) { return axes.Axis{Max: 1}, axes.Axis{Max: 1} }}
}

// ExportTrials returns a file with the result of TryAll. PNG, SVG and PDF contain all pictures in one; CSV and JSON
// contain the values and facts.
func (s Source) ExportTrials(r *TrialRuns, kind string) (File, error) {
	tried, err := s.Tried(r, false)
	if err != nil {
		return File{}, err
	}
	var b bytes.Buffer
	name := s.About.ID + "-" + tried.Name
	switch kind {
	case "json":
		err = json.NewEncoder(&b).Encode(tried)
		return File{name + "." + kind, "application/json", b.Bytes()}, err
	case "csv":
		out := csv.NewWriter(&b)
		rows := [][]string{{tried.Name, tried.Fact}}
		for _, cell := range tried.Cells {
			value := cell.Value
			if r.param.Kind == param.Number {
				value = data.AsReals(value)
			}
			rows = append(rows, []string{value, data.AsReals(strings.ReplaceAll(cell.Fact, "−", "-"))})
		}
		err = out.WriteAll(rows)
		return File{name + "." + kind, "text/csv", b.Bytes()}, err
	case "svg", "pdf", "png":
		figure, err := s.trialsFigure(r)
		if err != nil {
			return File{}, err
		}
		return pictureFile(name, kind, figure)
	}
	return File{}, fmt.Errorf("unknown file kind %s; available: png svg pdf csv json", scene.Quote(kind))
}
