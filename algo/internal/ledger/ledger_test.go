package ledger

import (
	"math"
	"reflect"
	"testing"

	"paretoplay/algo"
)

type quantity int

const (
	nothing quantity = iota
	gradient
	iterate
)

func (q quantity) String() string { return [...]string{"", "gradient", "iterate"}[q] }

func TestCounts(t *testing.T) {
	var l Ledger[quantity]
	if v := l.View(); !reflect.DeepEqual(v, algo.View{}) {
		t.Errorf("at the start there is %+v to see, want nothing", v)
	}
	l.Gradients(3, 5)
	l.Gradients(1, 2)
	l.Cost.HessianVectorProducts += 4
	l.Commit()
	want := algo.View{K: 1, Evaluated: 1, Cost: algo.Cost{Backpropagations: 4, GradientCoordinates: 17, HessianVectorProducts: 4}}
	if v := l.View(); !reflect.DeepEqual(v, want) || !l.Stepped || l.Diverged() {
		t.Errorf("after a step there is %+v to see, want %+v; stepped %v, diverged %v", v, want, l.Stepped, l.Diverged())
	}
}

// TestDivergence checks that Fail records the divergence in the step from K, and that Stepped is then false.
func TestDivergence(t *testing.T) {
	var l Ledger[quantity]
	l.Commit()
	l.Commit()
	if status := l.Fail(iterate); status != algo.Diverged {
		t.Errorf("Fail returns %v, want %v", status, algo.Diverged)
	}
	if want := (algo.Divergence{K: 2, Quantity: "iterate"}); l.View().Diverged != want || l.View().K != 2 {
		t.Errorf("the view has %+v, want the divergence %+v", l.View(), want)
	}
	if !l.Diverged() || l.Stepped {
		t.Errorf("diverged %v, stepped %v: want true and false", l.Diverged(), l.Stepped)
	}
}

// TestFailIn checks that the divergence names the objective whose number is not finite, in any row.
func TestFailIn(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		values   []float64
		m, width int
		want     int
	}{
		{[]float64{1, 2, nan}, 3, 1, 3},
		{[]float64{1, 2, math.Inf(-1), nan}, 2, 2, 2},
		{[]float64{1, 2, nan, 4}, 2, 1, 1}, // in the second solution
		{[]float64{1, 2}, 2, 1, 0},
	} {
		var l Ledger[quantity]
		l.FailIn(gradient, c.values, c.m, c.width)
		if want := (algo.Divergence{Quantity: "gradient", Objective: c.want}); l.View().Diverged != want {
			t.Errorf("%v: %+v, want %+v", c.values, l.View().Diverged, want)
		}
	}
}

func TestSaveLoad(t *testing.T) {
	var running, failed Ledger[quantity]
	running.Gradients(7, 11)
	running.Cost.HessianVectorProducts = 5
	running.Commit()
	failed.Commit()
	failed.FailIn(gradient, []float64{0, 1, math.NaN(), 2}, 2, 2)
	for _, saved := range []Ledger[quantity]{{}, running, failed} {
		var snapshot algo.Snapshot
		saved.Save(&snapshot)
		snapshot.PutInt(42) // the stepper's state
		loaded := failed
		loaded.Stepped = true
		loaded.Load(&snapshot)
		want := saved
		want.Stepped = false
		if loaded != want {
			t.Errorf("loaded %+v, want %+v", loaded, want)
		}
		if next := snapshot.GetInt(); next != 42 {
			t.Errorf("what follows in the snapshot is read as %d, want 42", next)
		}
	}
}

func TestNothingAllocates(t *testing.T) {
	var l Ledger[quantity]
	var snapshot algo.Snapshot
	l.Save(&snapshot)
	allocations := testing.AllocsPerRun(100, func() {
		l.Gradients(2, 3)
		l.Commit()
		snapshot.Reset()
		l.Save(&snapshot)
		l.Load(&snapshot)
		l.Fail(gradient)
		l.View()
		l.Failed = nothing
	})
	if allocations != 0 {
		t.Errorf("%v allocations, want none", allocations)
	}
}
