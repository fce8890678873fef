package swarm

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"paretoplay/algo/param"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/portable"
)

// Swarm is the swarm of a scene: one flock, or two flocks with a curtain between them. Bind binds Count, Curtain and At
// to the scene's parameters. The function fields describe the scene's plane.
type Swarm struct {
	Count   int
	Curtain string  // method to the right of the curtain, or "" for no curtain
	At      float64 // position of the curtain, as a share of the plane's width

	// Version returns a number that changes at least whenever a result of the functions below changes, except Front,
	// FrontKey and Away.
	Version func() uint64
	// Lacks returns the reason why a swarm is impossible, or "" if it is possible.
	Lacks func() string
	// Method returns the method to the left of the curtain, or "" if no method can move a swarm.
	Method func() string
	Title  func(method string) string
	// Key returns a text with everything that a course depends on, except for its method and starts.
	Key    func() string
	Course func(method string, starts [][]float64) Course
	// Corners returns the ranges of both variables in the plane on screen.
	Corners func() (lo, hi [2]float64)
	// NamesAt is the height of the names beside the curtain, as a share of the plane's height.
	NamesAt float64
	// Pair returns the indices, from 0, of the variables on the horizontal and the vertical axis.
	Pair func() (right, up int)
	// Front returns points of the front in the order of increasing f₁. Neighbours farther apart than a fifth of the
	// objectives' ranges are not joined. FrontKey returns a text that changes with Front and with anything that Away
	// depends on.
	Front    func() [][2]float64
	FrontKey func() string
	// Away reports whether a run that ends at x, f ends away from the front.
	Away func(x, f [2]float64) bool

	left, right side
	marks       [2][]brush.Stamp
	synced      bool
	version     uint64  // version at the last sync
	divided     bool    // whether a curtain divides the swarm
	edge        float64 // position of the curtain on the axis
	axis        int     // variable of the horizontal axis
	cells       cells
	front       *frontLine // front line for frontKey
	frontKey    string
	carry       float64 // number of rounds still to run
	turn        int     // index of the side whose round is in progress
	made        int     // number of flocks created so far
	animated    bool    // whether points move to their ends instead of jumping there
}

// side is the flock on one side of the curtain.
type side struct {
	flock  *Flock
	method string
	key    string
	ends   []place   // where each point ends
	front  string    // key of the front that the places in ends refer to
	former [bins]int // histogram before the settings changed
	film   *Flock    // the same points at a picture's iteration, kept for the next picture
	live   *Flock    // normal flock while a picture shows film
	placed []place
}

// place is the place on the front where a run ends.
type place struct {
	known bool
	away  bool
	share float64 // share of the front's length, from the end with the smallest f₁
}

// bins is the number of the histogram's bins, which divide the front into parts of equal length.
const bins = 32

const maxCount = 5000

// The names of the swarm's parameters.
const (
	countName   = "swarm"
	curtainName = "curtain"
	atName      = "curtainat"
)

// Bind binds the swarm's settings to parameters in l. methods are the choices for the right side of the curtain.
func (s *Swarm) Bind(l *param.List, methods []param.Method) {
	l.Integer(&s.Count, param.Descriptor{Name: countName, Label: "Swarm", Max: maxCount, Step: 100, Effect: param.Display, Unit: "points",
		Help: "The number of points that start all over the plane; 0 means no swarm. From each point, the first method that can move a " +
			"swarm runs with the current settings. The start takes the colour of the place on the front where its run ends. A swarm needs " +
			"two variables and two objectives."})
	options := []param.Option{{Value: "", Label: "none", Help: "One method moves all points."}}
	for _, m := range methods {
		options = append(options, param.Option{Value: m.ID, Label: m.Title, Help: m.Help})
	}
	l.Choice(&s.Curtain, param.Descriptor{Name: curtainName, Label: "Method right of the curtain", Effect: param.Display, Options: options,
		Help: "A curtain divides the swarm. The first method moves the points to its left, and this method moves the points to its right. " +
			"Drag the curtain, or move it with the arrow keys."})
	l.Number(&s.At, param.Descriptor{Name: atName, Label: "Curtain position", Max: 1, Step: 0.01, Effect: param.Display,
		Help: "The curtain’s position across the plane: 0 is the left edge, 1 is the right edge."})
}

// On reports whether the scene shows a swarm.
func (s *Swarm) On() bool { return s.Count > 0 && s.Method() != "" && s.Lacks() == "" }

// Curtained reports whether a curtain divides the swarm.
func (s *Swarm) Curtained() bool { return s.On() && s.Curtain != "" }

// Idle implements scene.Flow. It returns the parameters without effect, each with the reason.
func (s *Swarm) Idle() map[string]string {
	switch why := s.Lacks(); {
	case why != "":
		why = "There is no swarm: " + why + "."
		return map[string]string{countName: why, curtainName: why, atName: why}
	case s.Count == 0:
		const why = "There is no swarm."
		return map[string]string{curtainName: why, atName: why}
	case s.Curtain == "":
		return map[string]string{atName: "There is no curtain."}
	}
	return nil
}

