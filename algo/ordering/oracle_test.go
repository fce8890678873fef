package ordering_test

import (
	"encoding/json"
	"math"
	"os"
	"reflect"
	"slices"
	"testing"

	"paretoplay/algo/ordering"
	"paretoplay/algo/problem"
)

// The oracle was computed by an independent program; all its numbers are of magnitude 1 to 10.
const oracleTolerance = 1e-12

// oracle is the content of jogba.json; its "meta" describes the fields. In the first epoch, runs start at w = 0 and
// visit the examples in their given order.
type oracle struct {
	M, K      int
	Variables int `json:"d"`
	D         [][][]float64
	C         [][][]float64
	Runs      []struct {
		Kind, Weights string
		Alpha         float64
		Centring      string
		Epochs        []oracleEpoch
	}
}

type oracleEpoch struct {
	OrderUsed [][]int     `json:"order_used"` // for every objective, even if it is shared
	Signs     [][]float64 // for every step: one per objective, or the shared one
	OrderNext [][]int     `json:"order_next"`
	Lambda    [][]float64 `json:"lambda_"`
	Farthest  float64     `json:"prefix_inf_max"` // max ‖s‖_∞, over all sums if there are several
	Drift     float64     `json:"drift_inf"`      // max_k ‖w^(k) − w^(1)‖_∞
	After     []float64   `json:"w_after"`
	Next      rows        `json:"v_next"` // v_{t+1}
}

// rows is one vector, or one vector per objective.
type rows [][]float64

func (r *rows) UnmarshalJSON(data []byte) error {
	var one []float64
	if json.Unmarshal(data, &one) == nil {
		*r = rows{one}
		return nil
	}
	return json.Unmarshal(data, (*[][]float64)(r))
}

func TestOracle(t *testing.T) {
	data, err := os.ReadFile("testdata/jogba.json")
	if err != nil {
		t.Fatal(err)
	}
	var o oracle
	if err := json.Unmarshal(data, &o); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]ordering.Kind{"jogba": ordering.JoGBa, "grab_separate": ordering.GraBSeparate, "shared_grab": ordering.GraBShared}
	centrings := map[string]ordering.Centring{"as_published": ordering.AsPublished, "per_objective": ordering.PerObjective}
	p, err := problem.NewDiagonalSum(o.D, o.C)
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, r := range o.Runs {
		t.Run(r.Kind+" "+r.Weights+" "+r.Centring, func(t *testing.T) {
			kind, known := kinds[r.Kind]
			centring, also := centrings[r.Centring]
			if !known || !also {
				t.Fatal("unknown kind or centring")
			}
			c := ordering.Config{
				Problem: p, Start: make([]float64, o.Variables), Kind: kind, Centring: centring, First: ordering.GivenFirst, StepSize: r.Alpha,
			}
			if r.Weights == "uniform" {
				c.FixedWeights = []float64{1. / 3, 1. / 3, 1. / 3}
			}
			f := follower{t: t, s: newRun(t, c), meter: ordering.NewMeter(p, 1), kind: kind, centring: centring, m: o.M, k: o.K}
			f.meter.Hear(f.s)
			for _, e := range r.Epochs {
				f.epoch(&e)
				compared++
			}
			f.step() // checks the last v
		})
	}
	if compared != 7*4 {
		t.Errorf("%d epochs compared, want 28", compared)
	}
}

// extent contains max_k ‖s‖_∞ and max ‖g‖₂ of a sum in an epoch.
type extent struct{ farthest, longest float64 }

// follower compares a run with the oracle step by step.
type follower struct {
	t        *testing.T
	s        *ordering.Descent
	meter    *ordering.Meter
	kind     ordering.Kind
	centring ordering.Centring
	m, k     int

	next     rows // v_t, as in the oracle; nil in the first epoch
	measured *ordering.Epoch
	sums     []extent
}

