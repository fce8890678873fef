package networktasks

import (
	"errors"
	"fmt"
	"slices"

	"paretoplay/algo/runlog"
	"paretoplay/internal/engine/scene"
)

var _ scene.Recordable = (*Scene)(nil)

// Recording implements scene.Recordable. The recording includes the outcomes of the page's training runs at their last
// test.
func (s *Scene) Recording(name string) (*scene.Recording, error) {
	v, track := &s.values, s.Timeline().Find(name)
	switch {
	case s.net == nil:
		return nil, errors.New("its pictures are still loading")
	case track.Run == nil:
		return nil, scene.UnknownRun(s.Timeline(), name)
	}
	start := s.net.Start(v.Seed)
	runs, err := v.Runs([]string{track.Method}, [][]float64{start}, func(int) *course {
		return &course{net: s.net.Again(), start: start, tasks: v.Tasks, seed: v.Seed}
	})
	if err != nil {
		return nil, err
	}
	runs[0].Unlocated = true
	out := &scene.Recording{Run: runs[0], Problem: s.net.Again(), Names: s.net.Names(), Seed: v.Seed}
	_, periods := s.periods()
	for _, r := range s.Timeline().Runs() {
		row, ok := tested(r, r.Last())
		if !ok {
			continue
		}
		outcome := runlog.Outcome{Name: r.Title, Rule: r.Method, Period: 1, Backprops: float64(row.BP),
			Losses: slices.Clone(row.List(lossName)), Accuracy: slices.Clone(row.List(accuracyName))}
		if r.Method == psmgd {
			outcome.Rule, outcome.Period = mgda, periods[len(periods)-1]
			outcome.Name = fmt.Sprintf("%s, R = %d", r.Title, outcome.Period)
		}
		out.Outcomes = append(out.Outcomes, outcome)
	}
	return out, nil
}
