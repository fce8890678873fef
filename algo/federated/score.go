package federated

import (
	"math"
	"slices"

	"paretoplay/internal/portable"
)

// evaluations is scratch space for the measures. It grows on first use.
type evaluations struct {
	probabilities []float64 // m×C
	logs          []float64 // m×C
	sums          []float64 // m×m, sums over a client's samples
}

// Outcome contains the clients' accuracies if each client chooses one of m solutions. Evaluate allocates every slice
// whose length does not match the numbers of clients and solutions.
type Outcome struct {
	// Chosen is the solution that each client chooses: the one with the highest accuracy on its validation samples.
	// Ties are broken by the smallest validation loss, then by the lowest index.
	Chosen     []int
	Validation []float64 // accuracy of the chosen solution on the validation samples, in [0, 1]
	Test       []float64 // accuracy of the chosen solution on the test samples, in [0, 1]
	// Each contains every solution's accuracy on every client's test samples: one row of m numbers per client.
	Each []float64
}

// MeanTest returns the mean of Test over the clients, with equal weights.
func (o *Outcome) MeanTest() float64 { return mean(o.Test) }

// MeanValidation returns the mean of Validation.
func (o *Outcome) MeanValidation() float64 { return mean(o.Validation) }

// Won returns, for each of m solutions, the number of clients that chose it.
func (o *Outcome) Won(m int) []int {
	won := make([]int, m)
	for _, j := range o.Chosen {
		won[j]++
	}
	return won
}

func mean(v []float64) float64 {
	var sum float64
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// Worst returns the mean of the lowest ⌈share·len(values)⌉ values, where 0 < share ≤ 1. It averages at least one value.
func Worst(values []float64, share float64) float64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	// Subtract a tolerance, so that rounding errors in share·len do not add a value.
	count := int(math.Ceil(float64(share*float64(len(values))) - 1e-9))
	return mean(sorted[:min(max(count, 1), len(values))])
}

func resize[T any](v *[]T, n int) []T {
	if len(*v) != n {
		*v = make([]T, n)
	}
	return *v
}

// judge returns a model's accuracy and mean loss on the samples.
func (p *Clients) judge(theta []float64, s *Samples) (accuracy, meanLoss float64) {
	right := 0
	var sum float64
	for j, y := range s.Label {
		x := s.row(j, p.width)
		if largest(p.scores, theta, x) == y {
			right++
		}
		sum += loss(p.scores, slices.Max(p.scores), y)
	}
	return float64(right) / float64(s.Len()), sum / float64(s.Len())
}

// Evaluate determines which solution in x each client chooses, and stores the outcome in o. Rows of x are solutions.
// Repeated calls with the same o and number of solutions do not allocate.
func (p *Clients) Evaluate(o *Outcome, x []float64) {
	m, n := p.checkModels(x), len(p.data.Clients)
	resize(&o.Chosen, n)
	resize(&o.Validation, n)
	resize(&o.Test, n)
	resize(&o.Each, n*m)
	for i := range n {
		least := math.Inf(1)
		o.Chosen[i], o.Validation[i] = 0, -1
		for j := range m {
			theta := x[j*p.n : (j+1)*p.n]
			accuracy, loss := p.judge(theta, &p.data.Clients[i][Validation])
			if accuracy > o.Validation[i] || accuracy == o.Validation[i] && loss < least {
				o.Chosen[i], o.Validation[i], least = j, accuracy, loss
			}
			o.Each[i*m+j], _ = p.judge(theta, &p.data.Clients[i][Test])
		}
		o.Test[i] = o.Each[i*m+o.Chosen[i]]
	}
}

// Divergence stores in dst, m×m, how differently the solutions in x predict. The measure is the symmetric divergence
// ½(KL(P‖Q) + KL(Q‖P)) of the class probabilities P and Q of two solutions. It is averaged over each client's test
// samples and then over the clients with equal weights. The matrix is symmetric with a zero diagonal. Logarithms are
// computed from the scores, so they are finite even if a probability underflows. Repeated calls with the same m do
// not allocate.
func (p *Clients) Divergence(dst, x []float64) {
	m, n, classes := p.checkModels(x), len(p.data.Clients), p.classes
	if len(dst) != m*m {
		panic("federated: wrong length of divergences")
	}
	all, logs := resize(&p.evaluations.probabilities, m*classes), resize(&p.evaluations.logs, m*classes)
	sums := resize(&p.evaluations.sums, m*m)
	clear(dst)
	for i := range n {
		s := &p.data.Clients[i][Test]
		clear(sums)
		for sample := range s.Label {
			for j := range m {
				probability, log := all[j*classes:(j+1)*classes], logs[j*classes:(j+1)*classes]
				top := score(probability, x[j*p.n:(j+1)*p.n], s.row(sample, p.width))
				copy(log, probability)
				sum := soften(probability, top)
				whole := top + portable.Log(sum)
				for c := range probability {
					probability[c] /= sum
					log[c] -= whole
				}
			}
			for j := range m {
				for k := range j {
					var apart float64
					for c := range classes {
						a, b := j*classes+c, k*classes+c
						apart += float64((all[a] - all[b]) * (logs[a] - logs[b]))
					}
					sums[j*m+k] += float64(apart / 2)
				}
			}
		}
		for j := range m {
			for k := range j {
				dst[j*m+k] += sums[j*m+k] / float64(s.Len()) / float64(n)
			}
		}
	}
	for j := range m {
		for k := range j {
			dst[k*m+j] = dst[j*m+k]
		}
	}
}

// MeanDivergence returns the mean of an m×m matrix from Divergence, taken over all pairs of solutions. It returns 0 for
// a single solution.
func MeanDivergence(apart []float64, m int) float64 {
	if m < 2 {
		return 0
	}
	var sum float64
	for _, v := range apart {
		sum += v
	}
	return sum / float64(m*(m-1))
}
