package plans

import (
	"errors"

	"paretoplay/algo"
	"paretoplay/algo/federated"
	"paretoplay/algo/param"
	"paretoplay/internal/engine/runs"
)

// Names of the federated methods. Their objectives are clients that train local models.
const (
	FedAvg  = "fedavg"
	FedProx = "fedprox"
	FedMGDA = "fedmgda"
)

// federated returns the methods that move every solution by the updates of all clients.
func (r *Roster) federated() []runs.Method[*Course] {
	return []runs.Method[*Course]{
		{Bind: r.bindFedAvg, Method: param.Method{ID: FedAvg, Title: "FedAvg", Paper: "McMahan et al. 2017, Algorithm 1",
			Help: "Each solution becomes the average of the clients’ locally trained versions, weighted by each client’s number of samples."}},
		{Bind: r.bindFedProx, Method: param.Method{ID: FedProx, Title: "FedProx", Paper: "Li et al. 2020, Algorithm 2",
			Help: "FedAvg with a pull that keeps each client near the solution that it received."}},
		{Bind: r.bindFedMGDA, Method: param.Method{ID: FedMGDA, Title: "FedMGDA+", Paper: "Hu et al. 2022, Algorithm 1",
			Help: "Each solution follows the shortest weighted sum of the clients’ normalised updates, with weights near FedAvg’s."}},
	}
}

// rounds returns the configuration that the federated methods share.
func (r *Roster) rounds(c *Course) federated.RoundsConfig {
	_, n := c.Problem.Dims()
	return federated.RoundsConfig{Problem: c.Problem, Starts: c.Starts, StepSize: r.Eta, Shares: param.Shares(c.Shares, n), Seed: c.Seed}
}

func (r *Roster) bindFedAvg(*param.List) func(*Course) (algo.Stepper, error) {
	return func(c *Course) (algo.Stepper, error) { return federated.NewAveraging(r.rounds(c)) }
}

func (r *Roster) bindFedProx(l *param.List) func(*Course) (algo.Stepper, error) {
	l.Number(&r.ProxMu, param.Descriptor{Name: "fedprox.mu", Symbol: "μ", Label: "FedProx’s pull", Min: 0, Max: 10, Step: 0.1, Method: FedProx,
		Help: "The strength of the pull: clients minimise their loss plus (μ/2)‖θ − θ_t‖², where θ_t is the solution that they received. 0 " +
			"gives FedAvg. Li et al. use 1 on synthetic data."})
	return func(c *Course) (algo.Stepper, error) {
		if c.Drawn == nil {
			return nil, errors.New("the objectives are not clients")
		}
		config := r.rounds(c)
		var err error
		if config.Problem, err = c.Drawn(r.ProxMu); err != nil {
			return nil, err
		}
		return federated.NewAveraging(config)
	}
}

func (r *Roster) bindFedMGDA(l *param.List) func(*Course) (algo.Stepper, error) {
	l.Number(&r.Near, param.Descriptor{Name: "fedmgda.epsilon", Symbol: "ε", Label: "FedMGDA+’s freedom", Min: 0, Max: 1, Step: 0.01,
		Method: FedMGDA,
		Help: "The maximum difference between a client’s weight and its share of the samples. 0 keeps the shares; 1 gives MGDA on updates of " +
			"length 1."})
	return func(c *Course) (algo.Stepper, error) { return federated.NewFedMGDA(r.rounds(c), r.Near) }
}