func (f *follower) epoch(e *oracleEpoch) {
	t := f.t
	f.sums = make([]extent, f.m)
	signs := make([]float64, f.k*f.m)
	for k := range f.k {
		f.step()
		if k == 0 && !equalOrders(f.s.Orders(), e.OrderUsed) {
			t.Errorf("epoch %d: orders %v, want %v", f.s.Epoch(), f.s.Orders(), e.OrderUsed)
		}
		want := e.Signs[k]
		if len(want) == 1 {
			want = slices.Repeat(want, f.m)
		}
		f.s.EpochSigns(signs)
		if got := signs[k*f.m : (k+1)*f.m]; !slices.Equal(f.s.Signs(), want) || !slices.Equal(got, want) {
			t.Errorf("epoch %d, step %d: signs %v, of the epoch's %v, want %v", f.s.Epoch(), k, f.s.Signs(), got, want)
		}
		if v := f.s.View(); !near(v.Weights, e.Lambda[k], oracleTolerance) {
			t.Errorf("epoch %d, step %d: λ = %v, want %v", f.s.Epoch(), k, v.Weights, e.Lambda[k])
		}
	}
	if next, left, right := f.s.Next(); !equalOrders(next, e.OrderNext) || left[0]+right[0] != f.k {
		t.Errorf("epoch %d: next orders %v, filled to %v and %v, want %v", f.s.Epoch(), next, left, right, e.OrderNext)
	}
	if x := f.s.View().X; !near(x, e.After, oracleTolerance) {
		t.Errorf("epoch %d: w = %v, want %v", f.s.Epoch(), x, e.After)
	}
	var farthest, bound float64
	for _, sum := range f.sums {
		if sum.longest > 0 {
			farthest, bound = max(farthest, sum.farthest), max(bound, sum.farthest/sum.longest)
		}
	}
	if got := f.s.SignBound(); !near([]float64{farthest, got}, []float64{e.Farthest, bound}, oracleTolerance) {
		t.Errorf("epoch %d: max ‖s‖ = %v and A = %v, want %v and %v", f.s.Epoch(), farthest, got, e.Farthest, bound)
	}
	if drift := f.measured.Drift * f.s.View().StepSize; !(math.Abs(drift-e.Drift) <= oracleTolerance) || f.measured.Steps != f.k {
		t.Errorf("epoch %d: drift %v after %d steps, want %v", f.s.Epoch(), drift, f.measured.Steps, e.Drift)
	}
	f.next = e.Next
}

// step takes one step and compares the vectors that were added to the sums.
func (f *follower) step() {
	steps(f.t, f.s, 1)
	f.measured = f.meter.Hear(f.s)
	v := f.s.View()
	before, offered := make([]float64, len(v.X)), make([]float64, len(v.X))
	for m := range f.m {
		if !f.s.Offer(before, offered, m) {
			f.t.Fatal("nothing was offered")
		}
		gradient := v.Direction
		if len(f.s.Orders()) > 1 {
			gradient = v.Jacobian.Row(m)
		}
		share := 1.0
		if f.centring == ordering.PerObjective {
			share = 1 / float64(f.m)
		}
		sum := &f.sums[0]
		if f.kind == ordering.GraBSeparate {
			sum = &f.sums[m]
		}
		var length float64
		for j, g := range offered {
			sum.farthest, length = max(sum.farthest, math.Abs(before[j]+f.s.Signs()[m]*g)), math.Hypot(length, g)
			want := 0.0
			if f.next != nil {
				want = share * f.next[min(m, len(f.next)-1)][j]
			}
			if got := gradient[j] - g; !(math.Abs(got-want) <= oracleTolerance) {
				f.t.Errorf("epoch %d, objective %d, coordinate %d: %v was subtracted, want %v", f.s.Epoch(), m, j, got, want)
			}
		}
		sum.longest = max(sum.longest, length)
	}
}

// equalOrders reports whether two sets of orders are equal. The set every has one order per objective. The set got may
// instead have a single order that all objectives share.
func equalOrders(got, every [][]int) bool {
	if len(got) == 1 {
		got = slices.Repeat(got, len(every))
	}
	return reflect.DeepEqual(got, every)
}
