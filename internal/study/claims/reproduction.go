package claims

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/portable"
)

// Match is the verdict on a published figure compared with ours.
type Match string

// The possible verdicts of Comparison.judge.
const (
	Agrees        Match = "agrees"
	SameDirection Match = "the same direction, other size"
	DirectionOnly Match = "the same direction" // the paper has no comparable number
	OtherSize     Match = "other size"         // for a number without a reference to compare with
	Contradicts   Match = "contradicts"
	OtherData     Match = "otherwise, on other data" // would be Contradicts if the data were the paper’s
	CannotTell    Match = "cannot be told"
)

// matches lists all verdicts, best first.
var matches = []Match{Agrees, SameDirection, DirectionOnly, OtherSize, Contradicts, OtherData, CannotTell}

// JudgedBy explains the rules of Comparison.judge to readers of a table.
const JudgedBy = "Our figure is a mean over runs with its 95 % interval. Differences and ratios are computed run by run if the runs " +
	"share their data. The interval of a published figure covers its rounding, or its deviation if the paper gives one. " +
	"A difference or ratio agrees if our interval excludes no effect, on the paper’s side, and overlaps the published figure; it has " +
	"the same direction, other size, if they do not overlap; it contradicts if our interval excludes no effect on the other " +
	"side; otherwise it cannot be told. If the paper gives a curve, a sentence or another kind of figure, only the direction is tested. A " +
	"single figure agrees if our interval overlaps it, but cannot be told if our interval is wider than a quarter of the figure. " +
	"Quantities stated to be alike agree if our interval is within the given bounds, and contradict if it is outside. If our " +
	"data are not the paper’s, nothing contradicts: a difference in direction is reported as “otherwise, on other data”. Without an " +
	"interval, as with one run or a few equal runs, no verdict is possible."

// question selects how a comparison judges our number.
type question int

const (
	level question = iota // is it the published figure?
	more                  // is it above the reference, and by as much as published?
	less                  // is it below the reference, and by as much as published?
	alike                 // is it within the bounds?
)

// Comparison is a row of a Reproduction: a published figure and ours.
type Comparison struct {
	Of    string // compared quantity
	Place string // place in the paper
	Says  string // the published figure, or the paper's other evidence
	// Figure is the published figure with its uncertainty, or NaN if the paper gives no comparable figure.
	Figure Number
	Ours   Number // NaN if unknown
	Runs   int    // number of our runs; 0 if there is no randomness
	Failed int    // number of failed runs on either side
	Note   string // why Ours is unknown, or what Ours means if runs failed; else ""
	Match  Match

	asked     question
	elsewhere bool       // whether the data differ from the paper’s
	reference float64    // value for no effect
	bounds    [2]float64 // range of values that count as alike
	decimals  int
}

// none returns an unknown number: NaN, with NaN at both ends of its interval.
func none() Number { return Number{math.NaN(), math.NaN(), math.NaN()} }

// meets reports whether two intervals overlap.
func (n Number) meets(other Number) bool { return n.Low <= other.High && other.Low <= n.High }

// widestLevel is the maximum width of our interval at which our number can agree with a published figure that has no
// reference. The width is a share of that figure. A wider interval would agree with too many values.
const widestLevel = 0.25

// judge returns the verdict on the comparison.
func (c *Comparison) judge() Match {
	is := c.beside()
	if is == Contradicts && c.elsewhere {
		return OtherData
	}
	return is
}

// beside returns the verdict as if the data were the paper's.
func (c *Comparison) beside() Match {
	o := c.Ours
	direction := func(is Verdict) Match {
		switch {
		case is == Undecided:
			return CannotTell
		case is == DoesNotHold:
			return Contradicts
		case !c.Figure.known():
			return DirectionOnly
		case o.meets(c.Figure):
			return Agrees
		}
		return SameDirection
	}
	switch {
	case !o.known():
		return CannotTell
	case c.asked == more:
		return direction(o.above(c.reference))
	case c.asked == less:
		return direction(o.below(c.reference))
	case c.asked == alike:
		return map[Verdict]Match{Holds: Agrees, DoesNotHold: Contradicts, Undecided: CannotTell}[o.within(c.bounds[0], c.bounds[1])]
	case !o.meets(c.Figure):
		return OtherSize
	case o.High-o.Low > widestLevel*math.Abs(c.Figure.Value):
		return CannotTell
	}
	return Agrees
}

