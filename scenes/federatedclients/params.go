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
	N, Samples         int // number of clients, and the maximum number of samples of one
	M                  int // number of solutions
	LocalEpochs, Batch int

	View string
}

// offered are the methods of the scene.
var offered = []string{plans.MosT, plans.Weights, plans.Objectives, plans.Models, plans.RandomPlan, plans.Linearization, plans.MGDA,
	plans.FedAvg, plans.FedProx, plans.FedMGDA}

// Features and classes of the data, fewer than the papers' 60 and 10: models of 105 numbers are fast enough to watch.
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

// bind lists the parameters in the page's order.
func (p *Params) bind(l *param.List) {
	l.Section("Methods")
	p.BindMethods(l)

	l.Section("Clients")
	l.Integer(&p.N, param.Descriptor{Name: "n", Symbol: "n", Label: "Clients", Min: 2, Max: maxClients, Step: 1,
		Help: "Each has samples and an objective of its own: the loss of a model on its training samples. The paper has 30."})
	l.Number(&p.Rho2, param.Descriptor{Name: "rho2", Symbol: "ρ₂", Label: "How features differ", Min: 0, Max: 3, Step: 0.1,
		Help: "The standard deviation of the clients’ means: a client’s features lie around N(B, 1) in each coordinate, with B ~ N(0, ρ₂²) of " +
			"its own."})
	l.Number(&p.Rho1, param.Descriptor{Name: "rho1", Symbol: "ρ₁", Label: "How models’ means differ", Min: 0, Max: 3, Step: 0.1,
		Help: "The standard deviation of u, around which a client draws the model that gives its labels. It adds the same to the scores of all " +
			"classes, so that no label depends on it: clients’ models differ as much with ρ₁ = 0."})
	l.Integer(&p.Samples, param.Descriptor{Name: "samples", Label: "Most samples of a client", Min: federated.LeastSamples, Max: maxSamples,
		Step: 10,
		Help: "Numbers of samples are heavy-tailed, from 50; those beyond are cut. They are split 6 : 2 : 2 for training, choosing and testing."})
	p.BindSeed(l, "Decides data, start points, batches and random weights. The same seed gives the same runs.")

	l.Section("Solutions")
	l.Integer(&p.M, param.Descriptor{Name: "m", Symbol: "m", Label: "Solutions", Min: 1, Max: maxSolutions, Step: 1,
		Help: "How many models there are; each client takes the one that is best on its validation samples."})

	l.Section("Training by clients")
	l.Number(&p.Eta, param.Descriptor{Name: "eta", Symbol: "η", Label: "Step size", Min: 0.001, Max: 1, Scale: param.Log,
		Help: "Of the clients’ steps. A solution then goes as far as they say: θ ← θ + Σ weights·(local update)."})
	l.Integer(&p.LocalEpochs, param.Descriptor{Name: "localepochs", Symbol: "E", Label: "Local epochs", Min: 1, Max: 20, Step: 1,
		Unit: "epochs",
		Help: "How often a client passes through its training samples in a round, before it sends what became of the model."})
	l.Integer(&p.Batch, param.Descriptor{Name: "batch", Label: "Batch", Min: 1, Max: 100, Step: 1, Scale: param.Log, Unit: "samples",
		Help: "How many samples a client’s step is made of."})

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
		Help: "What the panel beside the accuracy shows over the rounds.",
		Options: []param.Option{
			{Value: viewDivergence, Label: "divergence of predictions", Help: "The symmetric Kullback–Leibler divergence between what two " +
				"solutions predict, mean over all pairs and clients: 0 for solutions that say the same."},
			{Value: viewLosses, Label: "losses", Help: "Training losses: of the best solution for each client, and the mean over all solutions."},
			{Value: viewWorst, Label: "worst fifth of the clients"},
		}})
}
