package portable

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"testing"
)

// samples is the number of arguments of each kind. WebAssembly is slow at computing the reference numbers, so it only
// gets enough samples to show that nothing differs.
var samples = map[bool]int{false: 5_000, true: 500}[runtime.GOARCH == "wasm"]

// off returns the distance between got and the exact number, in units of got's last place. For a subnormal number the
// unit is 2^−1074.
func off(got float64, exact *big.Float) float64 {
	_, e := math.Frexp(got)
	unit := max(e-53, -1074)
	d := empty().Sub(number(got), exact)
	v, _ := d.SetMantExp(d, -unit).Float64()
	return math.Abs(v)
}

// signed draws a number of either sign with an exponent from lo to hi.
func signed(r *rand.Rand, lo, hi int) float64 {
	v := math.Ldexp(1+r.Float64(), lo+r.IntN(hi-lo+1))
	if r.Uint64()&1 == 0 {
		v = -v
	}
	return v
}

func random() *rand.Rand { return rand.New(rand.NewPCG(7, 1)) }

func check(t *testing.T, f string, got float64, exact *big.Float, bound float64, worst *float64, args ...float64) {
	t.Helper()
	if nearest, _ := exact.Float64(); math.IsInf(nearest, 0) || math.IsInf(got, 0) {
		// If the exact number rounds to the largest float64 or to infinity, both results are right.
		if got != nearest && off(math.MaxFloat64, exact) > 1 {
			t.Errorf("%s%v = %v, want %v", f, args, got, nearest)
		}
		return
	}
	d := off(got, exact)
	*worst = max(*worst, d)
	if !(d <= bound) {
		t.Errorf("%s%v is %v, off by %.3g units in the last place", f, args, got, d)
	}
}

func TestExp(t *testing.T) {
	r := random()
	var args []float64
	for range samples {
		args = append(args, r.Float64()*1460-750, signed(r, -60, 9), 2*r.Float64()-1, -709-37*r.Float64())
	}
	for n := -1080.0; n <= 1026; n += 5_000 / float64(samples) { // where the table and the exponent change
		at := n * math.Ln2
		args = append(args, at, math.Nextafter(at, -800), math.Nextafter(at, 800), at+math.Ln2/32, at-math.Ln2/32)
	}
	edge := math.Log(math.MaxFloat64)
	args = append(args, edge, math.Nextafter(edge, 800), math.Nextafter(edge, 0), -745.1332191019411, -745.1332191019412, -745.2, -708.4,
		5e-324, -5e-324, 0x1p-1022, 1, -1)
	normal, subnormal := 0., 0.
	for _, x := range args {
		got := Exp(x)
		worst, bound := &normal, 0.6
		if got < 0x1p-1022 {
			worst, bound = &subnormal, 1
		}
		check(t, "Exp", got, expOf(number(x)), bound, worst, x)
	}
	t.Logf("off by %.4f units in the last place, %.4f where subnormal", normal, subnormal)
	for x, want := range map[float64]float64{0: 1, math.Copysign(0, -1): 1, math.Inf(1): math.Inf(1), math.Inf(-1): 0, 1e300: math.Inf(1),
		-1e300: 0, 710: math.Inf(1), -746: 0} {
		if got := Exp(x); got != want {
			t.Errorf("Exp(%v) is %v", x, got)
		}
	}
	if !math.IsNaN(Exp(math.NaN())) {
		t.Error("Exp(NaN) is a number")
	}
}

