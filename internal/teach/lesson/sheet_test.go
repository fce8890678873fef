package lesson_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"paretoplay/internal/engine/session"
	"paretoplay/internal/teach/lesson"
	"paretoplay/scenes"
)

// sheet holds the questions of the teacher's sheet with their numbers, each written as a lesson.
var sheet = map[string]string{
	"lab": `## Who may be harmed without turning?
Twice as long.

state: gradients=1,0;-0.6,1.8 method=ls,mgda
goal: worse(ls) == 1 && near(angle(1, 2), 108.4)
show: gradients=1,0;-1.2,3.6 method=ls,mgda,pcgrad,imtlg,nashmtl,upgrad
check: worse(mgda) + worse(pcgrad) + worse(imtlg) + worse(nashmtl) + worse(upgrad) == 0 && length(2) / length(1) > 3.16
check: with gradients=0.5,0;-0.6,1.8: worse(ls) == 1 && worse(mgda) + worse(pcgrad) + worse(imtlg) + worse(nashmtl) + worse(upgrad) == 0
check: with gradients=0.5,0;-0.6,1.8: near(angle(1, 2), 108.4) && length(2) / length(1) > 3.16
check: with gradients=1,0;-0.6,1.8: worse(ls) + worse(mgda) + worse(pcgrad) + worse(imtlg) + worse(nashmtl) + worse(upgrad) == 0
check: with gradients=1,0;-0.6,1.8: near(angle(1, 2), 108.4) && near(length(2) / length(1), 1.9)
check: with gradients=1,0;-0.998,2.994: worse(ls) == 0 && length(2) / length(1) < 3.16
check: with gradients=1,0;-1.002,3.006: worse(ls) == 1 && length(2) / length(1) > 3.16
`,
	"fonseca": `## The same settings, two results
Fresh starts.

state: method=psmgd R=32
goal: ended && fresh && collapsed(psmgd) == 10 && runs(psmgd) == 10 && latest == 200
show: play

## Changed at k = 100
The other group.

state: method=psmgd R=4 latest=100
goal: ended && live("R") && R == 32 && collapsed(psmgd) == 0 && runs(psmgd) == 10 && latest == 200
show: R=32 play
`,
	"bilevel": `## Is a zero a no?
The first step.

state: method=forum,moml start=3,3,3 starts=1 T=50
goal: near(alpha(moml), 2.403) && near(alpha(forum), 3, 1e-9) && hvp(moml) == 100
show: step 1

## The second
And the next.

goal: near(alpha(forum), 2.773)
show: step 1
`,
}

// TestTeachersSheet checks that the states of the sheet open without a notice, and that the sheet's statements about
// them hold.
func TestTeachersSheet(t *testing.T) {
	data, err := os.ReadFile("../../../docs/teachers-sheet.md")
	if err != nil {
		t.Fatal(err)
	}
	links := regexp.MustCompile("`(#v=1[^`]*)`").FindAllStringSubmatch(string(data), -1)
	if len(links) != 4 {
		t.Errorf("%d links", len(links))
	}
	for _, link := range links {
		s, err := session.New(scenes.All, "fonseca")
		if err != nil {
			t.Fatal(err)
		}
		argument, err := json.Marshal(map[string]string{"state": link[1]})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Call("load", argument); err != nil {
			t.Errorf("%s: %v", link[1], err)
		}
		for pending := true; pending && err == nil; {
			pending, err = s.Work(func() bool { return true })
		}
		if notices := s.TakeNotices(); err != nil || len(notices) > 0 {
			t.Errorf("%s: %q, error %v", link[1], notices, err)
		}
	}
	for scene, steps := range sheet {
		l, err := lesson.Parse(scenes.All, scene+".md", []byte("---\ntitle: T\nquestion: Q\nminutes: 10\nscene: "+scene+"\n---\n"+steps))
		if err == nil {
			err = l.Check()
		}
		if err != nil {
			t.Error(err)
		}
	}
	for _, number := range []string{
		"108.4", "3.16", "2.403", "2.773", "−1.2, 3.6", "0.5, 0", "it was 1.9", "100 Hessian", "Ten runs", "k = 100",
	} {
		if !strings.Contains(strings.ReplaceAll(string(data), "\n", " "), number) {
			t.Errorf("the sheet does not mention %s", number)
		}
	}
}
