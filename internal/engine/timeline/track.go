package timeline

import (
	"cmp"
	"fmt"
	"slices"

	"paretoplay/algo"
)

// Track is one solution of a run, which pictures draw as one line. The zero value has no run.
type Track struct {
	*Run
	Solution int
}

// Name returns the track's name, which is unique in the scene. It is the run's name, followed by the start's number if
// the run may hold several solutions.
func (t Track) Name() string { return t.names[t.Solution] }

// Label returns a label for visitors, such as "PSMGD, start 3".
func (t Track) Label() string {
	if t.Several {
		return fmt.Sprintf("%s, %s %d", t.Title, cmp.Or(t.Member, "start"), t.StartIndex()+1)
	}
	return t.Run.Label
}

// StartIndex returns the index, from 0, of the track's start point.
func (t Track) StartIndex() int { return t.Run.StartIndex + t.Solution }

// Start returns the track's first point.
func (t Track) Start() []float64 { return t.Starts[t.Solution] }

// Why returns a short reason why the track ended, in addition to its status, or "" if the status is reason enough.
func (t Track) Why() string {
	if t.Explain == nil || t.status == algo.Running {
		return ""
	}
	return t.Explain(t)
}

// Kept returns the track's part of the run's i-th kept row.
func (t Track) Kept(i int) Row { return t.Of(t.row(i)) }

// Of returns the track's part of a row of the track's run.
func (t Track) Of(row Row) Row {
	r := t.Run
	if r.s == 1 {
		row.Weights = r.given(row.Weights)
		return row
	}
	i := t.Solution
	part := func(rows []float64, length int) []float64 {
		if rows == nil {
			return nil
		}
		return rows[i*length : (i+1)*length : (i+1)*length]
	}
	row.X, row.F, row.Weights, row.Direction = part(row.X, r.n), part(row.F, r.m), part(row.Weights, r.m), part(row.Direction, r.n)
	row.Weights = r.given(row.Weights)
	row.Stationarities = part(row.Stationarities, 1)
	row.Stationarity = row.Stationarities[0]
	row.BP /= r.s
	row.solution = i
	return row
}

// given returns a solution's weights, or nil if the step used no weights for it. A run that may hold several solutions
// marks missing weights by zeros.
func (r *Run) given(weights []float64) []float64 {
	if r.Several && !slices.ContainsFunc(weights, func(w float64) bool { return w != 0 }) {
		return nil
	}
	return weights
}

// Tracks returns the tracks of all runs in order. Do not modify the slice.
func (t *Timeline) Tracks() []Track { return t.tracks }

// Find returns the track with the given name, or the first track of the run with that name. The result's Run is nil if
// the name is unknown.
func (t *Timeline) Find(name string) Track {
	for _, track := range t.tracks {
		if track.Name() == name || track.Solution == 0 && track.Run.Name == name {
			return track
		}
	}
	return Track{}
}

// FindFrom returns a method's track from the given start point; the first has index 0. The result's Run is nil if the
// track does not exist.
func (t *Timeline) FindFrom(method string, start int) Track {
	for _, track := range t.tracks {
		if track.Method == method && track.StartIndex() == start {
			return track
		}
	}
	return Track{}
}

// Select selects the track to show in detail. If the name is unknown, it selects the first track.
func (t *Timeline) Select(name string) {
	t.selected = t.Find(name)
	if t.selected.Run == nil && len(t.tracks) > 0 {
		t.selected = t.tracks[0]
	}
}

// Selected returns the track that is shown in detail. The result's Run is nil if the timeline has no runs.
func (t *Timeline) Selected() Track { return t.selected }

// SelectedName returns the name of the track that is shown in detail, or "" if the timeline has no runs.
func (t *Timeline) SelectedName() string {
	if t.selected.Run == nil {
		return ""
	}
	return t.selected.Name()
}

// Shown returns a track's last kept row at or before the marker, for pictures. Its slices belong to the run.
func (t *Timeline) Shown(track Track) Row {
	return track.Kept(track.Index(min(t.marker, track.last)))
}

// AtMarker returns, for printed numbers, the exact row of a track at the marker, or the last row if the run ended
// earlier. A replayed row is valid until another row is replayed. If a replay is impossible at the moment, AtMarker
// returns the same row as Shown.
func (t *Timeline) AtMarker(track Track) Row { return track.Of(t.Near(track.Run, t.marker)) }

// ShownStep returns the row of a track that contains the step to show at the marker. This is the step that starts at the
// marker or, if the run has not taken that step, the last step.
func (t *Timeline) ShownStep(track Track) Row {
	k := t.marker
	if k >= track.last {
		k = max(0, track.last-1)
	}
	return track.Of(t.Near(track.Run, k))
}

// Left formats the stationarity of one of the track's rows. It writes 0 for a rounding error relative to the stationarity
// at the track's start.
func (r Track) Left(row Row) string {
	return Number(Besides(row.Stationarity, number(r.Kept(0).Stationarity).size()))
}
