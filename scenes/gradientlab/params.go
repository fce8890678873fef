package gradientlab

import (
	"paretoplay/internal/engine/analysis"
	"paretoplay/internal/portable"
	"slices"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/algo/weighting"
	"paretoplay/internal/draw/kinds"
)

// Params holds the scene's own parameters, without the methods'. The zero value is not usable; see defaults.
type Params struct {
	Methods []string
	View    string
	Plane   [][]float64 // gradients in the plane, one per row
	Space   [][]float64 // gradients in space
	Losses  [][]float64 // one row; a missing loss is 1
	Unit    float64     // factor of the first objective's value and gradient
	Eta     float64
	Seed    uint64
	Lengths string
	Camera  [3]float64
	// Hull is true if the picture shows the construction of the shortest mixture: the hull, its shortest point, the
	// circle through that point, and the widest angle. If it is false, the picture shows steps instead.
	Hull      bool
	construct []weighting.Constructor
}

// Views of the scene.
const (
	viewPlane = "plane"
	viewSpace = "space"
	viewData  = "data"
)

// hullName is the name of the switch between the hull and the steps.
const hullName = "hull"

// Lengths of the methods' arrows.
const (
	lengthsTrue  = "true"
	lengthsEqual = "equal"
)

const (
	maxGradients = 6
	maxEntry     = 100
)

func defaults() Params {
	return Params{
		Methods: []string{"ls", "mgda", "pcgrad", "cagrad"},
		View:    viewPlane,
		Plane:   [][]float64{{3, 0.2}, {1.6, 1.8}, {-1.9, 1.3}},
		Space:   [][]float64{{2.4, -0.4, 0.3}, {-0.6, 1.8, 0.4}, {-0.5, -0.6, 1.5}},
		Losses:  [][]float64{{1, 1, 1, 1, 1, 1}}, Unit: 1,
		Eta: 0.1, Seed: 1, Lengths: lengthsEqual, Camera: kinds.Camera{35, 25, 1},
		Hull: true,
	}
}

const (
	groupGradients = "Gradients"
	groupShow      = "Show"
)

func only(views ...string) *param.Only { return &param.Only{Name: "view", Values: views} }

// shown lists the methods that come directly after the default ones in lists: the presets' methods and the best-known
// ones.
var shown = []string{"nashmtl", "fairgrad", "upgrad"}

