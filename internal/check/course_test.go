package check

import (
	"maps"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"paretoplay/internal/teach/lesson"
	"paretoplay/scenes"
)

var (
	courseWeek   = regexp.MustCompile(`(?m)^(\d+)\. \*\*.*$`)
	courseLesson = regexp.MustCompile("`(\\d\\d-[a-z0-9-]+)`")
	courseNeeds  = regexp.MustCompile(`It needs weeks? ([^.]*)\.`)
	weekNumbers  = regexp.MustCompile(`(\d+)( to )?`)
)

// TestCourse: the plan of a term contains every lesson once, after its prerequisites. Each week names the weeks that it
// builds on, directly or through other weeks.
func TestCourse(t *testing.T) {
	lessons, err := lesson.Read(scenes.All, "assets/lessons")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("docs/course.md")
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]*lesson.Lesson{}
	for _, l := range lessons {
		byName[l.Name] = l
	}
	weeks, _, _ := strings.Cut(string(text), "## What students hand in")
	weekOf, needs := map[string]int{}, map[int]map[int]bool{}
	for i, m := range courseWeek.FindAllStringSubmatch(weeks, -1) {
		week := i + 1
		if m[1] != strconv.Itoa(week) {
			t.Fatalf("week %s is at position %d", m[1], week)
		}
		needs[week] = map[int]bool{week: true}
		if said := courseNeeds.FindStringSubmatch(m[0]); said != nil {
			for _, before := range weeksIn(t, said[1]) {
				needs[week][before] = true
				maps.Copy(needs[week], needs[before])
			}
		}
		for _, named := range courseLesson.FindAllStringSubmatch(m[0], -1) {
			l := byName[named[1]]
			if l == nil || weekOf[named[1]] != 0 {
				t.Errorf("week %d: %s is not a lesson, or occurs twice", week, named[1])
				continue
			}
			for _, before := range l.After {
				if at := weekOf[before]; at == 0 {
					t.Errorf("week %d: %s should come after %s, which comes later", week, l.Name, before)
				} else if !needs[week][at] {
					t.Errorf("week %d: %s needs %s of week %d, which the week does not name", week, l.Name, before, at)
				}
			}
			weekOf[l.Name] = week
		}
	}
	for _, l := range lessons {
		if weekOf[l.Name] == 0 {
			t.Errorf("%s is in no week", l.Name)
		}
	}
}

// weeksIn returns the weeks in a text such as "2, 3 and 5" or "2 to 4".
func weeksIn(t *testing.T, text string) (weeks []int) {
	t.Helper()
	to := false
	for _, m := range weekNumbers.FindAllStringSubmatch(text, -1) {
		week, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		if to {
			for between := weeks[len(weeks)-1] + 1; between < week; between++ {
				weeks = append(weeks, between)
			}
		}
		weeks = append(weeks, week)
		to = m[2] != ""
	}
	return weeks
}
