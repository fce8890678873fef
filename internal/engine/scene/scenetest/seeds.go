package scenetest

import (
	"flag"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/portable"
)

// usualSeeds is the number just before the first seed on which claims are checked by default. Cards show different
// seeds.
const usualSeeds = 1000

// seedBase selects the seeds on which claims are checked. Statements about methods must also hold on seeds that have
// not been selected by hand.
var seedBase = flag.Int("seedbase", usualSeeds, "check claims on the seeds after this number; 1000 is the usual base, any other is fresh")

// Seeds describes the seeds on which a claim is checked. The zero value is the card's seed; the sentence must then say that it is
// about one run.
type Seeds struct {
	Kind  SeedKind
	Count int
	Share float64 // fraction of the seeds on which the claim must hold
}

// SeedKind says how a claim depends on the seed.
type SeedKind string

// The ways in which a claim can depend on the seed.
const (
	Shown     SeedKind = ""       // checked on the card's seed
	Each      SeedKind = "each"   // checked on each of several seeds
	Statistic SeedKind = "states" // states a statistic of several seeds, which the check computes
	NoSeed    SeedKind = "any"    // does not depend on a seed
)

// Over returns Seeds for a claim that is checked on each seed of SeedList(seeds). The claim must hold on the given share of
// them or, if they are fresh, on FreshShare of them.
func Over(seeds int, share float64) Seeds { return Seeds{Kind: Each, Count: seeds, Share: share} }

// Of returns Seeds for a claim that states a statistic of several seeds. The claim's check computes the statistic from
// SeedList.
func Of(seeds int) Seeds { return Seeds{Kind: Statistic, Count: seeds} }

// Any is for claims that do not depend on a seed: they concern a definition, a drawing, or runs without randomness. A CardClaim is
// then also checked on another seed.
var Any = Seeds{Kind: NoSeed}

func (s Seeds) over() bool { return s.Kind == Each }

// SeedList returns the first count seeds on which claims are checked.
func SeedList(count int) []int {
	out := make([]int, count)
	for i := range out {
		out[i] = *seedBase + 1 + i
	}
	return out
}

// otherBase is the distance from the base of SeedList to the second base of TwoBases.
const otherBase = 1000

// TwoBases returns the given number of seeds from SeedList's base, and as many from another base, so that results do not depend
// on a single base.
func TwoBases(each int) []int {
	out := SeedList(each)
	for i := range each {
		out = append(out, *seedBase+otherBase+1+i)
	}
	return out
}

// Fresh reports whether claims are checked on seeds other than the usual ones.
func Fresh() bool { return *seedBase != usualSeeds }

// FreshShare is the fraction of fresh seeds on which a claim over seeds must hold: 15 of 20. A claim that holds on nine of ten
// seeds holds on fewer than 15 of 20 once in ninety draws.
const FreshShare = 15. / 20

// count returns the number of seeds on which a check passes. It fails the test if the number is too small.
func (s Seeds) count(t *testing.T, check func(t testing.TB, seed int)) (held int) {
	t.Helper()
	var why []string
	for _, seed := range SeedList(s.Count) {
		if told, ok := tryOut(t, func(t testing.TB) { check(t, seed) }); ok {
			held++
		} else {
			why = append(why, fmt.Sprintf("seed %d: %s", seed, told))
		}
	}
	s.judge(t, held, why)
	return held
}

// Check runs a check on each of the seeds, for tests that do not concern a scene's texts.
func (s Seeds) Check(t *testing.T, check func(t testing.TB, seed int)) {
	t.Helper()
	s.count(t, check)
}

// judge fails the test if a claim holds on too few seeds. It reports why the claim fails on the other seeds.
func (s Seeds) judge(t testing.TB, held int, why []string) {
	t.Helper()
	share := s.Share
	if Fresh() {
		share = min(share, FreshShare)
	}
	if float64(held) < float64(share*float64(s.Count))-1e-9 {
		t.Errorf("got %d of %d seeds, want %.0f %%:\n%s", held, s.Count, 100*share, strings.Join(why, "\n"))
	}
}

// attempt is a testing.TB that may fail without failing the enclosing test.
type attempt struct {
	testing.TB
	failed bool
	told   []string
}

// abandoned is the panic value with which an attempt ends early.
type abandoned struct{}

// tryOut runs a check. It returns the check's messages and reports whether the check passed.
func tryOut(t testing.TB, check func(t testing.TB)) (told string, ok bool) {
	a := &attempt{TB: t}
	func() {
		defer func() {
			switch r := recover(); r.(type) {
			case nil, abandoned:
			default:
				panic(r)
			}
		}()
		check(a)
	}()
	return strings.Join(a.told, "; "), !a.failed
}

