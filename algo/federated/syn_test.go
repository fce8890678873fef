package federated_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"paretoplay/algo/federated"
)

// TestSynParts checks that every client has at least 50 samples, split 6 : 2 : 2, and that a client's share
// is its fraction of all training samples.
func TestSynParts(t *testing.T) {
	d := syn(t, federated.SynConfig{Rho1: 1, Rho2: 1, Seed: 1})
	if len(d.Clients) != federated.SynClients {
		t.Fatalf("%d clients", len(d.Clients))
	}
	shares := d.Shares()
	all := 0
	for i := range d.Clients {
		all += d.Clients[i][federated.Training].Len()
	}
	for i := range d.Clients {
		size := d.Size(i)
		if size < federated.LeastSamples {
			t.Errorf("client %d has %d samples", i, size)
		}
		for split, share := range []float64{0.6, 0.2, 0.2} {
			if got := d.Clients[i][split].Len(); math.Abs(float64(got)-share*float64(size)) > 1 {
				t.Errorf("client %d has %d of %d samples in part %d", i, got, size, split)
			}
		}
		if want := float64(d.Clients[i][federated.Training].Len()) / float64(all); math.Abs(shares[i]-want) > 1e-15 {
			t.Errorf("client %d has a share of %g, want %g", i, shares[i], want)
		}
	}
}

// TestSynStreams checks that neither the number of clients nor a limit on their samples changes the first clients and
// samples. Another seed or ρ must give other data.
func TestSynStreams(t *testing.T) {
	c := federated.SynConfig{Rho1: 0.5, Rho2: 0.5, Clients: 3, Seed: 8}
	d := syn(t, c)
	c.Clients, c.Most = 5, 70
	cut := syn(t, c)
	for i := range 3 {
		a, b := d.Clients[i][0], cut.Clients[i][0]
		size := min(a.Len(), b.Len())
		if !slices.Equal(a.X[:size*61], b.X[:size*61]) || !slices.Equal(a.Label[:size], b.Label[:size]) {
			t.Errorf("client %d has other samples", i)
		}
		if size := cut.Size(i); size > 70 {
			t.Errorf("client %d has %d samples, at most 70 are wanted", i, size)
		}
	}
	for _, other := range []federated.SynConfig{{Rho1: 0.5, Rho2: 0.5, Clients: 3, Seed: 9}, {Rho1: 0.5, Rho2: 1, Clients: 3, Seed: 8}} {
		if slices.Equal(syn(t, other).Clients[0][0].X, d.Clients[0][0].X) {
			t.Errorf("%+v draws the same", other)
		}
	}
}

// TestSynSizes checks that data have the requested size, and that a model can learn them.
func TestSynSizes(t *testing.T) {
	d := syn(t, federated.SynConfig{Clients: 4, Features: 7, Classes: 3, Most: 60})
	p := clients(t, federated.Config{Data: d})
	if n, m := p.Dims(); n != 24 || m != 4 || len(d.Clients[3][federated.Test].X) != 8*d.Clients[3][federated.Test].Len() {
		t.Errorf("%d variables and %d clients, want 24 and 4", n, m)
	}
}

// TestSynDistribution compares the counts and features of many clients with the definition of their distributions. The
// bounds are at least five standard errors wide.
func TestSynDistribution(t *testing.T) {
	const rho2, clients = 3, 1000
	d := syn(t, federated.SynConfig{Rho2: rho2, Clients: clients, Most: 500, Seed: 5})
	var middles, logs []float64
	var within [federated.SynFeatures]float64
	least := 0
	for i := range d.Clients {
		s := d.Clients[i][federated.Training]
		var middle [federated.SynFeatures]float64
		for j := range s.Label {
			for k := range middle {
				middle[k] += s.X[j*61+k] / float64(s.Len())
			}
		}
		for j := range s.Label {
			for k := range middle {
				x := s.X[j*61+k] - middle[k]
				within[k] += x * x / float64(s.Len()-1) / clients
			}
		}
		middles = append(middles, stat.Mean(middle[:], nil))
		if size := d.Size(i); size < 500 {
			logs = append(logs, math.Log(float64(size-federated.LeastSamples)+0.5))
		}
		if d.Size(i) < federated.LeastSamples+int(math.Exp(4)) {
			least++
		}
	}
	// The variance of the mean of a client's features is slightly above ρ2² + 1/60.
	if got, want := stat.StdDev(middles, nil), math.Sqrt(rho2*rho2+1./60); math.Abs(got-want) > 0.12*want {
		t.Errorf("the clients' middles have deviation %g, want %g", got, want)
	}
	for _, k := range []int{0, 1, 9, 59} {
		if got, want := within[k], math.Pow(float64(k+1), -1.2); math.Abs(got-want) > 0.05*want {
			t.Errorf("feature %d has variance %g within clients, want %g", k+1, got, want)
		}
	}
	if share := float64(least) / clients; math.Abs(share-0.5) > 0.08 {
		t.Errorf("%g of the clients have fewer than 50 + e^4 samples, want half", share)
	}
	// 14.6 % of the counts exceed the limit 450 ≈ e^(4 + 1.05·2) and are cut.
	if share := 1 - float64(len(logs))/clients; math.Abs(share-0.146) > 0.06 {
		t.Errorf("%g of the clients are cut at 500 samples, want 0.146", share)
	}
}

// TestSynModels checks that ρ1 changes no label and no feature, and that the labels of ten clients cover most classes.
// The clients' features have the same distribution except for their centres.
func TestSynModels(t *testing.T) {
	c := federated.SynConfig{Rho2: 0.5, Seed: 1, Clients: 10, Most: 300}
	d := syn(t, c)
	c.Rho1 = 3
	other := syn(t, c)
	classes := map[int]bool{}
	for i := range d.Clients {
		for split := range federated.Splits {
			a, b := d.Clients[i][split], other.Clients[i][split]
			if !slices.Equal(a.Label, b.Label) || !slices.Equal(a.X, b.X) {
				t.Errorf("client %d has other samples with ρ1 = 3", i)
			}
			for _, y := range a.Label {
				classes[y] = true
			}
		}
	}
	if len(classes) < 8 {
		t.Errorf("labels of ten clients are of %d classes", len(classes))
	}
}
