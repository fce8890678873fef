package ordering

import (
	"math"
	"slices"
	"testing"

	"paretoplay/algo"
)

// TestGreedyByHand checks that the sum's max norm decides, and that ties give +1 even if the sum is not zero.
func TestGreedyByHand(t *testing.T) {
	b, w := newBalancer(Greedy, 5, 2), newWalk(2)
	for i, c := range []struct{ gradient, sum []float64 }{
		{[]float64{2, 0}, []float64{2, 0}},   // 2 and 2: a tie
		{[]float64{1, 1}, []float64{1, -1}},  // 3 > 1
		{[]float64{1, -3}, []float64{0, 2}},  // 4 > 2
		{[]float64{3, 0}, []float64{3, 2}},   // 3 and 3: a tie, from (0, 2)
		{[]float64{-3, 1}, []float64{0, 3}},  // 3 < 6
		{[]float64{0, 0}, []float64{0, 3}},   // no difference
		{[]float64{9, -4}, []float64{9, -1}}, // 9 and 9: a tie although the second coordinates differ
	} {
		b.put(w, c.gradient)
		if !slices.Equal(w.s, c.sum) {
			t.Fatalf("vector %d: the sum is %v, want %v", i, w.s, c.sum)
		}
	}
	if w.farthest != 9 || w.longest != math.Sqrt(97) {
		t.Errorf("the sum came to %v and the longest vector is %v, want 9 and √97", w.farthest, w.longest)
	}
	w.begin(0.5)
	if !slices.Equal(w.centre, []float64{6.5, -2.5}) || w.s[0] != 0 ||
		w.seen[1] != 0 || w.farthest != 0 || w.longest != 0 || w.length != math.Sqrt(97) {
		t.Errorf("the next epoch begins with %+v", w)
	}
	b.put(w, []float64{7, 0})
	if !slices.Equal(w.s, []float64{0.5, 2.5}) || !slices.Equal(w.seen, []float64{7, 0}) {
		t.Errorf("the sum is %v of what has been seen, %v", w.s, w.seen)
	}
}

// TestInnerProductByHand checks that InnerProduct and TwoNorm use ⟨s, g⟩, not the max norm, and differ only in ties.
// Scaling the vectors must not change the signs.
func TestInnerProductByHand(t *testing.T) {
	for _, scale := range []float64{1, 1e-200, 1e200} {
		inner, norm := newBalancer(InnerProduct, 5, 2), newBalancer(TwoNorm, 5, 2)
		w, v := newWalk(2), newWalk(2)
		for i, c := range []struct{ gradient, inner, norm []float64 }{
			{[]float64{0, 0}, []float64{0, 0}, []float64{0, 0}},
			{[]float64{2, 0}, []float64{-2, 0}, []float64{2, 0}},         // a tie: the sum is 0
			{[]float64{0, 3}, []float64{-2, -3}, []float64{2, 3}},        // a tie
			{[]float64{3, -1}, []float64{1, -4}, []float64{-1, 4}},       // −3 and 3
			{[]float64{5, 1}, []float64{-4, -5}, []float64{4, 5}},        // 1 and −1
			{[]float64{2, -1.5}, []float64{-2, -6.5}, []float64{2, 6.5}}, // −½ and ½, although the max norm is then 6.5, not 6
		} {
			g := []float64{scale * c.gradient[0], scale * c.gradient[1]}
			inner.put(w, g)
			norm.put(v, g)
			for j := range g {
				if w.s[j] != scale*c.inner[j] || v.s[j] != scale*c.norm[j] {
					t.Fatalf("scale %g, vector %d: sums %v and %v, want %v and %v", scale, i, w.s, v.s, c.inner, c.norm)
				}
			}
		}
	}
}

