package fonseca

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"paretoplay/algo"
	"paretoplay/scenes/experiment"
	"paretoplay/scenes/experiment/staleness"
	"paretoplay/scenes/scenetest"
)

// These are what lessons say and their own checks cannot ask for.

// ended is the scene at the end of its runs, with live changes on the way.
func ended(t testing.TB, values map[string]string, changes ...string) *Scene {
	t.Helper()
	s := with(t, values)
	for i := 0; i < len(changes); i += 3 {
		k, err := strconv.Atoi(changes[i])
		if err != nil {
			t.Fatal(err)
		}
		s.Timeline().Change(k, changes[i+1], changes[i+2])
	}
	scenetest.Step(t, s, -1)
	return s
}

// lessonSeeds are how many seeds the lessons' words are asserted on.
const lessonSeeds = 20

// onSeeds is a number at the end of the runs on each of the seeds.
func onSeeds(t testing.TB, number func(s *Scene) float64, values map[string]string, changes ...string) (out []float64) {
	t.Helper()
	for _, seed := range scenetest.SeedList(lessonSeeds) {
		v := maps.Clone(values)
		v["seed"] = fmt.Sprint(seed)
		out = append(out, number(ended(t, v, changes...)))
	}
	return out
}

// fact reads a fact of a scene.
func fact(t testing.TB, name string) func(s *Scene) float64 {
	return func(s *Scene) float64 { return scenetest.Fact(t, s.Facts(), name) }
}

// mostly fails unless nine in ten of the numbers lie within bounds; of fresh seeds fewer do.
func mostly(t testing.TB, what string, got []float64, least, most float64) {
	t.Helper()
	share, within := 0.9, 0
	if scenetest.Fresh() {
		share = scenetest.FreshShare
	}
	for _, v := range got {
		if v >= least && v <= most {
			within++
		}
	}
	if float64(within) < share*float64(len(got))-1e-9 {
		t.Errorf("%s: %v, the lesson says %g to %g", what, got, least, most)
	}
}

func wants(t testing.TB, what string, got []float64, want ...float64) {
	t.Helper()
	if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
		t.Errorf("%s: %v, the lesson says %v", what, got, want)
	}
}

// TestLessonOfFixedWeights: no weight leads to the middle of a front that bulges away from the origin, and each has its
// place on one that bulges towards it.
func TestLessonOfFixedWeights(t *testing.T) {
	values := func(lambda, problem string) map[string]string {
		return map[string]string{"method": "ls", "ls.weights": "given", "ls.lambda": lambda, "problem": problem, "budget": "60"}
	}
	for i := range 21 {
		s := ended(t, values(fmt.Sprint(float64(i)/20), problemFonseca))
		if middle := scenetest.Fact(t, s.Facts(), "middle.ls"); middle != 0 {
			t.Errorf("λ = %g leads %g to the middle", float64(i)/20, middle)
		}
	}
	for _, lambda := range []string{"0.1", "0.3", "0.5", "0.7", "0.9"} {
		mostly(t, "runs at an end with λ = "+lambda, onSeeds(t, fact(t, "collapsed.ls"), values(lambda, problemFonseca)), 10, 10)
	}
	// The line touches the front last near both ends, and its middle is the ridge.
	sum, ok := with(t, values("0.5", problemFonseca)).weightedSum()
	if !ok || !sum.interior || len(sum.least) != 2 {
		t.Fatalf("%+v", sum)
	}
	if math.Abs(sum.most[0]-sum.most[1]) > 1e-9 {
		t.Errorf("the sum is most at %v, not halfway", sum.most)
	}
	// In other units every λ has its place, where the line touches.
	for lambda, want := range map[string][2]float64{"0.1": {0.81, 0.01}, "0.3": {0.49, 0.09}, "0.5": {0.25, 0.25}, "0.7": {0.09, 0.49},
		"0.9": {0.01, 0.81}} {
		s := ended(t, values(lambda, problemQuadratic))
		sum, ok := s.weightedSum()
		if !ok || sum.interior || len(sum.least) != 1 || math.Hypot(sum.least[0][0]-want[0], sum.least[0][1]-want[1]) > 1e-9 {
			t.Errorf("λ = %s: %+v", lambda, sum)
		}
		for _, r := range s.Timeline().Tracks() {
			if f := scenetest.Last(r).F; math.Hypot(f[0]-want[0], f[1]-want[1]) > 5e-4 {
				t.Errorf("λ = %s: %s ends at %v", lambda, r.Name(), f)
			}
		}
	}
}

