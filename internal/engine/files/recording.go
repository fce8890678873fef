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

// A log has about so many records, if nobody says how many: enough for several windows over which noise is averaged.
const wantedRecords = 300

// maxLog is how many bytes a log may take: what the page reads.
const maxLog = runlog.PageBytes

// RecordingState says how the log of a run is getting on.
type RecordingState struct {
	Run     string `json:"run"`     // what is or would be recorded, in words
	Why     string `json:"why"`     // why it cannot be, in words; "" where it can
	Records int    `json:"records"` // that there are
	Done    bool   `json:"done"`    // the log is complete
	Shown   bool   `json:"shown"`   // it is what the scene shows, and stems from elsewhere
}

// Recording is a log that is made, or has been.
type Recording struct {
	run      *timeline.Run // of the timeline
	last     int           // the iteration up to which it is recorded
	anew     *scene.Recording
	stepper  runlog.Stepper
	follower *runlog.Follower
	k        int // how far the repeated run has come
	fault    error
	file     []byte // nil while it is under way

	more func() bool // whether this part goes on
	next func() (struct{}, bool)
	stop func()
}

// Record selects a run, "" for the one that is selected, and prepares to record it from its first step to its last iteration: before
// every n-th step, where 0 chooses n. The run is made once more beside the one on show, by Work.
func (s Source) Record(run string, every int) (*Recording, error) {
	r, err := s.recorded(run)
	if err != nil {
		return nil, err
	}
	recordable, _ := scene.AsRecordable(s.Scene) // which recorded has checked
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

// Records returns why the run of that name, "" for the selected one, has no log however far it comes; nil where it has.
func (s Source) Records(name string) error {
	_, err := s.recordable(name)
	return err
}

// recordable returns the run of that name, "" for the selected one, if such runs can be recorded.
func (s Source) recordable(name string) (*timeline.Run, error) {
	if _, is := scene.AsRecordable(s.Scene); !is {
		var can []string
		for _, a := range s.Scenes {
			if _, is := scene.AsRecordable(a.New()); is {
				can = append(can, a.ID)
			}
		}
		return nil, fmt.Errorf("the scene %s has no log of a training to write; those that do: %s", s.About.ID, strings.Join(can, " "))
	}
	r := s.Scene.Timeline().Selected().Run
	if name != "" {
		r = s.Scene.Timeline().Find(name).Run
	}
	switch {
	case r == nil && name != "":
		return nil, fmt.Errorf("%s is no run", scene.Quote(name))
	case r == nil:
		return nil, errors.New("nothing runs, so there is nothing to record")
	}
	if _, is := r.Stepper.(runlog.Stepper); !is {
		return nil, fmt.Errorf("there is no log of %s: its steps do not say on which sample they were made, and with which weights", r.Label)
	}
	return r, nil
}

// recorded returns the run of that name, "" for the selected one, if it can be recorded as far as it has come.
func (s Source) recorded(name string) (*timeline.Run, error) {
	r, err := s.recordable(name)
	switch {
	case err != nil:
		return nil, err
	case r.Last() == 0:
		return nil, fmt.Errorf("%s has made no step yet: let it run, then record it", r.Label)
	case r.Last() == 1:
		return nil, fmt.Errorf("%s has made one step: a log has at least two", r.Label)
	}
	return r, nil
}

// recordEvery returns before every which step there is a record, of so many steps of so many objectives; 0 leaves it open.
func recordEvery(steps, objectives, every int) (int, error) {
	const besides = 1 << 20 // bytes for what is not of a record
	most := int((maxLog - besides) / runlog.RecordBytes(objectives))
	records := func(every int) int { return (steps + every - 1) / every }
	least := max(1, (steps+most-1)/most)
	switch {
	case every == 0:
		return max(least, steps/wantedRecords), nil
	case records(every) < 2:
		return 0, fmt.Errorf("before every %d-th of %d steps there are fewer than two records", every, steps)
	case every < least:
		return 0, fmt.Errorf("%d records take more than the %d MB that a log may have: record every %d-th step, or fewer", records(every),
			maxLog>>20, least)
	}
	return every, nil
}

// restsAfter is how much work a recording does until it asks whether it may go on, as timeline's steps do.
const restsAfter = 20000

// dropped is what a recording panics with that nobody waits for any more.
type dropped struct{}

// begin prepares the repeated run, which rests wherever its time is over, in the middle of a step too.
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

// step makes the next step of the repeated run, with the changes that were made to the run there.
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
		return fmt.Errorf("%s could not be repeated: it ended at iteration %d of %d", r.run.Label, r.k, r.last)
	}
	r.k++
	return nil
}

// finish makes the file of a repeated run.
func (r *Recording) finish() error {
	if r.k < r.last { // a fault of the program ended it
		return fmt.Errorf("%s could not be repeated: it ended at iteration %d of %d", r.run.Label, r.k, r.last)
	}
	v, shown := r.stepper.View(), r.run.Stepper.View()
	if shown.K == v.K && !slices.Equal(shown.X, v.X) {
		return fmt.Errorf("%s could not be repeated: it came to another point", r.run.Label)
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

// Stop gives up a log that is under way; nil is none.
func (r *Recording) Stop() {
	if r != nil {
		r.stop()
	}
}

// Work goes on with the log while more() holds, and reports whether there is more to do.
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

// UnderWay reports whether there is a log that is not complete yet; nil is none.
func (r *Recording) UnderWay() bool { return r != nil && r.file == nil }

// Progress returns how far the log has come, from 0 to 1.
func (r *Recording) Progress() float64 { return float64(r.k) / float64(r.last) }

// Part returns how many of so many equal parts are done.
func (r *Recording) Part(of int) int { return r.k * of / r.last }

// LeftOut returns how many steps have no record, because a number was not finite there.
func (r *Recording) LeftOut() int { return r.follower.LeftOut() }

// File returns the complete log.
func (r *Recording) File(scene string) File {
	return File{scene + "-" + r.run.Name + ".npz", logType, r.file}
}

// RecordingState says how the log of the selected run is getting on, of being the one that was recorded last; nil where the scene has
// no logs.
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

// logType is the media type of logs.
const logType = "application/octet-stream"

// ShownLog writes the log that the scene shows; ok is false in scenes that show none.
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
