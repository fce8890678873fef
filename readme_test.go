package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paretoplay/scenes"
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

// TestReadme: the table of methods says what the program says, and every scene has
// its row.
func TestReadme(t *testing.T) {
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	if want := strings.Join(methodRows(t), "\n"); !strings.Contains(text, want) {
		t.Errorf("README.md has another table of methods than:\n%s", want)
	}
	for _, s := range scenes.All {
		if !strings.Contains(text, "\n| `"+s.ID+"` |") {
			t.Errorf("README.md has no row for the scene %s", s.ID)
		}
	}
}
