package experiment

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/problem"
	"paretoplay/scenes/panel"
)

// CollapsedAt is the objective value below which a run counts as collapsed to
// an end of Fonseca's front.
const CollapsedAt = 0.05

// StalenessConfig is what the map of stale weights is computed for.
type StalenessConfig struct {
	Eta      []float64 // one map each
	Momentum []float64 // rows, α in [0, 1)
	Period   []int     // columns, R ≥ 1
	Runs     int       // runs a cell, from start points that all cells share
	Steps    int       // iterations a run
	Region   float64   // start points are uniform in [−Region, Region]²
	Seed     uint64
}

// DefaultStaleness is the map of the page and of the command line.
func DefaultStaleness() StalenessConfig {
	return StalenessConfig{
		Eta: []float64{0.1, 0.3, 0.5}, Momentum: []float64{0, 0.25, 0.5, 0.75, 0.9}, Period: []int{1, 2, 4, 8, 16, 32},
		Runs: 60, Steps: 400, Region: 1.2, Seed: 1,
	}
}

// StalenessCell is one cell of the map.
type StalenessCell struct {
	Eta       float64 `json:"eta"`
	Momentum  float64 `json:"momentum"`
	R         int     `json:"R"`
	Runs      int     `json:"runs"`
	Collapsed int     `json:"collapsed"`
	Done      int     `json:"done"` // runs computed so far; the cell is complete when it equals Runs
	Age       float64 `json:"age"`  // mean age of the weights, η·(Rα/(1−α) + (R−1)/2)
}

// Share is the share of the computed runs that collapsed.
func (c *StalenessCell) Share() float64 {
	if c.Done == 0 {
		return 0
	}
	return float64(c.Collapsed) / float64(c.Done)
}

// Staleness computes, for each R, α and η, the share of PSMGD's runs on
// Fonseca's problem with two variables that end at one of the front's ends: a
// stale weight acts as a fixed one, and on a concave front a fixed weight is
// unstable. It works in pieces of one run.
type Staleness struct {
	config  StalenessConfig
	cells   []StalenessCell // by η, α, R
	starts  [][]float64
	panels  []panel.Panel
	next    int // cell
	version int // rises with every run computed
}

// NewStaleness returns a map with nothing computed yet, or an error that names
// the value that is out of range.
func NewStaleness(c StalenessConfig) (*Staleness, error) {
	if c.Runs < 1 || c.Steps < 1 || !(c.Region > 0) {
		return nil, fmt.Errorf("experiment: runs = %d, steps = %d and region = %g must be positive", c.Runs, c.Steps, c.Region)
	}
	s := &Staleness{config: c}
	for _, eta := range c.Eta {
		for _, alpha := range c.Momentum {
			for _, r := range c.Period {
				s.cells = append(s.cells, StalenessCell{Eta: eta, Momentum: alpha, R: r, Runs: c.Runs,
					Age: eta * (float64(r)*alpha/(1-alpha) + float64(r-1)/2)})
			}
		}
	}
	f, err := problem.NewFonseca(2, 0)
	if err != nil {
		return nil, err
	}
	for i := range c.Runs {
		source := algo.Stream(c.Seed, i, 0, algo.StartPoints)
		random := rand.New(&source)
		x := []float64{(2*random.Float64() - 1) * c.Region, (2*random.Float64() - 1) * c.Region}
		s.starts = append(s.starts, x)
	}
	for _, cell := range s.cells { // every cell's configuration is checked before anything is computed
		if _, err := s.stepper(&cell, f, 0); err != nil {
			return nil, err
		}
	}
	for i, eta := range c.Eta {
		s.panels = append(s.panels, s.mapPanel(i, eta))
	}
	s.panels = append(s.panels, s.agePanel(), s.ablationPanel())
	return s, nil
}

