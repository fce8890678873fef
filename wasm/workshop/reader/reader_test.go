package reader

import (
	"encoding/json"
	"strings"
	"testing"

	"paretoplay/scenes"
)

const text = "---\ntitle: Mine\nquestion: Why?\nscene: lab\n---\n\n## One\n\nLook.\n\n" +
	"state: gradients=1,0;1.2,1.5 method=ls,mgda\n\ngoal: Turn it. `angle(1,2) > 95`\nshow: gradients=1,0;-0.6,1.8\n"

type answered struct {
	Lesson *struct {
		Name, Title string
		Steps       []struct{ Title string }
	}
	Faults []Fault
}

func read(t *testing.T, said string) (a answered) {
	t.Helper()
	if err := json.Unmarshal([]byte(said), &a); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return a
}

func TestDesk(t *testing.T) {
	d := &Desk{Scenes: scenes.All}
	if a := read(t, d.Check()); a.Lesson != nil || len(a.Faults) != 1 {
		t.Errorf("before a lesson: %+v", a)
	}
	a := read(t, d.Compile("own-1", text))
	if a.Lesson == nil || a.Lesson.Name != "own-1" || a.Lesson.Title != "Mine" || len(a.Lesson.Steps) != 1 || len(a.Faults) != 0 {
		t.Errorf("a good lesson: %+v", a)
	}
	if a := read(t, d.Check()); len(a.Faults) != 0 {
		t.Errorf("a good lesson has the faults %v", a.Faults)
	}
	for _, c := range []struct {
		old, new, says string
		line           int
	}{
		{"angle(", "angel(", "unknown fact or function angel", 13},
		{"Look.", "Look <b>here</b>.", "HTML is not allowed", 9},
		{"scene: lab", "scene: lap", "lap", 4},
	} {
		a := read(t, d.Compile("own-1", strings.Replace(text, c.old, c.new, 1)))
		if a.Lesson != nil || len(a.Faults) != 1 || a.Faults[0].Line != c.line || !strings.Contains(a.Faults[0].Text, c.says) {
			t.Errorf("%s: %+v", c.new, a)
		}
	}
	d.Compile("own-1", strings.Replace(text, "> 95", "> 190", 1))
	if a := read(t, d.Check()); len(a.Faults) != 1 || a.Faults[0].Line != 7 || !strings.Contains(a.Faults[0].Text, "not reached after Show") {
		t.Errorf("a goal out of reach: %+v", a)
	}
}
