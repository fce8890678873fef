package transport

import (
	"math"
	"math/rand/v2"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/transport"
)

// Which costs there are.
const (
	costSquared  = "squared"
	costDistance = "distance"
	costRandom   = "random"
	costTies     = "ties"
	costPainted  = "painted"
	costFile     = "file"
)

// problem is what the solvers are given, with its exact solution.
type problem struct {
	cost []float64      // C, n×m
	task transport.Task // with C − τ where a row of the exact plan has most, if τ > 0
	n, m int

	exact       transport.Plan // of task
	least, most float64        // cost of task
}

// place is where row or column i of n stands between 0 and 1.
func place(i, n int) float64 {
	if n == 1 {
		return 0.5
	}
	return float64(i) / float64(n-1)
}

// costs are those of the parameters, between 0 and 1 unless they come from a file, nil
// while that is not here. What a file or what is painted lacks is a squared distance, in
// the range of the file.
func (p *Params) costs(file *algo.Jacobian) []float64 {
	out := make([]float64, p.N*p.M)
	source := algo.Stream(p.Seed, 0, 0, algo.Data)
	draw := rand.New(&source)
	least, span := 0.0, 1.0
	fromFile := p.Cost == costFile && file != nil
	if fromFile {
		least = slices.Min(file.Data)
		span = slices.Max(file.Data) - least
	}
	for k := range out {
		i, j := k/p.M, k%p.M
		apart := math.Abs(place(i, p.N) - place(j, p.M))
		out[k] = least + span*(apart*apart)
		switch p.Cost {
		case costDistance:
			out[k] = apart
		case costRandom:
			out[k] = draw.Float64()
		case costTies:
			out[k] = float64(draw.IntN(2))
		case costPainted:
			if i < len(p.Painted) && j < len(p.Painted[i]) {
				out[k] = p.Painted[i][j]
			}
		case costFile:
			if fromFile && i < file.Rows && j < file.Cols {
				out[k] = file.Row(i)[j]
			}
		}
	}
	return out
}

// shares are those of a parameter, equal ones where it has none.
func shares(given []float64, n int) []float64 {
	if len(given) == n {
		return given
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = 1 / float64(n)
	}
	return out
}

// newProblem solves the problem of the parameters.
func (p *Params) newProblem(file *algo.Jacobian) (*problem, error) {
	out := &problem{cost: p.costs(file), n: p.N, m: p.M}
	out.task = transport.Task{Cost: slices.Clone(out.cost), A: shares(p.A, p.N), B: shares(p.B, p.M)}
	exact := transport.NewExact()
	if p.Tau > 0 {
		// With the largest entry j_i of each row of the best plan that is found, costs less
		// τ there make a linear problem that this plan solves: all solvers get that one.
		search, err := transport.NewConcave(exact, transport.DefaultRestarts, p.Seed)
		if err != nil {
			return nil, err
		}
		least, most := slices.Min(out.cost), slices.Max(out.cost)
		tau := p.Tau * (most - least)
		var found transport.Plan
		if err := search.Solve(&found, &out.task, tau); err != nil {
			return nil, err
		}
		for i := range p.N {
			row := found.Mass[i*p.M : (i+1)*p.M]
			out.task.Cost[i*p.M+slices.Index(row, slices.Max(row))] -= tau
		}
		exact.Forget()
	}
	if err := exact.Solve(&out.exact, &out.task); err != nil {
		return nil, err
	}
	out.least, out.most = slices.Min(out.task.Cost), slices.Max(out.task.Cost)
	return out, nil
}

// relative is how far a cost is from the least one, relative to the range of the costs.
func (p *problem) relative(cost float64) float64 {
	if p.most == p.least {
		return 0
	}
	return (cost - p.exact.Cost) / (p.most - p.least)
}

// dual is what potentials are worth.
func (p *problem) dual(u, v []float64) (sum float64) {
	for i, a := range p.task.A {
		sum += a * u[i]
	}
	for j, b := range p.task.B {
		sum += b * v[j]
	}
	return sum
}