func (s *Staleness) stepper(c *StalenessCell, f *problem.Fonseca, start int) (*descent.PSMGD, error) {
	return descent.NewPSMGD(descent.Config{
		Problem: f, Start: s.starts[start], Period: c.R, StepSize: c.Eta, Momentum: c.Momentum, Seed: s.config.Seed, StartIndex: start,
	})
}

// run computes the next run of a cell.
func (s *Staleness) run(c *StalenessCell) error {
	f, err := problem.NewFonseca(2, 0)
	if err != nil {
		return err
	}
	stepper, err := s.stepper(c, f, c.Done)
	if err != nil {
		return err
	}
	for range s.config.Steps {
		status, err := stepper.Step()
		if err != nil {
			return err
		}
		if status != algo.Running {
			break
		}
	}
	if slices.Min(stepper.View().F) < CollapsedAt {
		c.Collapsed++
	}
	c.Done++
	return nil
}

// Work computes runs while more() holds, and reports whether any is left.
func (s *Staleness) Work(more func() bool) (pending bool, err error) {
	for s.next < len(s.cells) {
		if s.cells[s.next].Done == s.config.Runs {
			s.next++
			continue
		}
		if !more() {
			return true, nil
		}
		if err := s.run(&s.cells[s.next]); err != nil {
			return false, err
		}
		s.version++
	}
	return false, nil
}

// Cells returns the cells by η, α and R; the caller does not modify them.
func (s *Staleness) Cells() []StalenessCell { return s.cells }

// Panels returns one map for each η, the shares against the mean age, and what
// a longer period saves and costs.
func (s *Staleness) Panels() []panel.Panel { return s.panels }

// cell returns the cell of map i (an η), row (an α, the largest on top) and
// column (an R).
func (s *Staleness) cell(i, row, col int) *StalenessCell {
	rows, cols := len(s.config.Momentum), len(s.config.Period)
	return &s.cells[(i*rows+rows-1-row)*cols+col]
}

func (s *Staleness) mapPanel(i int, eta float64) *panel.Plane {
	rows, cols := len(s.config.Momentum), len(s.config.Period)
	x, y := panel.Axis{Label: "period R"}, panel.Axis{Label: "weight momentum α"}
	for _, r := range s.config.Period {
		x.Categories = append(x.Categories, strconv.Itoa(r))
	}
	for _, a := range s.config.Momentum {
		y.Categories = append(y.Categories, number(a))
	}
	draw := func(b *panel.Brush) {
		b.Cells(rows, cols, func(r, c int) (float64, bool) {
			cell := s.cell(i, r, c)
			return cell.Share(), cell.Done > 0
		}, 0, 1)
	}
	name := fmt.Sprintf("staleness-%d", i+1)
	return &panel.Plane{
		Name:    name,
		Heading: fmt.Sprintf("Share of runs that collapsed, η = %g", eta),
		Text: func() string {
			done := 0
			for _, c := range s.cells {
				done += c.Done
			}
			return fmt.Sprintf("For the step size %g, each row a weight momentum and each column a period: the share of %d runs that end at one of the front’s ends. %d of %d runs of all maps are computed.",
				eta, s.config.Runs, done, len(s.cells)*s.config.Runs)
		},
		Axes: func() (panel.Axis, panel.Axis) { return x, y },
		Sheets: func() []panel.Sheet {
			// The number of computed runs names the picture, so that a finished map is drawn once.
			done := 0
			for r := range rows {
				for c := range cols {
					done += s.cell(i, r, c).Done
				}
			}
			return []panel.Sheet{{Key: fmt.Sprintf("%s %d", name, done), Draw: draw}}
		},
		Find: func(b *panel.Brush, at vg.Point) (panel.Pick, bool) {
			wx, wy := b.World(at)
			col, up := int(wx+0.5), int(wy+0.5)
			if wx < -0.5 || wy < -0.5 || col >= cols || up >= rows {
				return panel.Pick{}, false
			}
			c := s.cell(i, rows-1-up, col)
			return c.pick(at), true
		},
	}
}

