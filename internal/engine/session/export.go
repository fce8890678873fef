package session

import (
	"encoding/json"
	"fmt"
	"strings"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/files"
	"paretoplay/internal/engine/scene"
)

// Files returns the source that writes the session's files.
func (s *Session) Files() files.Source {
	s.settle()
	return s.source()
}

func (s *Session) source() files.Source {
	return files.Source{Scenes: s.scenes, About: s.about, Scene: s.scene, Base: s.base, Front: s.front(), Settings: s.Settings,
		Page: s.screen.page, Theme: s.screen.theme, OwnData: s.file.wanted != "", Panels: func() []axes.Panel {
			s.pins.DrawGhosts(here{s}) // the differences between pins may have changed since the last frame
			return s.explained()
		}}
}

// BeginTake is like Take, but passes all bytes to how.Piece, and may pause after each piece when more() is false.
func (s *Session) BeginTake(kind string, how files.Taking, more func() bool) *Begun {
	s.settle()
	piece := how.Piece
	how.Piece = func(data []byte) {
		piece(data)
		s.mayRest()
	}
	return s.run(&Begun{looks: true}, func(b *Begun) error {
		file, err := s.Take(kind, how)
		if b.result = file; err == nil {
			piece(file.Data)
		}
		return err
	}, more)
}

// Take writes a file of the scene at the marker, as Source.Take does. It has these additional kinds: log, the selected run's log;
// compare, the comparison of methods; try, the results for other values of a parameter; and try-KIND, these results as a file of
// that kind.
func (s *Session) Take(kind string, how files.Taking) (files.File, error) {
	s.settle()
	switch kind {
	case "log":
		return s.logFile()
	case "compare":
		if s.made.compare == nil {
			return files.File{}, fmt.Errorf("there is no comparison yet")
		}
		return s.Files().Comparison(s.made.compare)
	case "try":
		tried, err := s.Tried(true)
		if err != nil {
			return files.File{}, err
		}
		data, err := json.Marshal(tried)
		name := s.Files().Name()
		if how.Panel != "" {
			name += "-" + how.Panel
		}
		return files.File{Name: name + ".try", Type: "application/json", Data: append(data, '\n')}, err
	}
	if of, ok := strings.CutPrefix(kind, "try-"); ok {
		return s.Files().ExportTrials(s.made.trials, of)
	}
	return s.Files().Take(kind, how)
}

// Record starts to record a run, as Source.Record does. Work continues the recording, and Take writes it as the kind "log".
func (s *Session) Record(run string, every int) error {
	recording, err := s.Files().Record(run, every)
	if err != nil {
		return err
	}
	s.dropRecording()
	s.made.recording = recording
	s.statusChanged()
	return nil
}

// dropRecording discards the last log, complete or not.
func (s *Session) dropRecording() {
	s.made.recording.Stop()
	s.made.recording = nil
}

// workRecording continues the log in progress and reports whether work remains.
func (s *Session) workRecording(more func() bool) (pending bool, err error) {
	const parts = 20 // progress events per log
	if !s.made.recording.UnderWay() {
		return false, nil
	}
	before := s.made.recording.Part(parts)
	pending, err = s.made.recording.Work(more)
	switch {
	case err != nil:
		s.dropRecording()
		s.statusChanged()
		return false, err
	case pending:
		if before != s.made.recording.Part(parts) {
			s.statusChanged()
		}
		return true, nil
	}
	if n := s.made.recording.LeftOut(); n > 0 {
		s.notice("Steps left out because a number was not finite: %d.", n)
	}
	s.changed()
	return false, nil
}

// logFile returns the log on display or, if there is none, the selected run's log. It records that run first if necessary.
func (s *Session) logFile() (files.File, error) {
	if file, shown, err := s.Files().ShownLog(); shown {
		return file, err
	}
	if state := s.Files().RecordingState(s.made.recording); state == nil || !state.Done {
		if err := s.Record("", 0); err != nil {
			return files.File{}, err
		}
		if _, err := s.workRecording(func() bool { return true }); err != nil {
			return files.File{}, err
		}
	}
	return s.made.recording.File(s.about.ID), nil
}

// Compare starts to compare methods on a number of seeds. Work continues the comparison, and Take writes it as the
// kind "compare".
func (s *Session) Compare(methods []string, seeds int) error {
	compare, err := s.Files().Compare(methods, seeds)
	if err != nil {
		return err
	}
	s.made.compare = compare
	return nil
}

// try sets the parameter whose values the page shows side by side, or ends this display if name is "". A program other
// than the page creates the pictures with TryAll.
func (s *Session) try(name string) error {
	if name != "" {
		d, ok := s.scene.Params().Lookup(name)
		if !ok {
			return fmt.Errorf("unknown parameter %s of the scene %s", scene.Quote(name), s.about.ID)
		}
		if files.Spread(d, s.scene.Params().Text(name)) == nil {
			return fmt.Errorf("%s has no range to try", name)
		}
	}
	s.made.trying = name
	s.changed()
	return nil
}

// TryAll starts runs with other values of a parameter, as Source.TryAll does. Work advances them to the marker, and Tried returns
// the result.
func (s *Session) TryAll(name string, values []string) error {
	made, err := s.Files().TryAll(name, values, s.openTrial)
	if err != nil {
		return err
	}
	s.made.trials = made
	return nil
}

// Tried returns the result of TryAll. Call it once Work reports that no work remains.
func (s *Session) Tried(pictures bool) (files.Trials, error) {
	return s.Files().Tried(s.made.trials, pictures)
}
