// Command native is the C library behind the Python package. It takes arrays where the command line takes text, and adds
// no logic.
//
// Functions return NULL, or the text of an error, which pp_release frees. Arrays belong to the caller, hold doubles in
// row-major order, and are not kept after the call. A rule serves one call at a time; other calls wait.
package main

/*
#include <stdint.h>
#include <stdlib.h>
*/
import "C"

import (
	"encoding/json"
	"fmt"
	"runtime/cgo"
	"slices"
	"sync"
	"unsafe"

	"paretoplay/algo"
	"paretoplay/algo/runlog"
	"paretoplay/algo/transport"
	"paretoplay/algo/weighting"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/weigh"
)

func main() {}

// rule is the object behind a handle that Python holds.
type rule struct {
	sync.Mutex
	*weigh.Rule
	line runlog.Line
}

// numbers returns n doubles of the caller as a slice, or nil for NULL.
func numbers(p *C.double, n C.int64_t) []float64 {
	if p == nil {
		return nil
	}
	return unsafe.Slice((*float64)(unsafe.Pointer(p)), n)
}

// caught turns a panic, which would end the interpreter, into an error.
func caught(failure **C.char) {
	if fault := recover(); fault != nil {
		*failure = failed(fmt.Errorf("a fault in the library, please report it: %v", fault))
	}
}

// given decodes JSON from the Python package.
func given[T any](text *C.char) (v T) {
	if err := json.Unmarshal([]byte(C.GoString(text)), &v); err != nil {
		panic(err)
	}
	return v
}

func failed(err error) *C.char {
	if err == nil {
		return nil
	}
	return C.CString(err.Error())
}

//export pp_release
func pp_release(text *C.char) { C.free(unsafe.Pointer(text)) }

// pp_rule creates a rule for a method, with a JSON list of its settings. pp_rule_free frees the rule.
//
//export pp_rule
func pp_rule(handle *C.uint64_t, method, settings *C.char, seed C.uint64_t) (failure *C.char) {
	defer caught(&failure)
	r, err := weigh.NewRule(C.GoString(method), given[[]string](settings), uint64(seed))
	if err != nil {
		return failed(err)
	}
	*handle = C.uint64_t(cgo.NewHandle(&rule{Rule: r}))
	return nil
}

//export pp_rule_free
func pp_rule_free(handle C.uint64_t) { cgo.Handle(handle).Delete() }

func ruleOf(handle C.uint64_t) *rule { return cgo.Handle(handle).Value().(*rule) }

// pp_decide makes a decision for m gradients of n numbers each, or for their m×m products if n is 0. losses (m) and
// cross (m×m) may be NULL. It stores m weights, m effective coefficients and a direction of n numbers. facts receives
// the status, and whether there are weights, coefficients, a direction and a gap.
//
//export pp_decide
func pp_decide(handle C.uint64_t, m, n C.int64_t, gradients, losses, cross, weights, effective, direction, gap *C.double,
	facts *C.int64_t) (failure *C.char) {
	defer caught(&failure)
	r := ruleOf(handle)
	r.Lock()
	defer r.Unlock()
	r.line = runlog.Line{Losses: numbers(losses, m)}
	if n > 0 {
		r.line.Jacobian = runlog.Matrix{Rows: int(m), Columns: int(n), Data: numbers(gradients, m*n)}
	} else {
		r.line.Gramian = runlog.Matrix{Rows: int(m), Columns: int(m), Data: numbers(gradients, m*m)}
	}
	if cross != nil {
		r.line.Cross = runlog.Matrix{Rows: int(m), Columns: int(m), Data: numbers(cross, m*m)}
	}
	result, err := r.Decide(&r.line)
	r.line = runlog.Line{} // do not keep the line's arrays, which belong to the caller
	if err != nil {
		return failed(err)
	}
	told := unsafe.Slice(facts, 5)
	clear(told)
	told[0] = C.int64_t(result.Status)
	store := func(place int, to *C.double, n C.int64_t, from []float64) {
		if from != nil && result.Status != algo.Diverged { // after divergence, the weights are zeros that no rule decided
			told[place] = 1
			copy(numbers(to, n), from)
		}
	}
	store(1, weights, m, result.Weights)
	store(2, effective, m, result.Effective)
	if result.Direction != nil {
		told[3] = 1
		copy(numbers(direction, n), result.Direction)
	}
	if known := data.Known(result.Gap); known != nil {
		told[4] = 1
		*gap = C.double(*known)
	}
	return nil
}

