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

// The verdicts, all from Comparison.judge.
const (
	Agrees        Match = "agrees"
	SameDirection Match = "the same direction, other size"
	DirectionOnly Match = "the same direction" // the paper has no comparable number
	OtherSize     Match = "other size"         // a number that is compared with nothing else
	Contradicts   Match = "contradicts"
	OtherData     Match = "otherwise, on other data" // it would contradict if the data were the paper’s
	CannotTell    Match = "cannot be told"
)

// matches lists all verdicts, best first.
var matches = []Match{Agrees, SameDirection, DirectionOnly, OtherSize, Contradicts, OtherData, CannotTell}

// JudgedBy explains the rule by which Comparison.judge decides.
const JudgedBy = "Ours is a mean over runs with its 95 % interval; differences and ratios are taken run by run wherever runs share " +
	"their data. A published figure is as wide as its last digit leaves open, and as its 95 % interval where the paper gives a deviation. " +
	"A difference or ratio agrees if our interval excludes no effect, on the paper’s side, and meets the published figure; it has " +
	"the same direction, and another size, if it does not meet it; it contradicts if our interval excludes no effect on the other " +
	"side; else it cannot be told. Where the paper gives a curve, a sentence or a figure of another kind, the direction alone is tested. A " +
	"figure by itself agrees if our interval meets it, but cannot be told from an interval that is wider than a quarter of the figure. " +
	"What is said to be alike agrees if our interval is within the stated bounds, and contradicts if it is outside. Where our " +
	"data are not the paper’s, nothing contradicts: what goes another way there is said to do so on other data. Without an interval, " +
	"as with one run or a few that are all equal, nothing can be told."

// question is what a comparison asks about our number.
type question int

const (
	level question = iota // is it the published figure?
	more                  // is it above the reference, and as far as published?
	less                  // is it below the reference, and as far as published?
	alike                 // is it within the bounds?
)

// Comparison is a row of a Reproduction: a published figure and ours.
type Comparison struct {
	Of    string // what is compared
	Place string // where it is in the paper
	Says  string // the published figure, or what the paper has instead
	// Figure is the published figure with its uncertainty, or NaN if the paper has no comparable one.
	Figure Number
	Ours   Number // NaN if unknown
	Runs   int    // number of runs behind ours; 0 without randomness
	Failed int    // how many of these runs failed, on either side
	Note   string // why ours is unknown, or what it is if runs failed; else ""
	Match  Match

	asked     question
	elsewhere bool       // the data are not the paper’s
	reference float64    // the value for no effect
	bounds    [2]float64 // values that count as alike
	decimals  int
}

// none returns an unknown number.
func none() Number { return Number{math.NaN(), math.NaN(), math.NaN()} }

// meets reports whether two intervals overlap.
func (n Number) meets(other Number) bool { return n.Low <= other.High && other.Low <= n.High }

// widestLevel is the maximum width of our interval for agreement, as a share of a published figure that is compared with nothing else.
// A wider one would agree with too much.
const widestLevel = 0.25

// judge returns the verdict.
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

// OursText writes our number with its interval, or why it is unknown.
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

// Group holds comparisons of the same quantity, which share a picture.
type Group struct {
	Title, Quantity string
	Log             bool // the quantity is a ratio
	Rows            []Comparison
}

// Reproduction is a paper's table beside ours.
type Reproduction struct {
	Experiment, Paper string
	Theirs, Here      string // the paper's setting, and ours
	Lacks             string // tables of the paper that the experiment does not compute; "" if there are none
	Runs              int    // runs per cell in the experiment
	Groups            []Group
}

// reproduction describes how an experiment's table is made.
type reproduction struct {
	paper, theirs, here, lacks string
	elsewhere                  bool     // the data are not the paper's
	kept                       string   // file of the full experiment; "" if none is kept
	keptQuick                  string   // file of its quick form; "" if none is kept
	quickSeeds                 int      // Options.Seeds of the quick file
	readAs                     []string // file names under which a lab's methods look for its lines
	fill                       func(t *table)
}

// reproductions maps all experiments' names to their reproductions.
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