// bind adds the parameters in the page's order.
func (p *Params) bind(l *param.List) {
	l.Choice(&p.View, param.Descriptor{Name: "view", Label: "Gradients", Group: groupGradients, Effect: param.Display,
		Help: "Show arrows that you can drag, in the plane or in space, or your own Jacobian.",
		Options: []param.Option{
			{Value: viewPlane, Label: "plane"}, {Value: viewSpace, Label: "space"}, {Value: viewData, Label: "own data"},
		}})
	matrix := param.Descriptor{Symbol: "G", Label: "Gradients, one per row", Min: -maxEntry, Max: maxEntry, AtLeast: 2, AtMost: maxGradients,
		Group: groupGradients,
		Help:  "The two to six gradients, one per row. Drag an arrow’s tip to change its row."}
	plane, space := matrix, matrix
	plane.Name, plane.Columns, plane.Only = "gradients", 2, only(viewPlane)
	space.Name, space.Columns, space.Only = "gradients3", 3, only(viewSpace)
	l.Matrix(&p.Plane, plane)
	l.Matrix(&p.Space, space)
	options := make([]param.Option, len(weighting.Methods))
	for i, m := range weighting.Methods {
		options[i] = param.Option{Value: m.Name, Label: Methods[i].Title, Help: Methods[i].Help, Folded: !slices.Contains(p.Methods, m.Name) &&
			!slices.Contains(shown, m.Name)}
	}
	l.Set(&p.Methods, param.Descriptor{Name: "method", Label: "Methods", Options: options, AtLeast: 1, Group: "Methods",
		Help: "The methods that turn these gradients into one direction. Each is called once, with these gradients as every sample. Krum and " +
			"trimmed mean are not included: they protect an average from faulty workers and do not trade off objectives."})
	for _, m := range weighting.Methods {
		construct := m.Bind(l, m.Name+".")
		if m.Name == "epo" {
			construct = ofShares(l, construct)
		}
		p.construct = append(p.construct, construct)
	}
	l.Matrix(&p.Losses, param.Descriptor{Name: "losses", Symbol: "f", Label: "Losses", Min: 1e-6, Max: 1e6, AtLeast: 1, AtMost: 1,
		Group: "Values", Only: only(viewPlane, viewSpace),
		Help: "The values of the objectives, one for each gradient, for the methods that use them. A missing value counts as 1."})
	l.Number(&p.Unit, param.Descriptor{Name: "unit", Symbol: "u", Label: "Factor of the first objective", Min: 0.01, Max: 100,
		Scale: param.Log, Group: "Values", Only: only(viewPlane, viewSpace),
		Help: "Changes the unit of the first objective: its value and its gradient are multiplied by this factor. For a length in " +
			"centimetres, 10 converts to millimetres and 0.01 to metres."})
	l.Number(&p.Eta, param.Descriptor{Name: "eta", Symbol: "η", Label: "Step size", Min: 0.001, Max: 5, Scale: param.Log,
		Effect: param.Display, Group: "Values",
		Help: "How far a step goes against the method’s arrow. To first order, objective i then changes by −η⟨g_i, d⟩."})
	l.Seed(&p.Seed, param.Descriptor{Name: "seed", Label: "Seed of random draws", Group: "Values",
		Help: "Determines the random draws of the methods that use them."})
	l.Choice(&p.Lengths, param.Descriptor{Name: "lengths", Label: "Length of the directions", Effect: param.Display, Group: groupShow,
		Only: only(viewPlane, viewSpace),
		Help: "Draw the methods’ directions at their true lengths, or all equally long to compare where they point.",
		Options: []param.Option{
			{Value: lengthsTrue, Label: "true length"}, {Value: lengthsEqual, Label: "equal length"},
		}})
	l.Bool(&p.Hull, param.Descriptor{Name: hullName, Label: "Hull and circle", Effect: param.Display, Group: groupShow,
		Only: only(viewPlane, viewSpace),
		Help: "Show how the shortest mixture of the gradients is constructed: their hull, its shortest point, the circle through that " +
			"point, and the widest angle between two gradients. If off, the picture shows the methods’ steps against their arrows instead."})
	l.Camera(&p.Camera, param.Descriptor{Name: "camera", Label: "Camera", Effect: param.Display, Group: groupShow, Only: only(viewSpace),
		Help: "The viewpoint of the picture in space: azimuth, elevation and distance. Drag the background to turn the view."})
}

// ofShares wraps EPO's constructor so that the preference sums to 1, because the sum affects how much objectives may
// rise along the path.
func ofShares(l *param.List, construct weighting.Constructor) weighting.Constructor {
	return func(c weighting.Context) (algo.Weighting, error) {
		rule, err := construct(c)
		rows := l.Value("epo.preference").([][]float64)
		if err != nil || len(rows) == 0 || len(rows[0]) == 0 {
			return rule, err
		}
		shares := slices.Clone(rows[0])
		floats.Scale(1/portable.Sum(shares), shares)
		return weighting.NewEPO(shares)
	}
}

// chosen returns the chosen methods, with their parameters.
func (s *Scene) chosen() []analysis.Chosen {
	var out []analysis.Chosen
	for i, m := range weighting.Methods {
		if !slices.Contains(s.values.Methods, m.Name) {
			continue
		}
		m.Title = Methods[i].Title
		c := analysis.Chosen{Method: m, Construct: s.values.construct[i], Ordinary: true}
		for _, d := range m.Parameters() {
			name := m.Name + "." + d.Name
			c.Ordinary = c.Ordinary && s.Params().IsDefault(name)
			c.Settings += s.Params().Text(name) + "\n"
		}
		out = append(out, c)
	}
	return out
}

// lossesFor returns m losses: the given ones, followed by 1 for each missing loss. The loss of the first objective
// is multiplied by its unit.
func (p *Params) lossesFor(m int) []float64 {
	out := make([]float64, m)
	for i := range out {
		out[i] = 1
		if i < len(p.Losses[0]) {
			out[i] = p.Losses[0][i]
		}
	}
	out[0] *= p.Unit
	return out
}
