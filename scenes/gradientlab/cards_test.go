package gradientlab_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/engine/session"
	"paretoplay/scenes/gradientlab"
)

// labDecision is a method's decision on the gradients.
type labDecision struct {
	Method, Status string
	Norm           float64
	Direction      []float64
	Weights        []float64
	Change         []float64
	Cosines        []float64
	Worse          []int // objectives, from 1
}

// decisionOf returns a method's decision.
func decisionOf(t testing.TB, s scene.Scene, method string) labDecision {
	t.Helper()
	all := scenetest.Results[struct{ Methods []labDecision }](t, s).Methods
	i := slices.IndexFunc(all, func(d labDecision) bool { return d.Method == method })
	if i < 0 {
		t.Fatalf("%s has not decided", method)
	}
	return all[i]
}

// turned returns the angle, in degrees, between the directions of two methods.
func turned(t testing.TB, s scene.Scene, a, b string) float64 {
	t.Helper()
	d, e := decisionOf(t, s, a), decisionOf(t, s, b)
	dot := 0.0
	for i, v := range d.Direction {
		dot += v * e.Direction[i]
	}
	return math.Acos(max(-1, min(dot/(d.Norm*e.Norm), 1))) * 180 / math.Pi
}

func apart(x, y []float64) float64 { return math.Hypot(x[0]-y[0], x[1]-y[1]) }

