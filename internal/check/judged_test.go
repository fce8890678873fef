package check

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo/runlog"
)

// These constants are the bounds in the rule of docs/recorder/judging.md.
const (
	betterBelow = 0.95
	worseAbove  = 1.05
	givenUp     = 1.5
	gained      = 0.67
	leastRatio  = 1e-6
	equalWay    = "equal"
)

// attempt holds the results, by seed, of training the same model with one way of weighing and one learning rate.
type attempt struct {
	rate             string
	failed           bool                 // one of its runs ended early
	validation, test map[string][]float64 // losses by seed
}

// outcome is the result of a way of weighing in one of the trainings, at the learning rate with the best validation
// losses.
type outcome struct {
	way, rate string
	failed    bool
	ratios    [][]float64 // by seed: test losses relative to equal weights
	values    []float64   // by seed: their geometric means
	mean      float64     // mean of values
}

func (o *outcome) better() bool {
	return !o.failed && o.mean <= betterBelow && slices.Max(o.values) < 1
}

func (o *outcome) worse() bool {
	return o.failed || o.mean >= worseAbove && slices.Min(o.values) > 1
}

// always reports whether the ratio of at least one loss satisfies a condition on every seed.
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

// gains reports whether a way is better by the second rule, which does not count a gain that gives up another loss.
func (o *outcome) gains() bool { return o.better() && !o.givesUp() }

func (o *outcome) trades() bool {
	return o.givesUp() && o.always(func(r float64) bool { return r <= gained })
}

// ratios returns losses[i]/to[i] for each loss i. It raises ratios below leastRatio to leastRatio.
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

// attempts reads docs/recorder/retrained.csv. It returns the trainings and the ways in the file's order, and the
// attempts for each training and way.
func attempts(t *testing.T) (trainings, ways []string, tried map[[2]string][]*attempt) {
	t.Helper()
	tried = map[[2]string][]*attempt{}
	for _, row := range recorderTable(t, "docs/recorder/retrained.csv") {
		training, way, rate, seed := row["training"], row["way"], row["rate"], row["seed"]
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
		if row["status"] != "trained" {
			a.failed = true
			continue
		}
		a.validation[seed], a.test[seed] = lossesIn(t, row["validation 1"]), lossesIn(t, row["test"])
	}
	return trainings, ways, tried
}