func TestLog(t *testing.T) {
	r := random()
	var args []float64
	for range samples {
		args = append(args, math.Abs(signed(r, -1074, 1023)), 1+signed(r, -52, -1), 0.5+r.Float64(), math.Abs(signed(r, -8, 8)))
	}
	for i := range len(cells) + 1 { // where the table changes
		at := math.Float64frombits(firstCell + uint64(i)<<45)
		args = append(args, at, math.Nextafter(at, 0), math.Nextafter(at, 2), 2*at, at/4)
	}
	args = append(args, 5e-324, 1e-323, 0x1p-1022, math.Nextafter(0x1p-1022, 0), math.MaxFloat64, math.Nextafter(1, 0),
		math.Nextafter(1, 2), math.E)
	worst, parts := 0., 0.
	for _, x := range args {
		exact := logOf(number(x))
		check(t, "Log", Log(x), exact, 0.6, &worst, x)
		if x == 1 {
			continue
		}
		high, low := logParts(x)
		d := empty().Sub(number(high), exact)
		d.Quo(d.Add(d, number(low)), exact)
		relative, _ := d.Float64()
		parts = max(parts, math.Abs(relative))
		if !(math.Abs(relative) <= 0x1p-63) {
			t.Errorf("the parts of ln %v are off by %.3g of it", x, relative)
		}
	}
	t.Logf("off by %.4f units in the last place, the parts by %.3g", worst, parts)
	for x, want := range map[float64]float64{1: 0, 0: math.Inf(-1), math.Copysign(0, -1): math.Inf(-1), math.Inf(1): math.Inf(1)} {
		if got := Log(x); got != want {
			t.Errorf("Log(%v) is %v", x, got)
		}
	}
	for _, x := range []float64{math.NaN(), -1, -5e-324, math.Inf(-1)} {
		if !math.IsNaN(Log(x)) {
			t.Errorf("Log(%v) is %v", x, Log(x))
		}
	}
}

func TestPow(t *testing.T) {
	r := random()
	normal, root, subnormal := 0., 0., 0.
	compare := func(x, y float64) {
		if math.Abs(y)*math.Abs(math.Log(x)) > 1e6 {
			return // beyond the range of the reference numbers
		}
		got := Pow(x, y)
		worst, bound := &normal, 1.
		switch {
		case got < 0x1p-1022:
			worst = &subnormal
		case y == -0.5:
			worst, bound = &root, 2
		}
		check(t, "Pow", got, expOf(empty().Mul(number(y), logOf(number(x)))), bound, worst, x, y)
	}
	for range samples / 5 {
		compare(math.Abs(signed(r, -1074, 1023)), signed(r, -10, 1))
		compare(math.Abs(signed(r, -20, 20)), signed(r, -60, 6))
		compare(1+signed(r, -52, -2), signed(r, 0, 52))
		x := math.Abs(signed(r, -1000, 1000))
		compare(x, (1500*r.Float64()-750)/math.Log(x)) // over the whole range of exp
		for _, y := range []float64{0.5, -0.5, -0.75, 2, -1, -4. / 3, 2. / 3, 3, 200} {
			compare(math.Abs(signed(r, -300, 300)), y)
		}
	}
	t.Logf("off by %.4f units in the last place, %.4f for y = −½, %.4f where subnormal", normal, root, subnormal)

	edges := []float64{math.Inf(-1), -0x1p80, -3, -2.5, -2, -1, -0.5, -5e-324, math.Copysign(0, -1), 0, 5e-324, 0x1p-80, 0.5, 1, 2, 3, 0x1p80,
		math.MaxFloat64, math.Inf(1), math.NaN()}
	for _, x := range edges {
		for _, y := range edges {
			got, want := Pow(x, y), math.Pow(x, y)
			// Values may differ by rounding. Signs must agree, even those of zeros.
			if got != want && math.Abs(got-want) > 1e-12*math.Abs(want) && !(math.IsNaN(got) && math.IsNaN(want)) ||
				math.Signbit(got) != math.Signbit(want) {
				t.Errorf("Pow(%v, %v) is %v, math.Pow %v", x, y, got, want)
			}
		}
	}
}

