package session

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"paretoplay/algo/param"
	"paretoplay/scenes"
	"paretoplay/scenes/scene"
)

// pageStretch is mostStretch of wasm/main.go, and mostWork what may be done there until it is asked whether to
// go on: a stretch, and the piece of work in which it ends. The largest such piece is one look at all samples
// of a regression.
const (
	pageStretch = 4 << 20
	mostWork    = 3 * pageStretch
)

// extremes are the links to a scene with the least and the greatest value of every parameter that decides how much
// there is to do, one at a time.
func extremes(a scene.About) []string {
	link := "v=1&scene=" + a.ID
	out := []string{link}
	for _, d := range a.New().Params().Descriptors() {
		var texts []string
		switch d.Kind {
		case param.Number, param.Integer:
			for _, v := range []float64{d.Min, d.Max} {
				texts = append(texts, strconv.FormatFloat(v, 'g', -1, 64))
			}
		case param.Choice:
			for _, o := range d.Options {
				texts = append(texts, o.Value)
			}
		case param.Set:
			var all []string
			for _, o := range d.Options {
				if o.Disabled == "" {
					all = append(all, o.Value)
				}
			}
			texts = append(texts, strings.Join(all, ","))
		}
		if d.Effect == param.Display || d.Name == "speed" {
			continue
		}
		for _, text := range texts {
			out = append(out, link+"&"+linkName(d.Name)+"="+text)
		}
	}
	return out
}

// attacks are links of legal values, each of which once held the page up for seconds or a minute.
var attacks = []string{
	"v=1&scene=clusters&m=10&n=200&K=20&solver=ipot&beta=10",
	"v=1&scene=clusters&m=10&n=200&K=20&solver=ipot&tau=0.3&method=most,most-noreg,most-nocl,most-o,most-m,most-l,wmgda,linearization,mgda",
	"v=1&scene=fronts&m=20&d=60&K=20&extended=100&solver=ipot",
	"v=1&scene=cleaning&train=200&classes=5&hidden=16&T=256&mode=forward",
	"v=1&scene=federated&n=40&samples=400&localepochs=20",
	"v=1&scene=federated&samples=208&solver=sinkhorn",
}

// TestExtremesAreParted: whatever legal values a link has, little is done between two questions whether to go on,
// counted in units of work, so that a page that asks by its clock stays alive.
func TestExtremesAreParted(t *testing.T) {
	links := slices.Clone(attacks)
	for _, a := range scenes.All {
		links = append(links, extremes(a)...)
	}
	for _, link := range links {
		s, err := New(scenes.All, "fonseca")
		if err != nil {
			t.Fatal(err)
		}
		s.SetStretch(pageStretch)
		settings, _ := ParseHash("#" + link)
		if err := s.Load(settings); err != nil {
			t.Errorf("%s: %v", link, err)
			continue
		}
		line := s.timeline()
		most, last := 0, line.Worked()
		asked := func() {
			most = max(most, line.Worked()-last)
			last = line.Worked()
		}
		const slices = 3
		for slice := range slices {
			first := true
			more := func() bool {
				asked()
				defer func() { first = false }()
				return first && !line.UnderWay()
			}
			if slice == 0 {
				s.play(true)
			}
			if err := s.Advance(0.1, more); err != nil {
				t.Errorf("%s: %v", link, err)
			}
			asked()
		}
		if most > mostWork {
			t.Errorf("%s: %d units of work between two questions, the most are %d", link, most, mostWork)
		}
		line.Drop()
	}
	t.Logf("%d links", len(links))
}