// pp_observe tells a rule the m losses before and after the step that followed the last decision.
//
//export pp_observe
func pp_observe(handle C.uint64_t, m C.int64_t, before, after *C.double) (failure *C.char) {
	defer caught(&failure)
	r := ruleOf(handle)
	r.Lock()
	defer r.Unlock()
	return failed(r.Observe(slices.Clone(numbers(before, m)), slices.Clone(numbers(after, m))))
}

// saved is the state of a rule for JSON. Numbers are stored as 64-bit words, so that no digit is lost.
type saved struct {
	Floats, Words []uint64
}

// pp_save returns the state of a rule as text.
//
//export pp_save
func pp_save(handle C.uint64_t) *C.char {
	r := ruleOf(handle)
	r.Lock()
	defer r.Unlock()
	floats, words := r.Save()
	state := saved{Floats: make([]uint64, len(floats)), Words: words}
	copy(state.Floats, unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(floats))), len(floats)))
	text, err := json.Marshal(state)
	if err != nil {
		panic(err) // lists of whole numbers are always encodable
	}
	return C.CString(string(text))
}

// pp_load restores the state that pp_save returned.
//
//export pp_load
func pp_load(handle C.uint64_t, text *C.char) (failure *C.char) {
	defer caught(&failure)
	var state saved
	if err := json.Unmarshal([]byte(C.GoString(text)), &state); err != nil {
		return failed(fmt.Errorf("state: %w", err))
	}
	floats := make([]float64, len(state.Floats))
	copy(unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(floats))), len(floats)), state.Floats)
	r := ruleOf(handle)
	r.Lock()
	defer r.Unlock()
	return failed(r.Load(floats, state.Words))
}

// pp_transport solves a transport problem with n rows and m columns. It stores the plan (n×m) in plan and the rest of
// the solution as JSON in answer, which pp_release frees.
//
//export pp_transport
func pp_transport(n, m C.int64_t, cost, a, b *C.double, tau C.double, solver, settings *C.char, plan *C.double,
	answer **C.char) (failure *C.char) {
	defer caught(&failure)
	in := &data.TransportInput{Tau: float64(tau), Task: transport.Task{
		Cost: numbers(cost, n*m), A: slices.Clone(numbers(a, n)), B: slices.Clone(numbers(b, m)),
	}}
	out, err := weigh.Transport(C.GoString(solver), given[map[string]string](settings), in)
	if err != nil {
		return failed(err)
	}
	copy(numbers(plan, n*m), slices.Concat(out.Plan...))
	out.Plan = nil
	return answered(answer, out)
}

// pp_hypervolume measures the hypervolume of n points with m objectives each, up to a reference point of m numbers.
// maximise is a JSON list of objectives, counted from 1.
//
//export pp_hypervolume
func pp_hypervolume(n, m C.int64_t, points, reference *C.double, maximise *C.char, contributions C.int64_t,
	answer **C.char) (failure *C.char) {
	defer caught(&failure)
	rows := make([][]float64, 0, n)
	for row := range slices.Chunk(numbers(points, n*m), max(int(m), 1)) {
		rows = append(rows, row)
	}
	out, err := weigh.Hypervolume(rows, numbers(reference, m), given[[]int](maximise), contributions != 0)
	if err != nil {
		return failed(err)
	}
	return answered(answer, out)
}

