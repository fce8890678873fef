package federated

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/federated"
	"paretoplay/algo/transport"
	"paretoplay/scenes/experiment"
	"paretoplay/scenes/race/plans"
	"paretoplay/scenes/scenetest"
)

// seeds are how many runs a claim about runs in general is measured over, from seed 1 on.
const seeds = 8

// end is how clients do at the end of a run.
type end struct{ accuracy, worst, divergence, validation, trainings, winners float64 }

// ended are the ends of a method with some values, one of each seed. What is shown on the
// way is left out: it takes most of the time.
func ended(t testing.TB, method string, values map[string]string) (out []end) {
	t.Helper()
	for seed := range seeds {
		s := New()
		for name, text := range values {
			if err := s.Params().Assign(name, text); err != nil {
				t.Fatal(err)
			}
		}
		out = append(out, endOf(t, s, method, uint64(seed+1)))
	}
	return out
}

func endOf(t testing.TB, s *Scene, method string, seed uint64) end {
	t.Helper()
	v := &s.values
	v.Seed = seed
	course, clients, err := v.course()
	if err != nil {
		t.Fatal(err)
	}
	stepper, err := v.Stepper(method, &course)
	if err != nil {
		t.Fatal(err)
	}
	for range v.Budget {
		if status, err := stepper.Step(); status != algo.Running || err != nil {
			t.Fatal(status, err)
		}
	}
	var o federated.Outcome
	view, apart := stepper.View(), make([]float64, v.M*v.M)
	clients.Evaluate(&o, view.X)
	clients.Divergence(apart, view.X)
	e := end{accuracy: o.MeanTest(), worst: federated.Worst(o.Test, 0.2), divergence: federated.MeanDivergence(apart, v.M),
		validation: o.MeanValidation(), trainings: float64(view.Cost.Backpropagations)}
	for _, clients := range o.Won(v.M) {
		e.winners += float64(min(clients, 1))
	}
	return e
}

func accuracyOf(e end) float64   { return e.accuracy }
func worstOf(e end) float64      { return e.worst }
func divergenceOf(e end) float64 { return e.divergence }

func averageOf(ends []end, of func(end) float64) float64 {
	mean := 0.0
	for _, e := range ends {
		mean += of(e) / float64(len(ends))
	}
	return mean
}

// over is by how much one exceeds the other in runs of the same seed, and the standard
// error of that.
func over(a, b []end, of func(end) float64) (difference, failure float64) {
	apart := make([]float64, len(a))
	for i := range a {
		apart[i] = of(a[i]) - of(b[i])
	}
	difference, deviation := experiment.MeanAndDeviation(apart)
	return difference, deviation / math.Sqrt(float64(len(a)))
}

// TestEndsAreTheScenes: claims are measured on the runs that the scene shows.
func TestEndsAreTheScenes(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"budget": "12", "method": "most,fedprox"})
	scenetest.Step(t, s, -1)
	for _, method := range []string{"most", "fedprox"} {
		got := endOf(t, s, method, 1)
		for name, want := range map[string]float64{"accuracy": got.accuracy, "worst": got.worst, "divergence": got.divergence,
			"bp": got.trainings} {
			if v := scenetest.Fact(t, s.Facts(), name+"."+method); v != want {
				t.Errorf("%s of %s is %v, the end says %v", name, method, v, want)
			}
		}
	}
}

// claim is one sentence that the page says, or two that belong together, and what makes it
// true. The ends of runs over seeds are computed once.
type claim struct {
	says  string
	holds func(t testing.TB, e *known)
}

// known are ends by method and values.
type known struct{ ends map[string][]end }

func (k *known) of(t testing.TB, method string, values ...string) []end {
	t.Helper()
	key := fmt.Sprint(method, values)
	if _, done := k.ends[key]; !done {
		set := map[string]string{}
		for i := 0; i < len(values); i += 2 {
			set[values[i]] = values[i+1]
		}
		k.ends[key] = ended(t, method, set)
	}
	return k.ends[key]
}

// percent asks for a mean over the seeds, in percent rounded to a whole number.
func (k *known) percent(t testing.TB, of func(end) float64, want float64, method string, values ...string) {
	t.Helper()
	if got := 100 * averageOf(k.of(t, method, values...), of); math.Abs(got-want) > 0.5001 {
		t.Errorf("%s with %v: %.2f, the page says %g", method, values, got, want)
	}
}