// OursText formats our number with its interval, or the reason why it is unknown.
func (c *Comparison) OursText() string {
	text := experiment.Dash
	switch {
	case c.Ours.known():
		text = c.Ours.text(c.decimals)
	case !math.IsNaN(c.Ours.Value):
		text = fixed(c.Ours.Value, c.decimals)
	}
	if c.Note != "" {
		text += ", " + c.Note
	}
	return text
}

// Group contains comparisons of the same quantity, which are drawn in the same panel.
type Group struct {
	Title, Quantity string
	Log             bool // whether the quantity is a ratio
	Rows            []Comparison
}

// Reproduction is a paper's table next to ours.
type Reproduction struct {
	Experiment, Paper string
	Theirs, Here      string // the paper's setting, and ours
	Lacks             string // tables of the paper that the experiment does not compute; "" if it computes all
	Runs              int    // runs per cell of the experiment
	Groups            []Group
}

// reproduction describes how to build the table of an experiment.
type reproduction struct {
	paper, theirs, here, lacks string
	elsewhere                  bool     // whether the data differ from the paper's
	kept                       string   // file of the full experiment; "" if it is not kept
	keptQuick                  string   // file of its quick form; "" if it is not kept
	quickSeeds                 int      // Options.Seeds of the quick file
	readAs                     []string // file names under which the lab's methods find the lines
	fill                       func(t *table)
}

// reproductions maps the names of experiments to their reproductions.
var reproductions = map[string]reproduction{
	"fonseca-staleness": ofStaleness, "fonseca-noise": ofNoise, "network": ofNetworks,
	"forum-cost": ofCosts, "hyper-cleaning": ofCleaning,
	"syn": ofClients, "zdt": ofFronts, "fairness": ofFairness,
	"ordering": ofOrders, "block-smoo": ofBlocks,
}

// CanReproduce returns an error for an experiment without published figures.
func CanReproduce(experiment string) error {
	if _, known := reproductions[experiment]; !known {
		return fmt.Errorf("experiment %s has no published figures", experiment)
	}
	return nil
}

// KeptTable returns the file in docs with an experiment's table, in its usual or quick form, and the value of
// Options.Seeds that produced the file. It returns ok = false if the table is not kept.
func KeptTable(experiment string, quick bool) (file string, seeds int, ok bool) {
	r := reproductions[experiment]
	if quick {
		return r.keptQuick, r.quickSeeds, r.keptQuick != ""
	}
	return r.kept, 1, r.kept != ""
}

// Reproduce compares a computed experiment with its paper's figures. The argument quick must be true for the smaller
// version. It returns an error if there are no published figures or the outcome cannot be read.
func Reproduce(name string, outcome experiment.Computable, quick bool) (_ *Reproduction, err error) {
	if err := CanReproduce(name); err != nil {
		return nil, err
	}
	r := reproductions[name]
	defer func() {
		if err != nil {
			err = fmt.Errorf("experiment %s: %w", name, err)
		}
	}()
	defer catch(&err)
	var file bytes.Buffer
	check(outcome.WriteCSV(&file))
	t := &table{lab: newLab(Options{SeedBase: UsualSeedBase}), cells: lines(file.Bytes()), outcome: outcome, elsewhere: r.elsewhere}
	for _, name := range r.readAs {
		t.tables[name] = t.cells
	}
	r.fill(t)
	if quick {
		r.here = "a smaller version (-quick) of: " + r.here
	}
	return &Reproduction{Experiment: name, Paper: r.paper, Theirs: r.theirs, Here: r.here, Lacks: r.lacks, Runs: outcome.Runs(),
		Groups: t.groups}, nil
}

// Count returns the number of comparisons with the given verdict.
func (r *Reproduction) Count(m Match) (n int) {
	for _, g := range r.Groups {
		for i := range g.Rows {
			if g.Rows[i].Match == m {
				n++
			}
		}
	}
	return n
}

// table builds a Reproduction from an experiment's lines.
type table struct {
	*lab
	cells   []line // lines of the experiment's file
	outcome experiment.Computable
	groups  []Group
	// elsewhere is true if the data differ from the paper's.
	elsewhere bool
}

// has reports whether a line has the given values, each of the form column=value.
func (t *table) has(values ...string) bool { return len(where(t.cells, values...)) > 0 }

