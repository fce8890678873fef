package claims

import (
	"fmt"
	"slices"
	"strings"

	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/study/blocksmoo"
)

// ofBlocks describes the table for the experiment "block-smoo".
var ofBlocks = reproduction{
	elsewhere: true,
	paper:     "Block-SMOO", theirs: "Figure 1: " + figure1 + ". Table 1: " + table1,
	here: "drawn data of the same sizes; seconds of this machine’s processor; with -data your own table, such as the air of Beijing. The " +
		"paper states neither r of Table 1 nor the meaning of a pass, so each reading has separate rows",
	lacks: "the air of Beijing, unless -data contains it",
	kept:  keptAlternation, readAs: []string{keptAlternation}, fill: fillBlocks,
}

// readings describes the ways to count a pass, by their names in files.
var readings = map[string]string{"step": "one batch per step", "visit": "one batch per visit", "outer": "one batch per outer iteration",
	"cost": "equal multiplications"}

func fillBlocks(t *table) {
	tables, is := t.outcome.(*blocksmoo.Tables)
	if !is {
		fail(fmt.Errorf("the outcome is %T", t.outcome))
	}
	const early = 0.1 // share of the budget: the first record in the paper's figure
	losses := func(method string, tuned bool) []float64 {
		v := tables.Raced(method, tuned, early)
		if v == nil {
			fail(absent{fmt.Errorf("no losses of %s", method)})
		}
		return v
	}
	for _, tuned := range []bool{true, false} {
		title := "each at its best"
		if !tuned {
			title = "the same step size for all"
		}
		t.begin("Loss after a tenth of the time, "+title, "ratio of test losses", true)
		for _, c := range []struct{ a, b, of, says string }{
			{sweeps.BlockSMOO, sweeps.WeightedSum, "Block-SMOO over weighted sum", "a curve: significantly quicker"},
			{sweeps.BlockSMOO, sweeps.FunctionAlternate, "Block-SMOO over Function-Alternate", "a curve: consistently outpaced"},
			{sweeps.BlockSMOO, sweeps.BlockAlternate, "Block-SMOO over Block-Alternate", "a curve: consistently outpaced"},
			{sweeps.FunctionAlternate, sweeps.WeightedSum, "Function-Alternate over weighted sum", "a curve: moderate improvements"},
			{sweeps.BlockAlternate, sweeps.WeightedSum, "Block-Alternate over weighted sum", "a curve: moderate improvements"},
		} {
			t.toward(c.of, "Figure 1", c.says, less, 1, 2, func() measured { return sooner(losses(c.a, tuned), losses(c.b, tuned)) })
		}
	}
	t.begin("Cost to a test loss of 0.01, α = 0.005, {U, V}", "ratio of multiply-adds", true)
	for _, m := range []string{"1", "4", "8"} {
		t.toward("2 turns over "+m, "4.3", "a sentence: m_k = 2 turns are the most efficient of 1, 2, 4, 8", less, 1, 2, func() measured {
			two, other := t.costsOfTurns("2"), t.costsOfTurns(m)
			var a, b []float64
			for _, seed := range t.values("seed", "part=count") { // only the usual m_k has runs with additional seeds
				v, is := two[seed]
				w, has := other[seed]
				if is && has {
					a, b = append(a, v), append(b, w)
				}
			}
			return sooner(a, b)
		})
	}
	ours, theirs := blocksmoo.Published()
	fronts := []string{"part=front"}
	for _, g := range []struct {
		title, quantity string
		number          int
		log             bool
	}{
		{"Purity of the fronts", "difference of purities", 0, false}, {"Largest gap Γ", "difference in Γ", 1, false},
		{"Spread Δ", "ratio of Δ", 2, true},
	} {
		t.begin(g.title+", Block-SMOO against the weighted sum", g.quantity, g.log)
		for _, r := range t.values("r", fronts...) {
			for _, pass := range t.values("pass", append(slices.Clone(fronts), "r="+r)...) {
				of := fmt.Sprintf("r = %s, %s", r, readings[pass])
				numbers := func() (a, b []float64) { return t.frontNumbers("r="+r, "pass="+pass, g.number) }
				switch g.number {
				case 0:
					t.gap(of, "Table 1", plain(ours.Purity), plain(theirs.Purity), 4, func() measured { return gap(numbers()) })
				case 1:
					t.gap(of, "Table 1", plain(ours.Gamma), plain(theirs.Gamma), 4, func() measured { return gap(numbers()) })
				default:
					t.alike(of, "Table 1", "a similar value: "+differenceText(ours.Delta, theirs.Delta, 4), 1/1.1, 1.1, 2,
						func() measured { return times(numbers()) })
				}
			}
		}
	}
}

// costsOfTurns returns, by seed, how many million multiply-adds Block-SMOO needs to reach a test loss of 0.01 with the
// given number of turns m_k.
func (t *table) costsOfTurns(turns string) map[string]float64 {
	rows := where(t.cells, "part=count", "method=blocksmoo", "shared=false", "partition=U V", "m="+turns)
	out := map[string]float64{}
	for _, row := range rows {
		alpha, level := slices.Index(strings.Fields(row["alphas"]), "0.005"), slices.Index(strings.Fields(row["levels"]), "0.01")
		if alpha >= 0 && level >= 0 {
			out[row["seed"]] = t.cell(row, alpha, level)
		}
	}
	if len(out) == 0 {
		fail(absent{fmt.Errorf("no costs with m_k = %s", turns)})
	}
	return out
}
