package scenetest

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
)

var writeSentences = flag.Bool("sentences", false, "write anew what the claims of a scene are asserted on: testdata/sentences.csv")

// Sentence is a sentence of a scene, or a part of one, with the seeds on which it is checked.
type Sentence struct {
	Scene, Text string // the scene, and the name that Texts gives to the containing text
	Part        int    // the claim's number in the text, counted from 1
	Says        string
	Seeds       Seeds
	Held        int // number of seeds on which the claim holds, if Seeds requires a share
}

var sentenceColumns = []string{"text", "part", "kind", "seeds", "share", "held", "says"}

// sentencesFile is the path of the list of a scene's sentences, relative to the scene's folder.
const sentencesFile = "testdata/sentences.csv"

// sentences collects a scene's sentences with the seeds on which their claims are checked.
type sentences struct {
	scene string
	mu    sync.Mutex
	list  []Sentence
}

func (s *sentences) add(text string, part int, c Claim, held int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, Sentence{Scene: s.scene, Text: text, Part: part + 1, Says: c.Says, Seeds: c.Seeds, Held: held})
}

// compare compares the list with the stored one or, on request, replaces the stored one. It does nothing if only some
// claims were checked or if the seeds were fresh.
func (s *sentences) compare(t *testing.T, claims int) {
	if t.Failed() || Fresh() || len(s.list) < claims {
		return
	}
	slices.SortFunc(s.list, func(a, b Sentence) int { return cmp.Or(cmp.Compare(a.Text, b.Text), a.Part-b.Part) })
	var now bytes.Buffer
	w := csv.NewWriter(&now)
	w.Write(sentenceColumns)
	for _, x := range s.list {
		row := []string{x.Text, strconv.Itoa(x.Part), string(x.Seeds.Kind), "", "", "", x.Says}
		if x.Seeds.Count > 0 {
			row[3] = strconv.Itoa(x.Seeds.Count)
		}
		if x.Seeds.over() {
			row[4], row[5] = strconv.FormatFloat(x.Seeds.Share, 'g', -1, 64), strconv.Itoa(x.Held)
		}
		w.Write(row)
	}
	w.Flush()
	if *writeSentences {
		if err := os.MkdirAll(filepath.Dir(sentencesFile), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(sentencesFile, now.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	kept, err := os.ReadFile(sentencesFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(kept, now.Bytes()) {
		t.Errorf("%s does not match the claims; run make regen-sentences", sentencesFile)
	}
}

// ReadSentences returns the stored sentences of a scene from its folder.
func ReadSentences(scene, folder string) ([]Sentence, error) {
	f, err := os.Open(filepath.Join(folder, sentencesFile))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	var out []Sentence
	for _, row := range rows[min(1, len(rows)):] {
		x := Sentence{Scene: scene, Text: row[0], Says: row[6], Seeds: Seeds{Kind: SeedKind(row[2])}}
		for _, field := range []struct {
			to   *int
			text string
		}{{&x.Part, row[1]}, {&x.Seeds.Count, row[3]}, {&x.Held, row[5]}} {
			if field.text != "" {
				if *field.to, err = strconv.Atoi(field.text); err != nil {
					return nil, err
				}
			}
		}
		if row[4] != "" {
			if x.Seeds.Share, err = strconv.ParseFloat(row[4], 64); err != nil {
				return nil, err
			}
		}
		out = append(out, x)
	}
	return out, nil
}