var claims = scenetest.CardClaims{
	"summary": {
		{Says: "Three people carry a table. Each points in the direction that makes things worse for them fastest: these arrows, which you " +
			"can drag, are the gradients of three objectives. The other arrows are the methods’ directions. A method steps against its arrow.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				grips := 0
				for _, h := range scenetest.Handles(s) {
					if strings.HasPrefix(h.Label, "gradient ") {
						grips++
					}
				}
				if grips != 3 {
					t.Errorf("%d gradients can be dragged", grips)
				}
				if r := scenetest.Results[struct{ Objectives, Variables int }](t, s); r.Objectives != 3 || r.Variables != 2 {
					t.Errorf("%+v", r)
				}
				for _, method := range []string{"ls", "mgda", "pcgrad", "cagrad"} {
					if d := decisionOf(t, s, method); d.Norm == 0 {
						t.Errorf("%s has no arrow", method)
					}
				}
			}},
		{Says: "To first order, a direction inside the shaded cone makes no objective worse; outside it, at least one gets worse.",
			Seeds: scenetest.Over(20, 0.9), Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				cone := scenetest.Results[struct{ Cone struct{ From, To float64 } }](t, s).Cone
				for _, method := range []string{"ls", "mgda", "pcgrad", "cagrad"} {
					d := decisionOf(t, s, method)
					angle := math.Atan2(d.Direction[1], d.Direction[0]) * 180 / math.Pi
					if inside := angle > cone.From && angle < cone.To; inside != (len(d.Worse) == 0) {
						t.Errorf("%s points to %v°, the cone goes from %v° to %v°, and %v get worse", method, angle, cone.From, cone.To, d.Worse)
					}
					// The predicted change is the effect of a step against the arrow.
					if want := -0.1 * (3*d.Direction[0] + 0.2*d.Direction[1]); math.Abs(d.Change[0]-want) > 1e-12 {
						t.Errorf("%s changes f₁ by %v, a step against its arrow by %v", method, d.Change[0], want)
					}
				}
			}},
	},
	"try": {
		{Says: "The mean (grey) is outside the cone: a step against it makes the third objective worse.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				d := decisionOf(t, s, "ls")
				if !slices.Equal(d.Worse, []int{3}) {
					t.Errorf("it makes %v worse", d.Worse)
				}
				cone := scenetest.Results[struct{ Cone struct{ From, To float64 } }](t, s).Cone
				if angle := math.Atan2(d.Direction[1], d.Direction[0]) * 180 / math.Pi; angle > cone.From && angle < cone.To {
					t.Errorf("it points to %v°, inside the cone", angle)
				}
				if r, g, b, _ := brush.Light.Look("ls").Hue.RGBA(); r != g || g != b {
					t.Errorf("its colour is %d, %d, %d", r, g, b)
				}
			}},
		{Says: "Drag the tip of g₃ to the right until the mean is inside.", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			s := c.Open(t)
			scenetest.Finish(t, s)
			handle := ""
			for _, h := range scenetest.Handles(s) {
				if strings.Contains(h.Label, "3") {
					handle = h.ID
				}
			}
			moves := 0
			for len(decisionOf(t, s, "ls").Worse) > 0 && moves < 50 {
				scenetest.Nudge(t, s, handle, 1, 0)
				scenetest.Finish(t, s)
				moves++
			}
			if x := s.Params().Value("gradients").([][]float64)[2]; moves == 0 || moves == 50 || x[1] != 1.3 {
				t.Errorf("g₃ is at %v after %d moves", x, moves)
			}
		}},
	},
	"done": {
		{Says: "The mean is now inside the cone: a step against it makes no objective worse.", Seeds: scenetest.Any,
			Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.Open(t)
				scenetest.Finish(t, s)
				seen := map[bool]bool{}
				for range 50 { // moves the third gradient right until the mean is well inside
					d := decisionOf(t, s, "ls")
					cone := scenetest.Results[struct{ Cone struct{ From, To float64 } }](t, s).Cone
					angle := math.Atan2(d.Direction[1], d.Direction[0]) * 180 / math.Pi
					inside := angle > cone.From && angle < cone.To
					if seen[inside] = true; inside != (len(d.Worse) == 0) {
						t.Errorf("inside: %v, and %v are made worse", inside, d.Worse)
					}
					scenetest.Nudge(t, s, "g-3", 1, 0)
					scenetest.Finish(t, s)
				}
				if len(seen) != 2 {
					t.Error("the mean does not come inside")
				}
			}},
	},
	"dataSummary": {
		{Says: "Your own Jacobian, one gradient per row. See which gradients conflict, which weights each method gives them, and which " +
			"objectives a step against each direction makes better or worse.", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			s := c.Open(t)
			if err := scenetest.Paste(s, gradientlab.About.Takes, "1,0\n-2,1\n"); err != nil {
				t.Fatal(err)
			}
			scenetest.Finish(t, s)
			if got := scenetest.Number(t, s, "conflicts"); got != 1 {
				t.Errorf("%v conflicts", got)
			}
			d := decisionOf(t, s, "ls")
			if !slices.Equal(d.Weights, []float64{0.5, 0.5}) || !slices.Equal(d.Worse, []int{1}) || !(d.Change[1] < 0) {
				t.Errorf("%+v", d)
			}
		}},
	},
	"dataTry": {
		{Says: "Paste up to 200 gradients in 10,000 variables, or choose a file. Then look for crosses: each marks an objective that a " +
			"method makes worse.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				jacobian := func(rows, columns int) error {
					row := strings.TrimSuffix(strings.Repeat("1,", columns), ",") + "\n"
					return scenetest.Paste(c.Open(t), gradientlab.About.Takes, strings.Repeat(row, rows))
				}
				if err := jacobian(200, 10_000); err != nil {
					t.Error(err)
				}
				if jacobian(201, 3) == nil || jacobian(2, 10_001) == nil {
					t.Error("more is taken as well")
				}
			}},
		{Says: "Your data stay in this browser.", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			data := session.Setup{Data: strings.NewReader("1.25,0\n-2,1\n")}
			s, err := session.NewConfigured(scene.List{gradientlab.About}, gradientlab.About.ID, data)
			if err != nil {
				t.Fatal(err)
			}
			settings := s.Settings()
			if link := settings.Hash(); strings.Contains(link, "1.25") {
				t.Errorf("the link is %s", link)
			}
		}},
	},
	"opposite": {
		{Says: "With opposite gradients, MGDA and PCGrad take no step; the mean continues at the cost of the shorter gradient’s objective.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				scenetest.About(t, "the angle", scenetest.Number(t, s, "angle.1.2"), 180, 9)
				for _, method := range []string{"mgda", "pcgrad"} {
					if d := decisionOf(t, s, method); d.Norm > 1e-12 {
						t.Errorf("%+v", d)
					}
				}
				if d := decisionOf(t, s, "ls"); d.Norm < 0.1 || !slices.Equal(d.Worse, []int{2}) {
					t.Errorf("%+v", d)
				}
				if !(scenetest.Number(t, s, "length.2") < scenetest.Number(t, s, "length.1")) {
					t.Error("the gradient of f₂ is not the shorter one")
				}
			}},
		{Says: "What helps one objective hurts the other. Nash-MTL has no solution.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				for _, method := range []string{"ls", "mgda", "pcgrad", "nashmtl"} {
					d := decisionOf(t, s, method)
					if (d.Status == "no-solution") != (method == "nashmtl") || d.Norm > 1e-12 && !(d.Change[0]*d.Change[1] < 0) {
						t.Errorf("%+v", d)
					}
				}
			}},
	},
	"huge": {
		{Says: "The mean follows the long gradient and makes the other objective worse; MGDA turns towards the short gradient.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				if d := decisionOf(t, s, "ls"); !slices.Equal(d.Worse, []int{2}) || d.Cosines[0] < 0.95 {
					t.Errorf("%+v", d)
				}
				if d := decisionOf(t, s, "mgda"); !(d.Cosines[1] > d.Cosines[0]+0.3) {
					t.Errorf("%+v", d)
				}
			}},
		{Says: "IMTL-G treats both gradients alike, regardless of their lengths.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				for _, s := range []scene.Scene{c.End(t), c.End(t, "gradients", "60,10;-0.6,0.8")} {
					if d := decisionOf(t, s, "imtlg"); math.Abs(d.Cosines[0]-d.Cosines[1]) > 1e-9 {
						t.Errorf("%+v", d)
					}
				}
			}},
	},
	"pcgrad": {
		{Says: "PCGrad removes conflicts pair by pair, but still leaves the cone and makes one objective worse.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				if d := decisionOf(t, c.End(t), "pcgrad"); len(d.Worse) != 1 {
					t.Errorf("%+v", d)
				}
				// With only two gradients, PCGrad's direction makes no objective worse.
				s := c.End(t, "view", "plane", "gradients", "1,0;-2,1")
				if d := decisionOf(t, s, "pcgrad"); len(d.Worse) > 0 || scenetest.Number(t, s, "conflicts") != 1 {
					t.Errorf("%+v", d)
				}
			}},
		{Says: "With three objectives, PCGrad can leave the cone whatever the order of the pairs; UPGrad stays inside the cone.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				orders := [][2]string{{"1,2", "2,1"}, {"2,0", "0,2"}, {"0,1", "1,0"}}
				for i := range 8 {
					order := orders[0][i&1] + ";" + orders[1][i>>1&1] + ";" + orders[2][i>>2]
					if d := decisionOf(t, c.End(t, "pcgrad.order", order), "pcgrad"); len(d.Worse) == 0 {
						t.Errorf("order %s: %+v", order, d)
					}
				}
				if d := decisionOf(t, c.End(t), "upgrad"); len(d.Worse) > 0 || d.Norm < 0.1 {
					t.Errorf("%+v", d)
				}
			}},
	},
	"cagrad": {
		{Says: "At c = 0, CAGrad’s arrow coincides with the mean’s.", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			s := c.End(t)
			if a, b := decisionOf(t, s, "cagrad"), decisionOf(t, s, "ls"); apart(a.Direction, b.Direction) > 1e-6 {
				t.Errorf("%v and %v", a.Direction, b.Direction)
			}
		}},
		{Says: "Raise c: CAGrad’s arrow turns towards MGDA’s.", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			before := turned(t, c.End(t), "cagrad", "mgda")
			for _, to := range []string{"0.2", "0.5", "1", "3", "10"} {
				angle := turned(t, c.End(t, "cagrad.c", to), "cagrad", "mgda")
				if angle > before+1e-9 {
					t.Errorf("c = %s turns it from %v° to %v°", to, before, angle)
				}
				before = angle
			}
			if before > 5 {
				t.Errorf("at c = 10 it is %v° from MGDA’s", before)
			}
		}},
	},
	"vertex": {
		{Says: "MGDA follows only the first gradient, the hull’s corner nearest to the origin.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				rows := s.Params().Value("gradients").([][]float64)
				if d := decisionOf(t, s, "mgda"); math.Abs(d.Weights[0]-1) > 1e-12 || apart(d.Direction, rows[0]) > 1e-12 {
					t.Errorf("%+v", d)
				}
				for _, other := range rows[1:] {
					if apart(other, []float64{0, 0}) <= apart(rows[0], []float64{0, 0}) {
						t.Errorf("%v is nearer", other)
					}
				}
			}},
		{Says: "A step against g₁ improves the other objectives even more.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				d := decisionOf(t, c.End(t), "mgda")
				if !(d.Change[1] < d.Change[0] && d.Change[2] < d.Change[0] && d.Change[0] < 0) {
					t.Errorf("%+v", d)
				}
			}},
		{Says: "UPGrad and the mean use all three gradients and are equal if no two gradients conflict.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				for _, method := range []string{"upgrad", "ls"} {
					if d := decisionOf(t, s, method); slices.Min(d.Weights) < 0.3 {
						t.Errorf("%+v", d)
					}
				}
				if angle := turned(t, s, "upgrad", "ls"); angle > 1e-5 || scenetest.Number(t, s, "conflicts") != 0 {
					t.Errorf("they are %v° apart", angle)
				}
			}},
	},
	"nash": {
		{Says: "With α = 1, FairGrad equals Nash-MTL, and the two arrows coincide.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				if a, b := decisionOf(t, s, "fairgrad"), decisionOf(t, s, "nashmtl"); apart(a.Direction, b.Direction) > 1e-6 {
					t.Errorf("%v and %v", a.Direction, b.Direction)
				}
			}},
		{Says: "Raise α: FairGrad turns towards MGDA’s direction, which here improves both objectives equally.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				before := turned(t, c.End(t), "fairgrad", "mgda")
				for _, alpha := range []string{"2", "5", "20", "100"} {
					angle := turned(t, c.End(t, "fairgrad.alpha", alpha), "fairgrad", "mgda")
					if angle >= before {
						t.Errorf("α = %s turns it from %v° to %v°", alpha, before, angle)
					}
					before = angle
				}
				d := decisionOf(t, c.End(t), "mgda")
				if before > 1 || math.Abs(d.Change[0]-d.Change[1]) > 1e-9 {
					t.Errorf("it ends %v° from MGDA, which changes the objectives by %v", before, d.Change)
				}
			}},
	},
	"equal": {
		{Says: "IMTL-G and ConFIG give equal shares to all gradients; they point the same way but differ in length.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) { equalShares(t, c.End(t)) }},
		{Says: "Their direction does not depend on the gradients’ lengths.", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			way := decisionOf(t, c.End(t), "imtlg")
			for _, s := range []scene.Scene{c.End(t, "gradients", "24,7;-0.75,1"), c.End(t, "gradients", "2.4,0.7;-7.5,10")} {
				equalShares(t, s)
				d := decisionOf(t, s, "imtlg")
				if cos := (d.Direction[0]*way.Direction[0] + d.Direction[1]*way.Direction[1]) / (d.Norm * way.Norm); cos < 1-1e-12 {
					t.Errorf("%v and %v", d.Direction, way.Direction)
				}
			}
		}},
		{Says: "Make g₁ twice as long: ConFIG’s arrow grows by two thirds, IMTL-G’s by a fifth.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				before, after := c.End(t), c.End(t, "gradients", "4.8,1.4;-0.75,1")
				for method, want := range map[string]float64{"config": 5. / 3, "imtlg": 6. / 5} {
					if got := decisionOf(t, after, method).Norm / decisionOf(t, before, method).Norm; math.Abs(got-want) > 1e-9 {
						t.Errorf("%s grows to %v of what it was", method, got)
					}
				}
			}},
	},
}

