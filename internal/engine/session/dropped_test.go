package session

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
)

// TestDroppedRows checks with random actions that state, facts and table are the same whether rows are kept or replayed.
func TestDroppedRows(t *testing.T) {
	for link, live := range map[string][]string{
		"scene=fonseca&method=psmgd,moosvgd,mgda,famo&starts=3&budget=400&stop=0.01&sigma=0.1&optimizer=adam": {"eta", "R"},
		"scene=toy&method=psmgd,cagrad,moosvgd&budget=500&eta=0.02":                                           {"eta", "R"},
		"scene=bilevel&method=forum,moml,moco,bvfim&multiplier=both&budget=300&T=3&stop=0.001":                {"T", "mu", "rho"},
		"scene=bilevel&method=forum,moml&eta=1.05&budget=300&T=20":                                            {"T", "mu"}, // diverges
		"scene=cleaning&method=forum,moco&budget=60&T=2&train=10":                                             {"T", "rho"},
	} {
		for seed := range uint64(3) {
			compareDropped(t, "v=1&"+link, live, rand.New(rand.NewPCG(seed, 1)))
		}
	}
}

// compareDropped applies the same random actions to two sessions, one of which keeps few rows.
func compareDropped(t *testing.T, link string, live []string, random *rand.Rand) {
	t.Helper()
	var sessions [2]*opened
	for i := range sessions {
		var err error
		if sessions[i], err = openLink(link); err != nil {
			t.Fatal(err)
		}
	}
	few := sessions[1].timeline()
	few.SetLimit(15_000)
	var done []string
	both := func(what string, f func(s *opened) error) {
		done = append(done, what)
		for _, s := range sessions {
			if err := f(s); err != nil {
				t.Fatalf("%s, %v: %v", link, done, err)
			}
		}
	}
	for range 40 {
		switch random.IntN(5) {
		case 0, 1:
			n := 1 + random.IntN(25)
			both(fmt.Sprint("step ", n), func(s *opened) error {
				err := s.Step(n)
				for pending := err == nil; pending && err == nil; {
					pending, err = s.Work(always)
				}
				return err
			})
		case 2:
			name := live[random.IntN(len(live))]
			value := fmt.Sprint(0.01 + random.Float64()/4)
			if slices.Contains([]string{"R", "T"}, name) {
				value = fmt.Sprint(1 + random.IntN(9))
			}
			both(name+" = "+value, func(s *opened) error { return s.setParam(name, value, false) })
		case 3:
			k := random.IntN(few.Latest() + 1)
			both(fmt.Sprint("seek ", k), func(s *opened) error { s.Seek(k); return nil })
		default:
			sessions[1].describe()
			for _, r := range few.Runs() {
				// A diverged run has no next step.
				_ = few.Visit(r, random.IntN(r.Last()+2), func(algo.Stepper) {})
			}
			done = append(done, "look")
		}
		var told [2]string
		for i, s := range sessions {
			now, err := s.State()
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(now)
			if err != nil {
				t.Fatal(err)
			}
			told[i] = string(text)
		}
		if told[0] != told[1] {
			t.Fatalf("%s, %s:\n%s\nand where rows are dropped\n%s", link, strings.Join(done, ", "), told[0], told[1])
		}
		if all, some := sessions[0].Readout(), sessions[1].Readout(); !reflect.DeepEqual(all, some) {
			t.Fatalf("%s, %s: the table is %v, where rows are dropped %v", link, strings.Join(done, ", "), all, some)
		}
	}
	if kept := few.Runs()[0].Len(); kept > sessions[0].timeline().Runs()[0].Len()/2 {
		t.Errorf("%s: %d rows are kept: the test asks little", link, kept)
	}
}
