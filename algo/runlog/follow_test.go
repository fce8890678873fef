package runlog

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/problem"
	"paretoplay/algo/weighting"
)

// trained returns a run of PSMGD on two tasks of logistic regression, with batches of 8.
func trained(t testing.TB, change func(c *descent.Config)) (*descent.PSMGD, algo.FiniteSum) {
	t.Helper()
	p, err := problem.RandomLogistic(problem.LogisticConfig{Examples: 60, Heterogeneity: 1, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	c := descent.Config{Problem: p, Start: []float64{1, -2, 0.5}, Period: 4, StepSize: 0.3, Batch: 8, ConstantBatch: true, Seed: 11,
		StartIndex: 2, Optimizer: descent.Optimizer{Kind: descent.Adam}}
	if change != nil {
		change(&c)
	}
	s, err := descent.NewPSMGD(c)
	if err != nil {
		t.Fatal(err)
	}
	return s, p
}

func follower(t testing.TB, c FollowerConfig) *Follower {
	t.Helper()
	f, err := NewFollower(c)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestFollow checks that recording leaves every bit of the run unchanged. The log must contain the same numbers as a
// direct computation from the run's points.
func TestFollow(t *testing.T) {
	const steps, every = 101, 5
	s, p := trained(t, nil)
	plain, _ := trained(t, nil)
	f := follower(t, FollowerConfig{Problem: p, Every: every, Seed: 11, StartIndex: 2, Names: []string{"one", "two"}})
	type expected struct{ losses, after, weights, gramian, cross []float64 }
	var want []expected
	for k := range steps {
		x := slices.Clone(plain.View().X)
		status, err := f.Step(s)
		if err != nil || status != algo.Running {
			t.Fatalf("step %d: %v, %v", k, status, err)
		}
		if _, err := plain.Step(); err != nil {
			t.Fatal(err)
		}
		if v, w := s.View(), plain.View(); !slices.Equal(v.X, w.X) || !slices.Equal(v.F, w.F) || !slices.Equal(v.Weights, w.Weights) ||
			v.Cost != w.Cost {
			t.Fatalf("step %d: the recorded run is another", k)
		}
		if k%every != 0 {
			continue
		}
		e := expected{make([]float64, 2), make([]float64, 2), slices.Clone(plain.Effective()), make([]float64, 4), make([]float64, 4)}
		one, other := algo.NewJacobian(2, 3), algo.NewJacobian(2, 3)
		p.ValuesAt(e.losses, x, plain.Sample())
		p.ValuesAt(e.after, plain.View().X, plain.Sample())
		p.JacobianAt(one, x, plain.Sample())
		state := algo.Stream(11, 2, k, algo.Record)
		p.JacobianAt(other, x, &algo.Sample{Batch: drawn(&state, p.Examples(), 8)})
		for i := range 2 {
			for j := range 2 {
				for c := range 3 {
					e.gramian[2*i+j] += one.Row(i)[c] * one.Row(j)[c]
					e.cross[2*i+j] += one.Row(i)[c] * other.Row(j)[c]
				}
			}
		}
		want = append(want, e)
	}
	l, err := f.Recorder().Log(nil)
	if err != nil {
		t.Fatal(err)
	}
	if l.Records() != len(want) || f.LeftOut() != 0 {
		t.Fatalf("%d records, %d left out", l.Records(), f.LeftOut())
	}
	for k, e := range want {
		if l.Step(k) != int64(every*k) || !slices.Equal(l.Losses(nil, k), e.losses) || !slices.Equal(l.After(nil, k), e.after) ||
			!slices.Equal(l.Weights(nil, k), e.weights) {
			t.Errorf("record %d: %v, %v, %v, want %v", k, l.Losses(nil, k), l.After(nil, k), l.Weights(nil, k), e)
		}
		for i := range 4 {
			if !near(l.gramian.at(4*k+i), e.gramian[i], 1e-15) || !near(l.cross.at(4*k+i), e.cross[i], 1e-15) {
				t.Errorf("record %d: products %v, %v, want %v, %v", k, l.gramian.row(nil, k), l.cross.row(nil, k), e.gramian, e.cross)
			}
		}
	}
	a, err := Analyse(l, NewOptions())
	if err != nil || a.Records != len(want) || a.Stride != every {
		t.Errorf("%+v: %v", a, err)
	}
}

// drawn returns count of the numbers from 0 to n−1, drawn without replacement.
func drawn(state *rand.PCG, n, count int) []int {
	draw, order := rand.New(state), make([]int, n)
	for i := range order {
		order[i] = i
	}
	for i := range count {
		j := i + draw.IntN(n-i)
		order[i], order[j] = order[j], order[i]
	}
	return order[:count]
}

// TestSecondBatch checks that the products with the second batch average to the products of the true gradients. The
// products on the step's batch must be larger by the noise.
func TestSecondBatch(t *testing.T) {
	s, p := trained(t, func(c *descent.Config) { c.StepSize, c.Optimizer = 1e-12, descent.Optimizer{} })
	f := follower(t, FollowerConfig{Problem: p, Seed: 11, StartIndex: 2})
	const steps = 4000
	for range steps {
		if _, err := f.Step(s); err != nil {
			t.Fatal(err)
		}
	}
	l, err := f.Recorder().Log(nil)
	if err != nil {
		t.Fatal(err)
	}
	exact, true4 := algo.NewJacobian(2, 3), make([]float64, 4)
	p.Jacobian(exact, s.View().X)
	exact.Gram(true4)
	for e := range 4 {
		var own, other float64
		for k := range steps {
			own += l.gramian.at(4*k+e) / steps
			other += l.cross.at(4*k+e) / steps
		}
		scale := math.Sqrt(true4[0] * true4[3])
		if math.Abs(other-true4[e]) > 0.05*scale {
			t.Errorf("products on two batches average to %v, of true gradients to %v", other, true4[e])
		}
		if (e == 0 || e == 3) && own < true4[e]+0.02*scale {
			t.Errorf("products on one batch average to %v, of true gradients to %v", own, true4[e])
		}
	}
}

// TestFollowWhole checks that the products on both batches have the same bits if every step uses all examples, so that
// there is no noise.
func TestFollowWhole(t *testing.T) {
	s, p := trained(t, func(c *descent.Config) { c.Batch = 0 })
	f := follower(t, FollowerConfig{Problem: p, Forward: 0.25, Backward: 0.5})
	for range 3 {
		if _, err := f.Step(s); err != nil {
			t.Fatal(err)
		}
	}
	l, err := f.Recorder().Log(nil)
	if err != nil || !slices.Equal(l.gramian.double, l.cross.double) || !slices.Equal(l.Names(), []string{"1", "2"}) {
		t.Errorf("%+v: %v", l, err)
	}
	if forwards, backwards := l.Seconds(); forwards != 0.25 || backwards != 0.5 {
		t.Errorf("%v and %v seconds", forwards, backwards)
	}
}

// TestFollowNoise checks that the second sample has new noise.
func TestFollowNoise(t *testing.T) {
	p, err := problem.NewFonseca(2, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	s, err := descent.NewPSMGD(descent.Config{Problem: p, Start: []float64{0.5, -1}, StepSize: 0.1, Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	f := follower(t, FollowerConfig{Problem: p, Seed: 4})
	for range 20 {
		if _, err := f.Step(s); err != nil {
			t.Fatal(err)
		}
	}
	l, err := f.Recorder().Log(nil)
	if err != nil {
		t.Fatal(err)
	}
	negative := false
	for k := range l.Records() {
		negative = negative || l.cross.at(4*k) < 0 || l.cross.at(4*k+3) < 0
		if l.gramian.at(4*k) == l.cross.at(4*k) {
			t.Errorf("record %d: the second sample is the first", k)
		}
	}
	if !negative {
		t.Error("with so much noise some gradient goes against its second sample")
	}
}

// headed is a problem in which each of the last variables belongs to one objective.
type headed struct{ algo.FiniteSum }

func (h headed) Shared() int { return 2 }

func (h headed) SharedJacobianAt(jac *algo.Jacobian, own, x []float64, s *algo.Sample) {
	all := algo.NewJacobian(2, 3)
	h.JacobianAt(all, x, s)
	for i := range 2 {
		copy(jac.Row(i), all.Row(i))
	}
	own[0] = all.Row(0)[2]
}

func (h headed) SharedGradientAt(dst, w, x []float64, s *algo.Sample) {
	all := algo.NewJacobian(2, 3)
	h.JacobianAt(all, x, s)
	all.Combine(dst, w)
	dst[2] = all.Row(0)[2]
}

// TestFollowShared checks that only gradients for shared variables are recorded.
func TestFollowShared(t *testing.T) {
	s, p := trained(t, nil)
	f, all := follower(t, FollowerConfig{Problem: headed{p}}), follower(t, FollowerConfig{Problem: p})
	x := slices.Clone(s.View().X)
	if _, err := f.Step(s); err != nil {
		t.Fatal(err)
	}
	jac := algo.NewJacobian(2, 3)
	p.JacobianAt(jac, x, s.Sample())
	again, _ := trained(t, nil)
	if _, err := all.Step(again); err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		for j := range 2 {
			rest := jac.Row(i)[2] * jac.Row(j)[2]
			got, whole := f.recorder.log.gramian.at(2*i+j), all.recorder.log.gramian.at(2*i+j)
			if !near(got+rest, whole, 1e-15) {
				t.Errorf("(%d, %d): %v, with the last variable %v", i, j, got, whole)
			}
		}
	}
}

// breaking is a problem whose losses become infinite or NaN after some evaluations.
type breaking struct {
	algo.FiniteSum
	looks int
}

func (b *breaking) ValuesAt(f, x []float64, s *algo.Sample) {
	b.FiniteSum.ValuesAt(f, x, s)
	if b.looks++; b.looks == 7 {
		f[0] = math.Inf(1)
	}
}

// TestFollowEdges checks records that are omitted, steps that fail, and runs that cannot be recorded.
func TestFollowEdges(t *testing.T) {
	s, p := trained(t, nil)
	f := follower(t, FollowerConfig{Problem: &breaking{FiniteSum: p}})
	for range 6 {
		if _, err := f.Step(s); err != nil {
			t.Fatal(err)
		}
	}
	if f.Recorder().Records() != 5 || f.LeftOut() != 1 {
		t.Errorf("%d records, %d left out", f.Recorder().Records(), f.LeftOut())
	}
	diverging, p := trained(t, func(c *descent.Config) { c.StepSize, c.Optimizer = 1e200, descent.Optimizer{} })
	f = follower(t, FollowerConfig{Problem: p})
	status := algo.Running
	for range 5 {
		var err error
		if status, err = f.Step(diverging); err != nil {
			t.Fatal(err)
		}
	}
	if v := diverging.View(); status != algo.Diverged || f.Recorder().Records()+f.LeftOut() != v.K {
		t.Errorf("%v at %d, %d records", status, v.K, f.Recorder().Records())
	}
	without, p := trained(t, func(c *descent.Config) {
		w, err := weighting.New("moco", 2)
		if err != nil {
			t.Fatal(err)
		}
		c.Weighting, c.Period = w, 1
	})
	f = follower(t, FollowerConfig{Problem: p})
	if _, err := f.Step(without); err == nil || !strings.Contains(err.Error(), "so it has no weights") {
		t.Errorf("a rule without coefficients: %v", err)
	}
	full := follower(t, FollowerConfig{Problem: p, Most: 15*arrayBytes + 100})
	if _, err := full.Step(s); err == nil || !strings.Contains(err.Error(), "need more than") {
		t.Errorf("a log that is full: %v", err)
	}
	for want, c := range map[string]FollowerConfig{
		"problem": {}, "every": {Problem: p, Every: -1}, "1 names for 2": {Problem: p, Names: []string{"a"}},
		"cannot be shown": {Problem: p, Names: []string{"a", "\t"}},
	} {
		if _, err := NewFollower(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// TestFollowAllocates checks that a step allocates nothing, except occasionally storage for records.
func TestFollowAllocates(t *testing.T) {
	s, p := trained(t, nil)
	f := follower(t, FollowerConfig{Problem: p})
	step := func() {
		if _, err := f.Step(s); err != nil {
			t.Fatal(err)
		}
	}
	step()
	if n := testing.AllocsPerRun(1000, step); n > 0 {
		t.Errorf("%v allocations a record", n)
	}
}