// pick tells a cell's values, and what a click sets to run it.
func (c *StalenessCell) pick(at vg.Point) panel.Pick {
	return panel.Pick{K: -1, At: at, Lines: []string{
		fmt.Sprintf("η = %g, α = %g, R = %d", c.Eta, c.Momentum, c.R),
		fmt.Sprintf("%d of %d runs collapsed", c.Collapsed, c.Done),
		fmt.Sprintf("mean age of the weights %.2f", c.Age),
		"click to run it",
	}, Values: map[string]string{
		"method": "psmgd", "d": "2", "sigma": "0", "etaschedule": "constant", "momentumschedule": "constant",
		"eta": number(c.Eta), "momentum": number(c.Momentum), "R": strconv.Itoa(c.R), "view": "runs",
	}}
}

// leastAge is where the axis of ages begins; weights that are always new, of
// age 0, are drawn there.
const leastAge = 0.02

// shape tells the maps' step sizes apart.
func (s *Staleness) shape(eta float64) panel.Shape {
	shapes := []panel.Shape{panel.Circle, panel.Diamond, panel.Square, panel.Triangle}
	return shapes[slices.Index(s.config.Eta, eta)%len(shapes)]
}

// ablationPanel draws over the period, without momentum, the backpropagations
// relative to MGDA's and the share of runs that collapsed: larger R is cheaper
// and, past some R, worse.
func (s *Staleness) ablationPanel() *panel.Plane {
	x := panel.Axis{Label: "period R, without momentum"}
	for _, r := range s.config.Period {
		x.Categories = append(x.Categories, strconv.Itoa(r))
	}
	const objectives = 2
	// (S + R − 1)/(R·S): a refresh costs S, each of the R − 1 steps between two costs one.
	cost := func(i int) (float64, float64) {
		r := float64(s.config.Period[i])
		return float64(i), (objectives + r - 1) / (objectives * r)
	}
	costStroke := func(t *panel.Theme) panel.Stroke {
		return panel.Stroke{Color: t.Ink, Width: 2, Dash: []vg.Length{6, 4}}
	}
	curve := func(eta float64) []*StalenessCell {
		var out []*StalenessCell
		for i := range s.cells {
			if c := &s.cells[i]; c.Eta == eta && c.Momentum == 0 && c.Done > 0 {
				out = append(out, c)
			}
		}
		return out
	}
	column := func(c *StalenessCell) float64 { return float64(slices.Index(s.config.Period, c.R)) }
	return &panel.Plane{
		Name: "staleness-ablation", Heading: "A longer period is cheaper, then worse",
		Text: func() string {
			return "Over the period, without momentum: the backpropagations relative to MGDA’s fall towards a half, and past some period the share of runs that collapse rises, earlier for larger step sizes."
		},
		Axes: func() (panel.Axis, panel.Axis) {
			return x, panel.Axis{Label: "share", Min: -0.04, Max: 1.08}
		},
		Legend: func(t *panel.Theme) []panel.Entry {
			out := []panel.Entry{{Label: "cost relative to MGDA", Stroke: costStroke(t)}}
			for _, eta := range s.config.Eta {
				out = append(out, panel.Entry{Label: "collapsed, η = " + number(eta), Shape: s.shape(eta), Fill: t.Look("psmgd").Hue})
			}
			return out
		},
		Sheets: func() []panel.Sheet {
			return []panel.Sheet{{Key: fmt.Sprint("staleness-ablation ", s.version), Draw: func(b *panel.Brush) {
				b.Line(len(s.config.Period), cost, costStroke(b.Theme))
				hue := b.Theme.Look("psmgd").Hue
				for _, eta := range s.config.Eta {
					cells := curve(eta)
					b.Line(len(cells), func(i int) (float64, float64) { return column(cells[i]), cells[i].Share() }, panel.Stroke{Color: hue, Width: 1.5})
					for _, c := range cells {
						b.Marker(column(c), c.Share(), s.shape(eta), 4, hue, true)
					}
				}
			}}}
		},
	}
}

