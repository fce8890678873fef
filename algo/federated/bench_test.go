package federated_test

import (
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/federated"
)

// BenchmarkClients measures one local epoch of all clients of Syn(1, 1) for one solution, and the clients' losses.
func BenchmarkClients(b *testing.B) {
	data, err := federated.Syn(federated.SynConfig{Rho1: 1, Rho2: 1, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	p, err := federated.NewClients(federated.Config{Data: data, Epochs: 1, Batch: 10, Rate: 0.05})
	if err != nil {
		b.Fatal(err)
	}
	n, m := p.Dims()
	x := p.Starts(1, 1)[0]
	samples := 0
	for _, c := range data.Clients {
		samples += c[federated.Training].Len()
	}
	b.Run("epoch", func(b *testing.B) {
		jac := algo.NewJacobian(m, n)
		for b.Loop() {
			p.JacobianAt(jac, x, &algo.Sample{})
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*samples), "ns/sample")
	})
	b.Run("losses", func(b *testing.B) {
		f := make([]float64, m)
		for b.Loop() {
			p.Values(f, x)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*samples), "ns/sample")
	})
}
