package experiment_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/study/blocksmoo"
	"paretoplay/internal/study/fairnessgrid"
	"paretoplay/internal/study/forumcost"
	"paretoplay/internal/study/hypercleaning"
	"paretoplay/internal/study/noise"
	"paretoplay/internal/study/staleness"
	"paretoplay/internal/study/syn"
	"paretoplay/internal/study/zdt"
)

// resumed is an experiment with nothing computed, or with the contents of an earlier call's file.
type resumed interface {
	experiment.Outcome
	Work(more func() bool) (pending bool, err error)
	Parts() (done, wanted int)
}

// made maps each experiment's name to a function that creates the experiment with the command line's defaults. That
// function also returns a function that reads the file of an earlier call.
var made = map[string]func() (resumed, func(io.Reader) error, error){
	"staleness": func() (resumed, func(io.Reader) error, error) {
		t, err := staleness.New(staleness.Default())
		return t, func(r io.Reader) error { return experiment.Resume(t.Grid, r) }, err
	},
	"noise": func() (resumed, func(io.Reader) error, error) {
		t, err := noise.New(noise.Default())
		return t, func(r io.Reader) error { return experiment.Resume(t.Grid, r) }, err
	},
	"forumcost": func() (resumed, func(io.Reader) error, error) {
		t, err := forumcost.New(forumcost.Default())
		return t, func(r io.Reader) error { return experiment.Resume(t.Grid, r) }, err
	},
	"hypercleaning": func() (resumed, func(io.Reader) error, error) {
		t, err := hypercleaning.New(hypercleaning.Default())
		return t, func(r io.Reader) error { return experiment.Resume(t.Grid, r) }, err
	},
	"fairness": func() (resumed, func(io.Reader) error, error) {
		t, err := fairnessgrid.New(fairnessgrid.Default())
		return t, func(r io.Reader) error { return experiment.Resume(t.Grid, r) }, err
	},
	"syn": func() (resumed, func(io.Reader) error, error) {
		t, err := syn.New(syn.Default())
		return t, func(r io.Reader) error { return experiment.Resume(t.Grid, r) }, err
	},
	"blocksmoo": func() (resumed, func(io.Reader) error, error) {
		t, err := blocksmoo.New(blocksmoo.Default())
		return t, func(r io.Reader) error { return experiment.Resume(t.Grid, r) }, err
	},
	"zdt": func() (resumed, func(io.Reader) error, error) {
		t, err := zdt.New(zdt.Default())
		return t, func(r io.Reader) error { return experiment.Resume(t.Grid, r) }, err
	},
}

// kept lists the files of experiments whose cells take long to compute.
var kept = map[string]string{"hypercleaning": "../../../docs/hyper-cleaning.csv", "syn": "../../../docs/syn.csv",
	"blocksmoo": "../../../docs/block-smoo.csv"}

// begun returns the file of an experiment after a few cells have been computed.
func begun(f *testing.F, name string) string {
	f.Helper()
	if path, ok := kept[name]; ok {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		return string(data)
	}
	t, _, err := made[name]()
	if err != nil {
		f.Fatal(err)
	}
	for {
		var b bytes.Buffer
		if err := t.WriteCSV(&b); err != nil {
			f.Fatal(err)
		}
		if strings.Count(b.String(), "\n") > 2 {
			return b.String()
		}
		once := true
		if _, err := t.Work(func() bool { again := once; once = false; return again }); err != nil {
			f.Fatal(err)
		}
	}
}

// FuzzResume checks that no file for -resume crashes an experiment. It must be possible to draw the cells that are read
// and to write them unchanged.
func FuzzResume(f *testing.F) {
	for name := range made {
		file := begun(f, name)
		head, rest, _ := strings.Cut(file, "\n")
		line, _, _ := strings.Cut(rest, "\n")
		f.Add(name, file)
		f.Add(name, head+"\n")
		f.Add(name, head+"\n"+line+"\n"+line+"\n")
		fields := strings.Split(line, ",")
		for _, odd := range []string{"", "-1", "NaN", "1e999", "1e308", "-1e308", "x"} {
			changed := append([]string(nil), fields...)
			changed[len(changed)-1] = odd
			f.Add(name, head+"\n"+strings.Join(changed, ",")+"\n")
			changed[len(changed)/2], changed[len(changed)-1] = odd, fields[len(fields)-1]
			f.Add(name, head+"\n"+strings.Join(changed, ",")+"\n")
		}
	}
	f.Add("staleness", "")
	f.Add("noise", "\"a\nb\",,\r\n\"")
	f.Fuzz(func(t *testing.T, name, file string) {
		if made[name] == nil || len(file) > 100_000 {
			return
		}
		written := func(file string) (string, error) {
			outcome, resume, err := made[name]()
			if err != nil {
				t.Fatal(err)
			}
			if err := resume(strings.NewReader(file)); err != nil {
				return "", err
			}
			if done, wanted := outcome.Parts(); done < 0 || done > wanted {
				t.Errorf("%s: %d of %d parts are done", name, done, wanted)
			}
			var table, record bytes.Buffer
			if err := outcome.WriteCSV(&table); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if err := outcome.WriteJSON(&record); err != nil || !json.Valid(record.Bytes()) {
				t.Errorf("%s of %.300q: %.300s, error %v", name, file, record.String(), err)
			}
			if err := outcome.Picture(0).WriteSVG(io.Discard); err != nil {
				t.Errorf("%s of %.300q: %v", name, file, err)
			}
			if printed, ok := outcome.(experiment.Printed); ok {
				if err := printed.WriteText(io.Discard); err != nil {
					t.Errorf("%s of %.300q: %v", name, file, err)
				}
			}
			return table.String(), nil
		}
		table, err := written(file)
		if err != nil {
			if len(err.Error()) > 2000 {
				t.Errorf("%s: got an error of %d characters", name, len(err.Error()))
			}
			return
		}
		if again, err := written(table); err != nil || again != table {
			t.Errorf("%s of %.300q: written as %.300q and then as %.300q, error %v", name, file, table, again, err)
		}
	})
}