func TestHypot(t *testing.T) {
	r := random()
	normal, subnormal := 0., 0.
	compare := func(p, q float64) {
		exact := empty().Mul(number(p), number(p))
		exact.Sqrt(exact.Add(exact, empty().Mul(number(q), number(q))))
		got := Hypot(p, q)
		worst, bound := &normal, 0.6
		if got < 0x1p-1022 {
			worst, bound = &subnormal, 1
		}
		check(t, "Hypot", got, exact, bound, worst, p, q)
		if got != Hypot(-q, p) {
			t.Errorf("Hypot(%v, %v) depends on order or sign", p, q)
		}
	}
	for range samples {
		p := signed(r, -1074, 1022)
		compare(p, p*signed(r, -30, 0))
		compare(p, p*signed(r, -70, 0))
		compare(r.Float64(), r.Float64())
		compare(signed(r, -1074, -1000), signed(r, -1074, -1000))
	}
	for _, e := range []int{-1074, -1022, -1021, -460, -401, -400, -399, -340, 0, 440, 499, 500, 501, 1022, 1023} {
		for _, ratio := range []float64{1, 0.5, 0x1p-59, 0x1p-60, 0x1p-61} {
			p := math.Ldexp(1.3, e)
			compare(p, p*ratio)
		}
	}
	compare(3, 4)
	compare(5e-324, 5e-324)
	compare(math.MaxFloat64, math.MaxFloat64)
	t.Logf("off by %.4f units in the last place, %.4f where subnormal", normal, subnormal)
	edges := []float64{math.Inf(-1), -1, math.Copysign(0, -1), 0, 1, math.Inf(1), math.NaN()}
	for _, p := range edges {
		for _, q := range edges {
			if got, want := Hypot(p, q), math.Hypot(p, q); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("Hypot(%v, %v) is %v, math.Hypot %v", p, q, got, want)
			}
		}
	}
}

func TestTanh(t *testing.T) {
	r := random()
	worst := 0.
	for range samples {
		for _, x := range []float64{signed(r, -60, -2), 25 * r.Float64(), r.Float64(), 0.7 + 0.1*r.Float64()} {
			e := expOf(number(2 * x))
			exact := empty().Quo(empty().Sub(e, whole(1)), empty().Add(e, whole(1)))
			check(t, "Tanh", Tanh(x), exact, 1, &worst, x)
			if Tanh(-x) != -Tanh(x) {
				t.Errorf("Tanh is not odd at %v", x)
			}
		}
	}
	t.Logf("off by %.4f units in the last place", worst)
	for x, want := range map[float64]float64{math.Inf(1): 1, math.Inf(-1): -1, 1e300: 1, -1e300: -1, 5e-324: 5e-324, 0: 0} {
		if got := Tanh(x); got != want {
			t.Errorf("Tanh(%v) is %v", x, got)
		}
	}
	if !math.Signbit(Tanh(math.Copysign(0, -1))) || !math.IsNaN(Tanh(math.NaN())) {
		t.Error("Tanh loses the sign of zero, or NaN")
	}
}

// TestNormal checks that draws equal math/rand/v2's, except for the last bits of rare draws that need a logarithm.
// Both must use the same number of values from the source.
func TestNormal(t *testing.T) {
	mine, theirs := *rand.NewPCG(3, 4), *rand.NewPCG(3, 4)
	reference := rand.New(&theirs)
	far := 0
	for i := range 300_000 {
		got, want := Normal(&mine), reference.NormFloat64()
		if math.Abs(want) > tailStart {
			far++
			if math.Abs(got-want) > 2e-15 {
				t.Fatalf("draw %d: got %v, want %v", i, got, want)
			}
		} else if got != want {
			t.Fatalf("draw %d: got %v, want %v", i, got, want)
		}
	}
	if mine != theirs {
		t.Error("the sources have used different numbers of values")
	}
	if far < 100 {
		t.Errorf("only %d draws are beyond %v", far, tailStart)
	}
}