// outcomes judges every way in every training.
func outcomes(t *testing.T) (trainings []string, of map[string][]*outcome) {
	trainings, ways, tried := attempts(t)
	of = map[string][]*outcome{}
	// best returns the attempt with the most completed seeds and, among equals, the lowest mean of validation losses.
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

// judgedVerdict returns the verdict on a training's log, with default settings.
func judgedVerdict(t *testing.T, training string) []runlog.Sentence {
	t.Helper()
	log, err := runlog.Read(strings.NewReader(documentText(t, path.Join("docs/recorder/logs", training+".npz"))), runlog.NativeBytes)
	if err != nil {
		t.Fatalf("%s: %v", training, err)
	}
	report, err := runlog.Analyse(log, runlog.NewOptions())
	if err != nil {
		t.Fatalf("%s: %v", training, err)
	}
	return report.Verdict()
}

// notAbove reports whether a way is at most 5 % above another, or below it in some seed.
func notAbove(o, other *outcome) bool {
	if o.failed || other.failed {
		return other.failed
	}
	below := false
	for i, v := range o.values {
		below = below || v < other.values[i]
	}
	return below || o.mean <= worseAbove*other.mean
}

// records returns how often the claims of the logs' verdicts were right by the rule in docs/recorder/judging.md. It also
// returns in how many trainings no way was better than the sum of the losses, and the number of all trainings. If second
// is true, a gain that gives up another loss does not count.
func records(t *testing.T, second bool) (of map[runlog.Claim]runlog.Confirmed, keep, all int) {
	trainings, found := outcomes(t)
	of = map[runlog.Claim]runlog.Confirmed{}
	for _, training := range trainings {
		ways := map[string]*outcome{}
		better := func(o *outcome) bool { return second && o.gains() || !second && o.better() }
		sumIsBest, traded := true, false
		for _, o := range found[training] {
			ways[o.way] = o
			sumIsBest = sumIsBest && !better(o)
			traded = traded || o.trades()
		}
		all++
		if sumIsBest {
			keep++
		}
		for _, s := range judgedVerdict(t, training) {
			if s.Claim == "" {
				continue
			}
			right := false
			mean, mgda, held := ways["mean"], ways["mgda"], ways["mgda R=8"]
			switch s.Claim {
			case runlog.ClaimKeep:
				right = sumIsBest
			case runlog.ClaimRescale:
				right = better(ways["scaled"])
			case runlog.ClaimTry:
				right = slices.ContainsFunc(runlog.Tries, func(way runlog.Way) bool { return better(ways[way.Name]) })
			case runlog.ClaimOld:
				right = notAbove(held, mgda)
			case runlog.ClaimFixed:
				right = !mean.worse() && notAbove(mean, mgda)
			case runlog.ClaimUnfixed:
				right = !better(mean)
			case runlog.ClaimTrade:
				right = traded
			default:
				t.Fatalf("no rule says when %q is right", s.Claim)
			}
			r := of[s.Claim]
			r.Of++
			if right {
				r.Right++
			}
			of[s.Claim] = r
		}
	}
	return of, keep, all
}

// judgedClaims lists the claims in the order of the documents' table, with the names that the table uses.
var judgedClaims = []struct {
	claim runlog.Claim
	says  string
}{
	{runlog.ClaimKeep, "keep the sum"}, {runlog.ClaimRescale, "rescale the losses"}, {runlog.ClaimTry, "these ways are worth a trial"},
	{runlog.ClaimOld, "weights may be eight steps old"}, {runlog.ClaimFixed, "fixed weights are worth a try"},
	{runlog.ClaimUnfixed, "fixed weights are no better"}, {runlog.ClaimTrade, "one loss may be given up for others"},
}

// sentenceRecordRows returns how often each claim was right, by both rules.
func sentenceRecordRows(t *testing.T) []string {
	first, keep, all := records(t, false)
	second, keepToo, _ := records(t, true)
	rows := []string{"| the verdict says | right, first rule | right, second rule |", "|---|---|---|"}
	for _, c := range judgedClaims {
		rows = append(rows, fmt.Sprintf("| %s | %d of %d | %d of %d |", c.says, first[c.claim].Right, first[c.claim].Of, second[c.claim].Right,
			second[c.claim].Of))
	}
	return append(rows, fmt.Sprintf("| nothing: keep the sum whatever the log says | %d of %d | %d of %d |", keep, all, keepToo, all))
}

// retrainedRows returns the rows of a table with the final result of every way in each training.
func retrainedRows(t *testing.T) []string {
	trainings, found := outcomes(t)
	var rows []string
	for _, training := range trainings {
		cells := []string{"`" + training + "`", "–"}
		for _, s := range judgedVerdict(t, training) {
			if at := slices.IndexFunc(judgedClaims, func(c struct {
				claim runlog.Claim
				says  string
			}) bool {
				return s.ID == runlog.SentenceAdvice && c.claim == s.Claim
			}); at >= 0 {
				cells[1] = judgedClaims[at].says
			}
		}
		head := []string{"training", "its log says"}
		for _, o := range found[training][1:] {
			head = append(head, o.way)
			cell := "failed"
			if !o.failed {
				cell = fmt.Sprintf("%.2f", o.mean)
				switch {
				case o.better():
					cell += " +"
				case o.worse():
					cell += " −"
				}
				if o.givesUp() {
					cell += " g"
				}
			}
			cells = append(cells, cell)
		}
		if rows == nil {
			rows = []string{"| " + strings.Join(head, " | ") + " |", "|" + strings.Repeat("---|", len(head))}
		}
		rows = append(rows, "| "+strings.Join(cells, " | ")+" |")
	}
	return rows
}

// TestConfirmed: sentences state how often their claim was right when trainings were repeated, and this record agrees
// with the results, judged by the second rule. If a claim was right in less than two thirds of its trainings, its
// sentence says that the log cannot answer the question.
func TestConfirmed(t *testing.T) {
	of, keep, all := records(t, true)
	if keep != runlog.KeepRight || all != runlog.Judged {
		t.Errorf("the sum is best in %d of %d; the verdicts state %d of %d", keep, all, runlog.KeepRight, runlog.Judged)
	}
	if all < 20 {
		t.Errorf("%d trainings are judged", all)
	}
	seen := map[runlog.Claim]bool{}
	trainings, _ := outcomes(t)
	for _, training := range trainings {
		for _, s := range judgedVerdict(t, training) {
			if (s.Claim == "") != (s.Confirmed == nil) {
				t.Errorf("%s, %s: claim %q, %v", training, s.ID, s.Claim, s.Confirmed)
			}
			if s.Claim == "" || seen[s.Claim] {
				continue
			}
			seen[s.Claim] = true
			if r := of[s.Claim]; *s.Confirmed != r {
				t.Errorf("%s: got %+v, want %+v", s.Claim, *s.Confirmed, r)
			} else if open := strings.Contains(s.Text, "This log cannot show"); open != (3*r.Right < 2*r.Of) {
				t.Errorf("%s: right in %d of %d, but it says: %s", s.Claim, r.Right, r.Of, s.Text)
			}
			want := fmt.Sprintf(" in %d of %d repeated training runs.", of[s.Claim].Right, of[s.Claim].Of)
			if !strings.Contains(s.Text, want) {
				t.Errorf("%q: it lacks %q", s.Text, want)
			}
		}
	}
}

// endedRange returns the smallest and the largest mean result of a way over the judged trainings, and the number of
// trainings in which the way failed.
func endedRange(t *testing.T, way string) string {
	trainings, found := outcomes(t)
	least, most, failed := math.Inf(1), 0.0, 0
	for _, training := range trainings {
		for _, o := range found[training] {
			switch {
			case o.way != way:
			case o.failed:
				failed++
			default:
				least, most = min(least, o.mean), max(most, o.mean)
			}
		}
	}
	text := fmt.Sprintf("%.2f to %.2f", least, most)
	if failed > 0 {
		text += fmt.Sprintf(" (failing in %d)", failed)
	}
	return text
}

// TestAutoEncoders: docs/runlog.md is right about the two trainings in which a loss can be small because the network learns less.
func TestAutoEncoders(t *testing.T) {
	_, found := outcomes(t)
	for _, training := range []string{"encoder", "vae"} {
		for _, o := range found[training] {
			if !slices.Contains([]string{"mgda", "upgrad", "pcgrad", "nashmtl"}, o.way) {
				continue
			}
			for _, r := range o.ratios {
				if r[0] < 1.2 || r[0] > 1.5 || r[1] > 0.01 {
					t.Errorf("%s, %s: the picture ends at %.3g times equal weights' loss, the divergence at %.3g", training, o.way, r[0], r[1])
				}
			}
		}
	}
}

// TestOldWarning: the verdict's earlier sentence about the age of weights warned in every log, usually without reason.
func TestOldWarning(t *testing.T) {
	trainings, found := outcomes(t)
	var right []string
	for _, training := range trainings {
		ways := map[string]*outcome{}
		for _, o := range found[training] {
			ways[o.way] = o
		}
		for _, s := range judgedVerdict(t, training) {
			if s.ID == runlog.SentenceAge && s.Holds {
				t.Errorf("%s: old weights were allowed", training)
			}
		}
		if !notAbove(ways["mgda R=8"], ways["mgda"]) {
			right = append(right, training)
		}
	}
	if want := []string{"readers", "classes", "domains", "orbit"}; !slices.Equal(right, want) {
		t.Errorf("it was right in %v, want %v", right, want)
	}
}

// TestEnded: the verdict states correctly how the ways that it names ended in other trainings.
func TestEnded(t *testing.T) {
	for _, way := range runlog.Tries {
		if got := endedRange(t, way.Name); got != way.Ended {
			t.Errorf("%s: got %s, want %s", way.Name, way.Ended, got)
		}
	}
	for _, s := range judgedVerdict(t, "heat") {
		if want := "; MGDA " + endedRange(t, "mgda") + "."; s.Claim == runlog.ClaimTry && !strings.Contains(s.Text, want) {
			t.Errorf("got %q, want %q in it", s.Text, want)
		}
	}
}
