package lesson

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// maxSeeds is the largest seed with which lessons are tried. Each student of a class can get a different one of the
// seeds with which the lesson works.
const maxSeeds = 12

// regenerating returns the value of the -regen flag, which the tests in package lesson_test define.
func regenerating() bool { return flag.Lookup("regen").Value.String() == "true" }

// TestOwnSeeds checks that for every lesson that depends on a seed, the table contains seeds for its current text, and
// that the lesson works with the first of them.
func TestOwnSeeds(t *testing.T) {
	table, err := readSeeds()
	if err != nil {
		t.Fatal(err)
	}
	lessons, err := ReadPage()
	if err != nil {
		t.Fatal(err)
	}
	now := map[string]tried{}
	looked := false
	for _, l := range lessons {
		drawn, err := l.Drawn()
		if err != nil {
			t.Fatal(err)
		}
		if !drawn {
			continue
		}
		data, err := os.ReadFile(filepath.Join(Folder, l.Name+".md"))
		if err != nil {
			t.Fatal(err)
		}
		of := table[l.Name]
		if sum := textSum(data); of.Text != sum {
			if !regenerating() {
				t.Errorf("the seeds with which %s works are unknown for its current text: make regen-lessons",
					l.Name)
				continue
			}
			of = tried{Text: sum, Seeds: []int{}}
			for seed := 1; seed <= maxSeeds; seed++ {
				holds, err := l.ComesTrue(seed)
				if err != nil {
					t.Fatalf("%s, seed %d: %v", l.Name, seed, err)
				}
				if holds {
					of.Seeds = append(of.Seeds, seed)
				}
			}
			t.Logf("%s comes true on the seeds %v", l.Name, of.Seeds)
			table[l.Name] = of
			writeSeeds(t, table) // results are kept if the rest is interrupted
		}
		now[l.Name] = of
		if looked || len(of.Seeds) == 0 {
			continue
		}
		looked = true
		if holds, err := l.ComesTrue(of.Seeds[len(of.Seeds)-1]); err != nil || !holds {
			t.Errorf("%s does not work with seed %d, error %v", l.Name, of.Seeds[len(of.Seeds)-1], err)
		}
		if !slices.Equal(l.Seeds, of.Seeds) && !regenerating() {
			t.Errorf("%s: got seeds %v", l.Name, l.Seeds)
		}
	}
	if regenerating() {
		writeSeeds(t, now)
	}
}

func writeSeeds(t *testing.T, table map[string]tried) {
	t.Helper()
	data, err := json.MarshalIndent(table, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("seeds.json", append(data, '\n'), 0o666); err != nil {
		t.Fatal(err)
	}
}
