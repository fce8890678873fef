package networktasks

import (
	"fmt"
	"strconv"

	"paretoplay/algo"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// Results holds the outcomes of the networks on test pictures.
type Results struct {
	Tasks   []string          `json:"tasks"`
	Tests   int               `json:"tests"` // number of test pictures
	Methods map[string]Result `json:"runs"`  // by the run's name
}

// Result holds the outcome of a run's network at its last test up to the marker.
type Result struct {
	K        int       `json:"k"`        // step of the test
	Accuracy []float64 `json:"accuracy"` // for each task, from 0 to 1
	Balanced []float64 `json:"balanced"` // for each task, the mean over its possible right answers
	Loss     *float64  `json:"loss"`     // mean cross-entropy over the tasks, null if it is not finite
}

// Results implements scene.Scene.
func (s *Scene) Results() any {
	if s.net == nil {
		return nil
	}
	out := &Results{Tasks: s.net.Names(), Tests: tests, Methods: map[string]Result{}}
	for _, r := range s.Timeline().Runs() {
		row, ok := tested(r, s.Timeline().Marker())
		if !ok {
			continue
		}
		out.Methods[r.Name] = Result{K: row.K, Accuracy: row.List(accuracyName), Balanced: row.List(balancedName),
			Loss: data.Known(measureOf(row, measureLoss))}
	}
	return out
}

// equations describes the methods' steps and their costs.
var equations = func() []scene.Equation {
	var fresh, blind []string
	for _, m := range Methods {
		switch {
		case m.ID == psmgd || m.ID == ls: // these have their own equations
		case isBlind(m.ID):
			blind = append(blind, m.ID)
		default:
			fresh = append(fresh, m.ID)
		}
	}
	const (
		heads   = `\quad \theta_s \leftarrow \theta_s - \eta\,\nabla_{\theta_s} f_s`
		trunk   = `\theta \leftarrow \theta - \eta \sum_{s=1}^{S} `
		counted = `\theta \leftarrow \theta - \text{@eta} \sum_{s=1}^{\text{@S}} `
		soFar   = `\,\nabla_\theta f_s,\quad \text{cost so far } \text{@bp}`
		spoken  = " Each head follows its own task’s loss."
	)
	return []scene.Equation{
		{ID: "kept", Methods: []string{psmgd},
			Symbols: trunk + `\lambda_s(x_j)\,\nabla_\theta f_s,` + heads + `,\quad \text{cost } \frac{S + R - 1}{R}`,
			Numbers: counted + `\lambda_s(x_j)` + soFar + `,\quad j = \text{@j}`,
			Text: "The trunk steps against the weighted sum of all tasks’ gradients, with the weights computed at step j. A step costs one " +
				"backpropagation, but every R-th step costs S." + spoken},
		{ID: "fresh", Methods: fresh,
			Symbols: trunk + `\lambda_s(x_k)\,\nabla_\theta f_s,` + heads + `,\quad \text{cost } S`,
			Numbers: counted + `\lambda_s(x_k)` + soFar,
			Text: "The trunk steps against the weighted sum of all tasks’ gradients, with weights computed from these gradients. A step costs S " +
				"backpropagations." + spoken},
		{ID: "blind", Methods: blind,
			Symbols: trunk + `\lambda_s\,\nabla_\theta f_s,` + heads + `,\quad \text{cost } 1`,
			Numbers: counted + `\lambda_s` + soFar,
			Text: "The trunk steps against the weighted sum of all tasks’ gradients, with weights that do not depend on gradients. One " +
				"backpropagation gives the sum." + spoken},
		{ID: "equal", Methods: []string{ls},
			Symbols: trunk + `\frac{1}{S}\,\nabla_\theta f_s,` + heads + `,\quad \text{cost } 1`,
			Numbers: counted + `\frac{1}{\text{@S}}` + soFar,
			Text:    "The trunk steps against the mean of all tasks’ gradients. One backpropagation gives the mean." + spoken},
	}
}()

// StepNumbers implements scene.Scene.
func (s *Scene) StepNumbers(t timeline.Track, k int) (map[string]string, error) {
	if k < 1 || k > t.Last() {
		return nil, &algo.RangeError{Name: "iteration", Value: k, Allowed: fmt.Sprintf("1 to %d", t.Last())}
	}
	next, err := s.Timeline().At(t.Run, k)
	if err != nil {
		return nil, err
	}
	out := map[string]string{"k": strconv.Itoa(k), "bp": strconv.Itoa(next.BP), "S": strconv.Itoa(s.tasks())}
	row, err := s.Timeline().At(t.Run, k-1)
	if err != nil {
		return nil, err
	}
	out["eta"], out["j"] = timeline.Significant(row.StepSize), strconv.Itoa(s.anew(t.Method, k-1))
	return out, nil
}