// KeptTable returns the file in docs with an experiment's table, in its usual or quick form, and the file's Options.Seeds. ok is false
// if none is kept.
func KeptTable(experiment string, quick bool) (file string, seeds int, ok bool) {
	r := reproductions[experiment]
	if quick {
		return r.keptQuick, r.quickSeeds, r.keptQuick != ""
	}
	return r.kept, 1, r.kept != ""
}

// Reproduce compares a computed experiment with its paper's figures. quick says that the outcome is the smaller version. It returns an
// error if there are no published figures, or if the outcome cannot be read.
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

// Count returns how many comparisons have a verdict.
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
	// elsewhere says that the data are not the paper's.
	elsewhere bool
}

// has reports whether a line has the given values, of the form column=value.
func (t *table) has(values ...string) bool { return len(where(t.cells, values...)) > 0 }

// row returns the only line with the given values.
func (t *table) row(values ...string) line { return t.the(t.cells, values...) }

// numbers returns a column with one number per run, in the only line with the given values.
func (t *table) numbers(column string, values ...string) []float64 {
	return t.list(t.row(values...), column)
}

// values returns the distinct entries of a column in the lines with the given values, in order.
func (t *table) values(column string, of ...string) (out []string) {
	for _, row := range where(t.cells, of...) {
		if !slices.Contains(out, row[column]) {
			out = append(out, row[column])
		}
	}
	return out
}

// spaced writes column=value for people.
func spaced(text string) string { return strings.Replace(text, "=", " = ", 1) }

// measured is our side of a comparison.
type measured struct {
	Number
	runs, failed int
	note         string
	wins         bool // the number is the share of runs that the first side wins; see sooner
}

// over returns a number measured over the given number of runs.
func over(n Number, runs int) measured { return measured{Number: n, runs: runs} }

// sure returns a number without randomness.
func sure(v float64) measured { return measured{Number: exact(v)} }

// average returns the mean over runs.
func average(values []float64) measured { return over(mean(values), len(values)) }

// gap returns a − b, run by run.
func gap(a, b []float64) measured { return over(difference(a, b), len(a)) }

// times returns a/b, run by run.
func times(a, b []float64) measured { return over(ratio(a, b), len(a)) }

// sooner does the same for costs or losses, which are infinite or NaN if a run has failed. If any run has failed, it instead returns
// the share of pairs in which a's run is better. A run that fails is worse than one that does not; pairs in which both fail count for
// neither.
func sooner(a, b []float64) measured {
	if len(a) != len(b) {
		fail(fmt.Errorf("%d runs are compared with %d", len(a), len(b)))
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
		note: fmt.Sprintf("the share of the pairs that it wins, since %d of %d runs failed", failed, 2*len(a))}
}

// begin adds a group for the next comparisons.
func (t *table) begin(title, quantity string, log bool) {
	t.groups = append(t.groups, Group{Title: title, Quantity: quantity, Log: log})
}

// fewestEqual is the number of equal runs that show at 95 % on which side of a reference they are: that many equal signs have a chance
// of 2/2⁶. Student's interval for equal runs has no width, however few there are.
const fewestEqual = 6

// put measures a comparison and adds it to the latest group.
func (t *table) put(c Comparison, measure func() measured) {
	m, err := try(measure)
	switch {
	case errors.As(err, new(absent)):
		m = measured{Number: none(), note: "not computed in this form of the experiment"}
	case err != nil:
		fail(fmt.Errorf("%s: %w", c.Of, err))
	}
	if m.wins { // a race, in which less is better
		c.Figure, c.reference = none(), 0.5
		c.asked = map[question]question{less: more, more: less}[c.asked]
	}
	switch {
	case m.runs == 1 && !m.known():
		m.note = "one run, so without an interval"
	case m.runs > 0 && m.runs < fewestEqual && m.Low == m.High:
		m.Low, m.High = math.NaN(), math.NaN()
		m.note = fmt.Sprintf("the same in all %d runs, too few for an interval", m.runs)
	}
	c.Ours, c.Runs, c.Failed = m.Number, m.runs, m.failed
	if c.Note = m.note; c.Note == "" && !m.known() {
		c.Note = "its interval is not known"
	}
	c.elsewhere = t.elsewhere
	c.Match = c.judge()
	g := &t.groups[len(t.groups)-1]
	g.Rows = append(g.Rows, c)
}

