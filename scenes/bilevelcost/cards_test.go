package bilevelcost_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/scenes/bilevelcost"
)

// costCell holds the cost of a method's upper step at one size.
type costCell struct {
	Method, Mode   string
	T, P           int
	Batches        int
	Time           float64
	Gradients, HVP int
	Floats         int
	TooLarge       bool
	n, m           int
}

func costs(t testing.TB, s scene.Scene) []costCell {
	t.Helper()
	cells := scenetest.Results[struct{ Cells []costCell }](t, s).Cells
	for i := range cells {
		cells[i].n, cells[i].m = s.Params().Value("n").(int), s.Params().Value("m").(int)
	}
	return cells
}

// label returns the name of the cell's line in the pictures.
func (c costCell) label() string { return strings.TrimSpace(c.Method + " " + c.Mode) }

// costOf returns the cell of the line with the given label at the given size.
func costOf(t testing.TB, s scene.Scene, label string, steps, p int) costCell {
	t.Helper()
	cells := costs(t, s)
	i := slices.IndexFunc(cells, func(c costCell) bool { return c.label() == label && c.T == steps && c.P == p })
	if i < 0 {
		t.Fatalf("%s is not measured at T = %d, p = %d", label, steps, p)
	}
	return cells[i]
}

// evaluations returns the total number of gradients and products.
func (c costCell) evaluations() float64 { return float64(c.Gradients + c.HVP) }