// pp_replay reads the log at a path, applies a JSON list of methods to it, and stores the output of replay -json in answer.
//
//export pp_replay
func pp_replay(path, methods *C.char, answer **C.char) (failure *C.char) {
	defer caught(&failure)
	o := runlog.NewOptions()
	for _, name := range given[[]string](methods) {
		if !slices.Contains(runlog.Methods(), name) {
			return failed(fmt.Errorf("unknown method %q for logs; available: %v", name, runlog.Methods()))
		}
		o.Methods = append(o.Methods, runlog.Choice{Name: name})
	}
	part, closer, err := runlog.Open(C.GoString(path))
	if err != nil {
		return failed(err)
	}
	defer closer.Close()
	log, err := runlog.ReadParts([]runlog.Part{part}, nil, runlog.NativeBytes)
	if err != nil {
		return failed(err)
	}
	report, err := runlog.Analyse(log, o)
	if err != nil {
		return failed(err)
	}
	return answered(answer, report.Told())
}

// method is an entry in the list that pp_methods stores.
type method struct {
	Name       string            `json:"name"`
	Title      string            `json:"title"`
	Help       string            `json:"help"`
	Paper      string            `json:"paper"`
	Losses     bool              `json:"losses"`     // whether it reads the losses
	After      bool              `json:"after"`      // whether it needs the losses after each step
	Jacobian   bool              `json:"jacobian"`   // whether a Gramian is insufficient
	Weights    bool              `json:"weights"`    // whether it has weights
	Parameters map[string]string `json:"parameters"` // with their defaults
}

// held describes the methods that are not rules of the library because they reuse weights of MGDA for several steps.
var held = map[string]method{
	"psmgd": {Title: "PSMGD", Paper: "Periodic Stochastic Multi-Gradient Descent, Algorithm 1", Weights: true,
		Help:       "Computes MGDA's weights in every R-th decision and keeps them in between.",
		Parameters: map[string]string{"R": fmt.Sprint(runlog.DefaultR), "momentum": "0"}},
	"crmogm": {Title: "CR-MOGM", Paper: "Zhou et al. 2022, Algorithm 1", Weights: true,
		Help:       "Averages MGDA's weights with the weights of the previous decision.",
		Parameters: map[string]string{"momentum": fmt.Sprint(runlog.DefaultMomentum)}},
}

// pp_methods stores two lists: all methods, and the names of the decision statuses in the order of the statuses' numbers.
//
//export pp_methods
func pp_methods(answer **C.char) *C.char {
	var out []method
	for _, name := range weigh.Methods() {
		m, ok := weighting.Lookup(name)
		if !ok {
			d := held[name]
			d.Name = name
			out = append(out, d)
			continue
		}
		d := method{Name: name, Title: m.Title, Help: m.Help, Paper: m.Paper, Losses: m.Needs.Losses, After: m.Needs.After,
			Jacobian: m.Coordinates || !m.Promises.Effective, // needs coordinates, or averages vectors over the calls
			Weights:  m.Promises.Weights, Parameters: map[string]string{}}
		parameters := weigh.Parameters(name)
		for _, parameter := range parameters.Names() {
			d.Parameters[parameter] = parameters.Text(parameter)
		}
		if name == "ls" { // runlog.NewRule accepts weights for ls
			d.Parameters["weights"] = ""
		}
		out = append(out, d)
	}
	var statuses []string
	for status := algo.Running; status <= algo.AboveLimit; status++ {
		statuses = append(statuses, status.String())
	}
	return answered(answer, map[string]any{"methods": out, "statuses": statuses})
}

// answered stores v as JSON.
func answered(answer **C.char, v any) *C.char {
	text, err := json.Marshal(v)
	if err != nil {
		return failed(err)
	}
	*answer = C.CString(string(text))
	return nil
}