// equalShares checks that the directions of IMTL-G and ConFIG make equal angles with both gradients. It also checks the
// directions' lengths.
func equalShares(t testing.TB, s scene.Scene) {
	t.Helper()
	a, b := decisionOf(t, s, "imtlg"), decisionOf(t, s, "config")
	if turned(t, s, "imtlg", "config") > 1e-5 || !(b.Norm > 2*a.Norm) {
		t.Errorf("%+v and %+v", a, b)
	}
	for _, d := range []labDecision{a, b} {
		if math.Abs(d.Cosines[0]-d.Cosines[1]) > 1e-9 || d.Cosines[0] < 0.3 {
			t.Errorf("%+v", d)
		}
	}
}

func TestCards(t *testing.T) { claims.Check(t, gradientlab.About) }

// help holds the statements of the parameters' help that runs can test.
var help = scenetest.CardClaims{
	"cagrad.c": {{Says: "0 follows the mean gradient exactly.", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
		if angle := turned(t, c.End(t, "cagrad.c", "0"), "cagrad", "ls"); angle > 1e-5 {
			t.Errorf("they are %v° apart", angle)
		}
	}}},
	"fairgrad.alpha": {{Says: "1 is Nash-MTL; larger values favour the objective that gains least.",
		Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			s := c.End(t, "method", "nashmtl,fairgrad", "fairgrad.alpha", "1")
			if angle := turned(t, s, "fairgrad", "nashmtl"); angle > 1e-3 {
				t.Errorf("they are %v° apart", angle)
			}
			large := decisionOf(t, c.End(t, "method", "fairgrad", "fairgrad.alpha", "50"), "fairgrad")
			small := decisionOf(t, s, "fairgrad")
			if a, b := slices.Max(small.Change)/small.Norm, slices.Max(large.Change)/large.Norm; !(b < a) {
				t.Errorf("the least gain a length goes from %v to %v", -a, -b)
			}
		}}},
	"sdmgrad.kappa": {{Says: "0 is MGDA; large values follow the mean gradient",
		Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			const methods = "ls,mgda,sdmgrad"
			if angle := turned(t, c.End(t, "method", methods, "sdmgrad.kappa", "0"), "sdmgrad", "mgda"); angle > 1e-5 {
				t.Errorf("at 0 they are %v° apart", angle)
			}
			before := 180.0
			for _, kappa := range []string{"0", "1", "3", "10"} {
				angle := turned(t, c.End(t, "method", methods, "sdmgrad.kappa", kappa), "sdmgrad", "ls")
				if angle > before+1e-6 {
					t.Errorf("κ = %s brings it from %v° to %v° of the mean", kappa, before, angle)
				}
				before = angle
			}
			if before > 10 {
				t.Errorf("at 10 they are %v° apart", before)
			}
		}}},
	"cagrad.rescale": {{Says: "so that it is never longer than the mean gradient.",
		Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			for _, radius := range []string{"0.1", "0.5", "1", "5"} {
				s := c.End(t, "cagrad.rescale", "lin", "cagrad.c", radius)
				if d, mean := decisionOf(t, s, "cagrad").Norm, decisionOf(t, s, "ls").Norm; d > mean*(1+1e-9) {
					t.Errorf("c = %s: it is %v long, the mean %v", radius, d, mean)
				}
			}
		}}},
}

func TestHelp(t *testing.T) { help.CheckHelp(t, gradientlab.About) }

// TestLessonOfNobodyHurt checks what lesson 2 says about PCGrad on gradients for which no step helps every objective.
// In any order of projections at least one objective gets worse, and the order decides which one.
func TestLessonOfNobodyHurt(t *testing.T) {
	c := scenetest.NewCard(gradientlab.About, "")
	paying := map[int]bool{}
	for _, first := range []string{"1,2", "2,1"} {
		for _, second := range []string{"0,2", "2,0"} {
			for _, third := range []string{"0,1", "1,0"} {
				order := first + ";" + second + ";" + third
				d := decisionOf(t, c.End(t, "gradients", "2.4,0.4;-1.2,-1.4;-0.6,1.9", "method", "pcgrad", "pcgrad.order", order), "pcgrad")
				if len(d.Worse) == 0 {
					t.Errorf("order %s: nobody pays", order)
				}
				for _, objective := range d.Worse {
					paying[objective] = true
				}
			}
		}
	}
	if len(paying) < 2 {
		t.Errorf("only %v pays", paying)
	}
}