// try returns a measurement, or its failure as an error.
func try(measure func() measured) (m measured, err error) {
	defer catch(&err)
	return measure(), nil
}

// paperRuns is the number of runs behind the papers' deviations.
const paperRuns = 3

// printed returns a published figure with the given decimals. Its interval covers the rounding, or its deviation over three runs,
// whichever is wider.
func printed(e experiment.Estimate, decimals int) Number {
	half := float64(portable.Pow(10, -float64(decimals)) / 2)
	if e.Spread > 0 {
		half = max(half, experiment.HalfInterval(e.Spread, paperRuns))
	}
	return Number{e.Mean, e.Mean - half, e.Mean + half}
}

// printedGap returns the difference between two published figures. Rounding errors add up; intervals combine as for independent means.
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

// printedRatio returns the quotient of two published figures.
func printedRatio(a, b float64, decimals int) Number {
	half := float64(portable.Pow(10, -float64(decimals)) / 2)
	return Number{a / b, (a - half) / (b + half), (a + half) / (b - half)}
}

// plain returns a published figure without a deviation.
func plain(v float64) experiment.Estimate { return experiment.Estimate{Mean: v, Spread: math.NaN()} }

// fixed writes a number with the given decimals.
func fixed(v float64, decimals int) string { return exact(v).text(decimals) }

// level compares a number with a published one.
func (t *table) level(of, place string, e experiment.Estimate, decimals int, measure func() measured) {
	says := fixed(e.Mean, decimals)
	if e.Spread > 0 {
		says += " ± " + fixed(e.Spread, decimals)
	}
	t.put(Comparison{Of: of, Place: place, Says: says, Figure: printed(e, decimals), asked: level, decimals: decimals}, measure)
}

// gap compares a difference with the difference between two published figures.
func (t *table) gap(of, place string, a, b experiment.Estimate, decimals int, measure func() measured) {
	figure := printedGap(a, b, decimals)
	c := Comparison{Of: of, Place: place, Says: differenceText(a.Mean, b.Mean, decimals), Figure: figure, decimals: decimals}
	c.asked = side(figure.Value, 0)
	t.put(c, measure)
}

// differenceText writes two published figures and their difference.
func differenceText(a, b float64, decimals int) string {
	second := fixed(b, decimals)
	if b < 0 {
		second = "(" + second + ")"
	}
	return fmt.Sprintf("%s − %s = %s", fixed(a, decimals), second, fixed(a-b, decimals))
}

// side returns the question on which side of the reference a published figure is.
func side(v, reference float64) question {
	if v > reference {
		return more
	}
	return less
}

// toward tests on which side of the reference a number is, if the paper has no comparable figure.
func (t *table) toward(of, place, says string, asked question, reference float64, decimals int, measure func() measured) {
	t.put(Comparison{Of: of, Place: place, Says: says, Figure: none(), asked: asked, reference: reference, decimals: decimals}, measure)
}

// alike tests whether a number is within bounds.
func (t *table) alike(of, place, says string, low, high float64, decimals int, measure func() measured) {
	t.put(Comparison{Of: of, Place: place, Says: fmt.Sprintf("%s; alike is from %s to %s", says, fixed(low, decimals), fixed(high, decimals)),
		Figure: none(), asked: alike, bounds: [2]float64{low, high}, decimals: decimals}, measure)
}

// shareGap returns the difference between two shares, each over independent runs. The interval is method 10 of Newcombe 1998, "Interval
// estimation for the difference between independent proportions", but with Clopper and Pearson's intervals instead of Wilson's, which
// are narrower. If both counts come from the same runs, it is wider than necessary.
func shareGap(happened, runs, otherHappened, otherRuns int) measured {
	a, b := share(happened, runs), share(otherHappened, otherRuns)
	v := a.Value - b.Value
	return over(Number{v, v - portable.Hypot(a.Value-a.Low, b.High-b.Value), v + portable.Hypot(a.High-a.Value, b.Value-b.Low)}, runs)
}
