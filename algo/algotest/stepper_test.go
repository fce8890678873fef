package algotest_test

import (
	"errors"
	"math"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
)

// descend is gradient descent on ½x² with a decreasing step size. It is correct unless its field broken names a fault.
type descend struct {
	broken   string
	rate     float64
	k        int
	x, f     []float64
	dir      []float64
	stepSize float64
	memory   float64
	cost     algo.Cost
	diverged bool
	stepped  bool
}

var shared float64

func newDescend(broken string, rate float64) algo.Stepper {
	d := &descend{broken: broken, rate: rate, x: []float64{3}, f: []float64{4.5}, dir: []float64{0}}
	switch broken {
	case "starts late":
		d.k = 1
	case "starts with a step":
		d.stepped = true
	case "starts with a cost":
		d.cost.Backpropagations = 1
	case "starts diverged":
		d.diverged = true
	case "starts nowhere":
		d.x[0] = math.NaN()
	case "other start":
		shared++
		d.x[0] = shared
	}
	return d
}

func (d *descend) Step() (algo.Status, error) {
	if d.diverged {
		if d.broken == "recovers" {
			return algo.Running, nil
		}
		return algo.Diverged, nil
	}
	if d.broken == "error" {
		return algo.Running, errors.New("refused")
	}
	d.memory = 0.5*d.memory + d.x[0]
	eta := d.rate / float64(d.k+1)
	if d.rate > 10 {
		eta = d.rate
	}
	next := d.x[0] - eta*d.memory
	switch d.broken {
	case "shared state":
		shared++
		next += shared * 1e-6
	case "allocates":
		sink = make([]float64, 3)
	case "not finite":
		next = math.NaN()
	}
	f := next * next / 2
	if (math.IsInf(f, 0) || math.IsNaN(f)) && d.broken != "not finite" && d.broken != "runs into infinity" {
		d.diverged, d.stepped = true, false
		if d.broken == "spoils the last state" {
			d.x[0] = next
		}
		return algo.Diverged, nil
	}
	d.dir[0], d.stepSize, d.stepped = d.memory, eta, true
	d.x[0], d.f[0] = next, f
	d.k++
	d.cost.Backpropagations++
	switch d.broken {
	case "skips":
		d.k++
	case "cost falls":
		d.cost.Backpropagations -= 2
	case "grows":
		d.x = append(d.x, 0)
	case "nan direction":
		d.dir[0] = math.NaN()
	case "status without place":
		return algo.Diverged, nil
	}
	return algo.Running, nil
}

func (d *descend) View() algo.View {
	v := algo.View{K: d.k, Solutions: 1, X: d.x, F: d.f, Cost: d.cost}
	switch d.broken {
	case "no solution":
		v.Solutions = 0
	case "too many solutions":
		v.Solutions = 2
	case "more solutions":
		v.Solutions += d.k
		v.X, v.F = make([]float64, v.Solutions), make([]float64, v.Solutions)
	}
	if d.stepped {
		v.Direction, v.StepSize = d.dir, d.stepSize
		switch d.broken {
		case "too many weights":
			v.Weights = []float64{0.5, 0.5}
		case "long direction":
			v.Direction = []float64{d.dir[0], 0}
		}
		if d.broken == "shapeless Jacobian" {
			v.Jacobian = &algo.Jacobian{Rows: 1, Cols: 2, Data: d.dir}
		}
	}
	if d.diverged {
		v.Diverged = algo.Divergence{K: d.k, Quantity: "objective"}
		switch d.broken {
		case "unnamed":
			v.Diverged.Quantity = ""
		case "misplaced":
			v.Diverged.K++
		}
	}
	if d.broken == "looking changes" {
		d.x[0] += 1e-9
	}
	if d.broken == "view allocates" {
		sink = make([]float64, 3)
	}
	return v
}

func (d *descend) Save(s *algo.Snapshot) {
	switch d.broken {
	case "resets on save":
		s.Reset()
	case "save changes":
		d.x[0] += 1e-9
	case "save allocates":
		sink = make([]float64, 3)
	case "saves too much":
		s.PutWord(0)
	case "saves too little":
		return
	}
	s.PutInt(d.k)
	s.PutInt(d.cost.Backpropagations)
	s.PutBool(d.diverged && d.broken != "forgets divergence")
	s.PutFloats(d.x...)
	s.PutFloats(d.f...)
	s.PutFloats(d.memory)
}