func (a *attempt) Helper()                    {}
func (a *attempt) Failed() bool               { return a.failed }
func (a *attempt) Fail()                      { a.failed = true }
func (a *attempt) FailNow()                   { a.failed = true; panic(abandoned{}) }
func (a *attempt) Log(args ...any)            { a.told = append(a.told, strings.TrimSpace(fmt.Sprintln(args...))) }
func (a *attempt) Logf(f string, args ...any) { a.told = append(a.told, fmt.Sprintf(f, args...)) }
func (a *attempt) Error(args ...any)          { a.Log(args...); a.Fail() }
func (a *attempt) Errorf(f string, args ...any) {
	a.Logf(f, args...)
	a.Fail()
}
func (a *attempt) Fatal(args ...any)            { a.Log(args...); a.FailNow() }
func (a *attempt) Fatalf(f string, args ...any) { a.Logf(f, args...); a.FailNow() }

// StatesMean fails the test unless the numbers have the stated mean, to the given digits: "1.40", or "1.40 ± 0.08" with its
// standard error. On fresh seeds, the mean may differ from the stated one by three standard errors of the difference
// between two such means.
func StatesMean(t testing.TB, what string, values []float64, stated string) {
	t.Helper()
	mean, _, high := kinds.Mean(values)
	off := high - mean
	text, offText, both := strings.Cut(stated, " ± ")
	want := parse(t, text)
	if Fresh() {
		if math.Abs(mean-want) > float64(3*math.Sqrt2*off)+half(text) {
			t.Errorf("%s: got mean %.4g ± %.2g, stated %s", what, mean, off, stated)
		}
		return
	}
	if got := likeText(mean, text); got != text {
		t.Errorf("mean of %s: got %s (%.4g), stated %s", what, got, mean, text)
	}
	if got := likeText(off, offText); both && got != offText {
		t.Errorf("error of %s: got %s (%.4g), stated %s", what, got, off, offText)
	}
}

// StatesGeometricMean is like StatesMean, for the geometric mean of ratios. Its standard error is that of the mean
// logarithm, times the geometric mean.
func StatesGeometricMean(t testing.TB, what string, ratios []float64, stated string) {
	t.Helper()
	mean, _, high := kinds.GeometricMean(ratios)
	text, offText, both := strings.Cut(stated, " ± ")
	want, off := parse(t, text), portable.Log(high/mean)
	if Fresh() {
		if math.Abs(portable.Log(mean/want)) > float64(3*math.Sqrt2*off)+half(text)/want {
			t.Errorf("%s: got mean %.4g ± %.2g, stated %s", what, mean, mean*off, stated)
		}
		return
	}
	if got := likeText(mean, text); got != text {
		t.Errorf("mean of %s: got %s (%.4g), stated %s", what, got, mean, text)
	}
	if got := likeText(mean*off, offText); both && got != offText {
		t.Errorf("error of %s: got %s (%.4g), stated %s", what, got, mean*off, offText)
	}
}

// StatesMedian fails the test unless the numbers have the stated median, to the given digits. On fresh seeds the stated median must
// be among the values whose ranks are within three standard errors of the middle rank, because each value exceeds the true median
// with probability ½.
func StatesMedian(t testing.TB, what string, values []float64, stated string) {
	t.Helper()
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if Fresh() {
		reach := float64(3 * math.Sqrt(float64(n)) / 2)
		low := sorted[max(0, int(math.Floor(float64(float64(n-1)/2)-reach)))]
		high := sorted[min(n-1, int(math.Ceil(float64(float64(n-1)/2)+reach)))]
		if want := parse(t, stated); want < low-half(stated) || want > high+half(stated) {
			t.Errorf("median of %s: got %.4g to %.4g, stated %s", what, low, high, stated)
		}
		return
	}
	median := (sorted[(n-1)/2] + sorted[n/2]) / 2
	if got := likeText(median, stated); got != stated {
		t.Errorf("median of %s: got %s (%.4g), stated %s", what, got, median, stated)
	}
}

// StatesCount fails the test unless a condition holds for as many values as stated. On fresh seeds, the count may differ from
// the stated one by three standard errors of the difference between two such counts, plus one.
func StatesCount(t testing.TB, what string, values []float64, holds func(v float64) bool, stated int) {
	t.Helper()
	count := 0
	for _, v := range values {
		if holds(v) {
			count++
		}
	}
	if Fresh() {
		n := float64(len(values))
		share := (float64(count+stated) + 1) / (2*n + 2)
		if math.Abs(float64(count-stated)) > float64(3*math.Sqrt(2*n*share*(1-share)))+1 {
			t.Errorf("%s: got %d of %d seeds, stated %d", what, count, len(values), stated)
		}
		return
	}
	if count != stated {
		t.Errorf("%s: got %d of %d seeds, stated %d", what, count, len(values), stated)
	}
}

// likeText returns a number as text, with the number of decimals that another text has.
func likeText(v float64, like string) string {
	_, decimals, _ := strings.Cut(like, ".")
	return strconv.FormatFloat(v, 'f', len(decimals), 64)
}

// half returns half a unit of the last decimal of a number's text.
func half(text string) float64 {
	_, decimals, _ := strings.Cut(text, ".")
	return math.Pow10(-len(decimals)) / 2
}

func parse(t testing.TB, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