// TestLessonOfStaleWeights is lesson 4.
func TestLessonOfStaleWeights(t *testing.T) {
	fresh, fourth := ended(t, map[string]string{"R": "1"}), ended(t, map[string]string{"R": "4"})
	for _, r := range fresh.Timeline().Tracks() {
		for k := 15; k < 200; k++ {
			if by := math.Abs(r.Kept(k).Weights[0] - r.Kept(15).Weights[0]); by > 0.016 {
				t.Errorf("%s: from step 15 to %d a weight moves by %g", r.Name(), k, by)
			}
		}
	}
	if bp := func(s *Scene) float64 { return scenetest.Fact(t, s.Facts(), "bp.psmgd") }; bp(fourth)/bp(fresh) != 5./8 {
		t.Errorf("%g gradients and %g", bp(fourth), bp(fresh))
	}
	// 2070 of 2500 is 17 % less.
	if saved := 1 - scenetest.Fact(t, ended(t, map[string]string{"R": "32"}).Facts(), "bp.psmgd")/2500; math.Round(100*saved) != 17 {
		t.Errorf("%g is saved", saved)
	}
	collapsed := fact(t, "collapsed.psmgd")
	mostly(t, "R = 1", onSeeds(t, collapsed, map[string]string{"R": "1"}), 0, 3)
	mostly(t, "R = 4", onSeeds(t, collapsed, map[string]string{"R": "4"}), 0, 3)
	mostly(t, "R = 32", onSeeds(t, collapsed, map[string]string{"R": "32"}), 7, 10)
	mostly(t, "runs whose weights move after 15 steps", onSeeds(t, func(s *Scene) (moving float64) {
		for _, r := range s.Timeline().Tracks() {
			for k := 15; k < 200; k++ {
				if math.Abs(r.Kept(k).Weights[0]-r.Kept(15).Weights[0]) > 0.02 {
					moving++
					break
				}
			}
		}
		return moving
	}, map[string]string{"R": "1"}), 0, 4)
	var middling, farthest []float64
	for _, seed := range scenetest.SeedList(lessonSeeds) {
		at := func(period string) *Scene { return ended(t, map[string]string{"R": period, "seed": fmt.Sprint(seed)}) }
		by := endsApart(at("1"), at("4"))
		middling, farthest = append(middling, by[4]), append(farthest, by[9])
	}
	mostly(t, "half of them end apart by", middling, 0, 0.1)
	mostly(t, "all of them end apart by", farthest, 0, 0.16)
	// Changed on the way.
	var late []float64
	for _, k := range []string{"4", "8", "12", "16", "20"} {
		late = append(late, scenetest.Fact(t, ended(t, map[string]string{"R": "4"}, k, "R", "32").Facts(), "collapsed.psmgd"))
	}
	wants(t, "R = 32 on the way", late, 10, 7, 4, 1, 0)
	later := onSeeds(t, collapsed, map[string]string{"R": "4"}, "100", "R", "32")
	for i, n := range onSeeds(t, collapsed, map[string]string{"R": "4"}) {
		later[i] -= n
	}
	mostly(t, "more with R = 32 at 100", later, -10, 0)
	frozen := onSeeds(t, collapsed, map[string]string{"R": "4", "budget": "600"}, "100", "R", "1000")
	mostly(t, "no new weights after 100", frozen, 6, 10)
	mostly(t, "α = 0.9 at 20", onSeeds(t, collapsed, map[string]string{"R": "4"}, "20", "momentum", "0.9"), 8, 10)
}

// endsApart is how far from each other the runs of two scenes end, in order.
func endsApart(a, b *Scene) (out []float64) {
	for i, r := range a.Timeline().Tracks() {
		x, y := scenetest.Last(r).X, scenetest.Last(b.Timeline().Tracks()[i]).X
		out = append(out, math.Hypot(x[0]-y[0], x[1]-y[1]))
	}
	slices.Sort(out)
	return out
}