func (d *descend) Load(s *algo.Snapshot) {
	d.k, d.cost.Backpropagations, d.diverged = s.GetInt(), s.GetInt(), s.GetBool()
	s.GetFloats(d.x)
	s.GetFloats(d.f)
	memory := s.GetFloat()
	if d.broken != "forgets memory" {
		d.memory = memory
	}
	if d.broken == "forgets cost" {
		d.cost.Backpropagations = 0
	}
	d.stepped = false
}

// panting is descend with two yields before every step. It is correct unless its field broken names a fault.
type panting struct {
	*descend
	broken  string
	yielder *algo.Yielder
	given   float64 // left behind by an abandoned step
}

func (p *panting) SetYielder(b *algo.Yielder) { p.yielder = b }

func (p *panting) Step() (algo.Status, error) {
	if p.yielder == nil {
		return p.descend.Step()
	}
	switch p.broken {
	case "holds on":
		return p.descend.Step()
	case "does otherwise":
		p.x[0] += 1e-9
	case "keeps what was given up":
		p.memory += p.given
		p.given = 1e-9
	case "goes on":
		defer func() { _ = recover() }()
	case "allocates by the way":
		sink = make([]float64, 3)
	}
	p.x[0] *= 2 // half done until the next yield returns
	p.yielder.Yield(1)
	p.x[0] /= 2
	p.yielder.Yield(1)
	p.given = 0
	return p.descend.Step()
}

func checkDescend(broken string) func(r *recorder) {
	return func(r *recorder) {
		shared = 0
		algotest.Stepper(r,
			func() algo.Stepper { return newDescend(broken, 0.5) },
			func() algo.Stepper { return newDescend(broken, 1000) })
	}
}

func TestStepperPasses(t *testing.T) {
	mustPass(t, checkDescend(""))
}

func TestStepperFails(t *testing.T) {
	for broken, want := range map[string]string{
		"starts late":           "a fresh stepper is at K = 1",
		"starts with a step":    "shows data of a step",
		"starts with a cost":    "has cost",
		"starts diverged":       "has diverged",
		"starts nowhere":        "must be present and finite",
		"other start":           "start with another X",
		"error":                 "refused",
		"shared state":          "reset equals new",
		"allocates":             "Step allocates",
		"view allocates":        "View allocates",
		"save allocates":        "a warm Save allocates",
		"not finite":            "X is not finite",
		"skips":                 "leads to K = 2",
		"cost falls":            "cost fell",
		"grows":                 "have lengths",
		"nan direction":         "Direction is not finite",
		"no solution":           "there must be at least one",
		"too many solutions":    "not a row for each of 2 solutions",
		"more solutions":        "there are 2 solutions, there were 1",
		"too many weights":      "2 weights for 1 objective values",
		"long direction":        "Direction has length 2",
		"shapeless Jacobian":    "Jacobian with 1 numbers",
		"looking changes":       "looking twice",
		"resets on save":        "overwrites what was in the snapshot",
		"save changes":          "Save at K = 0 changes",
		"saves too much":        "exactly what Save appended",
		"saves too little":      "Load at K = 0 panics",
		"forgets memory":        "load into a fresh stepper",
		"forgets cost":          "Cost differs",
		"runs into infinity":    "diverging run: X =",
		"recovers":              "diverging run: a further step after divergence",
		"spoils the last state": "is not kept",
		"unnamed":               "diverging run: reports",
		"misplaced":             "diverging run: reports",
		"forgets divergence":    "after loading a diverged run Diverged differs",
	} {
		mustFail(t, broken, want, checkDescend(broken))
	}
	for broken, want := range map[string]string{
		"":                        "",
		"holds on":                "does not yield",
		"does otherwise":          "a step that yields: X differs",
		"keeps what was given up": "a step after an abandoned one: X differs",
		"goes on":                 "abandoned at yield 1 ends with <nil>",
		"allocates by the way":    "Step with a yielder allocates",
	} {
		check := func(r *recorder) {
			algotest.Stepper(r, func() algo.Stepper { return &panting{descend: newDescend("", 0.5).(*descend), broken: broken} })
		}
		if want == "" {
			mustPass(t, check)
		} else {
			mustFail(t, broken, want, check)
		}
	}
	mustFail(t, "never diverges", "not diverged after", func(r *recorder) {
		sound := func() algo.Stepper { return newDescend("", 0.5) }
		algotest.Stepper(r, sound, sound)
	})
}