// agePanel draws every cell's share against the mean age of its weights: one
// curve for all η.
func (s *Staleness) agePanel() *panel.Plane {
	place := func(c *StalenessCell) (x, y float64) { return max(c.Age, leastAge), c.Share() }
	return &panel.Plane{
		Name: "staleness-age", Heading: "What orders the cells: the age of the weights",
		Text: func() string {
			return "Every cell’s share of collapsed runs against the mean age of its weights, η(Rα/(1−α) + (R−1)/2): low below an age of about 1, nearly all above about 3.4, for every step size."
		},
		Axes: func() (panel.Axis, panel.Axis) {
			return panel.Axis{Label: "mean age η (R α/(1 − α) + (R − 1)/2)", Min: leastAge, Max: 200, Log: true},
				panel.Axis{Label: "share that collapsed", Min: -0.04, Max: 1.08}
		},
		Legend: func(t *panel.Theme) []panel.Entry {
			var out []panel.Entry
			for _, eta := range s.config.Eta {
				out = append(out, panel.Entry{Label: "η = " + number(eta), Shape: s.shape(eta), Fill: t.Look("psmgd").Hue})
			}
			return out
		},
		Sheets: func() []panel.Sheet {
			return []panel.Sheet{{Key: fmt.Sprint("staleness-age ", s.version), Draw: func(b *panel.Brush) {
				b.Band(1.1, 3.4, panel.Faded(b.Theme.Rule, 0.2))
				for i := range s.cells {
					if c := &s.cells[i]; c.Done > 0 {
						x, y := place(c)
						b.Marker(x, y, s.shape(c.Eta), 4, b.Theme.Look("psmgd").Hue, true)
					}
				}
			}}}
		},
		Find: func(b *panel.Brush, at vg.Point) (panel.Pick, bool) {
			reach, best := panel.HitRadius(b.Frame.Touch), (*StalenessCell)(nil)
			for i := range s.cells {
				c := &s.cells[i]
				d := b.At(place(c)).Sub(at)
				if r := vg.Length(math.Hypot(float64(d.X), float64(d.Y))); c.Done > 0 && r < reach {
					reach, best = r, c
				}
			}
			if best == nil {
				return panel.Pick{}, false
			}
			return best.pick(b.At(place(best))), true
		},
	}
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// stalenessHead is the first line of the CSV file.
var stalenessHead = []string{"eta", "momentum", "R", "runs", "steps", "collapsed", "share", "age"}

// WriteCSV writes one line a complete cell.
func (s *Staleness) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write(stalenessHead); err != nil {
		return err
	}
	for _, c := range s.cells {
		if c.Done < c.Runs {
			continue
		}
		if err := out.Write([]string{number(c.Eta), number(c.Momentum), strconv.Itoa(c.R), strconv.Itoa(c.Runs), strconv.Itoa(s.config.Steps), strconv.Itoa(c.Collapsed), number(c.Share()), number(c.Age)}); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// resume takes over the complete cells of an earlier CSV file. Lines of another
// configuration are an error.
func (s *Staleness) resume(r io.Reader) error {
	lines, err := readTable(r, stalenessHead)
	if err != nil {
		return err
	}
	for n, line := range lines {
		i := slices.IndexFunc(s.cells, func(c StalenessCell) bool {
			return line[0] == number(c.Eta) && line[1] == number(c.Momentum) && line[2] == strconv.Itoa(c.R) && line[3] == strconv.Itoa(c.Runs) && line[4] == strconv.Itoa(s.config.Steps)
		})
		collapsed, err := strconv.Atoi(line[5])
		if i < 0 || err != nil || collapsed < 0 || collapsed > s.config.Runs {
			return fmt.Errorf("line %d: not a cell of this map", n+2)
		}
		s.cells[i].Done, s.cells[i].Collapsed = s.cells[i].Runs, collapsed
	}
	return nil
}
