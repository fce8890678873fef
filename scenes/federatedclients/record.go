package federatedclients

import (
	"paretoplay/algo"
	"paretoplay/algo/federated"
	"paretoplay/internal/engine/timeline"
)

// Names of the records that this scene's runs have in addition to the common ones.
const (
	accuracyName   = "accuracy"       // share of correct test samples, mean over the clients
	validationName = "validation"     // share of correct validation samples, mean over the clients
	clientsName    = "clientAccuracy" // accuracy of each client with its chosen solution
	chosenName     = "chosen"         // the solution that each client chooses, from 1
	divergenceName = "divergence"     // divergence of predictions, mean over pairs of solutions
)

// record sets up a run to record, at each of its points, how well its m solutions serve the clients. Each client chooses one
// of the solutions.
func record(r *timeline.Run, clients *federated.Clients, m int, yield func(work int)) {
	_, n := clients.Dims()
	own := []timeline.Extra{
		{Name: accuracyName, Symbol: "acc", Label: "mean test accuracy of the clients"}, {Name: validationName},
		{Name: divergenceName, Symbol: "KL", Label: "divergence of predictions"},
		{Name: clientsName, Size: n}, {Name: chosenName, Size: n, Whole: true},
	}
	width := 3 + 2*n
	r.AtPoint = append(own, r.AtPoint...)
	measure := r.MeasurePoint
	apart := make([]float64, m*m)
	var o federated.Outcome
	r.MeasurePoint = func(v algo.View, stationarity, further []float64) {
		// Three parts each take about as much work as the training losses: the other two sets' scores, the divergences, and the
		// training sets' gradients for ω.
		part := m * clients.LossLabour()
		yield(part)
		clients.Evaluate(&o, v.X)
		yield(part)
		clients.Divergence(apart, v.X)
		yield(part)
		further[0], further[1], further[2] = o.MeanTest(), o.MeanValidation(), federated.MeanDivergence(apart, m)
		copy(further[3:], o.Test)
		for i, j := range o.Chosen {
			further[3+n+i] = float64(j + 1)
		}
		measure(v, stationarity, further[width:])
	}
}

func accuracy(row timeline.Row) float64   { return row.Number(accuracyName) }
func divergence(row timeline.Row) float64 { return row.Number(divergenceName) }

// worstFifth returns the accuracy of the worst fifth of the clients.
func worstFifth(row timeline.Row) float64 { return federated.Worst(row.Value(clientsName), worstShare) }

// chosenShares returns, for each of m solutions, the share of clients that chose it.
func chosenShares(row timeline.Row, m int) []float64 {
	shares, chosen := make([]float64, m), row.Value(chosenName)
	for _, j := range chosen {
		shares[int(j)-1] += 1 / float64(len(chosen))
	}
	return shares
}

// most returns the largest share of clients that chose the same solution.
func most(row timeline.Row, m int) float64 {
	largest := 0.0
	for _, v := range chosenShares(row, m) {
		largest = max(largest, v)
	}
	return largest
}