// TestLessonOfTheMap checks lesson 4's words about the map: 5400 runs, and what decides.
func TestLessonOfTheMap(t *testing.T) {
	m, err := staleness.New(staleness.Default())
	if err == nil {
		err = experiment.Run(m.Grid, experiment.Options{Jobs: 2})
	}
	if err != nil {
		t.Fatal(err)
	}
	runs, young, old, above, below := 0, 0, 0, 0, 0
	fresh := 0.
	for _, c := range m.Cells() {
		if c.Age == 0 {
			fresh = max(fresh, c.Share())
		}
	}
	for _, c := range m.Cells() {
		runs += c.Done
		switch {
		case c.Age < 1.1:
			if young++; c.Share() > fresh+1e-9 {
				t.Errorf("%+v: fresh weights have %g", c, fresh)
			}
		case c.Age > 3.4:
			if old++; c.Share() < 0.815 {
				t.Errorf("%+v", c)
			}
		}
		switch growth := c.Momentum * math.Pow(1+2*c.Eta/math.E, float64(c.R)); {
		case growth > 1:
			if above++; c.Share() < 0.25 {
				t.Errorf("%+v", c)
			}
		case c.Momentum > 0:
			if below++; c.Share() > 0.07 {
				t.Errorf("%+v", c)
			}
		}
	}
	if runs != 5400 || young != 31 || old != 39 || above != 48 || below != 24 {
		t.Errorf("%d runs, %d cells are young, %d old, %d above the line, %d below it", runs, young, old, above, below)
	}
}

