package timeline

import (
	"cmp"
	"fmt"
	"slices"

	"paretoplay/algo"
)

// Track is one solution of a run: one line in a picture. The zero value stands for none.
type Track struct {
	*Run
	Solution int
}

// Name is unique in the scene: the run's or, if it may hold several solutions, the run's
// with the number of the start.
func (t Track) Name() string { return t.names[t.Solution] }

// Label is for people, such as "PSMGD, start 3".
func (t Track) Label() string {
	if t.Several {
		return fmt.Sprintf("%s, %s %d", t.Title, cmp.Or(t.Member, "start"), t.StartIndex()+1)
	}
	return t.Run.Label
}

// StartIndex is the number of the track's start point, from 0.
func (t Track) StartIndex() int { return t.Run.StartIndex + t.Solution }

// Start returns the track's first point.
func (t Track) Start() []float64 { return t.Starts[t.Solution] }

// Why says in a few words why the track has ended, besides its status; "" if there is no
// more to say.
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

// given returns the weights of a solution, nil if the step had none for it. A run that
// may hold several solutions says that by zeros.
func (r *Run) given(weights []float64) []float64 {
	if r.Several && !slices.ContainsFunc(weights, func(w float64) bool { return w != 0 }) {
		return nil
	}
	return weights
}

// Tracks returns the tracks of all runs, in order; the caller does not modify the
// slice.
func (t *Timeline) Tracks() []Track { return t.tracks }

// Find returns the track with that name, or the first track of the run with that name;
// its Run is nil if there is none.
func (t *Timeline) Find(name string) Track {
	for _, track := range t.tracks {
		if track.Name() == name || track.Solution == 0 && track.Run.Name == name {
			return track
		}
	}
	return Track{}
}

// FindFrom returns the track of a method from the start point of that number, from 0;
// its Run is nil where there is none.
func (t *Timeline) FindFrom(method string, start int) Track {
	for _, track := range t.tracks {
		if track.Method == method && track.StartIndex() == start {
			return track
		}
	}
	return Track{}
}

// Select shows the track with that name in detail; an unknown name selects the first.
func (t *Timeline) Select(name string) {
	t.selected = t.Find(name)
	if t.selected.Run == nil && len(t.tracks) > 0 {
		t.selected = t.tracks[0]
	}
}

// Selected returns the track that is shown in detail; its Run is nil if there are no
// runs.
func (t *Timeline) Selected() Track { return t.selected }

// SelectedName returns the name of the track that is shown in detail, "" if there are no
// runs.
func (t *Timeline) SelectedName() string {
	if t.selected.Run == nil {
		return ""
	}
	return t.selected.Name()
}

// Shown returns the kept row of a track that is nearest to the marker from below, the
// row that pictures show. Its slices belong to the run.
func (t *Timeline) Shown(track Track) Row {
	return track.Kept(track.Index(min(t.marker, track.last)))
}

// AtMarker returns the exact row of a track at the marker, or its last row if the run
// ended before. Numbers are read from it. A dropped row is computed again, and holds
// until another one is; where that cannot be done now, it is the row that Shown returns.
func (t *Timeline) AtMarker(track Track) Row { return track.Of(t.Near(track.Run, t.marker)) }

// ShownStep returns the row of a track whose step is shown at the marker: the step away
// from the marker or, if the run has not gone on from there, the step that led to it.
func (t *Timeline) ShownStep(track Track) Row {
	k := t.marker
	if k >= track.last {
		k = max(0, track.last-1)
	}
	return track.Of(t.Near(track.Run, k))
}

// Left writes the stationarity of one of the track's rows, 0 where it is mere rounding beside that of its start.
func (r Track) Left(row Row) string {
	return Number(Besides(row.Stationarity, number(r.Kept(0).Stationarity).size()))
}
