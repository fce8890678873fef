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

// Swarm is the swarm of a scene: a flock, or two with a curtain between them. Its settings are bound to the scene's parameters, and
// the other fields say what the scene's plane is.
type Swarm struct {
	Count   int
	Curtain string  // the method to the right of the curtain, "" for no curtain
	At      float64 // where the curtain is, a share of the plane's width

	// Version changes at least with all that the functions below depend on, but for Front, FrontKey and Away.
	Version func() uint64
	// Lacks says why there can be no swarm, "" where there can.
	Lacks func() string
	// Method is the method to the left, "" where none can carry a swarm.
	Method func() string
	Title  func(method string) string
	// Key names all that a course depends on besides its method and starts.
	Key    func() string
	Course func(method string, starts [][]float64) Course
	// Corners returns the ends of both variables in the plane that is shown.
	Corners func() (lo, hi [2]float64)
	// Pair is the variables to the right and upwards, from 0.
	Pair func() (right, up int)
	// Front is points of the front by rising f₁; those farther apart than a fifth of their range are not joined. FrontKey changes
	// with them, and with what Away depends on.
	Front    func() [][2]float64
	FrontKey func() string
	// Away reports whether a run that ends there ends away from the front.
	Away func(x, f [2]float64) bool

	left, right side
	marks       [2][]brush.Stamp
	synced      bool
	version     uint64  // in the last sync
	divided     bool    // by a curtain
	edge        float64 // where it is
	axis        int     // the variable to the right
	cells       cells
	front       *frontLine // of frontKey
	frontKey    string
	carry       float64 // rounds owed
	turn        int     // the side whose round is under way
	made        int     // how often a flock was made
	animated    bool    // points move before they are at their ends
}

// side is the flock to one side of the curtain.
type side struct {
	flock  *Flock
	method string
	key    string
	ends   []place   // by point
	front  string    // the key of the front by which the ends are placed
	former [bins]int // the histogram before the settings changed
	film   *Flock    // the same points at an iteration that a picture shows, kept for the next picture
	live   *Flock    // while a picture shows the film: what is shown otherwise, and its ends
	placed []place
}

// place is where on the front a run ends.
type place struct {
	known bool
	away  bool
	share float64 // of the front's length, from its end of least f₁
}

// bins is how many parts of equal length of the front the histogram has.
const bins = 32

// maxCount is the most points.
const maxCount = 5000

// Names of the parameters.
const (
	countName   = "swarm"
	curtainName = "curtain"
	atName      = "curtainat"
)

// Bind binds the swarm's settings; methods are those that a curtain may have to its right.
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

// curtainX is where the curtain is in the plane.
func (s *Swarm) curtainX() float64 {
	lo, hi := s.Corners()
	right, _ := s.Pair()
	return lo[right] + float64(s.At*(hi[right]-lo[right]))
}

// sync makes flocks that fit the settings as they are, and keeps those that do.
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

// fit makes the flock of a side if what it depends on has changed.
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

// before returns the histogram to outline behind the next flock's: the side's own, or the former one while fewer than half of its ends
// are known.
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

// placeEnds brings the flocks up to date, and places the ends that are known and have no place yet.
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

// Animate makes points move from their starts to their ends by Flow; otherwise Finish brings them there.
func (s *Swarm) Animate(on bool) { s.animated = on }

// Flow lets points go on for some seconds, while more() holds, and reports whether they do not rest yet.
func (s *Swarm) Flow(seconds float64, more func() bool) (flows bool, err error) {
	flows = s.Flows()
	const perSecond, most = 60, 12 // rounds; a display of five frames a second is as far as one of sixty
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

// Pour seeds all points again, at once. Ends that are known stay known.
func (s *Swarm) Pour() {
	s.turn = 0
	for _, of := range s.sides() {
		of.flock.Pour()
	}
}

// ShowAt shows every point at iteration k of its run, or where it has ended before, for a picture; with a negative k it shows every point
// where it was before. A later iteration than in the call before takes only the steps between.
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

// Work brings all points to their ends while more() holds, unless they move there by Flow, and reports whether there is more to do.
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

// Count is what has become of the members of a side.
type Count struct {
	Method string    `json:"method"`
	Points int       `json:"points"`
	Ended  int       `json:"ended"` // whose end is known
	Away   int       `json:"away"`  // of these, away from the front
	Bins   [bins]int `json:"bins"`  // of the others, by the place on the front where they end, from its end of least f₁
}

// ends are how many end in the outer tenth of the front to either side: least f₁, and least f₂.
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

// Counts returns the counts of both sides, of the left one alone if the right one has no points. Without a swarm it is empty.
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

// counts is how many members of a side end in each bin.
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
	way    []float64  // from the first point to each
	size   [2]float64 // ranges, in which ways are measured
}

// apart is the distance from which neighbours on a front are not joined, of its ranges.
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

// share is the place on the front nearest to f, a share of its length; 0 on a front without length.
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

// KeyOf spells out the values of all parameters on which iterates may depend, except those named.
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