func (s *Swarm) curtainX() float64 {
	lo, hi := s.Corners()
	right, _ := s.Pair()
	return lo[right] + float64(s.At*(hi[right]-lo[right]))
}

// sync creates flocks for the current settings. It keeps the flocks that already fit.
func (s *Swarm) sync() {
	now := s.Version()
	if s.synced && s.version == now {
		return
	}
	s.synced, s.version = true, now
	if s.divided = s.Curtained(); s.divided {
		s.edge = s.curtainX()
		s.axis, _ = s.Pair()
	}
	if !s.On() {
		s.left, s.right = side{}, side{}
		return
	}
	s.fit(&s.left, s.Method(), false)
	if s.Curtain == "" {
		s.right = side{}
	} else {
		s.fit(&s.right, s.Curtain, true)
	}
}

// fit creates the flock of a side if any of its inputs has changed.
func (s *Swarm) fit(of *side, method string, right bool) {
	lo, hi := s.Corners()
	key := fmt.Sprint(s.Key(), "|", method, s.Count, lo, hi)
	if of.flock != nil && of.key == key {
		return
	}
	before := s.before(of)
	starts := Pour(s.Count, lo, hi)
	c := s.Course(method, starts)
	c.Sides = [2]float64{hi[0] - lo[0], hi[1] - lo[1]}
	*of = side{method: method, key: key, ends: make([]place, s.Count), former: before}
	of.flock = NewFlock(c, func(i int) bool {
		if !s.divided {
			return !right
		}
		return (starts[i][s.axis] >= s.edge) == right
	})
	s.made++
}

// before returns the histogram to outline behind the next flock's histogram. It is the side's current histogram or, if
// fewer than half of the ends are known, the former one.
func (s *Swarm) before(of *side) [bins]int {
	if of.flock == nil {
		return [bins]int{}
	}
	if known, members := of.flock.Known(); 2*known < members {
		return of.former
	}
	return s.counts(of)
}

func (s *Swarm) sides() (out []*side) {
	for _, of := range []*side{&s.left, &s.right} {
		if of.flock != nil {
			out = append(out, of)
		}
	}
	return out
}

// placeEnds syncs the flocks and computes the places of new ends on the front.
func (s *Swarm) placeEnds() {
	s.sync()
	sides := s.sides()
	if len(sides) == 0 {
		return
	}
	if key := s.FrontKey(); s.front == nil || key != s.frontKey {
		s.front, s.frontKey = newFrontLine(s.Front()), key
	}
	for _, of := range sides {
		if of.front != s.frontKey {
			clear(of.ends)
			of.front = s.frontKey
		}
		for i := range of.ends {
			if of.ends[i].known {
				continue
			}
			if end, known := of.flock.End(i); known {
				of.ends[i] = place{known: true, away: s.Away(end.X, end.F), share: s.front.share(end.F)}
			}
		}
	}
}

// Animate selects how points move to their ends. If on is true, Flow moves them visibly; otherwise, Work moves them
// without intermediate positions.
func (s *Swarm) Animate(on bool) { s.animated = on }

// Flow moves points for the given number of seconds of animation while more() is true. It reports whether any point still
// moves.
func (s *Swarm) Flow(seconds float64, more func() bool) (flows bool, err error) {
	flows = s.Flows()
	const perSecond, most = 60, 12 // rounds per second, and maximum per call, which suffices for five calls a second
	s.carry = min(s.carry+float64(perSecond*seconds), most)
	for first := true; flows && s.carry >= 1 && (first || more()); first = false {
		for sides := s.sides(); s.turn < len(sides); s.turn++ {
			of := sides[s.turn]
			known, members := of.flock.Known()
			if complete, err := of.flock.Round(known < members, more); err != nil || !complete {
				return true, err
			}
		}
		s.turn = 0
		s.carry--
		flows = s.Flows()
	}
	return flows, nil
}

// Flows reports whether any point has not reached its end.
func (s *Swarm) Flows() bool {
	s.sync()
	return slices.ContainsFunc(s.sides(), func(of *side) bool { return !of.flock.Rests() })
}

// Pour moves all points back to their starts. It keeps known ends.
func (s *Swarm) Pour() {
	s.turn = 0
	for _, of := range s.sides() {
		of.flock.Pour()
	}
}

// ShowAt moves every point, for a picture, to iteration k of its run, or to its end if that comes earlier. A negative k
// restores the normal positions. If k is later than in the last call, ShowAt takes only the steps in between.
func (s *Swarm) ShowAt(k int) error {
	s.sync()
	for _, of := range s.sides() {
		if of.live != nil {
			of.film, of.flock, of.ends, of.live = of.flock, of.live, of.placed, nil
		}
		if k < 0 {
			continue
		}
		film := of.film
		if film == nil || film.reached > k {
			film = NewFlock(of.flock.course, of.flock.member)
		}
		if err := film.Reach(k); err != nil {
			return err
		}
		of.live, of.placed = of.flock, of.ends
		of.flock, of.ends = film, make([]place, len(of.ends))
	}
	return nil
}