var claims = scenetest.CardClaims{
	"summary": {
		{Says: "To learn how an early choice affected the result, one can keep notes of every step, or look only at the result. This scene " +
			"compares the costs of both. Points show the cost of a step, from short loops to long ones, counted or measured while you watch; " +
			"lines show the theory’s predictions.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				for _, cell := range costs(t, s) {
					gradients, products := cell.T+cell.m, cell.m*cell.T
					switch cell.label() {
					case "forum":
						gradients, products = gradients+1, 0
					case "moml forward":
						products = cell.n * cell.T
					}
					if cell.Batches == 0 || !(cell.Time > 0) || cell.Gradients != gradients || cell.HVP != products {
						t.Errorf("%+v: predicted are %d gradients and %d products", cell, gradients, products)
					}
				}
			}},
		{Says: "FORUM uses gradients alone, and needs no more memory for a longer loop. MOML and MoCo differentiate through the loop, and in " +
			"each of its steps they multiply by the Hessian, the table of all second derivatives.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				for _, label := range []string{"forum", "moml reverse", "moco reverse"} {
					s := c.End(t)
					short, long := costOf(t, s, label, 16, 20), costOf(t, s, label, 256, 20)
					if pays := long.Floats > short.Floats && long.HVP > short.HVP; pays != (label != "forum") {
						t.Errorf("%+v and %+v", short, long)
					}
					if label == "forum" && (short.Floats != long.Floats || long.HVP != 0) {
						t.Errorf("%+v and %+v", short, long)
					}
				}
			}},
	},
	"try": {
		{Says: "Raise the number of upper objectives, m, from 2 to 4. In reverse mode, MOML and MoCo compute twice as many products; forward " +
			"mode and FORUM need no more.", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			two, four := c.End(t), c.End(t, "m", "4")
			for _, cell := range costs(t, two) {
				now := costOf(t, four, cell.label(), cell.T, cell.P).HVP
				if reverse := strings.HasSuffix(cell.label(), "reverse"); cell.m != 2 || reverse && now != 2*cell.HVP || !reverse && now != cell.HVP {
					t.Errorf("%s at T = %d, p = %d: %d products, then %d", cell.label(), cell.T, cell.P, cell.HVP, now)
				}
			}
		}},
	},
	"figure1": {
		{Says: "MOML and MoCo compute two products for every step of the loop, one for each objective; FORUM computes none.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				cells := costs(t, c.End(t))
				largest := 0
				for _, cell := range cells {
					largest = max(largest, cell.T)
					want := cell.m * cell.T
					if cell.label() == "forum" {
						want = 0
					}
					if cell.HVP != want {
						t.Errorf("%+v makes %d products, not %d", cell, cell.HVP, want)
					}
					if cell.m != 2 || cell.P != 20 && cell.T != 64 || cell.TooLarge {
						t.Errorf("%+v", cell)
					}
				}
				if largest != 128 {
					t.Errorf("T goes up to %d", largest)
				}
			}},
		{Says: "Including gradients, MOML and MoCo need 2.4 to 2.9 times as many evaluations as FORUM. Their float counts grow with T, but " +
			"FORUM’s do not.", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			s := c.End(t)
			least, most := math.Inf(1), 0.0
			for _, label := range []string{"moml reverse", "moco reverse"} {
				for _, steps := range []int{8, 16, 32, 64, 128} {
					cell, forum := costOf(t, s, label, steps, 20), costOf(t, s, "forum", steps, 20)
					ratio := cell.evaluations() / forum.evaluations()
					least, most = min(least, ratio), max(most, ratio)
					if cell.HVP != 2*steps {
						t.Errorf("%+v", cell)
					}
					if steps > 8 && (cell.Floats <= costOf(t, s, label, steps/2, 20).Floats || forum.Floats != costOf(t, s, "forum", 8, 20).Floats) {
						t.Errorf("%+v and %+v", cell, forum)
					}
				}
			}
			scenetest.About(t, "the least ratio", least, 2.4, 1)
			scenetest.About(t, "the largest ratio", most, 2.9, 1)
		}},
	},
	"upper": {
		{Says: "With 32 upper variables, forward mode computes by far the most products; reverse mode’s count stays the same.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				few := c.End(t, "n", "6")
				products := func(label string) int { return costOf(t, c.End(t), label, 32, 20).HVP }
				if products("moml forward") < 10*products("moml reverse") {
					t.Errorf("%d products and %d", products("moml forward"), products("moml reverse"))
				}
				for _, cell := range costs(t, c.End(t)) {
					if cell.label() == "moml forward" {
						continue
					}
					if before := costOf(t, few, cell.label(), cell.T, cell.P); cell.HVP != before.HVP || cell.Method == "forum" && cell.HVP != 0 {
						t.Errorf("%d products, with n = 6 %d", cell.HVP, before.HVP)
					}
				}
			}},
		{Says: "Forward mode needs 32 products for each lower step, and its largest problems take too long to measure here. FORUM computes none.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				for _, cell := range costs(t, s) {
					if cell.label() == "forum" && cell.HVP != 0 {
						t.Errorf("%+v", cell)
					}
					forward := cell.label() == "moml forward"
					if large := forward && (cell.T == 64 || cell.P == 64); cell.TooLarge != large || forward && !large && cell.HVP != 32*cell.T {
						t.Errorf("%+v", cell)
					}
				}
			}},
	},
	"objectives": {
		{Says: "With eight objectives, MOML and MoCo go back through the loop eight times; FORUM never does.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				for _, cell := range costs(t, c.End(t)) {
					if cell.Method == "forum" && cell.HVP != 0 || cell.Method != "forum" && (cell.Mode != "reverse" || cell.HVP != 8*cell.T) {
						t.Errorf("%+v", cell)
					}
				}
			}},
		{Says: "FORUM needs only one more upper gradient for each additional objective, which is cheap compared with the loop.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s, fewer := c.End(t), c.End(t, "m", "7")
				for _, cell := range costs(t, s) {
					if before := costOf(t, fewer, cell.label(), cell.T, cell.P); cell.Method == "forum" && cell.Gradients != before.Gradients+1 {
						t.Errorf("%d gradients, with m = 7 %d", cell.Gradients, before.Gradients)
					}
					// In multiplications, an upper gradient costs n + p, and a lower gradient p(n + p).
					if upper, loop := cell.n+cell.P, cell.T*cell.P*(cell.n+cell.P); 20*upper > loop {
						t.Errorf("T = %d, p = %d: %d multiplications beside %d", cell.T, cell.P, upper, loop)
					}
				}
			}},
	},
	"memory": {
		{Says: "Reverse mode stores every point of the loop, so its memory grows; forward mode’s and FORUM’s memory does not. Forward mode " +
			"keeps a block of numbers that does not grow with the loop; FORUM does not even need such a block.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				if axis := s.Params().Text("axis"); axis != "linear" {
					t.Errorf("the axes are %s", axis)
				}
				for label, growth := range map[string]int{"forum": 0, "moml forward": 0, "moml reverse": 12 * 480, "moco reverse": 12 * 480} {
					if got := costOf(t, s, label, 512, 12).Floats - costOf(t, s, label, 32, 12).Floats; got != growth {
						t.Errorf("%s holds %d floats more for 480 points of 12 numbers", label, got)
					}
				}
				table := func(p int) int {
					return costOf(t, s, "moml forward", 16, p).Floats - costOf(t, s, "moml reverse", 16, p).Floats
				}
				if got := table(20) + 16*20; got != 6*20 { // np instead of pT
					t.Errorf("the table has %d numbers", got)
				}
				if f := costOf(t, s, "forum", 512, 12).Floats; f >= costOf(t, s, "moml forward", 512, 12).Floats {
					t.Errorf("FORUM holds %d", f)
				}
			}},
	},
	"price": {
		{Says: "If a product costs three gradients, a long loop costs MOML or MoCo seven times as much as FORUM.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				price := s.Params().Value("hvpprice").(float64)
				long := int(scenetest.Reference(t, bilevelcost.About, "price", "seven to one").X)
				forum := costOf(t, s, "forum", long, 20).evaluations()
				for _, label := range []string{"moml reverse", "moco reverse"} {
					cell := costOf(t, s, label, long, 20)
					scenetest.About(t, label+" at the price", (float64(cell.Gradients)+price*float64(cell.HVP))/forum, 7, 0)
				}
				if price != 3 || s.Params().Text("count") != "both" {
					t.Errorf("the price is %v, the pictures count %s", price, s.Params().Text("count"))
				}
			}},
		{Says: "With automatic differentiation, a product may cost three gradients. If it cost one gradient, the factor would be three.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				forum := costOf(t, s, "forum", 128, 20).evaluations()
				for _, label := range []string{"moml reverse", "moco reverse"} {
					scenetest.About(t, label, costOf(t, s, label, 128, 20).evaluations()/forum, 3, 0)
				}
				if d, _ := s.Params().Lookup("hvpprice"); !strings.Contains(d.Help, "2 to 4 with automatic differentiation") {
					t.Errorf("the help says %q", d.Help)
				}
			}},
	},
	"short": {
		{Says: "With loops of up to eight steps, MOML and MoCo need at most 2.4 times as many evaluations as FORUM.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s, most := c.End(t), 0.0
				for _, cell := range costs(t, s) {
					if cell.T > 8 {
						t.Errorf("T = %d", cell.T)
					}
					most = max(most, cell.evaluations()/costOf(t, s, "forum", cell.T, cell.P).evaluations())
				}
				scenetest.About(t, "the largest ratio", most, 2.4, 1)
			}},
		{Says: "Short loops also store few points. Below T = 4, FORUM holds more floats than MOML, because it needs ∇f at both ends of the loop.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				for _, cell := range costs(t, s) {
					if cell.Method == "moml" {
						if more := costOf(t, s, "forum", cell.T, cell.P).Floats > cell.Floats; more != (cell.T < 4) {
							t.Errorf("T = %d, p = %d: FORUM holds more: %v", cell.T, cell.P, more)
						}
					}
				}
			}},
	},
}

