package session

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"paretoplay/algo/param"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/files"
	"paretoplay/internal/engine/link"
	"paretoplay/scenes"
)

// fuzzLength is the maximum length of inputs. Longer inputs take more time but test nothing more.
const fuzzLength = 4000

// workable does only a small part of the work that a call leaves, and of the computation in the scene's Work. All the
// work that a link leaves could take minutes.
func workable(t testing.TB, s *Session, what string) {
	t.Helper()
	few := func() func() bool {
		left := 6
		return func() bool { left--; return left >= 0 }
	}
	if _, err := s.Work(few()); err != nil {
		t.Fatalf("%.300q: the work: %v", what, err)
	}
	if _, err := s.Background(few()); err != nil {
		t.Fatalf("%.300q: the work beside the runs: %v", what, err)
	}
}

// consistent checks a session in any state: notices and the link must be short, iterations in order, and parameters in
// range.
func consistent(t testing.TB, s *Session, what string) *State {
	t.Helper()
	for _, n := range s.TakeNotices() {
		if len(n) > 2000 {
			t.Errorf("%.300q: a notice of %d characters", what, len(n))
		}
	}
	st := state(t, s)
	if st.Iteration > st.Latest || st.Latest > st.Budget {
		t.Errorf("%.300q: at %d of %d of %d", what, st.Iteration, st.Latest, st.Budget)
	}
	params := s.scene.Params()
	for _, d := range params.Descriptors() {
		if err := params.Assign(d.Name, params.Text(d.Name)); err != nil {
			t.Errorf("%.300q: %v", what, err)
		}
	}
	if got := s.Settings(); len(got.Hash()) > 4*link.MaxLink {
		t.Errorf("%.300q: a link of %d characters", what, len(got.Hash()))
	}
	return st
}

// sound extends consistent: the state must be valid JSON, drawing the pictures must succeed, and the link must lead to
// the same state.
func sound(t testing.TB, s *Session, what string) {
	t.Helper()
	if _, err := json.Marshal(consistent(t, s, what)); err != nil {
		t.Errorf("%.300q: the state is not JSON: %v", what, err)
	}
	if _, err := s.Take("svg", files.Taking{Panel: ""}); err != nil {
		t.Errorf("%.300q: its picture: %v", what, err)
	}
	settings := s.Settings()
	hash := settings.Hash()
	read, notices := link.Parse(hash)
	if len(notices) > 0 || read.Hash() != hash {
		t.Errorf("%.300q: its link %.300s is read as %.300s, %q", what, hash, read.Hash(), notices)
	}
}

// openAny returns a session of the first scene, as for a visitor who follows a link.
func openAny(t testing.TB) *Session {
	t.Helper()
	s, err := New(scenes.All, scenes.All[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// FuzzLink checks that no link to any scene crashes or breaks a session. With -short, the seeds contain only one card of
// each scene.
func FuzzLink(f *testing.F) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, about := range scenes.All {
		f.Add("v=1&scene=" + about.ID)
		s, err := New(scenes.All, about.ID)
		if err != nil {
			f.Fatal(err)
		}
		address := func(value func(d param.Descriptor) string) {
			text := "v=1&scene=" + about.ID + "&latest=1"
			for _, d := range s.scene.Params().Descriptors() {
				text += "&" + d.Name + "=" + value(d)
			}
			f.Add(text)
		}
		for _, value := range []string{"", "NaN", "1e999", ",;9"} {
			address(func(param.Descriptor) string { return value })
		}
		address(func(d param.Descriptor) string { return textOf(d.Min) })
		address(func(d param.Descriptor) string { return textOf(d.Max) })
		cards := about.Presets
		if testing.Short() {
			cards = cards[:min(1, len(cards))]
		}
		for _, p := range cards {
			settings := link.Settings{Scene: about.ID, Latest: r.IntN(3)}
			for _, name := range sortedKeys(p.Values) {
				settings.Values = append(settings.Values, link.Value{Name: name, Text: p.Values[name]})
			}
			f.Add(settings.Hash())
		}
	}
	f.Add("card=settle&lesson=a:1&hero=weights&pinA=scene%3Dfonseca%26R%3D9%26latest%3D4&pinB=scene%3Dlab&pinC=%zz&pinD=&pinA=x&pinE=1")
	for _, more := range []string{"gradients=1,0;-1,0&method=nashmtl", "view=space&camera=999,0,1&gradients3=1,2,3;4,5,6",
		"view=data&data=zz", "losses=0&epo.preference=1,2", "pcgrad.order=9,9"} {
		f.Add("scene=lab&" + more)
	}
	for _, more := range []string{"f=(w1-sin(a1))%5E2%2Bc*w2%5E2&define=c+%3D+2", "F1=w3&f=(",
		"f=sum(i,1,300,sin(i*w1))&define=a1+in+%5B0,1%5D", "F2=%3Cimg%3E&define=%0A%0D%00", "f=log(w1)&start=1,2,3", "define=F3+%3D+w1"} {
		f.Add("scene=bilevel&latest=2&" + more)
	}
	f.Fuzz(func(t *testing.T, address string) {
		if len(address) > fuzzLength {
			return
		}
		s := openAny(t)
		loadBounded(t, s, address)
		workable(t, s, address)
		shown(t, s, address)
		sound(t, s, address)
	})
}

func textOf(v float64) string {
	text, err := param.Encode(v)
	if err != nil {
		panic(err)
	}
	return text
}

// FuzzCall checks that verbs with any arguments, such as messages from other pages, do not crash or break a session. An
// input line consists of a verb, a space and the verb's arguments.
func FuzzCall(f *testing.F) {
	for _, verb := range sortedKeys(verbs) {
		f.Add(verb + ` {}`)
		f.Add("open {\"id\":\"lab\"}\n" + verb + ` {"id":"zz","name":"eta","value":[[1e308]],"n":1e99,"k":-1e99,"by":1e300,` +
			`"state":"#v=1","run":"0","panel":"","width":1e308,"height":-1,"dx":1e308,"dy":null,"part":"1,2","first":true,"last":true}`)
	}
	for _, about := range scenes.All {
		f.Add("open {\"id\":\"" + about.ID + "\"}\nstep {\"n\":3}\nseek {\"k\":1}\nplay\nnewSeed {\"again\":true}\nreset\nstate")
	}
	f.Add("step {\"n\":1e9}\nset {\"name\":\"R\",\"value\":2}\nset {\"name\":\"d\",\"value\":30}\nmove {\"by\":-1}\nload {\"state\":null}")
	f.Add("open {\"id\":\"lab\"}\npaste {\"part\":\"1,2\\n3,4\",\"first\":true,\"last\":true}\nstate\nopen {\"id\":\"toy\"}\nstate")
	for _, text := range []string{
		`card {"id":"settle"}` + "\nundo\ndefaults\nundo\nundo",
		`set {"name":"R","value":9,"again":true,"hold":true}` + "\nplay\n" + `set {"name":"d","value":3,"hold":true}` + "\nrelease\nundo\nundo",
		"pin\n" + `set {"name":"R","value":9}` + "\npin\n" + `swapPin {"letter":"A"}` + "\nundo\n" + `unpin {"letter":"B"}` +
			"\npins\nopen {\"id\":\"toy\"}\nundo",
		`lesson {"name":"a","step":1,"arrive":true,"definition":{"state":"scene=toy&latest=2","hero":"gap","keys":["R"],"goal":{"condition":` +
			`{"op":"<","args":[{"op":"fact","text":"latest"},{"op":"tried","text":"R"}]}}}}` + "\nstep {\"n\":2}\nstatus\nundo\nlesson",
		`load {"state":{"scene":"lab","card":"zz","lesson":{"name":"a","step":1e9},"hero":"zz","pins":[{"letter":"A","hash":"scene=toy"},` +
			`{"letter":"A","hash":"x"},{"letter":"Z"},{"letter":"B","hash":"scene=lab&view=space&pinA=scene=lab"}]}}`,
	} {
		f.Add(text)
	}
	f.Add("load {\"state\":{\"scene\":\"toy\",\"params\":{\"start\":[[1e308,2]]},\"log\":[{\"k\":-1}]}}")
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Split(text, "\n")
		if len(text) > fuzzLength || len(lines) > 12 {
			return
		}
		s := openAny(t)
		for _, line := range lines {
			verb, args, _ := strings.Cut(line, " ")
			result, err := s.Call(verb, []byte(args))
			if err == nil {
				if _, err := json.Marshal(result); err != nil {
					t.Errorf("%.300q: the result of %s is not JSON: %v", text, verb, err)
				}
			}
			workable(t, s, text)
		}
		sound(t, s, text)
	})
}

