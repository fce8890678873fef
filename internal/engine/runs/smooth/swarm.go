package smooth

import (
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/algo/pareto"
	"paretoplay/internal/engine/swarm"
	"paretoplay/internal/engine/timeline"
)

// BindSwarm binds a swarm's settings. The curtain starts at the right edge, where it hides nothing.
func (r *Roster) BindSwarm(w *swarm.Swarm, l *param.List) {
	w.Curtain, w.At = ls, 1
	w.Bind(l, r.swarmMethods())
}

// CarrySwarm connects a swarm with the first running method that can move it. The swarm depends on all parameters
// except display parameters, those that choose runs and starts, and those listed in others.
func (r *Roster) CarrySwarm(w *swarm.Swarm, l *param.List, t *timeline.Timeline, others ...string) {
	w.Version = func() uint64 { return l.Version() + t.Version() }
	w.Method, w.Title = r.swarmMethod, r.Title
	apart := append([]string{"method", "starts", "start"}, others...)
	w.Key = func() string { return swarm.KeyOf(l, apart...) }
}

// swarmMethods returns the methods that can move points one by one: all available methods except MOO-SVGD, which moves
// them together.
func (r *Roster) swarmMethods() []param.Method {
	return slices.DeleteFunc(Methods(), func(m param.Method) bool { return m.ID == moosvgd || r.Absent(m.ID) != "" })
}

// swarmMethod returns the first running method that can move points one by one, or "" if there is none.
func (r *Roster) swarmMethod() string {
	for _, m := range r.On {
		if m != moosvgd {
			return m
		}
	}
	return ""
}

// SwarmCourse returns how a method moves a swarm's points: point i moves like the run from start i of the course, with
// the current budget and settings.
func (r *Roster) SwarmCourse(method string, c Course) swarm.Course {
	return swarm.Course{
		Starts: c.Starts, Budget: r.Budget, Stop: r.Stop, Omega: pareto.StationarityOf(c.Problem),
		New: func(i int) (algo.Stepper, error) {
			one := c
			one.Start = i
			return r.Stepper(method, &one)
		},
	}
}
