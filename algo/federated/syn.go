package federated

import (
	"fmt"
	"math"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// Sizes of the data in the papers.
const (
	SynFeatures = 60
	SynClasses  = 10
	// SynClients is the number of clients in the papers.
	SynClients = 30
	// LeastSamples is the minimum number of samples per client. A lognormal number is added to it.
	LeastSamples = 50

	logCountMean, logCountDeviation = 4, 2
	// maxLogCount limits the logarithm of a client's sample count, so that the count can be stored.
	maxLogCount = 16

	trainingShare, validationShare = 0.6, 0.2
)

// SynConfig configures synthetic client data.
type SynConfig struct {
	Rho1    float64 // ρ1 ≥ 0, spread of the means of the models that generate the labels
	Rho2    float64 // ρ2 ≥ 0, spread of the clients' feature means
	Clients int     // number of clients, n ≥ 1; 0 means SynClients
	// Features ≥ 1 and Classes ≥ 2 allow smaller data than in the papers. 0 means SynFeatures or SynClasses.
	Features, Classes int
	// Most is the maximum number of samples per client, at least LeastSamples. Larger counts are cut. With 0, the
	// only limit is e^16, which always applies.
	Most int
	Seed uint64
}

// Syn draws the synthetic data Syn(ρ1, ρ2) of clients whose models and features differ. For client k it draws
//
//	u_k ~ N(0, ρ1²),  W_k (10×60) and c_k (10) ~ N(u_k, 1) entry by entry,
//	B_k ~ N(0, ρ2²),  v_k ~ N(B_k, 1) in 60 dimensions, or as many as there are features,
//	⌊e^z⌋ + 50 samples, z ~ N(4, 2²), which are split 6 : 2 : 2,
//	x ~ N(v_k, Σ), Σ diagonal with Σ_jj = j^(−1.2), and the label argmax(W_k x + c_k).
//
// ρ1 and ρ2 are standard deviations, as in the authors' code; their text calls them variances. u_k adds the same
// number to the scores of all classes, so ρ1 changes no label. Only ρ2 increases the difference between clients. Every
// client has separate random streams for its count, its model and its samples. Therefore the number of clients does
// not change any client's data, and Most does not change a client's first samples.
//
// Li, Sahu, Zaheer, Sanjabi, Talwalkar & Smith (2020), Federated optimization in
// heterogeneous networks (FedProx), MLSys, section 5.1.
func Syn(c SynConfig) (*Data, error) {
	for _, size := range []struct {
		of           *int
		usual, least int
		name         string
	}{{&c.Clients, SynClients, 1, "clients"}, {&c.Features, SynFeatures, 1, "features"}, {&c.Classes, SynClasses, 2, "classes"}} {
		if *size.of == 0 {
			*size.of = size.usual
		}
		if *size.of < size.least {
			return nil, &algo.RangeError{Name: size.name, Value: *size.of, Allowed: fmt.Sprintf("it must be at least %d", size.least)}
		}
	}
	for _, spread := range []struct {
		name  string
		value float64
	}{{"rho1", c.Rho1}, {"rho2", c.Rho2}} {
		if !(spread.value >= 0) || math.IsInf(spread.value, 1) {
			return nil, &algo.RangeError{Name: spread.name, Value: spread.value, Allowed: "it must be finite and not negative"}
		}
	}
	if c.Most != 0 && c.Most < LeastSamples {
		return nil, &algo.RangeError{Name: "most samples", Value: c.Most, Allowed: "it must be at least 50, or 0 for any number"}
	}
	d := &Data{Features: c.Features, Classes: c.Classes, Clients: make([][Splits]Samples, c.Clients)}
	for k := range d.Clients {
		d.Clients[k] = c.client(k)
	}
	return d, nil
}

// Random streams per client.
const (
	countStream = iota
	modelStream
	sampleStream
)

// client draws the samples of client k.
func (c *SynConfig) client(k int) (parts [Splits]Samples) {
	width := c.Features + 1
	source := algo.Stream(c.Seed, k, countStream, algo.Data)
	logCount := min(logCountMean+logCountDeviation*portable.Normal(&source), maxLogCount)
	count := int(portable.Exp(logCount)) + LeastSamples
	if c.Most > 0 {
		count = min(count, c.Most)
	}

	source = algo.Stream(c.Seed, k, modelStream, algo.Data)
	u := float64(c.Rho1 * portable.Normal(&source))
	model := make([]float64, c.Classes*width)
	for i := range model {
		model[i] = u + portable.Normal(&source)
	}
	b := float64(c.Rho2 * portable.Normal(&source))
	middle, deviation := make([]float64, c.Features), make([]float64, c.Features)
	for j := range middle {
		middle[j] = b + portable.Normal(&source)
		deviation[j] = portable.Pow(float64(j+1), -0.6)
	}

	source = algo.Stream(c.Seed, k, sampleStream, algo.Data)
	x, labels := make([]float64, count*width), make([]int, count)
	scores := make([]float64, c.Classes)
	for s := range labels {
		row := x[s*width : (s+1)*width]
		for j := range middle {
			row[j] = middle[j] + float64(deviation[j]*portable.Normal(&source))
		}
		row[c.Features] = 1
		labels[s] = largest(scores, model, row)
	}
	validation := int(math.Round(trainingShare * float64(count)))
	test := validation + int(math.Round(validationShare*float64(count)))
	from := 0
	for split, to := range [Splits]int{validation, test, count} {
		parts[split] = Samples{X: x[from*width : to*width : to*width], Label: labels[from:to:to]}
		from = to
	}
	return parts
}