// TestDot checks that the vectorised product and the loop that replaces it on other processors sum in the same order.
func TestDot(t *testing.T) {
	r := random()
	for n := range 200 {
		a, b := make([]float64, n), make([]float64, n+1)
		for i := range a {
			a[i], b[i] = signed(r, -20, 20), signed(r, -20, 20)
		}
		var inOrder float64
		for i, v := range a {
			inOrder += float64(v * b[i])
		}
		want := inOrder
		if n >= longRow {
			want = inFour(a, b)
		}
		if got := Dot(a, b); got != want {
			t.Errorf("%d elements: got %v, want %v", n, got, want)
		}
	}
}

func TestNorm(t *testing.T) {
	r := random()
	for _, n := range []int{1, 2, 3, 31, 32, 100} {
		for _, e := range []int{-1074, -1040, -600, -452, -448, 0, 505, 515, 1015} {
			v := make([]float64, n)
			exact := empty()
			for i := range v {
				v[i] = signed(r, e-2, e)
				exact.Add(exact, empty().Mul(number(v[i]), number(v[i])))
			}
			exact.Sqrt(exact)
			if got := Norm(v); !(off(got, exact) <= float64(n+2)) {
				want, _ := exact.Float64()
				t.Errorf("%d elements of 2^%d: got %v, want %v", n, e, got, want)
			}
		}
	}
	if Norm(nil) != 0 || Norm([]float64{0, 0}) != 0 || Norm([]float64{-3}) != 3 || !math.IsInf(Norm([]float64{1, math.Inf(-1)}), 1) ||
		!math.IsNaN(Norm([]float64{math.NaN(), 1})) || !math.IsInf(Norm([]float64{math.MaxFloat64, math.MaxFloat64}), 1) {
		t.Error("a length of a special case is wrong")
	}
}

func TestNothingAllocates(t *testing.T) {
	source := *rand.NewPCG(1, 2)
	long := make([]float64, 100)
	if n := testing.AllocsPerRun(10, func() {
		Normal(&source)
		Dot(long, long)
		Norm(long)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

var sink float64

// BenchmarkFunctions compares this package's functions with their counterparts in math.
func BenchmarkFunctions(b *testing.B) {
	args := make([]float64, 1024)
	r := random()
	for i := range args {
		args[i] = 3 * r.Float64()
	}
	for _, f := range []struct {
		name         string
		mine, theirs func(float64) float64
	}{
		{"exp", Exp, math.Exp}, {"log", Log, math.Log}, {"tanh", Tanh, math.Tanh},
		{"hypot", func(x float64) float64 { return Hypot(x, 1) }, func(x float64) float64 { return math.Hypot(x, 1) }},
		{"pow", func(x float64) float64 { return Pow(x, 2./3) }, func(x float64) float64 { return math.Pow(x, 2./3) }},
	} {
		for name, g := range map[string]func(float64) float64{"mine": f.mine, "math": f.theirs} {
			b.Run(f.name+"/"+name, func(b *testing.B) {
				for i := range b.N {
					sink = g(args[i%len(args)])
				}
			})
		}
	}
}

// TestSameBitsEverywhere compares a hash of results with a stored one. It fails on machines that compute other bits.
func TestSameBitsEverywhere(t *testing.T) {
	const want = 0x3aaab48b860e5e2a
	h := fnv.New64a()
	add := func(v ...float64) {
		for _, x := range v {
			h.Write(binary.BigEndian.AppendUint64(nil, math.Float64bits(x)))
		}
	}
	r := random()
	source := *rand.NewPCG(5, 6)
	v := make([]float64, 100)
	for range 20_000 {
		x, y := signed(r, -30, 9), signed(r, -30, 9)
		add(Exp(x), Log(math.Abs(x)), Log(1+r.Float64()), Pow(math.Abs(x), y/16), Hypot(x, y), Tanh(x), Tanh(2*r.Float64()), Normal(&source))
	}
	for n := range v {
		v[n] = signed(r, -10, 10)
		add(Dot(v[:n], v[:n]), Norm(v[:n]))
	}
	if got := h.Sum64(); got != want {
		t.Errorf("the hash of the results: got %#x, want %#x", got, uint64(want))
	}
}