// TestPutOfAnyLength checks that signs and sums equal those of a plain loop, for short vectors and for long ones.
func TestPutOfAnyLength(t *testing.T) {
	for _, d := range []int{1, 3, 4, 31, 32, 33, 67} {
		b, w := newBalancer(Greedy, 9, d), newWalk(d)
		s, seen := make([]float64, d), make([]float64, d)
		for j := range w.centre {
			w.centre[j] = math.Sin(float64(j))
		}
		for k := range 9 {
			gradient := make([]float64, d)
			var plus, minus float64
			for j := range gradient {
				gradient[j] = math.Cos(float64(j * (k + 2)))
				g := gradient[j] - w.centre[j]
				plus, minus = max(plus, math.Abs(s[j]+g)), max(minus, math.Abs(s[j]-g))
			}
			sign := 1.0
			if plus > minus {
				sign = -1
			}
			for j, v := range gradient {
				s[j] += sign * (v - w.centre[j])
				seen[j] += v
			}
			if got := b.put(w, gradient); got != sign || !slices.Equal(w.s, s) || !slices.Equal(w.seen, seen) {
				t.Fatalf("%d numbers, vector %d: sign %v and sum %v, want %v and %v", d, k, got, w.s, sign, s)
			}
			if w.farthest < min(plus, minus) {
				t.Errorf("%d numbers, vector %d: the sum came to %v, it is %v", d, k, w.farthest, min(plus, minus))
			}
		}
	}
}

// TestSelfBalancing checks that signs are drawn with probability ½ − ⟨s,g⟩/(2c), where vectors are divided by the
// largest norm so far. Clipped probabilities must be counted.
func TestSelfBalancing(t *testing.T) {
	const draws = 20000
	c := 30 * math.Log(100*4/0.01)
	if got := selfBalancingConstant(100, 4); math.Abs(got-c) > 1e-12 {
		t.Fatalf("c = %v, want %v", got, c)
	}
	for _, scale := range []float64{1, 1e-8, 1e8, 1e-160, 1e200} {
		// The longest vector had norm 2, so ⟨s,g⟩ is 4·inner.
		for _, inner := range []float64{0, 100, -200, 0.9 * c, -1.5 * c, 2 * c} {
			b := newBalancer(SelfBalancing, 100, 4)
			b.draws = algo.Stream(1, 0, 0, algo.Sign)
			plus := 0
			for range draws {
				w := newWalk(4)
				w.length = 2 * scale
				w.s[0], w.s[1] = 4*inner*scale, 7*scale
				if b.put(w, []float64{scale, 0, 0, 0}) > 0 {
					plus++
				}
				if w.length != 2*scale {
					t.Fatalf("scale %g: the largest norm is %v", scale, w.length)
				}
			}
			chance := min(max(0.5-inner/(2*c), 0), 1)
			if off := math.Abs(float64(plus)/draws - chance); off > 5*math.Sqrt(chance*(1-chance)/draws) {
				t.Errorf("scale %g, ⟨s,g⟩ = %v: +1 in %d of %d draws, the probability is %v", scale, inner, plus, draws, chance)
			}
			sure := 0
			if math.Abs(inner) > c {
				sure = draws
			}
			if b.drawn != draws || b.cut != sure {
				t.Errorf("scale %g, ⟨s,g⟩ = %v: %d draws, %d of them cut, want %d and %d", scale, inner, b.drawn, b.cut, draws, sure)
			}
		}
	}
	// This vector and the sum are already divided by the norm of a longer vector.
	b, w := newBalancer(SelfBalancing, 100, 4), newWalk(4)
	w.length, w.s[0] = 1, c
	b.put(w, []float64{10, 0, 0, 0})
	if w.length != 10 || b.cut != 0 {
		t.Errorf("the largest norm is %v, %d signs were sure", w.length, b.cut)
	}
	// Zero vectors get either sign with equal probability, like the first vector.
	b, w = newBalancer(SelfBalancing, 100, 4), newWalk(4)
	if b.put(w, make([]float64, 4)); w.length != 0 || b.drawn != 1 || !algo.Finite(w.s) {
		t.Errorf("after a vector of zeros %+v", w)
	}
}
