package runlog

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/minnorm"
	"paretoplay/algo/weighting"
)

// made returns a log with the given Gramians, one per record, where all losses are 1.
func made(t testing.TB, objectives int, gramians ...[]float64) *Log {
	t.Helper()
	l := &Log{records: len(gramians), objectives: objectives, gramian: &block{width: objectives * objectives},
		losses: &block{width: objectives}}
	for _, g := range gramians {
		l.gramian.double = append(l.gramian.double, g...)
		for range objectives {
			l.losses.double = append(l.losses.double, 1)
		}
	}
	l, err := l.finish()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func analyse(t testing.TB, l *Log, o Options) *Report {
	t.Helper()
	r, err := Analyse(l, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

// TestByHand compares the figures of the gradients (2, 0) and (−1, 0.5) with numbers computed by hand. Their cosine is
// −2/√5, and equal weights give d = (1, 0.5).
func TestByHand(t *testing.T) {
	l := made(t, 2, []float64{4, -2, -2, 1.25}, []float64{1, 0, 0, 1})
	rates := make([]float64, 2)
	l.Rates(rates, []float64{3, 3}, 0)
	d := math.Sqrt(1.25)
	if want := []float64{2 / (2 * d), (-1 + 0.25) / (d * d)}; !near(rates[0], want[0], 1e-15) || !near(rates[1], want[1], 1e-15) {
		t.Errorf("rates %v, by hand %v", rates, want)
	}
	r := analyse(t, l, NewOptions())
	if r.Equal.Hurt != 0.5 || !near(r.Equal.Harm, 0.5*0.75/1.25, 1e-15) {
		t.Errorf("equal weights: %+v", r.Equal)
	}
	if r.ConflictShare != 0.5 || !near(*r.NormRatio, (2/d+1)/2, 1e-15) {
		t.Errorf("conflict %v, ratio %v", r.ConflictShare, *r.NormRatio)
	}
}

// TestPhases compares stale weights with a simulation of the refreshes, one phase after the other.
func TestPhases(t *testing.T) {
	l := synthetic(90, 3)
	options := NewOptions()
	options.Periods = []int{1, 3, 32, 33, 40, 500}
	m := analyse(t, l, options).Methods[0]
	own := make([][]float64, l.records) // MGDA's weights
	var solver minnorm.Solver
	for k := range own {
		own[k] = make([]float64, 3)
		solver.Solve(own[k], l.gramian.row(nil, k))
	}
	for i, period := range options.Periods {
		var hurt, harm float64
		phases := min(period, 32)
		rates := make([]float64, 3)
		for j := range phases {
			phase, held := j*period/phases, own[0]
			for k := range own {
				if k >= phase && (k-phase)%period == 0 {
					held = own[k]
				}
				l.Rates(rates, held, k)
				if slices.Min(rates) < -1e-9 {
					hurt++
				}
				harm += max(0, -slices.Min(rates))
			}
		}
		n := float64(phases * l.records)
		if s := m.Stale[i]; s.R != period || !near(s.Hurt, hurt/n, 1e-12) || !near(s.Harm, harm/n, 1e-9) {
			t.Errorf("R = %d: %+v, simulated hurt %v, harm %v", period, s, hurt/n, harm/n)
		}
	}
}

// TestScales checks that scaling all gradients, even to the limits of float64, scales ω and leaves all other figures
// unchanged.
func TestScales(t *testing.T) {
	base := synthetic(40, 3)
	options := Options{Methods: []Choice{{Name: "mgda"}, {Name: "upgrad"}, {Name: "cagrad"}}, Window: 7, Bound: 0.05}
	want := analyse(t, base, options)
	for _, factor := range []float64{0x1p-900, 0x1p-300, 0x1p300, 0x1p900} {
		l := *base
		l.gramian = &block{width: 9, double: slices.Clone(base.gramian.double)}
		l.cross = &block{width: 9, double: slices.Clone(base.cross.double)}
		for i := range l.gramian.double {
			l.gramian.double[i] *= factor
			l.cross.double[i] *= factor
		}
		got := analyse(t, &l, options)
		if o := got.Omega.First / want.Omega.First / math.Sqrt(factor); !near(o, 1, 1e-9) {
			t.Errorf("times %g: ω is %v, at scale 1 %v", factor, got.Omega, want.Omega)
		}
		got.Omega = want.Omega
		if a, b := rounded(t, got), rounded(t, want); a != b {
			t.Errorf("times %g:\n%s, at scale 1\n%s", factor, a, b)
		}
	}
}

// TestJacobiansOfAnySize checks that gradients are measured even if their squares overflow or underflow.
func TestJacobiansOfAnySize(t *testing.T) {
	var want string
	for _, factor := range []string{"", "e-250", "e250"} {
		line := fmt.Sprintf(`{"losses": [1, 2], "jacobian": [[1%[1]s, 0, 2%[1]s], [-2%[1]s, 1%[1]s, 0]]}`+"\n", factor)
		l, err := Read(strings.NewReader(line+line), NativeBytes)
		if err != nil {
			t.Fatal(err)
		}
		r := analyse(t, l, NewOptions())
		r.Omega = Omega{}
		if text := rounded(t, r); want == "" {
			want = text
		} else if text != want {
			t.Errorf("%s: %s, at scale 1 %s", factor, text, want)
		}
	}
}

// TestEdges checks logs with one objective, and with zero, opposite or equal gradients.
func TestEdges(t *testing.T) {
	for name, c := range map[string]struct {
		objectives int
		gramian    []float64
		hurt       float64
	}{
		"one objective": {1, []float64{2}, 0}, "one zero": {1, []float64{0}, 0}, "zeros": {2, make([]float64, 4), 0},
		"one zero of two": {2, []float64{1, 0, 0, 0}, 0}, "opposite": {2, []float64{1, -1, -1, 1}, 0},
		"nearly opposite": {2, []float64{1, -1, -1, 1.0001}, 0}, "opposite, of other lengths": {2, []float64{1, -2, -2, 4}, 1},
		"equal": {2, []float64{3, 3, 3, 3}, 0}, "far apart": {2, []float64{1e-300, 0, 0, 1e300}, 0},
	} {
		options := NewOptions()
		options.Methods = All()
		r := analyse(t, made(t, c.objectives, c.gramian, c.gramian), options)
		if name == "nearly opposite" {
			continue // its rates are noise, and need only be finite
		}
		if r.Equal.Hurt != c.hurt {
			t.Errorf("%s: equal weights hurt in %v, want %v", name, r.Equal.Hurt, c.hurt)
		}
		if m := r.Methods[0]; m.Name != "mgda" || m.Hurt != 0 {
			t.Errorf("%s: %s hurts in %v", name, m.Name, m.Hurt)
		}
		if _, err := json.Marshal(r); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, s := range r.Verdict() {
			if s.Text == "" || strings.Contains(s.Text, "NaN") || strings.Contains(s.Text, "Inf") {
				t.Errorf("%s: %s: %q", name, s.ID, s.Text)
			}
		}
	}
}

// TestSinglePrecision checks that a log with rounded Gramians can be read, although some have negative eigenvalues.
// Its figures must be nearly the same as those of the exact Gramians.
func TestSinglePrecision(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	const s, records = 12, 60
	var gramians, rounded [][]float64
	negative := 0
	for range records {
		j := algo.NewJacobian(s, 5) // the rank is less than the number of rows
		for i := range j.Data {
			j.Data[i] = random.NormFloat64()
		}
		g := make([]float64, s*s)
		j.Gram(g)
		r := make([]float64, s*s)
		for i, v := range g {
			r[i] = float64(float32(v))
		}
		var in weighting.GramianInput
		if in.Set(r); in.Mended() {
			negative++
		}
		gramians, rounded = append(gramians, g), append(rounded, r)
	}
	if negative == 0 {
		t.Fatal("no rounded Gramian has a negative eigenvalue: the test tests nothing")
	}
	options := NewOptions()
	options.Methods = []Choice{{Name: "mgda"}, {Name: "pcgrad"}, {Name: "upgrad"}} // Aligned-MTL depends on the rank
	a, b := analyse(t, made(t, s, gramians...), options), analyse(t, made(t, s, rounded...), options)
	if len(b.Methods) != 3 {
		t.Fatalf("absent: %v", b.Absent)
	}
	for i, m := range a.Methods {
		if !near(m.Harm, b.Methods[i].Harm, 1e-3) || !near(m.Stale[3].Harm, b.Methods[i].Stale[3].Harm, 1e-2) {
			t.Errorf("%s: harm %v, of rounded Gramians %v", m.Name, m.Stale, b.Methods[i].Stale)
		}
	}
}

// TestAbsent checks that every method has figures, or is listed as absent with the reason.
func TestAbsent(t *testing.T) {
	l := synthetic(20, 3)
	options := NewOptions()
	options.Methods = All()
	absent := func(l *Log) string {
		r := analyse(t, l, options)
		if len(r.Methods)+len(r.Absent) != len(Methods()) {
			t.Errorf("%d methods and %d absent ones are not %d", len(r.Methods), len(r.Absent), len(Methods()))
		}
		var names []string
		for _, a := range r.Absent {
			if a.Why == "" {
				t.Errorf("%s is absent without a reason", a.Method)
			}
			names = append(names, a.Method)
		}
		slices.Sort(names)
		return strings.Join(names, " ")
	}
	always := "dbmtl excessmtl graddrop moco moosvgd sdmgrad"
	if got := absent(l); got != always {
		t.Errorf("absent are %s, want %s", got, always)
	}
	less := *l
	less.after, less.cross = nil, nil
	if got, want := absent(&less), "dbmtl excessmtl famo graddrop moco modo moosvgd sdmgrad"; got != want {
		t.Errorf("without after and cross, absent are %s, want %s", got, want)
	}
	less.losses = nil
	want := "dbmtl dwa epo epsilon excessmtl famo gls graddrop gradnorm moco modo moosvgd sdmgrad si stch uw"
	if got := absent(&less); got != want {
		t.Errorf("without losses, absent are %s, want %s", got, want)
	}
	negative := *l
	negative.losses = &block{width: 3, double: slices.Clone(l.losses.double)}
	negative.losses.double[3*7+1] = -1
	r := analyse(t, &negative, options)
	i := slices.IndexFunc(r.Absent, func(a Absent) bool { return a.Method == "gls" })
	if i < 0 || !strings.Contains(r.Absent[i].Why, "at step 7: ") {
		t.Errorf("gls with a negative loss: %v", r.Absent)
	}
	var lines strings.Builder
	for range 3 {
		lines.WriteString(`{"losses": [1, 2], "jacobian": [[1, 0, 2], [-2, 1, 0]]}` + "\n")
	}
	withRows, err := Read(strings.NewReader(lines.String()), NativeBytes)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := absent(withRows), "dbmtl famo graddrop moco modo moosvgd sdmgrad"; got != want {
		t.Errorf("with Jacobians, absent are %s, want %s", got, want)
	}
}

// TestRotatedLogs checks methods that do not read coordinates. Their figures must be the same for Jacobians, rotated
// Jacobians, and Gramians. algotest.RotationInvariant decides which of weighting.Methods do not read coordinates.
func TestRotatedLogs(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	const records, s, n = 12, 3, 5
	axis := make([]float64, n)
	square := 0.0
	for i := range axis {
		axis[i] = random.NormFloat64()
		square += axis[i] * axis[i]
	}
	plain := &Log{records: records, objectives: s, variables: n, jacobian: &block{width: s * n}, losses: &block{width: s}}
	turned := &Log{records: records, objectives: s, variables: n, jacobian: &block{width: s * n}, losses: &block{width: s}}
	products := &Log{records: records, objectives: s, gramian: &block{width: s * s}, losses: &block{width: s}}
	for range records {
		j := algo.NewJacobian(s, n)
		for i := range j.Data {
			j.Data[i] = random.NormFloat64()
		}
		g := make([]float64, s*s)
		j.Gram(g)
		plain.jacobian.double = append(plain.jacobian.double, j.Data...)
		products.gramian.double = append(products.gramian.double, g...)
		for i := range s {
			along := 0.0
			for c, v := range j.Row(i) {
				along += 2 * v * axis[c] / square
			}
			for c, v := range j.Row(i) {
				turned.jacobian.double = append(turned.jacobian.double, v-along*axis[c])
			}
			f := 1 + random.Float64()
			for _, l := range []*Log{plain, turned, products} {
				l.losses.double = append(l.losses.double, f)
			}
		}
	}
	options := NewOptions()
	options.Series = true
	for _, m := range weighting.Methods {
		if !m.Coordinates {
			options.Methods = append(options.Methods, Choice{Name: m.Name})
		}
	}
	var want *Report
	for _, l := range []*Log{plain, turned, products} {
		l, err := l.finish()
		if err != nil {
			t.Fatal(err)
		}
		r := analyse(t, l, options)
		if want == nil {
			want = r
		}
		for i, m := range r.Methods {
			for j, v := range m.Series.Weights {
				if !near(v, want.Methods[i].Series.Weights[j], 1e-7) {
					t.Errorf("%s: weights %v, by the first log %v", m.Name, m.Series.Weights, want.Methods[i].Series.Weights)
					break
				}
			}
		}
	}
}

// TestInParts checks that an analysis in several parts gives the same result as an analysis in one piece. The report
// must exist only at the end, and further calls of Work must not change it.
func TestInParts(t *testing.T) {
	l := open(t, "digits-units")
	options := NewOptions()
	options.Methods, options.Series = All(), true
	a, err := NewAnalysis(l, options)
	if err != nil {
		t.Fatal(err)
	}
	last := 0.0
	for !a.Work(7) {
		if a.Report() != nil || a.Progress() < last {
			t.Fatalf("a report before the end, or progress %v after %v", a.Progress(), last)
		}
		last = a.Progress()
	}
	if !a.Work(5) || a.Progress() != 1 {
		t.Error("the end is not the end")
	}
	if got, want := rounded(t, a.Report()), rounded(t, analyse(t, l, options)); got != want {
		t.Errorf("in parts\n%s, at once\n%s", got, want)
	}
}

// TestBetween checks that a part of a log contains exactly the requested records, and that parts with fewer than two
// records are rejected.
func TestBetween(t *testing.T) {
	l := open(t, "digits-eight") // steps 0, 4, …, 1196
	part, err := l.Between(5, 40)
	if err != nil {
		t.Fatal(err)
	}
	if part.Records() != 9 || part.Step(0) != 8 || part.Step(8) != 40 || part.Stride() != 4 {
		t.Errorf("%d records from step %d", part.Records(), part.Step(0))
	}
	a, b := make([]float64, 64), make([]float64, 64)
	if e := l.Products(a, 2); part.Products(b, 0) != e || !slices.Equal(a, b) {
		t.Error("the part begins at another record")
	}
	if part.Cross(b, 0, 0); l.Cross(a, 2, 0) != true || !slices.Equal(a, b) {
		t.Error("the part begins at another record")
	}
	for _, c := range [][2]int64{{5, 8}, {40, 5}, {2000, 3000}, {math.MinInt64, -1}, {math.MaxInt64, math.MaxInt64}} {
		if _, err := l.Between(c[0], c[1]); err == nil || !strings.Contains(err.Error(), "at least two are needed") {
			t.Errorf("from %d to %d: %v", c[0], c[1], err)
		}
	}
	if whole, err := l.Between(math.MinInt64, math.MaxInt64); err != nil || whole.Records() != 300 {
		t.Errorf("the whole log: %v", err)
	}
}

// TestPictures checks that the cosines and averages that scenes draw agree with the figures of the report.
func TestPictures(t *testing.T) {
	l := open(t, "digits-units")
	s := l.Objectives()
	averaged, cosines := make([]float64, s*s), make([]float64, s*s)
	options := NewOptions()
	r := analyse(t, l, options)
	negative := make([]int, s*s)
	for lo := 0; lo+50 <= l.Records(); lo += 50 {
		if !l.Averaged(averaged, lo, lo+50) {
			t.Fatal("the log has cross")
		}
		for i, v := range averaged {
			if v < 0 {
				negative[i]++
			}
		}
	}
	for _, p := range r.Pairs {
		if want := *p.Averaged * 6; !near(float64(negative[p.I*s+p.J]), want, 1e-12) {
			t.Errorf("%d windows are negative, want %v", negative[p.I*s+p.J], want)
		}
	}
	l.Averaged(averaged, 0, l.Records())
	for i, v := range r.Signal {
		if !near(averaged[i*s+i], v, 1e-12) {
			t.Errorf("signal of %d: %v and %v", i, averaged[i*s+i], v)
		}
	}
	l.Cosines(cosines, 0)
	lengths := make([]float64, s)
	l.Lengths(lengths, 0)
	c := l.gramian.row(nil, 0)
	for i := range s {
		for j := range s {
			if want := c[i*s+j] / lengths[i] / lengths[j]; !near(cosines[i*s+j], want, 1e-14) {
				t.Errorf("cosine (%d, %d): %v, want %v", i, j, cosines[i*s+j], want)
			}
		}
	}
}

// TestRuleSettings checks that settings reach the rules, and that invalid settings are rejected.
func TestRuleSettings(t *testing.T) {
	l := made(t, 2, []float64{1, -2, -2, 5}, []float64{4, 0, 0, 1}, []float64{1, 0, 0, 1})
	options := NewOptions()
	options.Series = true
	options.Methods = []Choice{
		{"ls", []string{"weights=0.2,0.8"}}, {"psmgd", []string{"R=2"}}, {"crmogm", []string{"momentum=0.5"}}, {"mgda", nil},
	}
	r := analyse(t, l, options)
	for i, want := range [][]float64{{0.2, 0.8, 0.2, 0.8, 0.2, 0.8}, {0.7, 0.3, 0.7, 0.3, 0.5, 0.5}, {0.7, 0.3, 0.45, 0.55, 0.475, 0.525},
		{0.7, 0.3, 0.2, 0.8, 0.5, 0.5}} {
		for j, v := range r.Methods[i].Series.Weights {
			if !near(v, want[j], 1e-12) {
				t.Errorf("%s: weights %v, want %v", r.Methods[i].Name, r.Methods[i].Series.Weights, want)
				break
			}
		}
	}
	for _, c := range []struct {
		choice Choice
		says   string
	}{
		{Choice{"ls", []string{"weights=1"}}, "there are 1"}, {Choice{"ls", []string{"weights=a,b"}}, "is not a number"},
		{Choice{"ls", []string{"weights=0.5,0.6"}}, "sum 1"}, {Choice{"ls", []string{"weights=NaN,1"}}, "from 0 to 1"},
		{Choice{"ls", []string{"w=1"}}, "no setting"}, {Choice{"psmgd", []string{"R=0"}}, "from 1"},
		{Choice{"crmogm", []string{"R=2"}}, "no setting"},
		{Choice{"crmogm", []string{"momentum=1"}}, "below 1"}, {Choice{"cagrad", []string{"c=-1"}}, "c"}, {Choice{"mgad", nil}, "unknown method"},
		{Choice{"moosvgd", []string{"a=1"}}, "cannot be applied"},
	} {
		if _, err := NewAnalysis(l, Options{Methods: []Choice{c.choice}}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: %v, want an error with %q", c.choice, err, c.says)
		}
	}
	for _, o := range []Options{{Window: -1}, {Window: MaxRecords + 1}, {Bound: math.NaN()}, {Bound: 2}, {Periods: []int{0}},
		{Periods: []int{MaxRecords + 1}}} {
		if _, err := NewAnalysis(l, o); err == nil {
			t.Errorf("%+v are options", o)
		}
	}
}

// TestMemory checks that an analysis allocates only one number per record.
func TestMemory(t *testing.T) {
	l := synthetic(400, 4)
	options := NewOptions()
	for _, c := range All() {
		if c.Name != "epo" { // EPO's linear program allocates
			options.Methods = append(options.Methods, c)
		}
	}
	count := func(records int64) float64 {
		part, err := l.Between(0, records-1)
		if err != nil {
			t.Fatal(err)
		}
		return testing.AllocsPerRun(1, func() { analyse(t, part, options) })
	}
	// With four times as many records, slices that double in size grow only a few times more often.
	if few, many := count(100), count(400); many > few+20 {
		t.Errorf("%v allocations for 100 records, %v for 400", few, many)
	}
}

// TestMoDo checks that, on a log with cross, MoDo moves its weights by the products with the other batch.
func TestMoDo(t *testing.T) {
	l := made(t, 2, []float64{1, 0, 0, 1}, []float64{1, 0, 0, 1})
	l.cross = &block{width: 4, double: []float64{1, 0, 0, 3, 1, 0, 0, 1}}
	options := Options{Methods: []Choice{{Name: "modo", Settings: []string{"gamma=0.1"}}}, Series: true}
	// λ − γDλ = (.5 − .05, .5 − .15). Adding .1 to both makes the sum 1.
	if w := analyse(t, l, options).Methods[0].Series.Weights[:2]; !near(w[0], 0.55, 1e-12) || !near(w[1], 0.45, 1e-12) {
		t.Errorf("weights %v", w)
	}
}
