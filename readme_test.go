package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paretoplay/scenes"
	"paretoplay/scenes/bilevelroster"
	"paretoplay/scenes/roster"
)

// methodRows are README's table of methods, from the lists that the page and the
// command line read.
func methodRows(t *testing.T) []string {
	t.Helper()
	rows := []string{"| name | method | paper | guaranteed of a step | where |", "|---|---|---|---|---|"}
	for _, m := range roster.Methods() {
		where := filepath.Join("algo", "weighting", m.ID+".go")
		switch m.ID {
		case "psmgd", "crmogm":
			where = "algo/descent/psmgd.go"
		case "moosvgd":
			where = "algo/descent/moosvgd.go"
		}
		if _, err := os.Stat(where); err != nil {
			t.Error(err)
		}
		help, _, _ := strings.Cut(m.Help, " Guaranteed: ")
		rows = append(rows, fmt.Sprintf("| `%s` | %s. %s | %s | %s | `%s` |", m.ID, m.Title, help, m.Paper, roster.Guarantees(m.ID), where))
	}
	return rows
}

// bilevelRows are README's table of methods on two levels.
func bilevelRows(t *testing.T) []string {
	t.Helper()
	files := map[string]string{bilevelroster.FORUMExact: bilevelroster.FORUM, bilevelroster.NoCleaning: "loweronly"}
	rows := []string{"| name | method | paper | where |", "|---|---|---|---|"}
	for _, m := range bilevelroster.AllMethods() {
		file := m.ID
		if other, ok := files[m.ID]; ok {
			file = other
		}
		where := filepath.Join("algo", "bilevel", file+".go")
		if _, err := os.Stat(where); err != nil {
			t.Error(err)
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %s. %s | %s | `%s` |", m.ID, m.Title, m.Help, m.Paper, where))
	}
	return rows
}

// TestReadme: the tables of methods say what the program says, and every scene and
// every experiment is there.
func TestReadme(t *testing.T) {
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, rows := range [][]string{methodRows(t), bilevelRows(t)} {
		if want := strings.Join(rows, "\n"); !strings.Contains(text, want) {
			t.Errorf("README.md has another table of methods than:\n%s", want)
		}
	}
	for _, e := range experiments {
		if !strings.Contains(text, "experiment "+e.Name) {
			t.Errorf("README.md does not mention the experiment %s", e.Name)
		}
	}
	for _, s := range scenes.All {
		if !strings.Contains(text, "\n| `"+s.ID+"` |") {
			t.Errorf("README.md has no row for the scene %s", s.ID)
		}
	}
}
