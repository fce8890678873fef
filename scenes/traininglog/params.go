package traininglog

import (
	"slices"

	"paretoplay/algo/param"
	"paretoplay/algo/runlog"
	"paretoplay/algo/weighting"
)

// Params are the scene's parameters. The zero value is not usable; see defaults.
type Params struct {
	Source  string   // one of the page's logs, or logData
	Method  string   // the method whose weights and verdict are shown
	R       int      // the method's period, in records
	Others  []string // additional methods in the map of hurt
	Window  int      // records over which noise is averaged
	Bound   float64  // maximum hurt that old weights may add
	Record  int      // record at the marker, from 1
	Measure string   // measure that the panel plots against R
	Seed    uint64
}

// logData is the value of Source for a visitor's own log.
const logData = "data"

// Measures that the panel with the axis R can show.
const (
	measureHarm = "harm"
	measureHurt = "hurt"
)

// maxPeriod is the longest period that the page offers, and maxWindow is the longest window.
const (
	maxPeriod = 64
	maxWindow = 500
)

func defaults() Params {
	return Params{Source: "eight", Method: runlog.DefaultMethod, R: 2, Others: []string{"upgrad", "pcgrad", "cagrad", "imtlg", "nashmtl"},
		Window: runlog.DefaultWindow, Bound: runlog.DefaultBound, Record: 1, Measure: measureHarm}
}

// offered lists the methods that at least one log can evaluate, in the order of all methods.
var offered = func() (out []weighting.Method) {
	names := runlog.Methods()
	for _, m := range weighting.Methods {
		if slices.Contains(names, m.Name) {
			out = append(out, m)
		}
	}
	return out
}()

// bind adds the parameters in the page's order.
func (p *Params) bind(l *param.List) {
	const groupLog, groupMethod, groupShow = "Log", "Method", "Show"
	l.Choice(&p.Source, param.Descriptor{Name: "source", Label: "Log of a training run", Group: groupLog, Effect: param.Display,
		Help: "The log of one of three PyTorch training runs of small networks on handwritten digits, or your own log.",
		Options: []param.Option{
			{Value: "eight", Label: "eight yes-or-no questions"}, {Value: "two", Label: "two digits"},
			{Value: "units", Label: "three units"}, {Value: logData, Label: "own log"},
		}})
	var options []param.Option
	for _, m := range offered {
		options = append(options, param.Option{Value: m.Name, Label: m.Title, Help: m.Help})
	}
	l.Choice(&p.Method, param.Descriptor{Name: "method", Label: "Method", Group: groupMethod, Effect: param.Display, Options: options,
		Help: "The method that the verdict is about. It is evaluated on every record of the log. If the log lacks what the method needs, " +
			"the verdict says so."})
	l.Integer(&p.R, param.Descriptor{Name: "R", Symbol: "R", Label: "New weights every", Unit: "records", Min: 1, Max: maxPeriod,
		Scale: param.Log, Group: groupMethod, Effect: param.Display,
		Help: "The number of records for which weights are kept. If the log has every n-th step, R records span n × R steps."})
	others := slices.Clone(options)
	for i := range others {
		others[i].Folded = !slices.Contains(p.Others, others[i].Value)
	}
	l.Set(&p.Others, param.Descriptor{Name: "others", Label: "Compare with", Group: groupMethod, Effect: param.Display, Options: others,
		Help: "Additional methods in the map of hurt objectives."})
	l.Integer(&p.Window, param.Descriptor{Name: "window", Symbol: "W", Label: "Window", Unit: "records", Min: 1, Max: maxWindow,
		Scale: param.Log,
		Group: groupLog, Effect: param.Display,
		Help: "The number of records over which gradient products of two batches are averaged. Averaging removes noise but keeps conflict."})
	l.Number(&p.Bound, param.Descriptor{Name: "bound", Label: "Bound on hurt", Min: 0, Max: 1, Group: groupMethod, Effect: param.Display,
		Help: "The allowed increase in the share of records whose step hurts an objective when old weights replace fresh ones."})
	l.Integer(&p.Record, param.Descriptor{Name: "record", Symbol: "k", Label: "Record", Min: 1, Max: runlog.MaxRecords, Group: groupShow,
		Effect: param.Display, Help: "The record whose gradients are drawn. Click in a picture whose axis shows steps, or drag its marker."})
	l.Choice(&p.Measure, param.Descriptor{Name: "measure", Label: "Over R", Group: groupShow, Effect: param.Display,
		Help: "Harm is how far a step goes against the objective that suffers most, as a cosine averaged over the records. Hurt is the " +
			"share of records in which an objective gets worse.",
		Options: []param.Option{{Value: measureHarm, Label: "harm"}, {Value: measureHurt, Label: "hurt"}}})
	l.Seed(&p.Seed, param.Descriptor{Name: "seed", Label: "Seed of random draws", Group: groupMethod, Effect: param.Display,
		Help: "Determines the random draws of the methods that use them."})
}
