// Package portable provides the functions that iterates depend on. They return the same bits on every machine, unlike
// package math and packages that sum vectors. On some machines, those packages use assembly, which rounds differently.
// Descent amplifies a difference in the last bit until runs differ visibly.
//
// Every product is explicitly converted to float64 before it is added. Otherwise a compiler may fuse the two operations
// and round once instead of twice.
package portable

import "math"

const (
	perOctave = 16 // number of entries in Exp's table per factor of two

	// Log uses ln2High and ln2Low, which sum to ln 2. An exponent times ln2High is exact. Exp uses stepHi and
	// stepLow, which sum to ln 2/16.
	ln2High = 0x1.62e42fefa38p-1
	ln2Low  = 0x1.ef35793c7673p-45
	stepHi  = 0x1.62e42fefap-5
	stepLow = 0x1.cf79abc9e3b3ap-44

	firstCell = 0x3fe6a00000000000 // bits of 181/256, the start of Log's table
)

// Exp returns e^x with an error below 0.6 units in the last place. If the result is subnormal, the error is below one
// unit.
func Exp(x float64) float64 { return exp(x, 0) }

// exp returns e^(x+low). |low| must be below the last place of x.
//
// Let n be the integer nearest to 16x/ln 2. Then e^x = 2^(n/16)·e^r, where the first factor is a power of two times a
// table entry. For |r| ≤ ln 2/32, the polynomial of degree 7 has an error below 2^−59.
func exp(x, low float64) float64 {
	switch {
	case x != x:
		return x
	case x > 710:
		return math.Inf(1)
	case x < -746:
		return 0
	}
	n := int(float64(x*(perOctave/math.Ln2)) + math.Copysign(0.5, x))
	steps := float64(n)
	r := (x - float64(steps*stepHi)) + (low - float64(steps*stepLow))
	square := float64(r * r)
	first := float64(r*(1./6)) + 0.5
	second := float64(r*(1./120)) + 1./24
	third := float64(r*(1./5040)) + 1./720
	tail := float64(square*(float64(square*(float64(square*third)+second))+first)) + r
	power := &powers[n&(perOctave-1)]
	y := power.high + (power.low + float64(power.high*tail))

	e := n >> 4
	switch {
	case e > 1023: // y may be below 1
		return y * 0x1p1023 * math.Float64frombits(uint64(e)<<52)
	case e < -1022: // rounded once
		return y * math.Float64frombits(uint64(e+1023+1000)<<52) * 0x1p-1000
	}
	return y * math.Float64frombits(uint64(e+1023)<<52)
}

