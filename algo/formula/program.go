package formula

import (
	"math"
	"slices"
	"strings"

	"paretoplay/internal/portable"
)

// opcode is the operation that a step applies to its operands a and b.
type opcode uint8

const (
	opConstant opcode = iota
	opNumber          // a named number, which may change
	opVariable
	opAdd
	opSubtract
	opMultiply
	opDivide
	opNegate
	opPower // a power whose exponent has no variables
	opExp
	opLog
	opLog1p
	opSqrt
	opAbs
	opSin
	opCos
	opTan
	opTanh
	opAtan
	opSinh
	opCosh
	opMin
	opMax
	opSigmoid
	opSoftplus
	opRaise // a power whose exponent has variables
	opLog10
	opAsin
	opAcos
	opAtan2
	opMod
)

// function is a function that formulas may call.
type function struct {
	op        opcode
	arguments int
}

var functions = map[string]function{
	"exp": {opExp, 1}, "log": {opLog, 1}, "log1p": {opLog1p, 1}, "sqrt": {opSqrt, 1}, "abs": {opAbs, 1}, "sin": {opSin, 1},
	"cos": {opCos, 1}, "tan": {opTan, 1}, "tanh": {opTanh, 1}, "atan": {opAtan, 1}, "sinh": {opSinh, 1}, "cosh": {opCosh, 1},
	"min": {opMin, 2}, "max": {opMax, 2}, "sigmoid": {opSigmoid, 1}, "softplus": {opSoftplus, 1},
	"log10": {opLog10, 1}, "asin": {opAsin, 1}, "acos": {opAcos, 1}, "atan2": {opAtan2, 2}, "mod": {opMod, 2}, "pow": {opPower, 2},
}

