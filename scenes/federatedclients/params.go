package federatedclients

import (
	"paretoplay/algo/federated"
	"paretoplay/algo/param"
	"paretoplay/internal/engine/runs/plans"
)

// Params are the scene's parameters. The zero value is not usable; see defaults.
type Params struct {
	*plans.Roster

	Rho1, Rho2         float64
	N, Samples         int // number of clients, and the maximum number of samples per client
	M                  int // number of solutions
	LocalEpochs, Batch int

	View string
}

// offered are the methods of the scene.
var offered = []string{plans.MosT, plans.Weights, plans.Objectives, plans.Models, plans.RandomPlan, plans.Linearization, plans.MGDA,
	plans.FedAvg, plans.FedProx, plans.FedMGDA}

// Numbers of features and classes. They are smaller than the papers' 60 and 10: models of 105 numbers train fast enough to watch.
const (
	features = 20
	classes  = 5
)

func defaults() Params {
	p := Params{Roster: plans.New(offered, plans.MosT, plans.Weights, plans.MGDA, plans.FedAvg),
		N: 20, Samples: 100, M: 5, LocalEpochs: 1, Batch: 10, View: viewDivergence}
	p.Eta, p.Seed, p.Budget, p.Speed = 0.1, 1, 100, "60"
	return p
}

// data returns the chosen configuration of the data.
func (p *Params) data() federated.SynConfig {
	return federated.SynConfig{Rho1: p.Rho1, Rho2: p.Rho2, Clients: p.N, Features: features, Classes: classes, Most: p.Samples, Seed: p.Seed}
}

// Views of the last panel.
const (
	viewDivergence = "divergence"
	viewLosses     = "losses"
	viewWorst      = "worst"
)

const (
	maxClients   = 40
	maxSamples   = 400
	maxSolutions = 10
	maxBudget    = 1000
)

// bind adds the parameters in the page's order.
func (p *Params) bind(l *param.List) {
	l.Section("Methods")
	p.BindMethods(l)

	l.Section("Clients")
	l.Integer(&p.N, param.Descriptor{Name: "n", Symbol: "n", Label: "Clients", Min: 2, Max: maxClients, Step: 1,
		Help: "The number of clients. Each has its own samples, and its own objective: a model’s loss on its training samples. The paper " +
			"uses 30."})
	l.Number(&p.Rho2, param.Descriptor{Name: "rho2", Symbol: "ρ₂", Label: "Spread of the feature means", Min: 0, Max: 3, Step: 0.1,
		Help: "The standard deviation of the clients’ feature means. Each client draws its own B ~ N(0, ρ₂²); the mean of each of its " +
			"features follows N(B, 1)."})
	l.Number(&p.Rho1, param.Descriptor{Name: "rho1", Symbol: "ρ₁", Label: "Spread of the models’ means", Min: 0, Max: 3, Step: 0.1,
		Help: "The standard deviation of u, the mean of the model that generates a client’s labels. u adds equally to the scores of all " +
			"classes, so no label depends on it: with ρ₁ = 0, the clients’ models differ just as much."})
	l.Integer(&p.Samples, param.Descriptor{Name: "samples", Label: "Maximum samples per client", Min: federated.LeastSamples, Max: maxSamples,
		Step: 10,
		Help: "The maximum number of samples per client. Sample counts are heavy-tailed and start at 50. Samples are split 6 : 2 : 2 for " +
			"training, validation and testing."})
	p.BindSeed(l, "Determines the data, start points, batches and random weights. The same seed gives the same runs.")

	l.Section("Solutions")
	l.Integer(&p.M, param.Descriptor{Name: "m", Symbol: "m", Label: "Solutions", Min: 1, Max: maxSolutions, Step: 1,
		Help: "The number of models. Each client uses the model that is best on its validation samples."})

	l.Section("Training by clients")
	l.Number(&p.Eta, param.Descriptor{Name: "eta", Symbol: "η", Label: "Step size", Min: 0.001, Max: 1, Scale: param.Log,
		Help: "The step size of the clients’ local steps. A solution then adds the clients’ weighted updates: θ ← θ + Σ weights·(local update)."})
	l.Integer(&p.LocalEpochs, param.Descriptor{Name: "localepochs", Symbol: "E", Label: "Local epochs", Min: 1, Max: 20, Step: 1,
		Unit: "epochs",
		Help: "How many times a client passes through its training samples in a round before it sends back the trained model."})
	l.Integer(&p.Batch, param.Descriptor{Name: "batch", Label: "Batch", Min: 1, Max: 100, Step: 1, Scale: param.Log, Unit: "samples",
		Help: "The number of samples in each of a client’s steps."})

	l.Section("Plan")
	p.BindTransport(l)
	p.BindCurriculum(l)
	p.BindScale(l)
	l.Section("Of one method")
	p.BindOwn(l)

	l.Section("Run")
	p.BindBudget(l, "T", maxBudget, "The number of rounds after which every run ends. A curriculum is spread over this many rounds.")
	p.BindSpeed(l)

	l.Section("Show")
	l.Choice(&p.View, param.Descriptor{Name: "view", Label: "Further curve", Effect: param.Display, Panel: curvePanel,
		Help: "The curve in the panel beside the accuracy panel.",
		Options: []param.Option{
			{Value: viewDivergence, Label: "divergence of predictions", Help: "The symmetric Kullback–Leibler divergence between the " +
				"predictions of two solutions, averaged over all pairs and clients. It is 0 if all solutions predict the same."},
			{Value: viewLosses, Label: "losses", Help: "Training losses: the loss of the best solution for each client, and the mean over all " +
				"solutions."},
			{Value: viewWorst, Label: "worst fifth of the clients"},
		}})
}
