package check

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// finding is a section of docs/findings.md: the commands that support it, and what their output must contain for the
// section's numbers to be right.
type finding struct {
	commands []string // as in the document
	says     []string // the checked statements, in order
	// kept is a file in docs with the same statements, whose own test compares them with stored numbers. It is "" if the
	// test runs commands.
	kept  string
	holds func(t *testing.T, output map[string]string)
}

// shownRun holds the fields of run -json that findings use.
type shownRun struct {
	Runs []struct {
		Method   string
		Iterates []struct {
			K, HVP     int
			X, F       []float64
			BP         int
			E          float64
			Excess     float64 `json:"q_exact"`
			Cost       float64
			Stationary float64 `json:"stationarity"`
		}
	}
}

func readRun(t *testing.T, output string) shownRun {
	t.Helper()
	var out shownRun
	if err := json.Unmarshal([]byte(output), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// collapsedOf returns how many of a run's solutions end at an end of Fonseca's front, and the total number of solutions.
func collapsedOf(t *testing.T, output string) (n, all int) {
	t.Helper()
	for _, r := range readRun(t, output).Runs {
		if all++; slices.Min(r.Iterates[len(r.Iterates)-1].F) < 0.05 {
			n++
		}
	}
	return n, all
}

// needed returns the smallest and the largest number of iterations after which a method's runs stay within a distance of
// the solutions.
func needed(t *testing.T, output, method string, within float64) (least, most int) {
	t.Helper()
	least = math.MaxInt
	for _, r := range readRun(t, output).Runs {
		if r.Method != method {
			continue
		}
		k := len(r.Iterates)
		for k > 0 && r.Iterates[k-1].E <= within {
			k--
		}
		if k == len(r.Iterates) {
			t.Errorf("a run of %s does not stay within %v", method, within)
		}
		least, most = min(least, k), max(most, k)
	}
	return least, most
}

// table returns the rows of a CSV text, with the cells of each row by column name.
func table(t *testing.T, output string) []map[string]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(output)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for _, row := range rows[1:] {
		line := map[string]string{}
		for i, name := range rows[0] {
			line[name] = row[i]
		}
		out = append(out, line)
	}
	return out
}

func numberIn(t *testing.T, line map[string]string, column string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(line[column], 64)
	if err != nil {
		t.Fatalf("%s: %v in %v", column, err, line)
	}
	return v
}

const (
	showLS        = "paretoplay run -scene fonseca -set starts=20 -set method=ls -json -"
	showMGDA      = "paretoplay run -scene fonseca -set starts=20 -set method=mgda -json -"
	showPeriodic  = "paretoplay run -scene fonseca -set starts=20 -json -"
	showMomentum  = "paretoplay run -scene fonseca -set starts=20 -set momentum=0.9 -json -"
	showStaleness = "paretoplay experiment fonseca-staleness -csv -"
	showBowlsCA   = "paretoplay experiment fonseca-staleness -set weighting=cagrad -set problem=quadratic -csv -"
	showBowlsSDM  = "paretoplay experiment fonseca-staleness -set weighting=sdmgrad -set problem=quadratic -csv -"
	showStaleCA   = "paretoplay experiment fonseca-staleness -set weighting=cagrad -csv -"
	showStaleSDM  = "paretoplay experiment fonseca-staleness -set weighting=sdmgrad -csv -"
	showBilevel   = "paretoplay run -scene bilevel -json -"
	showNoPull    = "paretoplay run -scene bilevel -set method=forum -set rho=0 -json -"
	showShort     = "paretoplay run -scene bilevel -set T=1 -steps 600 -json -"
	showFixed     = "paretoplay run -scene bilevel -set warm=false -json -"
	showCost      = "paretoplay experiment forum-cost -quick -csv -"
	showCorner    = "paretoplay run -scene clusters -set starts=corner -set budget=20 -set method=most,most-o,most-m -json -"
	showRing      = "paretoplay run -scene clusters -set layout=ring -set method=most,most-l -json -"
	showBlurred   = "paretoplay run -scene transport -set eps=0.02 -set budget=5000 -json -"
	showSharp     = "paretoplay run -scene transport -set eps=0.002 -set budget=5000 -json -"
	showStopped   = "paretoplay run -scene transport -set beta=10 -set budget=100 -json -"
)

// sharing describes how each method divides the goals of the clusters scene among the method's solutions.
type sharing struct {
	OracleLoss float64
	Won        []float64
}

func sharingOf(t *testing.T, output, method string) sharing {
	t.Helper()
	var out struct{ Results map[string]sharing }
	if err := json.Unmarshal([]byte(output), &out); err != nil {
		t.Fatal(err)
	}
	return out.Results[method]
}

// winners returns how many solutions win a goal.
func (s sharing) winners() (n int) {
	for _, share := range s.Won {
		if share > 0 {
			n++
		}
	}
	return n
}

// findings holds, by title, the sections of docs/findings.md that are tested here. The others are tested with their experiments.
var findings = map[string]finding{
	"Fonseca": {
		commands: []string{showLS, showMGDA, showPeriodic, showMomentum, showStaleness, showBowlsCA, showBowlsSDM, showStaleCA, showStaleSDM},
		says: []string{"all 20 runs end at an end of the front", "2 of 20 of MGDA's and of PSMGD's",
			"as many iterations for 5 backpropagations instead of 8",
			"all 20 collapse",
			"Below 1.1 no more runs collapse than with new weights, 4 of 60; above 3.4 at least 48 of 60 do",
			"on the convex front of two bowls 0 of 60 runs collapse in all 90 cells of either map, with R up to 32 and α up to 0.9",
			"60 of 60 collapse with new weights in every step, and in every other cell at least 56", "SDMGrad's map is MGDA's within 6 of 60 runs"},
		holds: func(t *testing.T, output map[string]string) {
			for command, want := range map[string]int{showLS: 20, showMGDA: 2, showPeriodic: 2, showMomentum: 20} {
				if n, all := collapsedOf(t, output[command]); n != want || all != 20 {
					t.Errorf("%s: %d of %d", command, n, all)
				}
			}
			spent := map[string]int{}
			for _, command := range []string{showMGDA, showPeriodic} {
				for _, r := range readRun(t, output[command]).Runs {
					spent[command] += r.Iterates[len(r.Iterates)-1].BP
				}
			}
			if 8*spent[showPeriodic] != 5*spent[showMGDA] {
				t.Errorf("they spend %v", spent)
			}
			young, old := 0.0, 60.0
			for _, line := range table(t, output[showStaleness]) {
				collapsed, age := numberIn(t, line, "collapsed"), numberIn(t, line, "age")
				switch {
				case line["runs"] != "60", age == 0 && collapsed != 4:
					t.Errorf("%v", line)
				case age < 1.1:
					young = max(young, collapsed)
				case age > 3.4:
					old = min(old, collapsed)
				}
			}
			if young > 4 || old < 48 {
				t.Errorf("below 1.1 up to %v collapse, above 3.4 at least %v", young, old)
			}
			for _, command := range []string{showBowlsCA, showBowlsSDM} {
				most, cells := 0.0, table(t, output[command])
				for _, line := range cells {
					most = max(most, numberIn(t, line, "collapsed"))
				}
				if most > 0 || len(cells) != 90 || cells[89]["R"] != "32" || cells[89]["momentum"] != "0.9" || cells[89]["runs"] != "60" {
					t.Errorf("%s: up to %v collapse in %d cells, the last %v", command, most, len(cells), cells[len(cells)-1])
				}
			}
			for _, line := range table(t, output[showStaleCA]) {
				n := numberIn(t, line, "collapsed")
				if fresh := line["R"] == "1" && line["momentum"] == "0.0"; fresh && n != 60 || n < 56 {
					t.Errorf("CAGrad: %v", line)
				}
			}
			for i, line := range table(t, output[showStaleSDM]) {
				plain := table(t, output[showStaleness])[i]
				if off := numberIn(t, line, "collapsed") - numberIn(t, plain, "collapsed"); line["age"] != plain["age"] || math.Abs(off) > 6 {
					t.Errorf("SDMGrad: %v, MGDA: %v", line, plain)
				}
			}
		},
	},
	"Quadratic bilevel": {
		commands: []string{showBilevel, showNoPull, showShort, showFixed},
		says: []string{"within 0.001 of the solutions after 45 to 66 iterations, MOML and MoCo after 1 to 9",
			"20,000 Hessian-vector products a run", "q = 0.25, 2.25 and 0.1",
			"59 to 181 iterations", "220 to 240", "459 to 501", "between 0.001 and 0.012"},
		holds: func(t *testing.T, output map[string]string) {
			if least, most := needed(t, output[showBilevel], "forum", 0.001); least != 45 || most != 66 {
				t.Errorf("FORUM needs %d to %d iterations", least, most)
			}
			a, b := needed(t, output[showBilevel], "moml", 0.001)
			if c, d := needed(t, output[showBilevel], "moco", 0.001); min(a, c) != 1 || max(b, d) != 9 {
				t.Errorf("MOML needs %d to %d, MoCo %d to %d", a, b, c, d)
			}
			for _, r := range readRun(t, output[showBilevel]).Runs {
				if got := r.Iterates[len(r.Iterates)-1].HVP; got != map[string]int{"moml": 20_000, "moco": 20_000}[r.Method] {
					t.Errorf("a run of %s makes %d products", r.Method, got)
				}
			}
			for i, r := range readRun(t, output[showNoPull]).Runs {
				end := r.Iterates[len(r.Iterates)-1]
				if math.Abs(end.Excess-[]float64{0.25, 2.25, 0.1}[i]) > 0.005 || end.Stationary > 1e-12 {
					t.Errorf("run %d ends at q = %v, √KKT = %v", i+1, end.Excess, end.Stationary)
				}
			}
			for method, want := range map[string][2]int{"forum": {59, 181}, "moco": {220, 240}, "moml": {459, 501}} {
				if least, most := needed(t, output[showShort], method, 0.01); [2]int{least, most} != want {
					t.Errorf("with T = 1 %s needs %d to %d iterations", method, least, most)
				}
			}
			for _, r := range readRun(t, output[showFixed]).Runs {
				if e := r.Iterates[len(r.Iterates)-1].E; e < 0.001 || e > 0.012 {
					t.Errorf("with a fixed start a run of %s ends at E = %v", r.Method, e)
				}
			}
		},
	},
	"Cost of differentiating": {
		commands: []string{showCost},
		says: []string{"T + m + 1 gradients", "T + m gradients and mT Hessian-vector products in reverse mode or nT in forward mode",
			"n = 8, m = 2 and p = 32", "310 floats for every T, MOML from 450 at T = 8 to 4290 at T = 128 in reverse mode and 450 in forward mode",
			"2.95 times as much as FORUM at T = 128, towards 1 + m times for large T"},
		holds: func(t *testing.T, output map[string]string) {
			held, evaluated := map[string]string{}, map[string]float64{}
			for _, line := range table(t, output[showCost]) {
				n, m, steps := numberIn(t, line, "n"), numberIn(t, line, "m"), numberIn(t, line, "T")
				method := strings.TrimSuffix(line["method"]+" "+line["mode"], " ")
				gradients, products := steps+m, m*steps
				switch method {
				case "forum":
					gradients, products = gradients+1, 0
				case "moml forward":
					products = n * steps
				}
				if n != 8 || m != 2 || numberIn(t, line, "gradients") != gradients || numberIn(t, line, "hvp") != products {
					t.Errorf("%v", line)
				}
				if line["p"] == "32" {
					held[method+" "+line["T"]] = line["floats"]
					evaluated[method+" "+line["T"]] = gradients + products
				}
			}
			want := map[string]string{"moml reverse 8": "450", "moml reverse 128": "4290"}
			for _, steps := range []string{"8", "16", "32", "64", "128"} {
				want["forum "+steps], want["moml forward "+steps] = "310", "450"
			}
			for name, floats := range want {
				if held[name] != floats {
					t.Errorf("%s has %s, the document states %s", name, held[name], floats)
				}
			}
			ratio := evaluated["moml reverse 128"] / evaluated["forum 128"]
			if before := evaluated["moml reverse 64"] / evaluated["forum 64"]; math.Abs(ratio-2.95) > 0.005 || before >= ratio || ratio >= 3 {
				t.Errorf("MOML costs %v times as much, at T = 64 %v", ratio, before)
			}
		},
	},
	"Many goals": {
		commands: []string{showCorner, showRing},
		says: []string{"after 20 rounds, all five solutions of MosT win goals, in the first run below the most successful 0.3 of them",
			"MosT(O), one solution wins all", "MosT(M), two win any", "0.135 with MosT and 1.77 with either",
			"its loss is 0.072 where MosT's is 0.57"},
		holds: func(t *testing.T, output map[string]string) {
			corner, ring := output[showCorner], output[showRing]
			for method, want := range map[string]struct {
				winners int
				loss    float64
			}{"most": {5, 0.135}, "most-o": {1, 1.77}, "most-m": {2, 1.77}} {
				if got := sharingOf(t, corner, method); got.winners() != want.winners || math.Abs(got.OracleLoss-want.loss) > 0.005 {
					t.Errorf("%s from the corner: %+v", method, got)
				}
			}
			if won := slices.Max(sharingOf(t, corner, "most").Won); math.Abs(won-0.3) > 1e-12 {
				t.Errorf("the most successful solution wins %v", won)
			}
			equal, most := sharingOf(t, ring, "most-l"), sharingOf(t, ring, "most")
			for _, share := range equal.Won {
				if math.Abs(share-0.2) > 1e-12 {
					t.Errorf("on the ring MosT(L) wins %v", equal.Won)
				}
			}
			if math.Abs(equal.OracleLoss-0.072) > 0.0005 || math.Abs(most.OracleLoss-0.57) > 0.005 {
				t.Errorf("on the ring the losses are %v and %v", equal.OracleLoss, most.OracleLoss)
			}
		},
	},
	"Transport": {
		commands: []string{showBlurred, showSharp, showStopped},
		says: []string{"11 pivots where Sinkhorn, with ε = 0.02 of the range of costs, is done after 120 iterations at 1.44 times the least cost",
			"with ε = 0.002 after 2854 at 1.0013 times", "after 100 iterations with β = 10 its marginal error is 1.8e-6, and the cost three " +
				"times the least"},
		holds: func(t *testing.T, output map[string]string) {
			var least float64
			end := func(command, method string) (k int, times, off float64) {
				for _, r := range readRun(t, output[command]).Runs {
					if last := r.Iterates[len(r.Iterates)-1]; r.Method == "exact" {
						if least = last.Cost; last.K != 11 {
							t.Errorf("the exact solver takes %d pivots", last.K)
						}
					} else if r.Method == method {
						k, times, off = last.K, last.Cost, last.F[0]
					}
				}
				return k, times / least, off
			}
			for command, want := range map[string][2]float64{showBlurred: {120, 1.44}, showSharp: {2854, 1.0013}} {
				if k, times, _ := end(command, "sinkhorn"); float64(k) != want[0] || math.Abs(times-want[1]) > 0.01*(want[1]-1)+5e-5 {
					t.Errorf("%s: %d iterations, %v times the least cost", command, k, times)
				}
			}
			if k, times, off := end(showStopped, "ipot"); k != 100 || math.Abs(times-3) > 0.05 || math.Abs(off-1.8e-6) > 5e-8 {
				t.Errorf("%d iterations of IPOT: %v times the least cost, marginal error %v", k, times, off)
			}
		},
	},
	"Clients that differ": {kept: "docs/syn.md",
		says: []string{"5.8 ± 0.5, 2.6 ± 1.9 and 1.3 ± 0.4 points", "7.0, 2.9 and 1.7", "1.2 ± 0.7, 4.6 ± 0.7 and 4.6 ± 1.3 points",
			"ρ1 changes no label and no feature, because it adds the same number to the scores of all classes"}},
	"Fronts": {kept: "docs/zdt.md",
		says: []string{"5.73 ± 0.08", "6.72 ± 0.07", "6.17 ± 0.16", "+0.338 ± 0.239", "+0.069 ± 0.031", "+0.930 ± 0.474", "-0.006 ± 0.037",
			"4.79 ± 0.94", "5.63 ± 0.09", "1.76 ± 0.38", "1.35 ± 0.38"}},
	"The order of the samples": {kept: "docs/ordering.md", says: []string{"×0.15 [0.13, 0.17]", "×0.21 [0.18, 0.25]", "×0.66 [0.62, 0.72]",
		"×0.99 [0.84, 1.17]", "×0.46 [0.26, 0.80]", "×12.46 [10.97, 14.14]", "0.75 ± 0.04", "1.46 ± 0.14", "3.28 ± 0.22", "-0.22 ± 0.04",
		"-0.46 ± 0.06"}},
	"Block-SMOO": {kept: "docs/block-smoo.md", says: []string{"×0.66 [0.62, 0.71]", "×0.36 [0.31, 0.42]", "×1.31 [1.12, 1.53]",
		"×2.37 [2.17, 2.58]", "×1.05 [0.93, 1.18]", "×1.81 [1.64, 1.99]", "535", "208", "0.04 ± 0.02", "1.00 ± 0.00", "0.99 ± 0.01",
		"0.56 ± 0.26", "0.6947", "0.5105"}},
	"Fair or accurate": {kept: "docs/fairness.md", says: []string{"1.17 ± 0.16", "0.45 ± 0.10", "0.27 ± 0.09", "0.96", "0.51", "0.42",
		"0.98", "0.88", "0.49", "0.43", "0.32"}},
}

// TestFindings: docs/findings.md names the commands that this test runs, and their output supports the document's text.
func TestFindings(t *testing.T) {
	t.Parallel()
	text := documentText(t, "docs/findings.md")
	for _, name := range slices.Sorted(maps.Keys(findings)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := findings[name]
			_, rest, found := strings.Cut(text, "\n## "+name+"\n")
			paragraph, _, _ := strings.Cut(rest, "\n## ")
			if !found {
				t.Fatal("docs/findings.md has no such section")
			}
			words := strings.Join(strings.Fields(paragraph), " ")
			for _, statement := range f.says {
				if !strings.Contains(words, statement) {
					t.Errorf("the section does not contain %q", statement)
				}
			}
			var named []string
			for line := range strings.Lines(paragraph) {
				if command, is := strings.CutPrefix(line, "paretoplay "); is {
					command, _, _ = strings.Cut(command, "#")
					named = append(named, "paretoplay "+strings.TrimSpace(command))
				}
			}
			if !slices.Equal(named, f.commands) {
				t.Errorf("the section names the commands\n%q, the test runs\n%q", named, f.commands)
			}
			if f.kept != "" {
				file, err := os.ReadFile(f.kept)
				if err != nil {
					t.Fatal(err)
				}
				there := strings.Join(strings.Fields(string(file)), " ")
				for _, statement := range f.says {
					if !strings.Contains(there, statement) {
						t.Errorf("%s does not contain %q", f.kept, statement)
					}
				}
				return
			}
			output := map[string]string{}
			for _, command := range f.commands {
				var out, errors bytes.Buffer
				if status := program().Run(strings.Fields(command)[1:], strings.NewReader(""), &out, &errors); status != 0 {
					t.Fatalf("%s: status %d, %s", command, status, errors.String())
				}
				output[command] = out.String()
			}
			f.holds(t, output)
		})
	}
}