// functionNames lists the functions, separated by spaces.
var functionNames = func() string {
	names := []string{"sum"}
	for name := range functions {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}()

// step is one step of a program. Equal steps are shared.
type step struct {
	op    opcode
	a, b  int32   // indices of earlier steps; for a variable or a named number, a is its index
	value float64 // of a constant
}

// place is the part of the text that a step was built from: a line, counted from 1, and a byte range.
type place struct {
	line, from, to int
}

// program is a straight-line program. Every step computes a value from the values of earlier steps.
type program struct {
	steps  []step
	places []place
	active []bool // whether a step depends on a variable

	value []float64
	rate  []float64 // derivative of value along the direction of a Hessian-vector product
	bar   []float64 // derivative of the result with respect to a step
	turn  []float64 // derivative of bar along the direction
	slope [][2]float64
	bend  [][3]float64 // second derivatives: aa, ab, bb
}

// ready allocates the arrays for values and derivatives.
func (p *program) ready() {
	n := len(p.steps)
	for _, s := range []*[]float64{&p.value, &p.rate, &p.bar, &p.turn} {
		*s = make([]float64, n)
	}
	p.slope, p.bend = make([][2]float64, n), make([][3]float64, n)
}

// labour returns the approximate number of multiplications in a gradient.
func (p *program) labour() int {
	const arithmetic, function = 6, 20
	work := 0
	for i := range p.steps {
		switch s := &p.steps[i]; s.op {
		case opConstant, opNumber, opVariable:
		case opAdd, opSubtract, opMultiply, opDivide, opNegate, opMin, opMax, opAbs:
			work += arithmetic
		default:
			work += function
		}
	}
	return max(work, 1)
}

// forward computes the values of all steps up to last from the variables and the named numbers.
func (p *program) forward(x, numbers []float64, last int) {
	v := p.value
	for i := range p.steps[:last+1] {
		s := &p.steps[i]
		switch s.op {
		case opConstant:
			v[i] = s.value
		case opNumber:
			v[i] = numbers[s.a]
		case opVariable:
			v[i] = x[s.a]
		case opAdd:
			v[i] = v[s.a] + v[s.b]
		case opSubtract:
			v[i] = v[s.a] - v[s.b]
		case opMultiply:
			v[i] = float64(v[s.a] * v[s.b]) // the conversion prevents a fused multiply-add
		case opDivide:
			v[i] = v[s.a] / v[s.b]
		default:
			v[i] = s.of(v[s.a], v[s.b])
		}
	}
}

// of returns the result of the step's operation on the operands a and b.
func (s *step) of(a, b float64) float64 {
	switch s.op {
	case opNegate:
		return -a
	case opPower, opRaise:
		return power(a, b)
	case opLog10:
		return log10(a)
	case opAsin:
		return portable.Asin(a)
	case opAcos:
		return portable.Acos(a)
	case opAtan2:
		return portable.Atan2(a, b)
	case opMod:
		return mod(a, b)
	case opExp:
		return portable.Exp(a)
	case opLog:
		return portable.Log(a)
	case opLog1p:
		return portable.Log1p(a)
	case opSqrt:
		return math.Sqrt(a)
	case opAbs:
		return math.Abs(a)
	case opSin:
		return portable.Sin(a)
	case opCos:
		return portable.Cos(a)
	case opTan:
		return portable.Tan(a)
	case opTanh:
		return portable.Tanh(a)
	case opAtan:
		return portable.Atan(a)
	case opSinh:
		return sinh(a)
	case opCosh:
		return cosh(a)
	case opMin:
		if a < b || a != a {
			return a
		}
		return b
	case opMax:
		if a >= b || a != a {
			return a
		}
		return b
	case opSigmoid:
		return portable.Sigmoid(a)
	case opSoftplus:
		return max(a, 0) + portable.Log1p(portable.Exp(-math.Abs(a)))
	}
	panic("formula: a step without a value")
}

// power returns a^b. For small whole exponents it multiplies, which is exact whenever the result is representable.
func power(a, b float64) float64 {
	switch b {
	case 0:
		return 1
	case 1:
		return a
	case 2:
		return a * a
	case 3:
		return a * a * a
	}
	return portable.Pow(a, b)
}

// log10 returns the decimal logarithm. It is exact at powers of ten.
func log10(a float64) float64 {
	v := portable.Log(a) / math.Ln10
	if whole := math.Round(v); math.Abs(v-whole) < 1e-12 && portable.Pow(10, whole) == a {
		return whole
	}
	return v
}

// mod returns the remainder of a/b, with the sign of b.
func mod(a, b float64) float64 {
	r := math.Mod(a, b)
	if r != 0 && (r < 0) != (b < 0) {
		r += b
	}
	return r
}

// sinh returns the hyperbolic sine. It uses the exponential function that rounds identically on all machines. Near 0,
// where a difference of exponentials would lose digits, it uses the power series.
func sinh(x float64) float64 {
	if math.Abs(x) <= 0.5 {
		square, sum := float64(x*x), 0.0
		for k := 14.0; k > 0; k -= 2 { // further terms are below 2^−58 relative to x
			sum = float64(square/(k*(k+1))) * (1 + sum)
		}
		return x + float64(x*sum)
	}
	half := portable.Exp(math.Abs(x)-math.Ln2) - portable.Exp(-math.Abs(x)-math.Ln2)
	return math.Copysign(half, x)
}

func cosh(x float64) float64 {
	return portable.Exp(math.Abs(x)-math.Ln2) + portable.Exp(-math.Abs(x)-math.Ln2)
}

// slopes returns the derivatives of a step with respect to its operands a and b. The argument v is the step's value.
// At a kink it returns the derivatives from the right and kink = true.
func (s *step) slopes(a, b, v float64) (da, db float64, kink bool) {
	switch s.op {
	case opAdd:
		return 1, 1, false
	case opSubtract:
		return 1, -1, false
	case opMultiply:
		return b, a, false
	case opDivide:
		return 1 / b, -v / b, false
	case opNegate:
		return -1, 0, false
	case opPower:
		if b != 0 {
			da = b * power(a, b-1)
		}
	case opRaise:
		if b != 0 {
			da = b * power(a, b-1)
		}
		if db = v * portable.Log(a); a == 0 && b > 0 {
			db = 0
		}
	case opLog10:
		return 1 / (a * math.Ln10), 0, false
	case opAsin:
		return 1 / math.Sqrt((1-a)*(1+a)), 0, false
	case opAcos:
		return -1 / math.Sqrt((1-a)*(1+a)), 0, false
	case opAtan2:
		square := float64(a*a) + float64(b*b)
		return b / square, -a / square, false
	case opMod: // mod jumps where its value is 0
		return 1, -math.Floor(a / b), v == 0
	case opExp:
		return v, 0, false
	case opLog:
		return 1 / a, 0, false
	case opLog1p:
		return 1 / (1 + a), 0, false
	case opSqrt:
		return 0.5 / v, 0, false
	case opAbs:
		if a < 0 {
			return -1, 0, false
		}
		return 1, 0, a == 0
	case opSin:
		return portable.Cos(a), 0, false
	case opCos:
		return -portable.Sin(a), 0, false
	case opTan:
		return 1 + float64(v*v), 0, false
	case opTanh:
		return (1 - v) * (1 + v), 0, false
	case opAtan:
		return 1 / (1 + float64(a*a)), 0, false
	case opSinh:
		return cosh(a), 0, false
	case opCosh:
		return sinh(a), 0, false
	case opMin: // min(a, b) = b + min(a − b, 0)
		if a < b {
			return 1, 0, false
		}
		return 0, 1, a == b && s.a != s.b
	case opMax: // max(a, b) = b + max(a − b, 0)
		if a >= b {
			return 1, 0, a == b && s.a != s.b
		}
		return 0, 1, false
	case opSigmoid:
		return v * (1 - v), 0, false
	case opSoftplus:
		return portable.Sigmoid(a), 0, false
	}
	return da, db, false
}

// bends returns the second derivatives of a step. The argument v is the step's value, and da is its derivative with
// respect to a.
func (s *step) bends(a, b, v, da float64) (aa, ab, bb float64) {
	switch s.op {
	case opMultiply:
		return 0, 1, 0
	case opDivide:
		return 0, -1 / b / b, 2 * v / b / b
	case opPower:
		if b != 0 && b != 1 {
			aa = b * (b - 1) * power(a, b-2)
		}
	case opRaise:
		logarithm := portable.Log(a)
		if b != 0 && b != 1 {
			aa = b * (b - 1) * power(a, b-2)
		}
		ab, bb = power(a, b-1)*(1+float64(b*logarithm)), v*float64(logarithm*logarithm)
		if a == 0 && b > 0 {
			if bb = 0; b > 1 {
				ab = 0
			}
		}
	case opLog10:
		aa = -da / a
	case opAsin, opAcos:
		aa = a * da / ((1 - a) * (1 + a))
	case opAtan2:
		square := float64(a*a) + float64(b*b)
		ab = (a - b) / square * ((a + b) / square)
		bb = 2 * (a / square) * (b / square)
		aa = -bb
	case opExp, opSinh, opCosh:
		aa = v
	case opLog:
		aa = -da / a
	case opLog1p:
		aa = -da / (1 + a)
	case opSqrt:
		aa = -0.5 * da / a
	case opSin, opCos:
		aa = -v
	case opTan:
		aa = 2 * v * da
	case opTanh:
		aa = -2 * v * da
	case opAtan:
		aa = -2 * a * da * da
	case opSigmoid:
		aa = da * (1 - 2*v)
	case opSoftplus:
		aa = da * (1 - da)
	}
	return aa, ab, bb
}

// binary reports whether a step has two operands.
func (s *step) binary() bool {
	switch s.op {
	case opAdd, opSubtract, opMultiply, opDivide, opPower, opMin, opMax, opRaise, opAtan2, opMod:
		return true
	}
	return false
}

// leaf reports whether a step has no operands.
func (s *step) leaf() bool { return s.op == opConstant || s.op == opNumber || s.op == opVariable }

// backward stores the gradient of step last in dst. The caller must first run forward up to this step. It returns the
// first step at a kink, or −1 if there is none.
func (p *program) backward(dst []float64, last int) (kink int) {
	clear(dst)
	clear(p.bar[:last+1])
	p.bar[last], kink = 1, -1
	for i := last; i >= 0; i-- {
		s := &p.steps[i]
		if !p.active[i] || p.bar[i] == 0 {
			continue
		}
		if s.leaf() {
			dst[s.a] += p.bar[i]
			continue
		}
		switch bar := p.bar[i]; s.op { // handled here for speed: most steps are sums and products
		case opAdd:
			p.bar[s.a] += bar
			p.bar[s.b] += bar
			continue
		case opMultiply:
			a, b := p.value[s.a], p.value[s.b]
			p.bar[s.a] += float64(bar * b)
			p.bar[s.b] += float64(bar * a)
			continue
		}
		da, db, at := s.slopes(p.value[s.a], p.value[s.b], p.value[i])
		if at {
			kink = i
		}
		if p.active[s.a] {
			p.bar[s.a] += float64(p.bar[i] * da)
		}
		if s.binary() && p.active[s.b] {
			p.bar[s.b] += float64(p.bar[i] * db)
		}
	}
	return kink
}

// curve stores the Hessian of step last, times direction, in dst. The caller must first run forward up to this step. It
// differentiates the forward pass along the direction, then the backward pass.
func (p *program) curve(dst, direction []float64, last int) {
	for i := range p.steps[:last+1] {
		s := &p.steps[i]
		p.rate[i] = 0
		switch {
		case !p.active[i]:
		case s.leaf():
			p.rate[i] = direction[s.a]
		default:
			a, b, v := p.value[s.a], p.value[s.b], p.value[i]
			da, db, _ := s.slopes(a, b, v)
			aa, ab, bb := s.bends(a, b, v, da)
			p.slope[i], p.bend[i] = [2]float64{da, db}, [3]float64{aa, ab, bb}
			if p.active[s.a] {
				p.rate[i] += float64(p.slope[i][0] * p.rate[s.a])
			}
			if s.binary() && p.active[s.b] {
				p.rate[i] += float64(p.slope[i][1] * p.rate[s.b])
			}
		}
	}
	clear(dst)
	clear(p.bar[:last+1])
	clear(p.turn[:last+1])
	p.bar[last] = 1
	for i := last; i >= 0; i-- {
		s := &p.steps[i]
		if !p.active[i] || p.bar[i] == 0 && p.turn[i] == 0 {
			continue
		}
		if s.leaf() {
			dst[s.a] += p.turn[i]
			continue
		}
		two := s.binary()
		var ra, rb float64
		if p.active[s.a] {
			ra = p.rate[s.a]
		}
		if two && p.active[s.b] {
			rb = p.rate[s.b]
		}
		if p.active[s.a] {
			p.bar[s.a] += float64(p.bar[i] * p.slope[i][0])
			p.turn[s.a] += float64(p.turn[i]*p.slope[i][0]) + float64(p.bar[i]*(times(p.bend[i][0], ra)+times(p.bend[i][1], rb)))
		}
		if two && p.active[s.b] {
			p.bar[s.b] += float64(p.bar[i] * p.slope[i][1])
			p.turn[s.b] += float64(p.turn[i]*p.slope[i][1]) + float64(p.bar[i]*(times(p.bend[i][1], ra)+times(p.bend[i][2], rb)))
		}
	}
}

// times returns bend·rate, or 0 if rate is 0. The curvature then has no effect, even if bend is not finite.
func times(bend, rate float64) float64 {
	if rate == 0 {
		return 0
	}
	return float64(bend * rate)
}
