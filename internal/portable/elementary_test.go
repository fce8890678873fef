package portable

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// elementary lists the functions copied from package math, with arguments that reach each of their branches.
var elementary = []struct {
	name         string
	mine, theirs func(float64) float64
	arguments    func(r *rand.Rand) float64
}{
	{"Sin", Sin, math.Sin, anySize}, {"Cos", Cos, math.Cos, anySize}, {"Tan", Tan, math.Tan, anySize},
	{"Sincos", func(x float64) float64 { s, c := Sincos(x); return s - c/3 },
		func(x float64) float64 { s, c := math.Sincos(x); return s - c/3 }, anySize},
	{"Asin", Asin, math.Asin, share}, {"Acos", Acos, math.Acos, share}, {"Atan", Atan, math.Atan, anySize},
	{"Atan2", func(x float64) float64 { return Atan2(x, 1-x) }, func(x float64) float64 { return math.Atan2(x, 1-x) }, anySize},
	{"Log1p", Log1p, math.Log1p, func(r *rand.Rand) float64 { return max(anySize(r), -share(r)) }},
	{"Expm1", Expm1, math.Expm1, exponent}, {"Exp2", Exp2, math.Exp2, exponent}, {"Cbrt", Cbrt, math.Cbrt, anySize},
}

func anySize(r *rand.Rand) float64  { return signed(r, -60, 60) }
func share(r *rand.Rand) float64    { return signed(r, -30, -1) }
func exponent(r *rand.Rand) float64 { return signed(r, -60, 10) }

// special lists arguments at which functions have special values.
var special = []float64{0, math.Copysign(0, -1), 1, -1, 2, -2, 0.5, math.Inf(1), math.Inf(-1), math.NaN(), 0x1p-1074, -0x1p-1030,
	math.MaxFloat64, -math.MaxFloat64, math.Pi, 1 << 29, 710, -746, 1024, -1075, math.Nextafter(1, 2)}

// TestElementary compares the functions with package math. If the compiler does not fuse products into sums and math uses no
// assembly, the test compares bits. Otherwise it compares values approximately.
func TestElementary(t *testing.T) {
	exact := runtime.GOARCH == "amd64" && !fuses()
	r := random()
	for _, f := range elementary {
		arguments := special
		for range 4 * samples {
			arguments = append(arguments, f.arguments(r))
		}
		for _, x := range arguments {
			got, want := f.mine(x), f.theirs(x)
			if math.IsNaN(got) && math.IsNaN(want) {
				continue
			}
			if math.Float64bits(got) != math.Float64bits(want) && (exact || !(math.Abs(got-want) <= 1e-12*math.Abs(want))) {
				t.Errorf("%s(%v) = %v, want %v", f.name, x, got, want)
			}
		}
	}
	for range samples {
		x := math.Abs(anySize(r))
		for _, pair := range [][2]float64{{Log2(x), math.Log2(x)}, {Log10(x), math.Log10(x)}} {
			if !(math.Abs(pair[0]-pair[1]) <= 1e-15*(1+math.Abs(pair[1]))) {
				t.Errorf("a logarithm of %v: got %v, want %v", x, pair[0], pair[1])
			}
		}
	}
	if Log2(0x1p-1040) != -1040 || Log10(1000) != math.Log10(1000) || !math.IsInf(Log10(0), -1) {
		t.Error("a logarithm of a special case is wrong")
	}
}

// fuses reports whether this build fuses products into sums. On amd64, builds do so if GOAMD64 is v3 or higher.
func fuses() bool {
	x := 1 + 0x1p-30*float64(len(special))
	y := -float64(x * x)
	return x*x+y != 0 // a sum, because amd64 does not fuse differences
}

// TestVectors checks that sums of vectors have the same bits as those of gonum's vectorised code on amd64, and as those
// of the loops that replace it on other processors.
func TestVectors(t *testing.T) {
	r := random()
	for n := range 80 {
		a, b := make([]float64, n), make([]float64, n)
		for i := range a {
			a[i], b[i] = signed(r, -20, 20), signed(r, -20, 20)
		}
		by := signed(r, -3, 3)
		scaled, loop, added := make([]float64, n), make([]float64, n), append([]float64(nil), a...)
		AddScaledTo(scaled, a, by, b)
		loopAddScaledTo(loop, a, by, b)
		AddScaled(added, by, b)
		for i := range loop {
			if scaled[i] != loop[i] || added[i] != loop[i] {
				t.Errorf("%d elements: %v and %v, not %v", n, scaled[i], added[i], loop[i])
			}
		}
		if runtime.GOARCH != "amd64" {
			continue
		}
		for _, pair := range [][2]float64{{Sum(a), floats.Sum(a)}, {Length(a), floats.Norm(a, 2)}, {Distance(a, b), floats.Distance(a, b, 2)}} {
			if pair[0] != pair[1] {
				t.Errorf("%d elements: %v, gonum has %v", n, pair[0], pair[1])
			}
		}
	}
	inf, nan := math.Inf(1), math.NaN()
	for _, v := range [][]float64{nil, {0, 0}, {-3}, {inf, 1}, {1, -inf}, {nan, 1}, {1, nan}, {inf, nan, inf},
		{math.MaxFloat64, math.MaxFloat64}, {5e-324, 5e-324}, {0, 3, 4}} {
		got, want := Length(v), floats.Norm(v, 2)
		if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("the length of %v: got %v, want %v", v, got, want)
		}
	}
}

// TestElementaryBits compares a hash of results with a stored one. It fails on machines that compute other bits.
func TestElementaryBits(t *testing.T) {
	const want = 0x7a8f5812c8e63a6c
	h := fnv.New64a()
	add := func(v float64) { h.Write(binary.BigEndian.AppendUint64(nil, math.Float64bits(v))) }
	r := random()
	for range 5_000 {
		for _, f := range elementary {
			if v := f.mine(f.arguments(r)); v == v { // NaN has many bit patterns
				add(v)
			}
		}
		x := math.Abs(anySize(r))
		add(Log2(x))
		add(Log10(x))
	}
	v, w := make([]float64, 40), make([]float64, 40)
	for n := range v {
		v[n], w[n] = signed(r, -10, 10), signed(r, -10, 10)
		AddScaledTo(w[:n], w[:n], 0.1, v[:n])
		add(Sum(w[:n]))
		add(Length(w[:n]))
		add(Distance(v[:n], w[:n]))
	}
	if got := h.Sum64(); got != want {
		t.Errorf("the hash of the results: got %#x, want %#x", got, uint64(want))
	}
}