// gain asks for a mean of differences with its standard error, in points rounded to so
// many decimals.
func gain(t testing.TB, a, b []end, of func(end) float64, want, failure float64, decimals int) {
	t.Helper()
	d, e := over(a, b, of)
	half := 0.5001 * math.Pow(10, -float64(decimals))
	if math.Abs(100*d-want) > half || math.Abs(100*e-failure) > half {
		t.Errorf("the gain is %.3f ± %.3f, the page says %g ± %g", 100*d, 100*e, want, failure)
	}
}

// opened is a card at k = 0, or the scene as it opens.
func opened(t testing.TB, preset string, values ...string) *Scene {
	t.Helper()
	set := map[string]string{}
	if preset != "" {
		p := scenetest.Preset(t, presets, preset)
		maps.Copy(set, p.Values)
	}
	for i := 0; i < len(values); i += 2 {
		set[values[i]] = values[i+1]
	}
	s := scenetest.Open(t, New(), set)
	if preset != "" {
		run := scenetest.Preset(t, presets, preset).Selected
		if s.Timeline().Find(run).Run == nil {
			t.Fatalf("%s selects %s, which is no run", preset, run)
		}
		s.Timeline().Select(run)
	}
	return s
}

// trainings are how many local trainings each round of a method takes.
func trainings(t testing.TB, s *Scene, method string, want func(k int) int) {
	t.Helper()
	r := s.Timeline().Find(method).Run
	for k := range r.Last() {
		now, err := s.Timeline().At(r, k)
		if err != nil {
			t.Fatal(err)
		}
		before := now.BP
		next, err := s.Timeline().At(r, k+1)
		if err != nil {
			t.Fatal(err)
		}
		if got := next.BP - before; got != want(k) {
			t.Errorf("%s: %d local trainings in round %d, want %d", method, got, k, want(k))
		}
	}
}

// losses holds the mean of the clients' least training losses, and the mean of all.
type losses struct{ oracle, mean float64 }

func lossesOf(t testing.TB, s *Scene, method string, k int) losses {
	t.Helper()
	row, err := s.Timeline().At(s.Timeline().Find(method).Run, k)
	if err != nil {
		t.Fatal(err)
	}
	return losses{row.Number(plans.OracleLoss), row.Number(plans.MeanLoss)}
}

