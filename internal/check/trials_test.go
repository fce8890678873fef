package check

import (
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// These constants are the bounds in paretotrial.py's rule. The rule chooses a way whose value in a trial is at most
// trialMargin times that of equal weights, if each of the way's losses is less than trialWorst times as large as with
// equal weights.
const (
	trialMargin = 0.95
	trialWorst  = 1.2
)

// trialKey identifies a training, a way and a seed.
type trialKey struct{ training, way, seed string }

// recorderTable reads a table in docs/recorder by column names.
func recorderTable(t *testing.T, file string) (rows []map[string]string) {
	t.Helper()
	lines, err := csv.NewReader(strings.NewReader(documentText(t, file))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// lossesIn returns the numbers in a cell, or nil for an empty one.
func lossesIn(t *testing.T, cell string) (out []float64) {
	t.Helper()
	for field := range strings.FieldsSeq(cell) {
		v, err := strconv.ParseFloat(field, 64)
		if err != nil || v < 0 {
			t.Fatalf("%q: %v", cell, err)
		}
		out = append(out, v)
	}
	return out
}

// trials returns results by training, way and seed. The map seen holds the validation losses of trials, by the start and
// the duration of the trial in shares of the steps; the map ends holds the test losses of whole runs. A trial that
// begins at the first step is the first part of a whole run.
func trials(t *testing.T) (seen map[[2]string]map[trialKey][]float64, ends map[trialKey][]float64) {
	seen, ends = map[[2]string]map[trialKey][]float64{}, map[trialKey][]float64{}
	put := func(from, share string, key trialKey, losses []float64) {
		plan := [2]string{from, share}
		if seen[plan] == nil {
			seen[plan] = map[trialKey][]float64{}
		}
		seen[plan][key] = losses
	}
	own := map[string]bool{}
	for _, row := range recorderTable(t, "docs/recorder/trials.csv") {
		own[row["training"]] = true
		for _, share := range []string{"0.1", "0.25"} {
			put(row["from"], share, trialKey{row["training"], row["way"], row["seed"]}, lossesIn(t, row["validation "+share]))
		}
	}
	for _, row := range recorderTable(t, "docs/recorder/retrained.csv") {
		if key := (trialKey{row["training"], row["way"], row["seed"]}); row["rate"] == "1" && own[row["training"]] {
			ends[key] = lossesIn(t, row["test"])
			for _, share := range []string{"0.1", "0.25", "0.5"} {
				put("0", share, key, lossesIn(t, row["validation "+share]))
			}
		}
	}
	return seen, ends
}

// choice is the way that a trial plan chooses for a training and a seed. The way's losses are test losses relative
// to equal weights at the same learning rate, and infinite if the way fails.
type choice struct {
	way       string
	end, best float64
	rank      float64 // Spearman's correlation between the ways' values in the trial and at the end
}

// valueOf returns a way's value relative to equal weights. The value is infinite if the way failed, or if some loss is
// at least `worst` times as large as with equal weights.
func valueOf(losses, base []float64, worst float64) float64 {
	if losses == nil {
		return math.Inf(1)
	}
	r := ratios(losses, base)
	if slices.Max(r) >= worst {
		return math.Inf(1)
	}
	return geometric(r)
}

// trialWays lists the ways that a trial compares.
var trialWays = []string{"equal", "scaled", "mean", "mgda", "cagrad", "upgrad", "pcgrad", "nashmtl"}

func choose(seen, ends map[trialKey][]float64, training, seed string) choice {
	key := func(way string) trialKey { return trialKey{training, way, seed} }
	var early, late []float64
	for _, way := range trialWays {
		early = append(early, valueOf(seen[key(way)], seen[key("equal")], trialWorst))
		late = append(late, valueOf(ends[key(way)], ends[key("equal")], givenUp))
	}
	at := slices.Index(early, slices.Min(early))
	if early[at] > trialMargin {
		at = 0
	}
	return choice{way: trialWays[at], end: late[at], best: slices.Min(late), rank: spearman(early, late)}
}

// spearman returns Spearman's rank correlation. Equal numbers share a rank.
func spearman(a, b []float64) float64 {
	ranks := func(v []float64) []float64 {
		out := make([]float64, len(v))
		for i, x := range v {
			for _, y := range v {
				if y < x {
					out[i]++
				} else if y == x {
					out[i] += 0.5
				}
			}
		}
		return out
	}
	x, y, mean := ranks(a), ranks(b), float64(len(a))/2
	var xy, xx, yy float64
	for i := range x {
		xy += (x[i] - mean) * (y[i] - mean)
		xx += (x[i] - mean) * (x[i] - mean)
		yy += (y[i] - mean) * (y[i] - mean)
	}
	if xx == 0 || yy == 0 {
		return 0
	}
	return xy / math.Sqrt(float64(xx*yy))
}

// trialPlans lists the starts and durations of trials, in shares of the steps.
var trialPlans = [][2]string{{"0", "0.1"}, {"0", "0.25"}, {"0", "0.5"}, {"0.1", "0.1"}, {"0.1", "0.25"}, {"0.3", "0.1"}, {"0.3", "0.25"}}

// trialRows returns a table row for each plan. The row counts the plan's choices by how well they end.
func trialRows(t *testing.T) []string {
	seen, ends := trials(t)
	rows := []string{"| begins after | lasts | chooses equal weights | another way that ends better | as well | worse, or gives up a loss | " +
		"what is chosen ends at (median, worst quarter) | " +
		"best possible | rank correlation |", "|---|---|---|---|---|---|---|---|---|"}
	for _, plan := range trialPlans {
		var kept, better, level, worse int
		var end, best []float64
		rank, count := 0.0, 0
		for _, training := range trialTrainings(t) {
			for _, seed := range []string{"1", "2", "3"} {
				c := choose(seen[plan], ends, training, seed)
				switch {
				case c.way == "equal":
					kept++
				case c.end <= betterBelow:
					better++
				case c.end < worseAbove:
					level++
				default:
					worse++
				}
				end, best = append(end, c.end), append(best, c.best)
				rank += c.rank
				count++
			}
		}
		slices.Sort(end)
		slices.Sort(best)
		rows = append(rows, fmt.Sprintf("| %s | %s | %d of %d | %d | %d | %d | %.2f, %.2f | %.2f | %.2f |", plan[0], plan[1], kept, count,
			better, level,
			worse, end[len(end)/2], end[len(end)*3/4], best[len(best)/2], rank/float64(count)))
	}
	return rows
}

// trialTrainings lists the trainings that have trials, in the file's order.
func trialTrainings(t *testing.T) (out []string) {
	for _, row := range recorderTable(t, "docs/recorder/trials.csv") {
		if !slices.Contains(out, row["training"]) {
			out = append(out, row["training"])
		}
	}
	return out
}

// chosenRows lists, for each training and seed, the way that a trial over a quarter of the steps chooses.
func chosenRows(t *testing.T) []string {
	seen, ends := trials(t)
	rows := []string{"| training | chosen | ends at | best possible |", "|---|---|---|---|"}
	for _, training := range trialTrainings(t) {
		var chosen, end, best []string
		for _, seed := range []string{"1", "2", "3"} {
			c := choose(seen[[2]string{"0", "0.25"}], ends, training, seed)
			chosen = append(chosen, c.way)
			text := func(v float64) string {
				if math.IsInf(v, 1) {
					return "gives up a loss"
				}
				return fmt.Sprintf("%.2f", v)
			}
			end, best = append(end, text(c.end)), append(best, text(c.best))
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s | %s |", training, strings.Join(chosen, ", "), strings.Join(end, ", "),
			strings.Join(best, ", ")))
	}
	return rows
}