// row returns the only line with the given values.
func (t *table) row(values ...string) line { return t.the(t.cells, values...) }

// numbers returns the numbers of a column that contains one number per run, in the only line with the given values.
func (t *table) numbers(column string, values ...string) []float64 {
	return t.list(t.row(values...), column)
}

// values returns the distinct entries of a column, in order, in the lines with the given values.
func (t *table) values(column string, of ...string) (out []string) {
	for _, row := range where(t.cells, of...) {
		if !slices.Contains(out, row[column]) {
			out = append(out, row[column])
		}
	}
	return out
}

// spaced formats column=value for readers.
func spaced(text string) string { return strings.Replace(text, "=", " = ", 1) }

// measured is our number in a comparison.
type measured struct {
	Number
	runs, failed int
	note         string
	wins         bool // whether the number is the share of runs that the first side wins; see sooner
}

// over returns a number measured over the given number of runs.
func over(n Number, runs int) measured { return measured{Number: n, runs: runs} }

// sure returns a number without randomness.
func sure(v float64) measured { return measured{Number: exact(v)} }

// average returns the mean over runs.
func average(values []float64) measured { return over(mean(values), len(values)) }

// gap returns the mean of a − b, paired by run.
func gap(a, b []float64) measured { return over(difference(a, b), len(a)) }

// times returns the mean ratio a/b, paired by run.
func times(a, b []float64) measured { return over(ratio(a, b), len(a)) }

// sooner is like times, but for costs or losses, which are infinite or NaN for failed runs. If any run has failed, it
// returns the share of pairs in which a's run is better. A failed run is worse than a completed one. Pairs in which
// both runs fail do not count.
func sooner(a, b []float64) measured {
	if len(a) != len(b) {
		fail(fmt.Errorf("%d runs cannot be paired with %d", len(a), len(b)))
	}
	failed, pairs, won := 0, 0, 0
	for i, v := range a {
		bad, otherBad := v-v != 0, b[i]-b[i] != 0
		if bad {
			failed++
		}
		if otherBad {
			failed++
		}
		if bad && otherBad {
			continue
		}
		if pairs++; otherBad || !bad && v < b[i] {
			won++
		}
	}
	if failed == 0 {
		return times(a, b)
	}
	return measured{Number: share(won, pairs), runs: len(a), failed: failed, wins: true,
		note: fmt.Sprintf("the share of pairs that it wins, because %d of %d runs failed", failed, 2*len(a))}
}

// begin starts the group to which put adds the next comparisons.
func (t *table) begin(title, quantity string, log bool) {
	t.groups = append(t.groups, Group{Title: title, Quantity: quantity, Log: log})
}

// fewestEqual is the minimum number of equal results that show, at the 95 % level, on which side of a reference they
// are: six equal signs have probability 2/2⁶. Student's interval for equal results has width zero, no matter how few
// runs there are.
const fewestEqual = 6

// put measures our number for a comparison and adds the comparison to the current group.
func (t *table) put(c Comparison, measure func() measured) {
	m, err := try(measure)
	switch {
	case errors.As(err, new(absent)):
		m = measured{Number: none(), note: "not computed in this form of the experiment"}
	case err != nil:
		fail(fmt.Errorf("%s: %w", c.Of, err))
	}
	if m.wins { // the smaller value wins
		c.Figure, c.reference = none(), 0.5
		c.asked = map[question]question{less: more, more: less}[c.asked]
	}
	switch {
	case m.runs == 1 && !m.known():
		m.note = "only one run, so no interval"
	case m.runs > 0 && m.runs < fewestEqual && m.Low == m.High:
		m.Low, m.High = math.NaN(), math.NaN()
		m.note = fmt.Sprintf("the same in all %d runs, too few for an interval", m.runs)
	}
	c.Ours, c.Runs, c.Failed = m.Number, m.runs, m.failed
	if c.Note = m.note; c.Note == "" && !m.known() {
		c.Note = "its interval is unknown"
	}
	c.elsewhere = t.elsewhere
	c.Match = c.judge()
	g := &t.groups[len(t.groups)-1]
	g.Rows = append(g.Rows, c)
}

// try returns a measurement. A failed measurement is returned as an error.
func try(measure func() measured) (m measured, err error) {
	defer catch(&err)
	return measure(), nil
}

// paperRuns is the number of runs behind the deviations in the papers.
const paperRuns = 3