// TestLessonOfNoise is lesson 5.
func TestLessonOfNoise(t *testing.T) {
	values := func(more ...string) map[string]string {
		v := map[string]string{"method": "mgda", "d": "30", "region": "0.3", "eta": "0.1", "budget": "400", "ls.weights": "equal", "sigma": "0.1"}
		for i := 0; i < len(more); i += 2 {
			v[more[i]] = more[i+1]
		}
		return v
	}
	s := ended(t, values())
	var on []float64
	for _, k := range []int{100, 200, 300} {
		s.Timeline().SetMarker(k)
		on = append(on, scenetest.Fact(t, s.Facts(), "collapsed.mgda"))
	}
	wants(t, "collapsed on the way", on, 2, 7, 9)
	var by []float64
	for _, sigma := range []string{"0", "0.03", "0.05", "0.07"} {
		by = append(by, scenetest.Fact(t, ended(t, values("sigma", sigma)).Facts(), "collapsed.mgda"))
	}
	wants(t, "collapsed by σ", by, 0, 0, 2, 7)
	collapsed := fact(t, "collapsed.mgda")
	mostly(t, "σ = 0.1", onSeeds(t, collapsed, values()), 9, 10)
	mostly(t, "σ = 0.03", onSeeds(t, collapsed, values("sigma", "0.03")), 0, 0)
	mostly(t, "three times the steps", onSeeds(t, collapsed, values("budget", "1200")), 9, 10)
	// The mean of n gradients has noise of σ/√n: what MGDA gets for n times the price.
	mean := func(n float64) map[string]string { return values("sigma", fmt.Sprint(0.1/math.Sqrt(n))) }
	scenetest.StatesMean(t, "collapsed with means of three", onSeeds(t, collapsed, mean(3)), "3.4")
	mostly(t, "means of eight", onSeeds(t, collapsed, mean(8)), 0, 0)
	scenetest.About(t, "the noise of means of three", 0.1/math.Sqrt(3), 0.058, 3)
	scenetest.About(t, "the noise of means of eight", 0.1/math.Sqrt(8), 0.035, 3)
	if price := 8 * fact(t, "bp.mgda")(ended(t, values())); price != 64000 {
		t.Errorf("means of eight cost %v", price)
	}
	mostly(t, "MoDo", onSeeds(t, fact(t, "collapsed.modo"), values("method", "modo")), 0, 0)
	other := onSeeds(t, func(s *Scene) (other float64) {
		for i, r := range scenetest.Tracks(t, s, "mgda") {
			if a, b := scenetest.Last(r).F, scenetest.Last(scenetest.Tracks(t, s, "ls")[i]).F; (a[0] < a[1]) != (b[0] < b[1]) {
				other++
			}
		}
		return other
	}, values("method", "mgda,ls"))
	mostly(t, "starts from which both go to different ends", other, 0, 4)
	// Here both methods go to the same end from each start.
	s = ended(t, values("method", "mgda,ls"))
	for i, r := range scenetest.Tracks(t, s, "mgda") {
		if a, b := scenetest.Last(r).F, scenetest.Last(scenetest.Tracks(t, s, "ls")[i]).F; (a[0] < a[1]) != (b[0] < b[1]) {
			t.Errorf("start %d: MGDA ends at %v, fixed weights at %v", i+1, a, b)
		}
	}
	// The lengths of noisy gradients halfway to an end, and the longer one's weight.
	p, jac := s.problem, algo.NewJacobian(2, 30)
	_, end := p.ParetoInterval()
	x := make([]float64, 30)
	for i := range x {
		x[i] = end / 2
	}
	p.Jacobian(jac, x)
	length := func(i int) float64 { return math.Sqrt(square(jac.Row(i))) }
	long, short := length(0), length(1) // the near end is where f₁ is least
	if long < short {
		t.Fatalf("lengths %g and %g", short, long)
	}
	const samples = 4000
	var shorts, longs, weight float64
	gram := make([]float64, 4)
	for k := range samples {
		sample := algo.Sample{Noise: *rand.NewPCG(7, uint64(k))}
		p.JacobianAt(jac, x, &sample)
		longs += square(jac.Row(0)) / samples
		shorts += square(jac.Row(1)) / samples
		jac.Gram(gram)
		// The shortest mixture of two gradients.
		weight += max(0, min(1, (gram[3]-gram[1])/(gram[0]+gram[3]-2*gram[1]))) / samples
	}
	for what, c := range map[string][2]float64{
		"the long one": {long, 0.78}, "the short one": {short, 0.32}, "the long one with noise": {math.Sqrt(longs), 0.95},
		"the short one with noise": {math.Sqrt(shorts), 0.63}, "its weight": {short / (short + long), 0.29}, "its weight with noise": {weight,
			0.36},
	} {
		if math.Abs(c[0]-c[1]) > 0.006 {
			t.Errorf("%s: %g, the lesson says %g", what, c[0], c[1])
		}
	}
	// MoDo's cure, and its limit.
	for gamma, want := range map[string][2]float64{"0.1": {2, 7}, "0.3": {0, 0}, "1": {0, 0}} {
		lagging := values("method", "modo", "eta", "0.3", "budget", "200", "modo.gamma", gamma)
		mostly(t, "γ = "+gamma, onSeeds(t, fact(t, "collapsed.modo"), lagging), want[0], want[1])
	}
}

func square(v []float64) (sum float64) {
	for _, x := range v {
		sum += x * x
	}
	return sum
}

// TestLessonOfTheQuietest is lesson 12.
func TestLessonOfTheQuietest(t *testing.T) {
	runs := func(seed int, normalize string) *Scene {
		return ended(t, map[string]string{"method": "mgda", "region": "3", "starts": "20", "seed": strconv.Itoa(seed),
			"mgda.normalize": normalize})
	}
	var middle, fewer []float64
	for _, seed := range scenetest.SeedList(20) {
		raw, normalized := runs(seed, "none"), runs(seed, "l2")
		middle = append(middle, scenetest.Fact(t, normalized.Facts(), "middle.mgda"))
		fewer = append(fewer, scenetest.Fact(t, raw.Facts(), "flat.mgda")-scenetest.Fact(t, normalized.Facts(), "flat.mgda"))
	}
	scenetest.StatesCount(t, "none comes to the middle", middle, func(v float64) bool { return v == 0 }, 20)
	scenetest.StatesCount(t, "fewer stay far out", fewer, func(v float64) bool { return v > 0 }, 20)
}