var claims = map[string][]claim{
	"summary": {
		{"Twenty clients train five models on data of their own, and each takes the model that is best on its validation samples.",
			func(t testing.TB, _ *known) {
				s := opened(t, "", "budget", "5")
				if s.values.N != 20 || s.values.M != 5 {
					t.Errorf("%d clients and %d models", s.values.N, s.values.M)
				}
				_, clients, err := s.values.course()
				if err != nil {
					t.Fatal(err)
				}
				scenetest.Step(t, s, -1)
				for _, r := range s.Timeline().Runs() {
					var o federated.Outcome
					row := r.Kept(r.Len() - 1)
					clients.Evaluate(&o, row.X)
					for i, j := range o.Chosen {
						if row.Value(chosenName)[i] != float64(j+1) || row.Value(clientsName)[i] != o.Test[i] {
							t.Errorf("%s, client %d: shown %g with %g, is %g with %d", r.Name, i+1, row.Value(clientsName)[i],
								row.Value(chosenName)[i], o.Test[i], j+1)
						}
					}
				}
			}},
		{"A line is a method: the accuracy of each client, the worst served first.", func(t testing.TB, _ *known) {
			s := opened(t, "", "budget", "5")
			scenetest.Step(t, s, -1)
			for _, r := range s.Timeline().Runs() {
				row := s.at(r)
				order, accuracies := sorted(row), row.Value(clientsName)
				seen := slices.Clone(order)
				slices.Sort(seen)
				for i := range order {
					if seen[i] != i || i > 0 && accuracies[order[i]] < accuracies[order[i-1]] {
						t.Errorf("%s: the order %v of %v", r.Name, order, accuracies)
					}
				}
			}
		}},
	},
	"try": {
		{"Set the number of solutions, the models, to 1: MosT’s line comes down, for no model can serve all these " +
			"clients well.", func(t testing.TB, _ *known) {
			five, one := opened(t, ""), opened(t, "", "m", "1")
			for _, s := range []*Scene{five, one} {
				scenetest.Step(t, s, -1)
			}
			for _, name := range []string{"accuracy.most", "worst.most"} {
				before, after := scenetest.Fact(t, five.Facts(), name), scenetest.Fact(t, one.Facts(), name)
				if !(after < before-0.1) {
					t.Errorf("%s goes from %v to %v", name, before, after)
				}
			}
			for _, r := range one.Timeline().Runs() {
				if worst := scenetest.Fact(t, one.Facts(), "worst."+r.Method); worst > 0.55 {
					t.Errorf("one model of %s gets %v of the samples of the worst fifth right", r.Name, worst)
				}
			}
		}},
	},
	"plan": {
		{"The plan gives every solution four clients, so that a client trains one model a round where MGDA and FedAvg let it train five.",
			func(t testing.TB, _ *known) {
				s := opened(t, "plan")
				scenetest.Step(t, s, 30)
				for k := range 30 {
					s.Timeline().SetMarker(k)
					mass, m, row, _ := s.plan()
					for j := range m {
						count := 0
						for i := range 20 {
							if mass[i*m+j] > 0 {
								count++
							}
						}
						if count != 4 {
							t.Errorf("solution %d has %d clients in round %d", j+1, count, row.K)
						}
					}
				}
				trainings(t, s, "most", func(int) int { return 20 })
				trainings(t, s, "mgda", func(int) int { return 100 })
				trainings(t, s, "fedavg", func(int) int { return 100 })
			}},
		{"No client ever changes hands: what it loses with the random models of the start decides for good.", func(t testing.TB, _ *known) {
			for seed := range seeds {
				s := New()
				s.values.Seed = uint64(seed + 1)
				course, _, err := s.values.course()
				if err != nil {
					t.Fatal(err)
				}
				stepper, err := s.values.Stepper("most", &course)
				if err != nil {
					t.Fatal(err)
				}
				var first []float64
				for k := range 40 {
					if _, err := stepper.Step(); err != nil {
						t.Fatal(err)
					}
					round, _ := stepper.(*transport.MosT).Round()
					if first == nil {
						first = slices.Clone(round.Plan.Mass)
					} else if !slices.Equal(first, round.Plan.Mass) {
						t.Errorf("seed %d: the plan of round %d is another than the first", seed+1, k)
					}
				}
			}
		}},
		{"Over seeds 1 to 8 MosT’s clients get 81 of 100 test samples right, MGDA’s 75 and FedAvg’s 72; of the worst fifth 50, 41 and 35.",
			func(t testing.TB, k *known) {
				for method, want := range map[string][2]float64{"most": {81, 50}, "mgda": {75, 41}, "fedavg": {72, 35}} {
					k.percent(t, accuracyOf, want[0], method)
					k.percent(t, worstOf, want[1], method)
				}
				for _, method := range []string{"mgda", "fedavg"} {
					if d, e := over(k.of(t, "most"), k.of(t, method), accuracyOf); d < 3*e {
						t.Errorf("MosT gains %.3f ± %.3f on %s", d, e, method)
					}
				}
			}},
	},
	"alike": {
		{"FedAvg starts from five models, and the average of all clients draws them together: in the end their predictions diverge by less " +
			"than 0.01, MosT’s by 2.", func(t testing.TB, k *known) {
			for i, e := range k.of(t, "fedavg") {
				if e.divergence >= 0.01 {
					t.Errorf("seed %d: FedAvg’s diverge by %g", i+1, e.divergence)
				}
			}
			if got := averageOf(k.of(t, "most"), divergenceOf); math.Round(got) != 2 {
				t.Errorf("MosT’s diverge by %g", got)
			}
			s := opened(t, "alike", "budget", "1")
			if start := divergence(s.at(s.Timeline().Find("fedavg").Run)); start < 0.1 {
				t.Errorf("at the start they diverge by %g", start)
			}
		}},
		{"So five models serve hardly better than one, by one point over seeds 1 to 8, where MosT gains more than twenty.",
			func(t testing.TB, k *known) {
				if d, _ := over(k.of(t, "fedavg"), k.of(t, "fedavg", "m", "1"), accuracyOf); math.Round(100*d) != 1 {
					t.Errorf("FedAvg gains %g", d)
				}
				if d, _ := over(k.of(t, "most"), k.of(t, "most", "m", "1"), accuracyOf); d <= 0.2 {
					t.Errorf("MosT gains %g", d)
				}
			}},
	},
	"experts": {
		{"The loss of the best model for each client falls, and the dotted mean over all models rises: each of MosT’s models gets better for " +
			"its own clients and worse for the others.", func(t testing.TB, _ *known) {
			s := opened(t, "experts")
			scenetest.Step(t, s, -1)
			first, last := lossesOf(t, s, "most", 0), lossesOf(t, s, "most", 100)
			if last.oracle > 0.6*first.oracle || last.mean < 1.1*first.mean {
				t.Errorf("the losses go from %+v to %+v", first, last)
			}
			r := s.Timeline().Find("most").Run
			mass, m, _ := plans.PlanOf(r, r.Kept(0))
			begun, ended := r.Kept(0).F, r.Kept(r.Len()-1).F
			for j := range m {
				var own, others float64
				for i := range 20 {
					if d := ended[j*20+i] - begun[j*20+i]; mass[i*m+j] > 0 {
						own += d
					} else {
						others += d
					}
				}
				if own >= 0 || others <= 0 {
					t.Errorf("solution %d: the losses of its clients change by %g, of the others by %g", j+1, own, others)
				}
			}
		}},
		{"FedAvg lowers both, and they meet.", func(t testing.TB, _ *known) {
			s := opened(t, "experts")
			scenetest.Step(t, s, -1)
			first, last := lossesOf(t, s, "fedavg", 0), lossesOf(t, s, "fedavg", 100)
			if last.oracle > 0.6*first.oracle || last.mean > 0.6*first.mean || last.mean > 1.05*last.oracle {
				t.Errorf("the losses go from %+v to %+v", first, last)
			}
		}},
	},
	"one": {
		{"With one solution the plan leaves no choice, and MosT is MGDA.", func(t testing.TB, _ *known) {
			s := opened(t, "one", "budget", "40")
			scenetest.Step(t, s, -1)
			a, b := s.at(s.Timeline().Find("most").Run), s.at(s.Timeline().Find("mgda").Run)
			if d := floats.Distance(a.X, b.X, math.Inf(1)); d > 1e-9 {
				t.Errorf("they are %g apart after 40 rounds", d)
			}
		}},
		{"Its steps must serve every client at once, and it gets 59 of 100 test samples over seeds 1 to 8; FedAvg and MosT(L), whose weights " +
			"do not ask for that, get 71 and 73.", func(t testing.TB, k *known) {
			for method, want := range map[string]float64{"most": 59, "mgda": 59, "fedavg": 71, "most-l": 73} {
				k.percent(t, accuracyOf, want, method, "m", "1")
			}
			s := opened(t, "one", "budget", "20")
			course, clients, err := s.values.course()
			if err != nil {
				t.Fatal(err)
			}
			scenetest.Step(t, s, -1)
			d, n := clients.Dims()
			update := make([]float64, d)
			against := map[string]int{} // steps that some client's own update goes against
			for _, method := range []string{"most", "fedavg", "most-l"} {
				for k := range 20 {
					row, err := s.Timeline().At(s.Timeline().Find(method).Run, k)
					if err != nil {
						t.Fatal(err)
					}
					for i := range n {
						clients.GradientAt(update, i, 0, d, row.X, &algo.Sample{Noise: algo.Stream(course.Seed, 0, k, algo.Noise)})
						along := floats.Dot(update, row.Direction)
						if along < -1e-6*floats.Norm(update, 2)*floats.Norm(row.Direction, 2) {
							against[method]++
							break
						}
					}
				}
			}
			if against["most"] != 0 || against["fedavg"] < 10 || against["most-l"] < 10 {
				t.Errorf("of 20 steps some client is against %v", against)
			}
		}},
	},
	"weights": {
		{"MosT(L) moves a solution by the mean of its clients’ updates, MosT by MGDA’s weights of them, which a client with short updates gets " +
			"most of.", func(t testing.TB, _ *known) {
			// Of clients that pull apart the shorter update has the larger weight: over all
			// solutions and rounds the weights fall as the updates grow.
			s := opened(t, "weights", "budget", "30")
			course, clients, err := s.values.course()
			if err != nil {
				t.Fatal(err)
			}
			scenetest.Step(t, s, -1)
			d, n := clients.Dims()
			shorter, longer := 0.0, 0.0
			update := make([]float64, d)
			for k := range 30 {
				for _, method := range []string{"most", "most-l"} {
					r := s.Timeline().Find(method).Run
					row, err := s.Timeline().At(r, k)
					if err != nil {
						t.Fatal(err)
					}
					for j := range 5 {
						weights := row.Weights[j*n : (j+1)*n]
						if method == "most-l" {
							for i, w := range weights {
								if w != 0 && math.Abs(w-0.25) > 1e-12 {
									t.Errorf("round %d: the weight of client %d is %g", k, i+1, w)
								}
							}
							continue
						}
						lengths := map[int]float64{}
						middle := 0.0
						mass, m, _ := plans.PlanOf(r, row)
						for i := range n {
							if mass[i*m+j] > 0 {
								noise := algo.Sample{Noise: algo.Stream(course.Seed, j, k, algo.Noise)}
								clients.GradientAt(update, i, 0, d, row.X[j*d:(j+1)*d], &noise)
								lengths[i] = floats.Norm(update, 2)
								middle += lengths[i] / 4
							}
						}
						for i, length := range lengths {
							if length < middle {
								shorter += weights[i]
							} else {
								longer += weights[i]
							}
						}
					}
				}
			}
			if shorter < longer {
				t.Errorf("clients with short updates have the weight %g in all, those with long ones %g", shorter, longer)
			}
		}},
		{"Over seeds 1 to 8 MosT(L) is ahead by 3.3 ± 0.6 points, and by 9 ± 2 for the worst fifth; in the paper MosT is, by one to two points " +
			"(Table E).", func(t testing.TB, k *known) {
			gain(t, k.of(t, "most-l"), k.of(t, "most"), accuracyOf, 3.3, 0.6, 1)
			gain(t, k.of(t, "most-l"), k.of(t, "most"), worstOf, 9, 2, 0)
			for i, with := range []float64{84.25, 89.99, 92.21} { // Table E
				if ahead := math.Round(with - []float64{82.62, 88.85, 91.26}[i]); ahead < 1 || ahead > 2 {
					t.Errorf("in the paper MosT is ahead by %g", ahead)
				}
			}
		}},
	},
	"greedy": {
		{"In MosT(M) every solution takes the client that it serves best and trains with that one alone, so that five clients at most are " +
			"heard in a round.", func(t testing.TB, _ *known) {
			s := opened(t, "greedy", "budget", "20")
			scenetest.Step(t, s, -1)
			trainings(t, s, "most-m", func(int) int { return 5 })
			r := s.Timeline().Find("most-m").Run
			for k := range 20 {
				row, err := s.Timeline().At(r, k)
				if err != nil {
					t.Fatal(err)
				}
				mass, m, _ := plans.PlanOf(r, row)
				for j := range m {
					for i := range 20 {
						best := slices.Min(row.F[j*20 : (j+1)*20])
						if served := mass[i*m+j] > 0; served != (row.F[j*20+i] == best) {
							t.Errorf("round %d: solution %d and client %d: %v", k, j+1, i+1, served)
						}
					}
				}
			}
		}},
		{"Over seeds 1 to 8 half of the test samples are right, and one in ten for the worst fifth of the clients.",
			func(t testing.TB, k *known) {
				ends := k.of(t, "most-m")
				if a, w := averageOf(ends, accuracyOf), averageOf(ends, worstOf); math.Abs(a-0.5) > 0.02 || math.Abs(w-0.1) > 0.02 {
					t.Errorf("%g are right, %g for the worst fifth", a, w)
				}
			}},
	},
	"differ": {
		{"With ρ₂ = 2 clients lie far apart, and MosT gains nothing on MGDA: 0.1 ± 1.5 points over seeds 1 to 8, where it is 6.1 ± 0.8 with " +
			"ρ₂ = 0; MosT(L) gains 6.8 ± 1.3.", func(t testing.TB, k *known) {
			gain(t, k.of(t, "most", "rho2", "2"), k.of(t, "mgda", "rho2", "2"), accuracyOf, 0.1, 1.5, 1)
			gain(t, k.of(t, "most"), k.of(t, "mgda"), accuracyOf, 6.1, 0.8, 1)
			gain(t, k.of(t, "most-l", "rho2", "2"), k.of(t, "mgda", "rho2", "2"), accuracyOf, 6.8, 1.3, 1)
		}},
		{"Try the curriculum as we read the paper: it gives MosT 2.8 ± 1.3 points here, and none with ρ₂ = 0.", func(t testing.TB, k *known) {
			gain(t, k.of(t, "most", "rho2", "2", "curriculum", "paper"), k.of(t, "most", "rho2", "2"), accuracyOf, 2.8, 1.3, 1)
			if d, e := over(k.of(t, "most", "curriculum", "paper"), k.of(t, "most"), accuracyOf); math.Abs(d) > max(e, 0.005) {
				t.Errorf("with ρ₂ = 0 it gives %g ± %g", d, e)
			}
		}},
	},
	"drift": {
		{"Clients go twice as far on their own before they send what they have.", func(t testing.TB, _ *known) {
			far := func(epochs string) float64 {
				s := opened(t, "drift", "localepochs", epochs)
				_, clients, err := s.values.course()
				if err != nil {
					t.Fatal(err)
				}
				d, n := clients.Dims()
				jac := algo.NewJacobian(n, d)
				clients.JacobianAt(jac, s.at(s.Timeline().Find("fedavg").Run).X[:d], &algo.Sample{})
				return floats.Norm(jac.Data, 2)
			}
			if one, ten := far("1"), far("10"); math.Round(ten/one) != 2 {
				t.Errorf("ten epochs lead %g far, one %g", ten, one)
			}
		}},
		{"After thirty rounds FedAvg gets 59 of 100 test samples, with one local epoch 69; FedProx, which draws clients back, gets 68, and " +
			"MosT, whose models have four clients each, 77.", func(t testing.TB, k *known) {
			k.percent(t, accuracyOf, 69, "fedavg", "budget", "30")
			for method, want := range map[string]float64{"fedavg": 59, "fedprox": 68, "most": 77} {
				k.percent(t, accuracyOf, want, method, "budget", "30", "localepochs", "10")
			}
		}},
		{"All are means of seeds 1 to 8.", func(t testing.TB, k *known) {
			if got := len(k.of(t, "fedprox", "budget", "30", "localepochs", "10")); got != 8 || seeds != 8 {
				t.Errorf("%d seeds", got)
			}
		}},
	},
	"rho1": {
		{"ρ₁ moves the mean of the model that gives a client its labels. That adds the same to the scores of all classes and changes no label: " +
			"with ρ₁ = 3 the runs are those with ρ₁ = 0, to the last bit.", func(t testing.TB, _ *known) {
			with, without := opened(t, "rho1"), opened(t, "rho1", "rho1", "0")
			if with.values.Rho1 != 3 {
				t.Fatalf("ρ₁ = %g", with.values.Rho1)
			}
			for _, s := range []*Scene{with, without} {
				scenetest.Step(t, s, 20)
			}
			for i, r := range with.Timeline().Runs() {
				if other := without.Timeline().Runs()[i]; !slices.Equal(r.Kept(r.Len()-1).X, other.Kept(other.Len()-1).X) {
					t.Errorf("%s differs", r.Name)
				}
			}
		}},
	},
}

// TestCards: every sentence of every card and invitation holds, and there is none beside
// these.
func TestCards(t *testing.T) {
	texts := map[string]string{"summary": About.Summary, "try": About.Try}
	for _, p := range presets {
		texts[p.ID] = p.Text
	}
	e := &known{ends: map[string][]end{}}
	for name, text := range texts {
		var said []string
		for _, c := range claims[name] {
			said = append(said, c.says)
			t.Run(name, func(t *testing.T) { c.holds(t, e) })
		}
		if got := strings.Join(said, " "); got != text {
			t.Errorf("%s: the claims are\n%q, the page says\n%q", name, got, text)
		}
	}
	if len(claims) != len(texts) {
		t.Errorf("%d texts have claims, there are %d", len(claims), len(texts))
	}
}
