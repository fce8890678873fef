package portable

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"math"
	"math/big"
	"os"
	"testing"
)

var regenerate = flag.Bool("regen", false, "write tables.go anew")

// precision is the precision of the exact references, in bits.
const precision = 160

func number(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

func whole(n int) *big.Float { return new(big.Float).SetPrec(precision).SetInt64(int64(n)) }

func empty() *big.Float { return new(big.Float).SetPrec(precision) }

// logOf returns ln x for x > 0. With x = 2^k·m, this is k·ln 2 + 2·artanh((m−1)/(m+1)); roots bring m nearer to 1 first.
func logOf(x *big.Float) *big.Float {
	m := empty()
	k := x.MantExp(m)
	near := artanhLog(m)
	return near.Add(near, empty().Mul(whole(k), ln2))
}

var ln2 = artanhLog(whole(2))

func artanhLog(m *big.Float) *big.Float {
	const roots = 6
	m = empty().Set(m)
	for range roots {
		m.Sqrt(m)
	}
	t := empty().Quo(empty().Sub(m, whole(1)), empty().Add(m, whole(1)))
	square, power, s := empty().Mul(t, t), empty().Set(t), empty().Set(t)
	for n := 3; power.Sign() != 0 && power.MantExp(nil) > s.MantExp(nil)-precision; n += 2 {
		power.Mul(power, square)
		s.Add(s, empty().Quo(power, whole(n)))
	}
	return s.SetMantExp(s, 1+roots)
}

// expOf returns e^x as 2^k·(e^(r/256))^256 with r = x − k·ln 2.
func expOf(x *big.Float) *big.Float {
	const halvings = 8
	quotient, _ := empty().Quo(x, ln2).Float64()
	k := int(math.Round(quotient))
	r := empty().Sub(x, empty().Mul(whole(k), ln2))
	r.SetMantExp(r, -halvings)
	s, term := whole(1), whole(1)
	for n := 1; term.Sign() != 0 && term.MantExp(nil) > -precision; n++ {
		term.Quo(term.Mul(term, r), whole(n))
		s.Add(s, term)
	}
	for range halvings {
		s.Mul(s, s)
	}
	return s.SetMantExp(s, k)
}

// split splits x into a multiple of 2^−42 and the rest, or into the nearest float64 and the rest.
func split(x *big.Float, short bool) (high, low float64) {
	high, _ = x.Float64()
	if short {
		high = math.Round(high*0x1p42) * 0x1p-42
	}
	low, _ = empty().Sub(x, number(high)).Float64()
	return high, low
}

// TestTables: tables.go holds the values of its formulas.
func TestTables(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("package portable\n\n// Made by the test of this package with -regen.\n\n")
	fmt.Fprintf(&b, "// powers holds 2^(i/%d) as sums.\nvar powers = [%d]struct{ high, low float64 }{\n", perOctave, perOctave)
	for i := range perOctave {
		x := empty().Mul(ln2, empty().Quo(whole(i), whole(perOctave)))
		high, low := split(expOf(x), false)
		fmt.Fprintf(&b, "{%x, %x},\n", high, low)
	}
	b.WriteString("}\n\n// cells is the table for log: c near 1/z, a multiple of 2^−9, and −ln c as a sum, " +
		"whose first part is a multiple of 2^−42.\n")
	b.WriteString("var cells = [128]struct{ c, high, low float64 }{\n")
	for i := range len(cells) {
		from := math.Float64frombits(firstCell + uint64(i)<<45)
		to := math.Float64frombits(firstCell + uint64(i+1)<<45)
		c := math.Round(512/((from+to)/2)) / 512
		if from == 1 || to == 1 {
			c = 1
		}
		high, low := 0., 0.
		if c != 1 {
			high, low = split(empty().Neg(logOf(number(c))), true)
		}
		fmt.Fprintf(&b, "{%x, %x, %x},\n", c, high, low)
	}
	b.WriteString("}\n")
	want, err := format.Source(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if *regenerate {
		if err := os.WriteFile("tables.go", want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("tables.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("tables.go is not what its formulas say; make regen-tables writes it anew")
	}
	for _, c := range []struct {
		exact     *big.Float
		high, low float64
	}{{ln2, ln2High, ln2Low}, {empty().Quo(ln2, whole(perOctave)), stepHi, stepLow}} {
		if high, low := split(c.exact, true); high != c.high || low != c.low {
			t.Errorf("%x + %x, not %x + %x", c.high, c.low, high, low)
		}
	}
}
