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

// usualSeeds is the seed before the first of those on which claims are asserted. Cards show other seeds.
const usualSeeds = 1000

// seedBase draws other seeds: what a page says of methods must hold on seeds that nobody has chosen.
var seedBase = flag.Int("seedbase", usualSeeds, "assert claims on seeds from the one after this on; others than 1000 are fresh")

// Seeds says on which seeds a claim is asserted. The zero value is the one that the card shows: the
// sentence must say so.
type Seeds struct {
	Kind  SeedKind
	Count int
	Share float64 // of the seeds on which the claim must hold
}

// SeedKind is how a claim depends on the seed.
type SeedKind string

// The kinds of dependence on the seed.
const (
	Shown     SeedKind = ""       // it is asserted on the seed that the card shows
	Each      SeedKind = "each"   // it is asserted on each of several seeds
	Statistic SeedKind = "states" // it states a number over several seeds, and the check computes that
	NoSeed    SeedKind = "any"    // no seed enters
)

// Over asserts a claim on as many seeds, and asks that it hold on a share of them. On fresh seeds
// FreshShare is enough.
func Over(seeds int, share float64) Seeds { return Seeds{Kind: Each, Count: seeds, Share: share} }

// Of says that a claim states a number over as many seeds, which its check computes from SeedList.
func Of(seeds int) Seeds { return Seeds{Kind: Statistic, Count: seeds} }

// Any says that no seed enters a claim: it speaks of a definition, of what is drawn or of runs
// without chance. A CardClaim is then checked on another seed too.
var Any = Seeds{Kind: NoSeed}

func (s Seeds) over() bool { return s.Kind == Each }

// SeedList returns the seeds on which claims are asserted, as many as asked for.
func SeedList(count int) []int {
	out := make([]int, count)
	for i := range out {
		out[i] = *seedBase + 1 + i
	}
	return out
}

// otherBase is how far the second base of TwoBases lies from the one of SeedList.
const otherBase = 1000

// TwoBases returns as many seeds of the base of SeedList, and as many of another: what is stated over them is not one base's luck.
func TwoBases(each int) []int {
	out := SeedList(each)
	for i := range each {
		out = append(out, *seedBase+otherBase+1+i)
	}
	return out
}

// Fresh reports whether claims are asserted on other seeds than usual.
func Fresh() bool { return *seedBase != usualSeeds }

// FreshShare is the share of fresh seeds on which a claim must hold that is asserted over seeds: 15 of
// 20. Where a claim is true of nine in ten seeds, fewer than 15 of 20 come up once in ninety draws.
const FreshShare = 15. / 20

// count returns on how many seeds a check passes. It fails the test where those are too few.
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

// Check runs a check on each of the seeds, for tests beside those of a scene's texts.
func (s Seeds) Check(t *testing.T, check func(t testing.TB, seed int)) {
	t.Helper()
	s.count(t, check)
}

// judge fails the test where a claim holds on too few seeds, and says why it does not on the others.
func (s Seeds) judge(t testing.TB, held int, why []string) {
	t.Helper()
	share := s.Share
	if Fresh() {
		share = min(share, FreshShare)
	}
	if float64(held) < float64(share*float64(s.Count))-1e-9 {
		t.Errorf("it holds on %d of %d seeds, not on %.0f %%:\n%s", held, s.Count, 100*share, strings.Join(why, "\n"))
	}
}

// attempt is a test that may fail without failing the one around it.
type attempt struct {
	testing.TB
	failed bool
	told   []string
}

// abandoned is what an attempt panics with to end early.
type abandoned struct{}

// tryOut runs a check, and returns what it said and whether it passed.
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

// StatesMean fails unless the numbers have the stated mean: "1.40", or "1.40 ± 0.08" with its standard
// error, to the digits that are given. On fresh seeds the mean must lie within three standard errors of
// their difference.
func StatesMean(t testing.TB, what string, values []float64, stated string) {
	t.Helper()
	mean, _, high := kinds.Mean(values)
	off := high - mean
	text, offText, both := strings.Cut(stated, " ± ")
	want := parse(t, text)
	if Fresh() {
		if math.Abs(mean-want) > float64(3*math.Sqrt2*off)+half(text) {
			t.Errorf("%s: the mean is %.4g ± %.2g, stated is %s", what, mean, off, stated)
		}
		return
	}
	if got := likeText(mean, text); got != text {
		t.Errorf("the mean of %s is %s (%.4g), stated is %s", what, got, mean, text)
	}
	if got := likeText(off, offText); both && got != offText {
		t.Errorf("the error of %s is %s (%.4g), stated is %s", what, got, off, offText)
	}
}

// StatesGeometricMean does what StatesMean does for the geometric mean of ratios, whose error is the
// logarithm's times the mean.
func StatesGeometricMean(t testing.TB, what string, ratios []float64, stated string) {
	t.Helper()
	mean, _, high := kinds.GeometricMean(ratios)
	text, offText, both := strings.Cut(stated, " ± ")
	want, off := parse(t, text), portable.Log(high/mean)
	if Fresh() {
		if math.Abs(portable.Log(mean/want)) > float64(3*math.Sqrt2*off)+half(text)/want {
			t.Errorf("%s: the mean is %.4g ± %.2g, stated is %s", what, mean, mean*off, stated)
		}
		return
	}
	if got := likeText(mean, text); got != text {
		t.Errorf("the mean of %s is %s (%.4g), stated is %s", what, got, mean, text)
	}
	if got := likeText(mean*off, offText); both && got != offText {
		t.Errorf("the error of %s is %s (%.4g), stated is %s", what, got, mean*off, offText)
	}
}

// StatesMedian fails unless the numbers have the stated median, to the digits that are given. On fresh
// seeds the stated median must lie among the values whose ranks are within three standard errors of the
// middle: each value is above the true median with probability ½.
func StatesMedian(t testing.TB, what string, values []float64, stated string) {
	t.Helper()
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if Fresh() {
		reach := float64(3 * math.Sqrt(float64(n)) / 2)
		low := sorted[max(0, int(math.Floor(float64(float64(n-1)/2)-reach)))]
		high := sorted[min(n-1, int(math.Ceil(float64(float64(n-1)/2)+reach)))]
		if want := parse(t, stated); want < low-half(stated) || want > high+half(stated) {
			t.Errorf("the median of %s lies between %.4g and %.4g, stated is %s", what, low, high, stated)
		}
		return
	}
	median := (sorted[(n-1)/2] + sorted[n/2]) / 2
	if got := likeText(median, stated); got != stated {
		t.Errorf("the median of %s is %s (%.4g), stated is %s", what, got, median, stated)
	}
}

// StatesCount fails unless a condition holds of as many values as stated. On fresh seeds the count may
// differ by what chance allows: three standard errors of the difference of two such counts, and one.
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
			t.Errorf("%s: on %d of %d seeds, stated is %d", what, count, len(values), stated)
		}
		return
	}
	if count != stated {
		t.Errorf("%s: on %d of %d seeds, stated is %d", what, count, len(values), stated)
	}
}

// likeText writes a number with as many decimals as a text has.
func likeText(v float64, like string) string {
	_, decimals, _ := strings.Cut(like, ".")
	return strconv.FormatFloat(v, 'f', len(decimals), 64)
}

// half is half a unit of the last decimal of a number's text.
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