// printed returns a published figure with the given decimals. Its interval covers the rounding or its deviation over
// three runs, whichever is wider.
func printed(e experiment.Estimate, decimals int) Number {
	half := float64(portable.Pow(10, -float64(decimals)) / 2)
	if e.Spread > 0 {
		half = max(half, experiment.HalfInterval(e.Spread, paperRuns))
	}
	return Number{e.Mean, e.Mean - half, e.Mean + half}
}

// printedGap returns a − b for two published figures. Rounding errors add up; intervals are combined as for independent
// means.
func printedGap(a, b experiment.Estimate, decimals int) Number {
	spread := func(e experiment.Estimate) float64 {
		if e.Spread > 0 {
			return e.Spread
		}
		return 0
	}
	half := portable.Pow(10, -float64(decimals))
	if s := portable.Hypot(spread(a), spread(b)); s > 0 {
		half = max(half, experiment.HalfInterval(s, paperRuns))
	}
	v := a.Mean - b.Mean
	return Number{v, v - half, v + half}
}

// printedRatio returns a / b for two published figures.
func printedRatio(a, b float64, decimals int) Number {
	half := float64(portable.Pow(10, -float64(decimals)) / 2)
	return Number{a / b, (a - half) / (b + half), (a + half) / (b - half)}
}

// plain returns a published figure without a deviation.
func plain(v float64) experiment.Estimate { return experiment.Estimate{Mean: v, Spread: math.NaN()} }

// fixed formats a number with the given decimals.
func fixed(v float64, decimals int) string { return exact(v).text(decimals) }

// level adds a comparison of a number with a published one.
func (t *table) level(of, place string, e experiment.Estimate, decimals int, measure func() measured) {
	says := fixed(e.Mean, decimals)
	if e.Spread > 0 {
		says += " ± " + fixed(e.Spread, decimals)
	}
	t.put(Comparison{Of: of, Place: place, Says: says, Figure: printed(e, decimals), asked: level, decimals: decimals}, measure)
}

// gap adds a comparison of a measured difference with a − b, where a and b are published figures.
func (t *table) gap(of, place string, a, b experiment.Estimate, decimals int, measure func() measured) {
	figure := printedGap(a, b, decimals)
	c := Comparison{Of: of, Place: place, Says: differenceText(a.Mean, b.Mean, decimals), Figure: figure, decimals: decimals}
	c.asked = side(figure.Value, 0)
	t.put(c, measure)
}

// differenceText formats two published figures and their difference.
func differenceText(a, b float64, decimals int) string {
	second := fixed(b, decimals)
	if b < 0 {
		second = "(" + second + ")"
	}
	return fmt.Sprintf("%s − %s = %s", fixed(a, decimals), second, fixed(a-b, decimals))
}

// side returns the question that matches the published figure's side of the reference.
func side(v, reference float64) question {
	if v > reference {
		return more
	}
	return less
}

// toward adds a comparison that tests on which side of the reference a number is. It is used if the paper gives no
// comparable figure.
func (t *table) toward(of, place, says string, asked question, reference float64, decimals int, measure func() measured) {
	t.put(Comparison{Of: of, Place: place, Says: says, Figure: none(), asked: asked, reference: reference, decimals: decimals}, measure)
}

// alike adds a comparison that tests whether a number is within bounds.
func (t *table) alike(of, place, says string, low, high float64, decimals int, measure func() measured) {
	said := fmt.Sprintf("%s; “alike” means from %s to %s", says, fixed(low, decimals), fixed(high, decimals))
	t.put(Comparison{Of: of, Place: place, Says: said,
		Figure: none(), asked: alike, bounds: [2]float64{low, high}, decimals: decimals}, measure)
}

// shareGap returns the first share minus the other one, each over independent runs. The interval is method 10 of
// Newcombe 1998, "Interval estimation for the difference between independent proportions", with Clopper and Pearson's
// intervals in place of Wilson's narrower ones. If both counts come from the same runs, the interval is wider than
// necessary.
func shareGap(happened, runs, otherHappened, otherRuns int) measured {
	a, b := share(happened, runs), share(otherHappened, otherRuns)
	v := a.Value - b.Value
	return over(Number{v, v - portable.Hypot(a.Value-a.Low, b.High-b.Value), v + portable.Hypot(a.High-a.Value, b.Value-b.Low)}, runs)
}