// Work moves all points to their ends while more() is true, unless Flow moves them. It reports whether work remains.
func (s *Swarm) Work(more func() bool) (pending bool, err error) {
	if s.animated {
		return false, nil
	}
	s.sync()
	for _, of := range s.sides() {
		if of.flock.Rests() {
			continue
		}
		if done, err := of.flock.Finish(more); err != nil || !done {
			return err == nil, err
		}
	}
	return false, nil
}

// Count holds the numbers of a side's members by the place where they end.
type Count struct {
	Method string    `json:"method"`
	Points int       `json:"points"`
	Ended  int       `json:"ended"` // number of members with a known end
	Away   int       `json:"away"`  // number of these members that end away from the front
	Bins   [bins]int `json:"bins"`  // numbers of the others by place on the front, from the end with the smallest f₁
}

// ends returns the numbers of members that end in the front's outer tenths, at the smallest f₁ and at the smallest f₂.
func (c Count) ends() (first, second int) {
	for i := range bins {
		switch at := (float64(i) + 0.5) / bins; {
		case at < 0.1:
			first += c.Bins[i]
		case at > 0.9:
			second += c.Bins[i]
		}
	}
	return first, second
}

// Counts returns the counts of both sides, or only of the left side if the right side has no points. The result is empty
// without a swarm.
func (s *Swarm) Counts() (out []Count) {
	s.placeEnds()
	for _, of := range s.sides() {
		c := Count{Method: of.method, Bins: s.counts(of)}
		c.Ended, c.Points = of.flock.Known()
		if c.Points == 0 && of == &s.right {
			continue
		}
		for i, e := range of.ends {
			if e.known && e.away && of.flock.Member(i) {
				c.Away++
			}
		}
		out = append(out, c)
	}
	return out
}

// counts returns the number of a side's members that end in each bin.
func (s *Swarm) counts(of *side) (out [bins]int) {
	for i, e := range of.ends {
		if e.known && !e.away && of.flock.Member(i) {
			out[min(int(e.share*bins), bins-1)]++
		}
	}
	return out
}

// frontLine computes places along a front.
type frontLine struct {
	points [][2]float64
	way    []float64  // distance along the front from the first point to each point
	size   [2]float64 // ranges of the objectives, which are the units of distance
}

// apart is the distance above which neighbours on a front are not joined, as a share of the ranges.
const apart = 0.2

func newFrontLine(points [][2]float64) *frontLine {
	l := &frontLine{points: points, way: make([]float64, len(points)), size: [2]float64{1, 1}}
	for c := range 2 {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, p := range points {
			lo, hi = min(lo, p[c]), max(hi, p[c])
		}
		if hi > lo {
			l.size[c] = hi - lo
		}
	}
	for i := 1; i < len(points); i++ {
		d := l.distance(points[i-1], points[i])
		if d > apart {
			d = 0
		}
		l.way[i] = l.way[i-1] + d
	}
	return l
}

func (l *frontLine) distance(a, b [2]float64) float64 {
	return portable.Hypot((b[0]-a[0])/l.size[0], (b[1]-a[1])/l.size[1])
}

// share returns the place on the front nearest to f, as a share of the front's length. It returns 0 for a front without
// length.
func (l *frontLine) share(f [2]float64) float64 {
	if len(l.points) == 0 || l.way[len(l.way)-1] == 0 {
		return 0
	}
	least, at := math.Inf(1), 0.0
	for i := 1; i < len(l.points); i++ {
		a, b := l.points[i-1], l.points[i]
		if l.way[i] == l.way[i-1] {
			continue
		}
		ax, ay := (f[0]-a[0])/l.size[0], (f[1]-a[1])/l.size[1]
		bx, by := (b[0]-a[0])/l.size[0], (b[1]-a[1])/l.size[1]
		u := (float64(ax*bx) + float64(ay*by)) / (float64(bx*bx) + float64(by*by))
		u = max(0, min(u, 1))
		if d := portable.Hypot(ax-float64(u*bx), ay-float64(u*by)); d < least {
			least, at = d, l.way[i-1]+float64(u*(l.way[i]-l.way[i-1]))
		}
	}
	return at / l.way[len(l.way)-1]
}

// KeyOf returns a text with the values of all parameters that may affect iterates, except for the named ones.
func KeyOf(l *param.List, except ...string) string {
	var out strings.Builder
	for _, d := range l.Descriptors() {
		if d.Effect != param.Display && !slices.Contains(except, d.Name) {
			out.WriteString(l.Text(d.Name))
			out.WriteByte(0)
		}
	}
	return out.String()
}
