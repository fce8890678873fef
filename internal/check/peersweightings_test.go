package check

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paretoplay/algo/runlog"
	"paretoplay/internal/engine/weigh"
)

// peersFile is the last output of bench/conventions/weightings.
const peersFile = "docs/peers-weightings.json"

// peerDirections holds directions that other libraries computed.
type peerDirections struct {
	TorchJD, LibMTL string
	Versions        map[string]string
	Inputs          map[string][][]float64
	Losses, After   []float64
	Rows            []peerRow
}

// peerRow is a direction, or an error, that one class of a library returned for one input.
type peerRow struct {
	Library, Method string
	Settings        map[string]string // for -set
	Call            string
	Input           string      // names of inputs: one, or one per step
	Losses          [][]float64 // for each step; nil to use the file's losses
	Direction       []float64   // at the last step
	Error           string      // exception raised instead of a direction
}

func readPeers(t *testing.T) *peerDirections {
	t.Helper()
	data, err := os.ReadFile(peersFile)
	if err != nil {
		t.Fatal(err)
	}
	out := new(peerDirections)
	if err := json.Unmarshal(data, out); err != nil {
		t.Fatal(err)
	}
	return out
}

// ours returns our direction for a row. The argument as names a library whose conventions apply, or is nil for our own.
func (p *peerDirections) ours(t *testing.T, r *peerRow, as *weigh.Library) []float64 {
	t.Helper()
	stream, err := weigh.NewStream([]string{r.Method}, r.Settings, []string{"direction"}, as)
	if err != nil {
		t.Fatal(err)
	}
	var out []float64
	for i, name := range strings.Fields(r.Input) {
		jacobian := p.Inputs[name]
		losses := p.Losses
		if r.Losses != nil {
			losses = r.Losses[i]
		}
		line, err := json.Marshal(map[string]any{"jacobian": jacobian, "losses": losses[:len(jacobian)], "after": p.After[:len(jacobian)]})
		if err != nil {
			t.Fatal(err)
		}
		read, err := runlog.NewLines(strings.NewReader(string(line)), 1<<20).Next()
		if err != nil {
			t.Fatal(err)
		}
		answer, err := stream.Answer(read)
		if err != nil {
			t.Fatalf("%s %s: %v", r.Method, r.Input, err)
		}
		out, _ = answer.(map[string]any)["direction"].([]float64)
	}
	return out
}

// sameDirection is the tolerance for directions of the same method, relative to their length. It allows for LibMTL's
// single precision.
const sameDirection = 1e-6

// apart returns the distance between our direction and the library's, relative to the length of the library's direction.
func (r *peerRow) apart(ours []float64) float64 {
	var difference, length float64
	for i, v := range r.Direction {
		difference = math.Hypot(difference, v-ours[i])
		length = math.Hypot(length, v)
	}
	if difference == 0 {
		return 0
	}
	return difference / length
}

// notImitated lists the rows for which `weigh -as` gives another direction, by library, method and input, with the
// reason. A random method may have no row for an input on which its randomness has no effect.
var notImitated = map[string]string{
	"torchjd rlw J1": "random", "torchjd rlw J2": "random", "torchjd rlw J3": "random", "torchjd rlw J4": "random",
	"torchjd rlw J5": "random", "libmtl rlw J5": "random",
	"libmtl rlw J1": "random", "libmtl rlw J2": "random", "libmtl rlw J3": "random", "libmtl rlw J4": "random",
	"torchjd graddrop J1": "random", "torchjd graddrop J4": "random",
	"torchjd mgda J3": "100 steps are too few", "torchjd crmogm J3": "100 steps are too few",
	"torchjd cagrad J1": "its solver stops early", "libmtl cagrad J1": "its solver stops early",
	"torchjd nashmtl J1": "its solver gives up", "libmtl nashmtl J1": "its solver gives up",
	"torchjd nashmtl J4": "its solver stops early", "libmtl nashmtl J4": "its solver stops early",
	"torchjd sdmgrad J1": "its steps jump", "torchjd sdmgrad J2": "its steps jump",
	"torchjd sdmgrad J5": "its steps jump", "libmtl sdmgrad J5": "its steps jump",
	"libmtl sdmgrad J1": "its steps jump", "libmtl sdmgrad J2": "its steps jump",
}

