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

// Swarm is the swarm of a scene: one flock, or two with a curtain between them. Count, Curtain and At are bound to the scene's
// parameters. The functions describe the scene's plane.
type Swarm struct {
	Count   int
	Curtain string  // the method to the right of the curtain, or "" for no curtain
	At      float64 // the curtain's position as a share of the plane's width

	// Version changes at least whenever a result of the functions below changes, except Front, FrontKey and Away.
	Version func() uint64
	// Lacks returns why there can be no swarm, or "".
	Lacks func() string
	// Method returns the method to the left, or "" if no method can carry a swarm.
	Method func() string
	Title  func(method string) string
	// Key returns a text with everything that a course depends on except its method and starts.
	Key    func() string
	Course func(method string, starts [][]float64) Course
	// Corners returns the ranges of both variables in the plane on screen.
	Corners func() (lo, hi [2]float64)
	// Pair returns the variables, from 0, of the horizontal and the vertical axis.
	Pair func() (right, up int)
	// Front returns points of the front by rising f₁. Neighbours farther apart than a fifth of their range are not joined. FrontKey
	// changes with Front and with anything that Away depends on.
	Front    func() [][2]float64
	FrontKey func() string
	// Away reports whether a run that ends there ends away from the front.
	Away func(x, f [2]float64) bool

	left, right side
	marks       [2][]brush.Stamp
	synced      bool
	version     uint64  // at the last sync
	divided     bool    // a curtain divides the swarm
	edge        float64 // the curtain's position
	axis        int     // the variable of the horizontal axis
	cells       cells
	front       *frontLine // of frontKey
	frontKey    string
	carry       float64 // rounds still to be made
	turn        int     // the side whose round is in progress
	made        int     // number of flocks made
	animated    bool    // points move to their ends instead of jumping there
}

// side is the flock on one side of the curtain.
type side struct {
	flock  *Flock
	method string
	key    string
	ends   []place   // by point
	front  string    // the key of the front in which ends have their places
	former [bins]int // the histogram before the settings changed
	film   *Flock    // the same points at a picture's iteration, kept for the next picture
	live   *Flock    // the normal flock while a picture shows the film
	placed []place
}

// place is the place on the front at which a run ends.
type place struct {
	known bool
	away  bool
	share float64 // of the front's length, from the end with the least f₁
}

// bins is the number of equally long parts of the front in the histogram.
const bins = 32

// maxCount is the maximum number of points.
const maxCount = 5000

// Names of the parameters.
const (
	countName   = "swarm"
	curtainName = "curtain"
	atName      = "curtainat"
)

// Bind binds the swarm's settings. methods are the choices for the right side of the curtain.
func (s *Swarm) Bind(l *param.List, methods []param.Method) {
	l.Integer(&s.Count, param.Descriptor{Name: countName, Label: "Swarm", Max: maxCount, Step: 100, Effect: param.Display, Unit: "points",
		Help: "How many points are poured over the plane and carried by the first method with a swarm: each goes as a run from there does, " +
			"with the settings as they are now. Its start takes the colour of the place on the front where it ends. It needs a plane: two " +
			"variables, and two objectives."})
	options := []param.Option{{Value: "", Label: "none", Help: "One method carries all points."}}
	for _, m := range methods {
		options = append(options, param.Option{Value: m.ID, Label: m.Title, Help: m.Help})
	}
	l.Choice(&s.Curtain, param.Descriptor{Name: curtainName, Label: "Method right of the curtain", Effect: param.Display, Options: options,
		Help: "A curtain divides the swarm: the first method carries the points to its left, this one those to its right. Drag it, or move it " +
			"by the arrow keys."})
	l.Number(&s.At, param.Descriptor{Name: atName, Label: "Place of the curtain", Max: 1, Step: 0.01, Effect: param.Display,
		Help: "How far across the plane the curtain is: 0 is its left edge, 1 its right edge."})
}

// On reports whether there is a swarm.
func (s *Swarm) On() bool { return s.Count > 0 && s.Method() != "" && s.Lacks() == "" }

// Curtained reports whether there is a curtain.
func (s *Swarm) Curtained() bool { return s.On() && s.Curtain != "" }

// Idle implements scene.Flow: there may be no swarm, or no curtain.
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

// curtainX returns the curtain's position on the horizontal axis.
func (s *Swarm) curtainX() float64 {
	lo, hi := s.Corners()
	right, _ := s.Pair()
	return lo[right] + float64(s.At*(hi[right]-lo[right]))
}

// sync makes flocks that fit the current settings. It keeps those that fit already.
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

// fit makes the flock of a side if something that it depends on has changed.
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

// before returns the histogram to outline behind the next flock's: the side's own, or the former one while fewer than half of its
// ends are known.
func (s *Swarm) before(of *side) [bins]int {
	if of.flock == nil {
		return [bins]int{}
	}
	if known, members := of.flock.Known(); 2*known < members {
		return of.former
	}
	return s.counts(of)
}

// sides returns the sides that have a flock.
func (s *Swarm) sides() (out []*side) {
	for _, of := range []*side{&s.left, &s.right} {
		if of.flock != nil {
			out = append(out, of)
		}
	}
	return out
}

// placeEnds syncs the flocks and finds the places of new ends on the front.
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

// Animate(true) lets Flow move points to their ends. Otherwise Work takes them there without showing the way.
func (s *Swarm) Animate(on bool) { s.animated = on }

// Flow moves points for some seconds while more() is true. It reports whether any point still moves.
func (s *Swarm) Flow(seconds float64, more func() bool) (flows bool, err error) {
	flows = s.Flows()
	const perSecond, most = 60, 12 // rounds per second, and at most per call: enough for five calls a second
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

// Flows reports whether a point is not yet at its end.
func (s *Swarm) Flows() bool {
	s.sync()
	return slices.ContainsFunc(s.sides(), func(of *side) bool { return !of.flock.Rests() })
}

// Pour moves all points back to their starts. Known ends stay known.
func (s *Swarm) Pour() {
	s.turn = 0
	for _, of := range s.sides() {
		of.flock.Pour()
	}
}

// ShowAt shows every point at iteration k of its run, or at its end if that comes earlier, for a picture. A negative k shows the
// points as before. A later iteration than in the last call takes only the steps between.
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

// Work moves all points to their ends while more() is true, unless Flow moves them. It reports whether there is more to do.
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

// Count counts the members of a side by where they end.
type Count struct {
	Method string    `json:"method"`
	Points int       `json:"points"`
	Ended  int       `json:"ended"` // members whose end is known
	Away   int       `json:"away"`  // of these, members that end away from the front
	Bins   [bins]int `json:"bins"`  // the others by their place on the front, from the end with the least f₁
}

// ends returns how many end in the front's outer tenths: at least f₁ and at least f₂.
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

// Counts returns the counts of both sides, or of the left one alone if the right one has no points. Without a swarm it is empty.
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

// frontLine measures places along a front.
type frontLine struct {
	points [][2]float64
	way    []float64  // distance from the first point to each
	size   [2]float64 // ranges of the objectives; distances are measured in them
}

// apart is the distance, as a share of the ranges, from which neighbours on a front are not joined.
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

// share returns the place on the front nearest to f as a share of its length, or 0 on a front without length.
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

// KeyOf writes the values of all parameters on which iterates may depend, except the named ones.
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
