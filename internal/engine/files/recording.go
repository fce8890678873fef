package files

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"paretoplay/algo"
	"paretoplay/algo/runlog"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// wantedRecords is the default number of records in a log. This number suffices to average noise over several windows.
const wantedRecords = 300

// maxLog is the maximum size of a log, in bytes. The page cannot read larger logs.
const maxLog = runlog.PageBytes

// RecordingState describes the log of a run.
type RecordingState struct {
	Run     string `json:"run"`     // name of the run to record, as visitors see it
	Why     string `json:"why"`     // reason why the run cannot be recorded; "" if it can
	Records int    `json:"records"` // number of records
	Done    bool   `json:"done"`    // whether the log is complete
	Shown   bool   `json:"shown"`   // whether the scene shows a log of another source instead of recording one of its runs
}

// Recording is a log of a run, in progress or complete.
type Recording struct {
	run      *timeline.Run // run in the timeline
	last     int           // last iteration to record
	anew     *scene.Recording
	stepper  runlog.Stepper
	follower *runlog.Follower
	k        int // current iteration of the repeated run
	fault    error
	file     []byte // nil while in progress

	more func() bool // reports whether the current call of Work may continue
	next func() (struct{}, bool)
	stop func()
}

// Record selects a run, or keeps the selection if run is "", and prepares the run's log up to its last iteration. The log
// has a record before every n-th step, where n is every; 0 chooses n automatically. Work then repeats the run without
// changing the displayed one.
func (s Source) Record(run string, every int) (*Recording, error) {
	r, err := s.recorded(run)
	if err != nil {
		return nil, err
	}
	recordable, _ := scene.AsRecordable(s.Scene) // recorded has checked that the scene is recordable
	last := r.Last()
	v := r.Stepper.View()
	if every, err = recordEvery(last, len(v.F)/max(v.Solutions, 1), every); err != nil {
		return nil, fmt.Errorf("%s: %w", r.Label, err)
	}
	of := &Recording{run: r, last: last}
	if err := s.Scene.Params().With(s.Base, func() (err error) {
		of.anew, err = recordable.Recording(r.Name)
		return err
	}); err != nil {
		return nil, fmt.Errorf("there is no log of %s: %w", r.Label, err)
	}
	var is bool
	if of.stepper, is = of.anew.Run.Stepper.(runlog.Stepper); !is {
		return nil, fmt.Errorf("there is no log of %s: %T has no samples", r.Label, of.anew.Run.Stepper)
	}
	of.follower, err = runlog.NewFollower(runlog.FollowerConfig{
		Problem: of.anew.Problem, Names: of.anew.Names, Every: every, Seed: of.anew.Seed, StartIndex: of.anew.Run.StartIndex, Most: maxLog,
	})
	if err != nil {
		return nil, err
	}
	if run != "" {
		s.Scene.Timeline().Select(run)
	}
	of.begin(slices.Clone(s.Scene.Timeline().Log()))
	return of, nil
}

// Records returns an error with the reason if the named run can never have a log. "" means the selected run.
func (s Source) Records(name string) error {
	_, err := s.recordable(name)
	return err
}

// recordable returns the named run, or the selected run for "". It returns an error if runs of this kind cannot be
// recorded.
func (s Source) recordable(name string) (*timeline.Run, error) {
	if _, is := scene.AsRecordable(s.Scene); !is {
		var can []string
		for _, a := range s.Scenes {
			if _, is := scene.AsRecordable(a.New()); is {
				can = append(can, a.ID)
			}
		}
		return nil, fmt.Errorf("the scene %s has no training log to write; available: %s", s.About.ID, strings.Join(can, " "))
	}
	r := s.Scene.Timeline().Selected().Run
	if name != "" {
		r = s.Scene.Timeline().Find(name).Run
	}
	switch {
	case r == nil && name != "":
		return nil, scene.UnknownRun(s.Scene.Timeline(), name)
	case r == nil:
		return nil, errors.New("there is no run to record")
	}
	if _, is := r.Stepper.(runlog.Stepper); !is {
		return nil, fmt.Errorf("there is no log of %s: its steps do not report their samples and weights", r.Label)
	}
	return r, nil
}

// recorded returns the named run, or the selected run for "". It returns an error if the run's iterations so far cannot
// be recorded.
func (s Source) recorded(name string) (*timeline.Run, error) {
	r, err := s.recordable(name)
	switch {
	case err != nil:
		return nil, err
	case r.Last() == 0:
		return nil, fmt.Errorf("%s has not taken a step yet; advance it before you record it", r.Label)
	case r.Last() == 1:
		return nil, fmt.Errorf("%s has taken only one step; a log needs at least two", r.Label)
	}
	return r, nil
}

// recordEvery returns n, the number of steps from one record of a log to the next. n is every or, if every is 0, a
// suitable number. recordEvery returns an error if n would give too few or too many records.
func recordEvery(steps, objectives, every int) (int, error) {
	const besides = 1 << 20 // allowance, in bytes, for everything in a log except the records
	most := int((maxLog - besides) / runlog.RecordBytes(objectives))
	records := func(every int) int { return (steps + every - 1) / every }
	least := max(1, (steps+most-1)/most)
	switch {
	case every == 0:
		return max(least, steps/wantedRecords), nil
	case records(every) < 2:
		return 0, fmt.Errorf("a record before every %d-th of %d steps gives fewer than two records", every, steps)
	case every < least:
		return 0, fmt.Errorf("%d records take more than the maximum of %d MB for a log; record at most every %d-th step", records(every),
			maxLog>>20, least)
	}
	return every, nil
}

