package session

import (
	"encoding/json"
	"fmt"
	"strings"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/files"
	"paretoplay/internal/engine/scene"
)

// Files returns what files are written from.
func (s *Session) Files() files.Source {
	s.settle()
	return s.source()
}

func (s *Session) source() files.Source {
	return files.Source{Scenes: s.scenes, About: s.about, Scene: s.scene, Base: s.base, Front: s.front(), Settings: s.Settings,
		Page: s.screen.page, Theme: s.screen.theme, OwnData: s.file.wanted != "", Panels: func() []axes.Panel {
			s.pins.DrawGhosts(here{s}) // what pins have set apart may have changed since the last frame
			return s.explained()
		}}
}

// BeginTake is Take, but gives all bytes to how.Piece, and may rest after each piece where more no longer holds.
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

// Take writes the scene at the marker as Source.Take does. Further kinds are log, the log of the selected run; compare, how methods
// compare; try, what other values of a parameter lead to, and try-KIND, the same as a file of that kind.
func (s *Session) Take(kind string, how files.Taking) (files.File, error) {
	s.settle()
	switch kind {
	case "log":
		return s.logFile()
	case "compare":
		if s.made.compare == nil {
			return files.File{}, fmt.Errorf("no methods are compared")
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

// Record begins to record a run, as Source.Record says. Work goes on with it, and Take writes it as the kind "log".
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

// dropRecording forgets the log that was recorded last, or is under way.
func (s *Session) dropRecording() {
	s.made.recording.Stop()
	s.made.recording = nil
}

// workRecording goes on with the log that is under way, and reports whether there is more to do.
func (s *Session) workRecording(more func() bool) (pending bool, err error) {
	const parts = 20 // of the way: at each the page is told
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
		s.notice("Steps without a record: %d. A number was not finite there.", n)
	}
	s.changed()
	return false, nil
}

// logFile is the log on show or the one that was recorded last: of the run that is selected, which is recorded first if it is not.
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

// Compare begins to compare methods over seeds. Work goes on with it, and Take writes the result as the kind "compare".
func (s *Session) Compare(methods []string, seeds int) error {
	compare, err := s.Files().Compare(methods, seeds)
	if err != nil {
		return err
	}
	s.made.compare = compare
	return nil
}

// try says that the page shows what other values of a parameter lead to, "" for none any more. The state
// holds it; the pictures are made by TryAll, in a program beside the page.
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

// TryAll begins to make what is shown with other values of a parameter, as Source.TryAll says. Work brings them to the marker;
// Tried is the result.
func (s *Session) TryAll(name string, values []string) error {
	made, err := s.Files().TryAll(name, values, s.openTrial)
	if err != nil {
		return err
	}
	s.made.trials = made
	return nil
}

// Tried is what TryAll has come to, once Work has nothing to do.
func (s *Session) Tried(pictures bool) (files.Trials, error) {
	return s.Files().Tried(s.made.trials, pictures)
}
