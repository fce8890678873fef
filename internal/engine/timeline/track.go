package timeline

import (
	"cmp"
	"fmt"
	"slices"

	"paretoplay/algo"
)

// Track is one solution of a run: one line in a picture. The zero value has no run.
type Track struct {
	*Run
	Solution int
}

// Name returns a name that is unique in the scene. It is the run's name, with the number of the start if the run may hold several
// solutions.
func (t Track) Name() string { return t.names[t.Solution] }

// Label returns a label for visitors, such as "PSMGD, start 3".
func (t Track) Label() string {
	if t.Several {
		return fmt.Sprintf("%s, %s %d", t.Title, cmp.Or(t.Member, "start"), t.StartIndex()+1)
	}
	return t.Run.Label
}

// StartIndex returns the number of the track's start point, from 0.
func (t Track) StartIndex() int { return t.Run.StartIndex + t.Solution }

// Start returns the track's first point.
func (t Track) Start() []float64 { return t.Starts[t.Solution] }

// Why says in a few words why the track has ended, in addition to its status, or "".
func (t Track) Why() string {
	if t.Explain == nil || t.status == algo.Running {
		return ""
	}
	return t.Explain(t)
}

// Kept returns the track's part of the run's i-th kept row.
func (t Track) Kept(i int) Row { return t.Of(t.row(i)) }

// Of returns the track's part of a row of its run.
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

// given returns the weights of a solution, or nil if the step had none for it. A run that may hold several solutions marks that by
// zeros.
func (r *Run) given(weights []float64) []float64 {
	if r.Several && !slices.ContainsFunc(weights, func(w float64) bool { return w != 0 }) {
		return nil
	}
	return weights
}

// Tracks returns the tracks of all runs in order. Do not modify the slice.
func (t *Timeline) Tracks() []Track { return t.tracks }

// Find returns the track with that name, or the first track of the run with that name. Its Run is nil if there is none.
func (t *Timeline) Find(name string) Track {
	for _, track := range t.tracks {
		if track.Name() == name || track.Solution == 0 && track.Run.Name == name {
			return track
		}
	}
	return Track{}
}

// FindFrom returns the track of a method from start point start, counted from 0. Its Run is nil if there is none.
func (t *Timeline) FindFrom(method string, start int) Track {
	for _, track := range t.tracks {
		if track.Method == method && track.StartIndex() == start {
			return track
		}
	}
	return Track{}
}

// Select selects the track that is shown in detail. An unknown name selects the first track.
func (t *Timeline) Select(name string) {
	t.selected = t.Find(name)
	if t.selected.Run == nil && len(t.tracks) > 0 {
		t.selected = t.tracks[0]
	}
}

// Selected returns the track shown in detail. Its Run is nil if there are no runs.
func (t *Timeline) Selected() Track { return t.selected }

// SelectedName returns the name of the track shown in detail, or "" if there are no runs.
func (t *Timeline) SelectedName() string {
	if t.selected.Run == nil {
		return ""
	}
	return t.selected.Name()
}

// Shown returns the kept row of a track nearest to the marker from below. Pictures show it. Its slices belong to the run.
func (t *Timeline) Shown(track Track) Row {
	return track.Kept(track.Index(min(t.marker, track.last)))
}

// AtMarker returns the exact row of a track at the marker, or its last row if the run ended before. Numbers are read from it. A
// replayed row is valid until another one is replayed. If replaying is impossible now, it returns the row that Shown returns.
func (t *Timeline) AtMarker(track Track) Row { return track.Of(t.Near(track.Run, t.marker)) }

// ShownStep returns the row of a track whose step is shown at the marker: the step away from the marker or, if the run has not made
// it, the last step.
func (t *Timeline) ShownStep(track Track) Row {
	k := t.marker
	if k >= track.last {
		k = max(0, track.last-1)
	}
	return track.Of(t.Near(track.Run, k))
}

// Left writes the stationarity of one of the track's rows, or 0 if it is mere rounding beside that at the track's start.
func (r Track) Left(row Row) string {
	return Number(Besides(row.Stationarity, number(r.Kept(0).Stationarity).size()))
}