// Log returns the natural logarithm of x with an error below 0.6 units in the last
// place.
func Log(x float64) float64 {
	switch {
	case x != x || x > math.MaxFloat64:
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	high, low := logParts(x)
	return high + low
}

// logParts returns ln x as a sum of two parts, which may overlap. Its relative error is below 2^−63. x must be
// positive and finite.
//
// Let x = 2^k·z with z from 181/256 to 181/128, and let c be a table entry of ten
// bits. Then ln x = k·ln 2 − ln c + ln(1+r), where r = cz − 1 is below 2^−7. r is
// exact, because z is split in two. k·ln 2 − ln c + r is exact except for parts
// below 2^−42.
func logParts(x float64) (high, low float64) {
	bits, k := math.Float64bits(x), 0
	if bits < 1<<52 { // subnormal
		bits, k = math.Float64bits(x*0x1p52), -52
	}
	above := bits - firstCell
	k += int(int64(above) >> 52)
	cell := &cells[above>>45&(1<<7-1)]
	bits -= above &^ (1<<52 - 1)
	z, front := math.Float64frombits(bits), math.Float64frombits(bits&^(1<<21-1))
	near, far := float64(front*cell.c)-1, float64((z-front)*cell.c)
	if k == 0 && cell.c == 1 {
		near, far = z-1, 0 // otherwise the two parts would have opposite signs and cancel
	}
	r := near + far

	octaves := float64(k)
	exact := float64(octaves*ln2High) + cell.high + near
	// r² = a² + b(a+r), where a²/2 is exact.
	a := math.Float64frombits(math.Float64bits(r) &^ (1<<27 - 1))
	b := (near - a) + far
	half := float64(-0.5 * float64(a*a))
	high = exact + half
	square := float64(r * r)
	first := 1./3 - float64(r*(1./4))
	second := 1./5 - float64(r*(1./6))
	third := 1./7 - float64(r*(1./8))
	tail := float64(square*(float64(square*(float64(square*(1./9))+third))+second)) + first
	low = (half - (high - exact)) + (far + (float64(octaves*ln2Low) + cell.low))
	low += float64(float64(square*r)*tail) - float64(0.5*float64(b*(a+r)))
	return high, low
}

// Pow returns x^y with an error below one unit in the last place, or below two for
// y = −½. Its special cases are the same as math.Pow's.
func Pow(x, y float64) float64 {
	switch {
	case !(x > 0 && x <= math.MaxFloat64) || y != y:
		return math.Pow(x, y) // special cases without a logarithm
	case y == 0 || x == 1:
		return 1
	case y == 1:
		return x
	case y == 2:
		return x * x
	case y == -1:
		return 1 / x
	case y == 0.5:
		return math.Sqrt(x)
	case y == -0.5:
		return 1 / math.Sqrt(x)
	case math.Abs(y) < 0x1p-70:
		return 1
	case math.Abs(y) > 0x1p70: // the result overflows or underflows even for the x ≠ 1 nearest to 1
		if (x > 1) == (y > 0) {
			return math.Inf(1)
		}
		return 0
	}
	high, low := logParts(x)
	high, low = sum(high, low)
	p, rest := product(high, y)
	return exp(p, rest+float64(low*y))
}

// Hypot returns √(p²+q²) with an error below 0.6 units in the last place. It avoids
// intermediate overflow and underflow. Its special cases are the same as math.Hypot's.
func Hypot(p, q float64) float64 {
	p, q = math.Abs(p), math.Abs(q)
	switch {
	case p > math.MaxFloat64 || q > math.MaxFloat64:
		return math.Inf(1)
	case p != p || q != q:
		return math.NaN()
	}
	if p < q {
		p, q = q, p
	}
	if q == 0 || float64(q*0x1p60) < p {
		return p
	}
	down, up := 1., 1.
	switch {
	case p > 0x1p500:
		down, up = 0x1p-600, 0x1p600
	case q < 0x1p-400:
		down, up = 0x1p600, 0x1p-600
	}
	p, q = p*down, q*down
	pp, pRest := product(p, p)
	qq, qRest := product(q, q)
	s, rest := sum(pp, qq)
	rest += pRest + qRest
	root := math.Sqrt(s)
	square, squareRest := product(root, root)
	return (root + ((s-square)-squareRest+rest)/(2*root)) * up
}

// Tanh returns the hyperbolic tangent of x with an error below one unit in the last place. Near 0 it uses the ninth
// approximant of Lambert's continued fraction, which has an error below 2^−60 there.
func Tanh(x float64) float64 {
	z := math.Abs(x)
	switch {
	case !(z > 0): // keep the sign of zero
		return x
	case z > 20:
		return math.Copysign(1, x)
	case z > 0.75:
		return math.Copysign(1-2/(Exp(2*z)+1), x)
	}
	s := float64(x * x)
	above := float64(s*(float64(s*(float64(s*44)+12870))+810810)) + 11486475
	below := float64(s*(float64(s*(float64(s*(float64(s*45)+13860))+945945))+16216200)) + 34459425
	return x - float64(x*(s*above/below))
}

// Sigmoid returns 1/(1+e^−x), without overflow.
func Sigmoid(x float64) float64 {
	if x >= 0 {
		return 1 / (1 + Exp(-x))
	}
	e := Exp(x)
	return e / (1 + e)
}

// sum returns a+b rounded to a float64, and the rounding error.
func sum(a, b float64) (s, rest float64) {
	s = a + b
	other := s - a
	return s, (a - (s - other)) + (b - other)
}

// product returns ab rounded to a float64, and the rounding error. 2^27·a, 2^27·b and ab must not overflow or
// underflow.
//
// Dekker (1971), A floating-point technique for extending the available precision,
// Numerische Mathematik 18.
func product(a, b float64) (p, rest float64) {
	p = float64(a * b)
	aHigh, aLow := halves(a)
	bHigh, bLow := halves(b)
	rest = float64(aHigh*bHigh) - p
	rest += float64(aHigh * bLow)
	rest += float64(aLow * bHigh)
	return p, rest + float64(aLow*bLow)
}

// halves splits a into two numbers of 26 bits that sum to a.
func halves(a float64) (high, low float64) {
	t := float64(a * (1<<27 + 1))
	high = t - (t - a)
	return high, a - high
}