// TestFindingsAgreeWithClaims: where docs/findings.md gives the verdict of a claim, it uses the same numbers and words
// as docs/claims.md, whose numbers are computed.
func TestFindingsAgreeWithClaims(t *testing.T) {
	t.Parallel()
	words := strings.Join(strings.Fields(documentText(t, "docs/findings.md")), " ")
	claims := documentText(t, "docs/claims.md")
	for _, c := range []struct {
		claim, part, verdict string
		number               string // as quoted in the finding, to the digits that both have
		says                 string
	}{
		{"cleaning", "MOML, T = 16", "undecided here", "0.4 [-0.4, 1.2] points ahead", "Which of the three is best is undecided here"},
		{"cleaning", "MoCo, T = 16", "undecided here", "0.2 [-0.6, 1.1]", "Which of the three is best is undecided here"},
		{"regularisation", "the paper’s size, ρ = 0.5", "undecided here", "", "Whether R(Γ) helps is undecided here"},
		{"regularisation", "smaller, ρ = 0.5", "undecided here", "", "Whether R(Γ) helps is undecided here"},
		{"diversity", "than without R(Γ)", "does not hold", "×0.95 [0.91, 0.98]", "are less diverse with it"},
		{"transport-time", "ρ = 0", "undecided here", "0.46 [-0.14, 1.06] %", "whether the paper's \"below 1 %\" holds is undecided here"},
		{"transport-time", "ρ = 0.5", "undecided here", "0.62 [0.06, 1.18] %", "whether the paper's \"below 1 %\" holds is undecided here"},
		{"transport-time", "ρ = 1", "undecided here", "0.96 [0.44, 1.47] %", "whether the paper's \"below 1 %\" holds is undecided here"},
		{"grab-random", "MGDA, K = 128", "holds", "×0.97 [0.92, 1.03]", "Here it is no better with K = 128 and MGDA or Nash-MTL"},
		{"grab-random", "Nash-MTL, K = 128", "holds", "×0.99 [0.95, 1.04]", "Here it is no better with K = 128 and MGDA or Nash-MTL"},
		{"grab-random", "MGDA, K = 512", "does not hold", "", "far ahead with K = 512, but for Nash-MTL"},
		{"curriculum-stability", "the test accuracy", "holds", "-0.41 [-0.69, -0.13] points", "the test accuracy changes less"},
		{"curriculum-stability", "the training loss", "undecided here", "", "whether the training loss is steadier, too, is undecided here"},
		{"digit-weights", "within 0.4 and 0.6", "does not hold", "0.40 [0.38, 0.42] of the", "0.40 [0.38, 0.42] of them do"},
		{"digit-weights", "no drastic change", "does not hold", "by 0.155 [0.151, 0.159]", "a step changes a weight by"},
		{"digits-cost", "PSMGD takes fewer backpropagations than MGDA", "holds", "194 [178, 209]", "where MGDA takes 194 [178, 209]"},
		{"digits-cost", "equal weights take the most steps, all with η = 0.005", "undecided here", "", "depends on their step size"},
		{"early-clock", "than the weighted sum, all with α = 0.005", "does not hold", "×7.24 [2.47, 21.21]", "Block-SMOO is behind"},
		{"early-clock", "than the weighted sum, each at its lowest loss after 2 s, as in the paper", "does not hold", "×2.55 [1.84, 3.53]",
			"with each method's own settings"},
	} {
		_, rest, found := strings.Cut(claims, "\n| `"+c.claim+"` ")
		_, row, there := strings.Cut(rest, "|  |  | – "+c.part+" | ")
		row, _, _ = strings.Cut(row, "\n")
		if !found || !there || !strings.Contains(row, c.number) || !strings.HasSuffix(row, "| "+c.verdict+" |") {
			t.Errorf("%s, %s: docs/claims.md has %q, not %s, %s", c.claim, c.part, row, c.number, c.verdict)
		}
		if !strings.Contains(words, c.says) || !strings.Contains(words, c.number) || !strings.Contains(words, "[`"+c.claim+"`](claims.md)") {
			t.Errorf("%s, %s: docs/findings.md does not contain %q with %q", c.claim, c.part, c.says, c.number)
		}
	}
}
