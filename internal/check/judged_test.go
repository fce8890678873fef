package check

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paretoplay/algo/runlog"
	"paretoplay/docs"
)

// The rule of docs/recorder/judging.md.
const (
	betterBelow = 0.95
	worseAbove  = 1.05
	givenUp     = 1.5
	gained      = 0.67
	leastRatio  = 1e-6
	equalWay    = "equal"
)

// attempt is a way of weighing in a training, at one learning rate.
type attempt struct {
	rate             string
	failed           bool                 // a run of it ended early
	validation, test map[string][]float64 // losses by seed
}

// outcome is what became of a way in a training, at the learning rate that is best on validation data.
type outcome struct {
	way, rate string
	failed    bool
	ratios    [][]float64 // by seed: test losses to those of equal weights
	values    []float64   // by seed: their geometric means
	mean      float64     // of values
}

func (o *outcome) better() bool {
	return !o.failed && o.mean <= betterBelow && slices.Max(o.values) < 1
}

func (o *outcome) worse() bool {
	return o.failed || o.mean >= worseAbove && slices.Min(o.values) > 1
}

// always reports whether some loss ends on that side of a bound in every seed.
func (o *outcome) always(is func(ratio float64) bool) bool {
	if o.failed {
		return false
	}
	for i := range o.ratios[0] {
		if !slices.ContainsFunc(o.ratios, func(seed []float64) bool { return !is(seed[i]) }) {
			return true
		}
	}
	return false
}

func (o *outcome) givesUp() bool { return o.always(func(r float64) bool { return r >= givenUp }) }

// gains is better by the second rule, where a loss that is given up is no gain.
func (o *outcome) gains() bool { return o.better() && !o.givesUp() }

func (o *outcome) trades() bool {
	return o.givesUp() && o.always(func(r float64) bool { return r <= gained })
}

// ratios are losses to others.
func ratios(losses, to []float64) []float64 {
	out := make([]float64, len(losses))
	for i, v := range losses {
		out[i] = max(v/to[i], leastRatio)
	}
	return out
}

func geometric(ratios []float64) float64 {
	sum := 0.0
	for _, v := range ratios {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(ratios)))
}

// attempts reads docs/recorder/retrained.csv: trainings in their order, ways in theirs, and what was tried of each.
func attempts(t *testing.T) (trainings, ways []string, tried map[[2]string][]*attempt) {
	t.Helper()
	lines, err := csv.NewReader(strings.NewReader(documentText(t, "docs/recorder/retrained.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	head := lines[0]
	column := func(line []string, name string) string { return line[slices.Index(head, name)] }
	numbers := func(cell string) (out []float64) {
		for field := range strings.FieldsSeq(cell) {
			v, err := strconv.ParseFloat(field, 64)
			if err != nil || v < 0 {
				t.Fatalf("%q: %v", cell, err)
			}
			out = append(out, v)
		}
		return out
	}
	tried = map[[2]string][]*attempt{}
	for _, line := range lines[1:] {
		training, way, rate, seed := column(line, "training"), column(line, "way"), column(line, "rate"), column(line, "seed")
		if !slices.Contains(trainings, training) {
			trainings = append(trainings, training)
		}
		if !slices.Contains(ways, way) {
			ways = append(ways, way)
		}
		key := [2]string{training, way}
		at := slices.IndexFunc(tried[key], func(a *attempt) bool { return a.rate == rate })
		if at < 0 {
			at = len(tried[key])
			tried[key] = append(tried[key], &attempt{rate: rate, validation: map[string][]float64{}, test: map[string][]float64{}})
		}
		a := tried[key][at]
		if column(line, "status") != "trained" {
			a.failed = true
			continue
		}
		a.validation[seed], a.test[seed] = numbers(column(line, "validation 1")), numbers(column(line, "test"))
	}
	return trainings, ways, tried
}

// outcomes judges every way of every training.
func outcomes(t *testing.T) (trainings []string, of map[string][]*outcome) {
	trainings, ways, tried := attempts(t)
	of = map[string][]*outcome{}
	// best is the one that ended in most seeds, of these the one with the lower mean of validation losses.
	best := func(key [2]string, to map[string][]float64) *attempt {
		value := func(a *attempt) (out float64) {
			for _, seed := range slices.Sorted(maps.Keys(a.validation)) {
				base := to[seed]
				if base == nil {
					base = slices.Repeat([]float64{1}, len(a.validation[seed]))
				}
				out += math.Log(geometric(ratios(a.validation[seed], base))) / float64(len(a.validation))
			}
			return out
		}
		return slices.MinFunc(tried[key], func(a, b *attempt) int {
			failed := func(a *attempt) int {
				if a.failed {
					return 1
				}
				return 0
			}
			return cmp.Or(cmp.Compare(failed(a), failed(b)), cmp.Compare(len(b.test), len(a.test)), cmp.Compare(value(a), value(b)))
		})
	}
	for _, training := range trainings {
		base := best([2]string{training, equalWay}, nil)
		if base.failed {
			t.Fatalf("%s: equal weights failed", training)
		}
		for _, way := range ways {
			a := best([2]string{training, way}, base.validation)
			o := &outcome{way: way, rate: a.rate, failed: a.failed, mean: math.NaN()}
			for _, seed := range slices.Sorted(maps.Keys(a.test)) {
				r := ratios(a.test[seed], base.test[seed])
				o.ratios, o.values = append(o.ratios, r), append(o.values, geometric(r))
			}
			if !o.failed {
				o.mean = 0
				for _, v := range o.values {
					o.mean += v / float64(len(o.values))
				}
			}
			of[training] = append(of[training], o)
		}
	}
	return trainings, of
}

// judgedVerdict is what a training's log says, with default settings.
func judgedVerdict(t *testing.T, training string) []runlog.Sentence {
	t.Helper()
	file, err := docs.Logs.ReadFile(path.Join("recorder/logs", training+".npz"))
	if err != nil {
		t.Fatal(err)
	}
	log, err := runlog.Read(strings.NewReader(string(file)), runlog.NativeBytes)
	if err != nil {
		t.Fatalf("%s: %v", training, err)
	}
	report, err := runlog.Analyse(log, runlog.NewOptions())
	if err != nil {
		t.Fatalf("%s: %v", training, err)
	}
	return report.Verdict()
}
