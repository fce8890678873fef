package traininglog

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/algo/runlog"
	"paretoplay/algo/runlog/digits"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/drawtest"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/scene/scenetest"
)

// upTo returns one of the page's logs, cut after a step.
func upTo(t *testing.T, name string, last int64) *data.Pasted {
	t.Helper()
	file, err := digits.Files.ReadFile(digits.File(name))
	if err != nil {
		t.Fatal(err)
	}
	log, err := runlog.Read(bytes.NewReader(file), runlog.NativeBytes)
	if err == nil {
		log, err = log.Between(0, last)
	}
	if err != nil {
		t.Fatal(err)
	}
	var short bytes.Buffer
	if err := log.Write(&short); err != nil {
		t.Fatal(err)
	}
	p, err := data.Read(&short, data.RunLog)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// said returns the sentences of the scene by ID.
func said(s *Scene) map[string]scene.Conclusion {
	out := map[string]scene.Conclusion{}
	for _, c := range s.Conclusions().Sentences {
		out[c.ID] = c
	}
	return out
}

// TestGrow checks that a grown log replaces the previous one once it has been analysed. Settings must stay, a marker at
// the end must follow the end, and a changed sentence must contain its previous text.
func TestGrow(t *testing.T) {
	s := New()
	s.values.Source, s.values.R = logData, 4
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	grow := func(name string, last int64) {
		t.Helper()
		if err := s.Extras().Grow(upTo(t, name, last)); err != nil {
			t.Fatal(err)
		}
	}
	grow("eight", 40)
	scenetest.Finish(t, s)
	first := s.report
	if s.values.Record != first.Records || s.Extras().Growing || s.values.R != 4 {
		t.Errorf("at first: record %d of %d", s.values.Record, first.Records)
	}
	grow("eight", 400)
	if !s.Extras().Growing || s.report != first || s.log.Records() != first.Records {
		t.Error("the log that has grown is shown before its verdict is there")
	}
	scenetest.Finish(t, s)
	if s.Extras().Growing || s.report.Records <= first.Records || s.values.Record != s.report.Records {
		t.Errorf("after it has grown: record %d of %d", s.values.Record, s.report.Records)
	}
	now := said(s)
	changes := runlog.Changes(first.Verdict(), s.report.Verdict())
	if len(changes) == 0 || len(changes) == len(s.report.Verdict()) {
		t.Fatalf("%d sentences have changed", len(changes))
	}
	changed := 0
	for _, c := range now {
		if c.Since > 0 {
			changed++
		}
	}
	for _, c := range changes {
		if is := now[c.ID]; is.Was != c.Was || is.Since != s.report.Records {
			t.Errorf("%s was %q up to %d records, want %q and %d", c.ID, is.Was, is.Since, c.Was, s.report.Records)
		}
	}
	if changed != len(changes) {
		t.Errorf("%d sentences say that they changed, want %d", changed, len(changes))
	}

	s.values.Record = 7
	grow("eight", 800)
	scenetest.Finish(t, s)
	if s.values.Record != 7 {
		t.Errorf("a marker at record 7 went to %d", s.values.Record)
	}
	grow("eight", 1200)
	s.values.Method = "pcgrad" // its verdict cannot be compared with the previous one
	if err := s.Displayed(); err != nil {
		t.Fatal(err)
	}
	scenetest.Finish(t, s)
	if s.Extras().Growing || s.report.LastStep < 1190 || said(s)[runlog.SentencePairs].Since != 0 || len(s.changes) > 0 {
		t.Errorf("another method: steps up to %d, changes %v", s.report.LastStep, s.changes)
	}
	grow("eight", 200)
	scenetest.Finish(t, s)
	if len(s.changes) > 0 || s.report.LastStep > 200 {
		t.Errorf("a log that has shrunk: steps up to %d, changes %v", s.report.LastStep, s.changes)
	}
	grow("two", 200)
	scenetest.Finish(t, s)
	if len(s.changes) > 0 || s.report.Objectives != 2 {
		t.Errorf("the log of another run: %d objectives, changes %v", s.report.Objectives, s.changes)
	}
}

// TestLogAppears checks that the log appears step by step when the scene opens, and that the pictures over the steps say
// which step they have reached. In a large picture a sentence explains the rows. After the last step, the two rows that
// stand out are labelled.
func TestLogAppears(t *testing.T) {
	s := scenetest.Open(t, New(), nil)
	scenetest.Finish(t, s)
	f := brush.Frame{Width: 780, Height: 540, Theme: brush.Light}
	said := func() string {
		var c recorder.Canvas
		for _, l := range s.Panels()[0].Layers(f) {
			l.Draw(draw.NewCanvas(&c, f.Width, f.Height))
		}
		return strings.Join(drawtest.Texts(c.Actions), "\n")
	}
	const row, named = "each row is a pair of tasks", "67 % conflict"
	if text := said(); !strings.Contains(text, row) || !strings.Contains(text, named) {
		t.Errorf("at rest it says %q", text)
	}
	s.unfolded.Animate(true)
	s.unfolded.Pour()
	for range unfolding * 10 / 2 {
		if _, err := s.unfolded.Flow(0.1, func() bool { return true }); err != nil {
			t.Fatal(err)
		}
	}
	half := fmt.Sprintf("step %d", s.log.Step(s.log.Records()/2))
	if text := said(); !strings.Contains(text, row) || strings.Contains(text, named) || !strings.Contains(text, half) {
		t.Errorf("half-way, at %s, it says %q", half, text)
	}
}