// TestAsPeers: `weigh -as` gives the library's direction for every method that both have. Where the directions differ,
// the row is in notImitated and weigh's answer says so.
func TestAsPeers(t *testing.T) {
	p := readPeers(t)
	seen, excused := map[string]bool{}, map[string]bool{}
	for _, l := range weigh.Libraries {
		version := map[string]string{"torchjd": p.TorchJD, "libmtl": p.LibMTL}[l.Name]
		if version != l.Version {
			t.Errorf("%s has %s %q, -as is for %q", peersFile, l.Name, version, l.Version)
		}
		for _, r := range p.Rows {
			if r.Library != l.Name {
				continue
			}
			seen[r.Library+" "+r.Method] = true
			key := r.Library + " " + r.Method + " " + r.Input
			if r.Error != "" {
				if l.NotImitated(r.Method) == "" {
					t.Errorf("%s, %s: %s, but -as does not mention it", key, r.Call, r.Error)
				}
				continue
			}
			apart := r.apart(p.ours(t, &r, l))
			switch {
			case !(apart <= sameDirection) && notImitated[key] == "":
				t.Errorf("%s, %s: as %s %v, they give %v", key, r.Call, l.Name, p.ours(t, &r, l), r.Direction)
			case notImitated[key] != "" && l.NotImitated(r.Method) == "":
				t.Errorf("%s is not imitated, but the answer does not say so", key)
			case !(apart <= sameDirection) || notImitated[key] == "random":
				excused[key] = true
			}
			// The list of differences in an answer must be correct. If the list is empty, only the parts that are not imitated
			// differ. If it is not empty, the direction without the library's conventions differs for some input.
			if l.Differs(r.Method, r.Settings) == "" && p.ours(t, &r, l) != nil && !slices.Equal(p.ours(t, &r, nil), p.ours(t, &r, l)) {
				t.Errorf("%s: -as changes the direction but lists no difference", key)
			}
		}
		for _, name := range l.Methods() {
			if !seen[l.Name+" "+name] {
				t.Errorf("%s has no row of %s of %s", peersFile, name, l.Name)
			}
			if l.Differs(name, nil) == "" {
				continue
			}
			differs := name == "sdmgrad" // only its weights differ
			for _, r := range p.Rows {
				if r.Library == l.Name && r.Method == name && !slices.Equal(p.ours(t, &r, nil), p.ours(t, &r, l)) {
					differs = true
				}
			}
			if !differs {
				t.Errorf("%s, %s: %q changes no direction", l.Name, name, l.Differs(name, nil))
			}
		}
	}
	for key := range notImitated {
		if !excused[key] {
			t.Errorf("%s is in notImitated, but agrees", key)
		}
	}
}

// asAnswer returns a fenced block with a weigh command that uses a library's conventions, and its answer.
func asAnswer(t *testing.T) []string {
	const input = `{"jacobian": [[1, 0], [-1, 1]]}`
	command := "weigh -method nashmtl -as torchjd -fields direction"
	var out, complaint strings.Builder
	if status := program().Run(strings.Fields(command), strings.NewReader(input), &out, &complaint); status != 0 {
		t.Fatal(complaint.String())
	}
	return []string{"```", "$ echo '" + input + "' | paretoplay " + command, strings.TrimSpace(out.String()), "```"}
}

// shownInputs lists the inputs in the tables.
var shownInputs = []string{"J1", "J3", "J4", "J5"}

// libraryRows returns a library's table rows. Each row has the library's directions, ours, and ours with the library's
// conventions.
func libraryRows(library string) func(*testing.T) []string {
	return func(t *testing.T) []string {
		p := readPeers(t)
		l, err := weigh.LookupLibrary(library)
		if err != nil {
			t.Fatal(err)
		}
		rows := []string{"| method | call | " + l.Title + " | `weigh` | `weigh -as " + library + "` | what `-as` changes | not imitated |",
			"|---|---|---|---|---|---|---|"}
		var calls []string
		for _, r := range p.Rows {
			if r.Library == library && !slices.Contains(calls, r.Call) {
				calls = append(calls, r.Call)
			}
		}
		for _, call := range calls {
			rows = append(rows, p.row(t, l, call))
		}
		return rows
	}
}

// row returns the table row for one of a library's calls.
func (p *peerDirections) row(t *testing.T, l *weigh.Library, call string) string {
	var theirs, plain, as []string
	var method, set string
	differs := "—"
	samePlain, sameAs := true, true
	for _, r := range p.Rows {
		if r.Library != l.Name || r.Call != call {
			continue
		}
		method = r.Method
		for _, name := range []string{"c", "mu", "alpha", "maxnorm", "normalize"} {
			if v, has := r.Settings[name]; has {
				set = ", `" + name + "=" + v + "`"
			}
		}
		if says := l.Differs(r.Method, r.Settings); says != "" {
			differs = says
		}
		ours, conformed := p.ours(t, &r, nil), p.ours(t, &r, l)
		if r.Error != "" {
			theirs, samePlain, sameAs = []string{strings.SplitN(r.Error, ":", 2)[0]}, false, false
		} else {
			samePlain = samePlain && r.apart(ours) <= sameDirection
			sameAs = sameAs && r.apart(conformed) <= sameDirection
		}
		if slices.Contains(shownInputs, r.Input) || strings.HasPrefix(r.Input, "J1 J1") {
			if r.Error == "" {
				theirs = append(theirs, vectorText(r.Direction))
			}
			plain, as = append(plain, vectorText(ours)), append(as, vectorText(conformed))
		}
	}
	cell := func(same bool, list []string) string {
		if same {
			return "the same"
		}
		return strings.Join(list, " ")
	}
	apart := l.NotImitated(method)
	if apart == "" {
		apart = "—"
	}
	return fmt.Sprintf("| `%s`%s | `%s` | %s | %s | %s | %s | %s |", method, set, call, strings.Join(theirs, " "), cell(samePlain, plain),
		cell(sameAs, as), differs, apart)
}

// vectorText formats a vector with four digits.
func vectorText(v []float64) string {
	var out []string
	for _, x := range v {
		out = append(out, strconv.FormatFloat(x, 'g', 4, 64))
	}
	return "(" + strings.Join(out, ", ") + ")"
}