// FuzzConfigured checks that no -set or -start on the command line causes a crash, and that accepted values can run.
func FuzzConfigured(f *testing.F) {
	f.Add("fonseca", "R=4\nmethod=psmgd,mgda", "0.5,-0.5\n1,1")
	f.Add("toy", "scale=0.1", "1e308,1e308")
	f.Add("bilevel", "T=1\nmultiplier=both", "0,0,3")
	f.Add("lab", "gradients=1e-200,0;0,1e-200\nmethod=epo", "")
	f.Add("lab", "gradients=1,0;-1,0;0,0\nlosses=0,1,2", "1,2")
	f.Add("cleaning", "T=1\nrho=0", "")
	f.Add("bilevelcost", "seed=9007199254740991", "")
	f.Fuzz(func(t *testing.T, scene, settings, starts string) {
		if len(settings)+len(starts) > fuzzLength {
			return
		}
		what := scene + " " + settings + " " + starts
		var values []link.Value
		for line := range strings.SplitSeq(settings, "\n") {
			if name, text, ok := strings.Cut(line, "="); ok {
				values = append(values, link.Value{Name: name, Text: text})
			}
		}
		setup := Setup{Values: values}
		if starts != "" {
			setup.Starts = strings.Split(starts, "\n")
		}
		s, err := NewConfigured(scenes.All, scene, setup)
		if err != nil {
			return
		}
		if err := s.Step(3); err != nil {
			t.Errorf("%.300q: %v", what, err)
		}
		workable(t, s, what)
		sound(t, s, what)
	})
}

// FuzzShowData checks that no -data file crashes its scene.
func FuzzShowData(f *testing.F) {
	for _, text := range []string{"1,2\n3,4", `{"jacobian":[[1,2],[3,4]],"losses":[1,2],"seed":3}`, "", "1e-320,0\n0,1e308", "0,0\n0,0",
		"1\n-1", "a;b\n1;2\n3;4", "\xff\xfe1\x00", strings.Repeat("1,", 500) + "1\n" + strings.Repeat("0,", 500) + "1"} {
		f.Add(text, "mgda,epo,nashmtl,cagrad,upgrad,fairgrad,imtlg,alignedmtl,pcgrad")
	}
	f.Fuzz(func(t *testing.T, text, methods string) {
		if len(text) > fuzzLength {
			return
		}
		s, err := NewConfigured(scenes.All, "lab", Setup{Values: []link.Value{{Name: "method", Text: methods}}})
		if err != nil {
			return
		}
		if err := s.readData(strings.NewReader(text), data.Choice{}, nil); err != nil {
			return
		}
		workable(t, s, text)
		sound(t, s, text)
	})
}