func TestCards(t *testing.T) { claims.Check(t, bilevelcost.About) }

// help lists the statements of the parameters' help texts that runs can test.
var help = scenetest.CardClaims{
	"n": {{Says: "Forward mode computes nT products and holds np floats.", Holds: func(t testing.TB, c *scenetest.Card) {
		few, many := costOf(t, c.End(t, "n", "6"), "moml forward", 16, 20), costOf(t, c.End(t, "n", "7"), "moml forward", 16, 20)
		if few.HVP != 6*16 || many.HVP != 7*16 || many.Floats-few.Floats < 20 {
			t.Errorf("%+v and %+v", few, many)
		}
	}}},
	"m": {{Says: "Reverse mode goes back through the loop once for each objective, so it computes mT products.",
		Holds: func(t testing.TB, c *scenetest.Card) {
			if cell := costOf(t, c.End(t, "m", "5"), "moml reverse", 16, 20); cell.HVP != 5*16 {
				t.Errorf("%+v", cell)
			}
		}}},
	"measurement": {{Says: "Counts stay the same", Holds: func(t testing.TB, c *scenetest.Card) {
		again := c.End(t, "measurement", "2")
		for _, cell := range costs(t, c.End(t)) {
			if other := costOf(t, again, cell.label(), cell.T, cell.P); cell.evaluations() != other.evaluations() || cell.Floats != other.Floats {
				t.Errorf("%+v and %+v", cell, other)
			}
		}
	}}},
}

func TestHelp(t *testing.T) { help.CheckHelp(t, bilevelcost.About) }