// restsAfter is the amount of work that a recording does before it checks again whether it may continue, in the units
// of package timeline.
const restsAfter = 20000

// dropped is the panic value of an abandoned recording.
type dropped struct{}

// begin prepares the repeated run. The run pauses whenever its time is up, even in the middle of a step.
func (r *Recording) begin(log []timeline.Change) {
	r.next, r.stop = iter.Pull(func(yield func(struct{}) bool) {
		rest := func() {
			if !r.more() && !yield(struct{}{}) {
				panic(dropped{})
			}
		}
		defer func() {
			if fault := recover(); fault != nil && fault != any(dropped{}) {
				panic(fault)
			}
		}()
		yielder := algo.NewYielder(restsAfter, func(int) { rest() })
		algo.PassYielder(r.anew.Problem, yielder)
		algo.PassYielder(r.stepper, yielder)
		for r.k < r.last && r.fault == nil {
			rest()
			r.fault = r.step(log)
		}
	})
}

// step takes the next step of the repeated run, after applying the live changes that were made at the current
// iteration.
func (r *Recording) step(log []timeline.Change) error {
	for _, c := range log {
		if c.K == r.k && r.anew.Run.Apply != nil {
			if err := r.anew.Run.Apply(c); err != nil {
				return err
			}
		}
	}
	if _, err := r.follower.Step(r.stepper); err != nil {
		return err
	}
	if r.stepper.View().K == r.k {
		return fmt.Errorf("cannot repeat %s: it ended at iteration %d of %d", r.run.Label, r.k, r.last)
	}
	r.k++
	return nil
}

// finish writes the file of a repeated run.
func (r *Recording) finish() error {
	if r.k < r.last { // a panic ended the run
		return fmt.Errorf("cannot repeat %s: it ended at iteration %d of %d", r.run.Label, r.k, r.last)
	}
	v, shown := r.stepper.View(), r.run.Stepper.View()
	if shown.K == v.K && !slices.Equal(shown.X, v.X) {
		return fmt.Errorf("cannot repeat %s: it reached a different point", r.run.Label)
	}
	log, err := r.follower.Recorder().Log(r.anew.Outcomes)
	if err != nil {
		return fmt.Errorf("there is no log of %s: %w", r.run.Label, err)
	}
	var b bytes.Buffer
	if err := log.Write(&b); err != nil {
		return err
	}
	r.file, r.anew, r.stepper = b.Bytes(), nil, nil
	return nil
}

// Stop abandons a log in progress. It does nothing if r is nil.
func (r *Recording) Stop() {
	if r != nil {
		r.stop()
	}
}

// Work continues the log while more() is true. It reports whether the log is still incomplete.
func (r *Recording) Work(more func() bool) (pending bool, err error) {
	if !r.UnderWay() {
		return false, nil
	}
	r.more = more
	if _, pending = r.next(); pending {
		return true, nil
	}
	if r.fault != nil {
		return false, r.fault
	}
	return false, r.finish()
}

// UnderWay reports whether the log is in progress. It returns false if r is nil.
func (r *Recording) UnderWay() bool { return r != nil && r.file == nil }

// Progress returns the finished share of the log, from 0 to 1.
func (r *Recording) Progress() float64 { return float64(r.k) / float64(r.last) }

// Part returns the number of finished parts if the log is divided into the given number of equal parts.
func (r *Recording) Part(of int) int { return r.k * of / r.last }

// LeftOut returns the number of steps that have no record because a number was not finite.
func (r *Recording) LeftOut() int { return r.follower.LeftOut() }

// File returns the complete log.
func (r *Recording) File(scene string) File {
	return File{scene + "-" + r.run.Name + ".npz", logType, r.file}
}

// RecordingState returns the state of the selected run's log. The argument `of` is the latest recording, or nil.
// RecordingState returns nil if the scene has no logs.
func (s Source) RecordingState(of *Recording) *RecordingState {
	if shown := s.Scene.Extras().Log; shown != nil {
		if log := shown(); log != nil {
			return &RecordingState{Records: log.Records(), Done: true, Shown: true}
		}
		return &RecordingState{Why: "there is no log yet", Shown: true}
	}
	if _, is := scene.AsRecordable(s.Scene); !is {
		return nil
	}
	r, err := s.recorded("")
	if err != nil {
		return &RecordingState{Why: err.Error()}
	}
	out := &RecordingState{Run: r.Label}
	if of != nil && of.run == r && of.last == r.Last() {
		out.Records, out.Done = of.follower.Recorder().Records(), of.file != nil
	}
	return out
}

const logType = "application/octet-stream"

// ShownLog returns a file with the log that the scene shows. ok is false if the scene shows no log.
func (s Source) ShownLog() (file File, ok bool, err error) {
	shown := s.Scene.Extras().Log
	if shown == nil {
		return File{}, false, nil
	}
	log := shown()
	if log == nil {
		return File{}, true, errors.New("there is no log yet")
	}
	var b bytes.Buffer
	err = log.Write(&b)
	return File{s.About.ID + ".npz", logType, b.Bytes()}, true, err
}
