package session

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"paretoplay/algo/param"
	"paretoplay/internal/engine/link"
	"paretoplay/scenes"
)

var (
	pieces     = flag.Bool("pieces", false, "measure the longest pieces of the main thread, scene by scene, and print a table")
	pieceScene = flag.String("piecescene", "", "measure this `scene` alone")
)

// pieceSlice is the time during which a slice of work may start further work. It has the same value as on the page.
const pieceSlice = 8 * time.Millisecond

// stretch is a piece of the main thread's work, between two moments when the page can do something else.
type stretch struct {
	took time.Duration // of processor time
	link string
	what string
}

// watch measures pieces of work.
type watch struct {
	most map[string]stretch // the longest, by kind of work
}

// processor returns this thread's processor time. It excludes the time of other programs and of other threads, such as the
// garbage collector's.
func processor() time.Duration {
	const thisThread = 1
	var use syscall.Rusage
	if err := syscall.Getrusage(thisThread, &use); err != nil {
		panic(err)
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// piece runs f and measures it.
func (w *watch) piece(link, what string, f func() error) error {
	from := processor()
	err := f()
	if p := (stretch{processor() - from, link, what}); p.took > w.most[what].took {
		w.most[what] = p
	}
	return err
}

// slice returns the more() of a slice that starts now.
func slice() func() bool {
	end := time.Now().Add(pieceSlice)
	return func() bool { return time.Now().Before(end) }
}

// visit loads a state and acts like a visitor: it plays, reads and resets, and continues the work beside the runs.
func (w *watch) visit(t *testing.T, hash string) {
	t.Helper()
	s, err := New(scenes.All, "transport")
	if err != nil {
		t.Fatal(err)
	}
	s.SetStretch(pageStretch)
	do := func(what string, f func() error) {
		t.Helper()
		if err := w.piece(hash, what, f); err != nil {
			t.Logf("%s: %s: %v", hash, what, err)
		}
	}
	const few = 8 // slices
	work := func() {
		for i := 0; i < few || s.resting(); i++ {
			pending := false
			do("work", func() (err error) { pending, err = s.Work(slice()); return err })
			if !pending {
				break
			}
		}
	}
	frame := func() {
		for _, p := range s.placed() {
			do("frame of "+p.Panel.ID(), func() error { return s.screen.trial.Try(p.Panel, p.Frame(s.screen.theme, s.screen.touch)) })
		}
		do("state", func() error { _, err := s.State(); return err })
	}
	verb := func(name, args string) {
		do(name, func() error { _, _, err := s.Begin(name, []byte(args), slice()).Outcome(); return err })
		work()
	}
	verb("load", fmt.Sprintf(`{"state":%q}`, hash))
	frame()
	verb("play", "")
	for range few {
		do("playing", func() error { return s.Advance(1, slice()) })
		frame()
	}
	for range few {
		pending := false
		do("beside", func() (err error) { pending, err = s.Background(slice()); return err })
		if !pending {
			break
		}
	}
	frame()
	verb("reset", "")
	frame()
}

// TestPieces prints the longest pieces of the main thread's work for each scene, with the minimum and maximum of every parameter
// and with the settings of TestExtremesTogether. The times depend on the computer. The test runs only with -pieces.
func TestPieces(t *testing.T) {
	if !*pieces {
		t.Skip("-pieces measures; it takes minutes")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var table strings.Builder
	for _, about := range scenes.All {
		if *pieceScene != "" && about.ID != *pieceScene {
			continue
		}
		s, err := New(scenes.All, about.ID)
		if err != nil {
			t.Fatal(err)
		}
		links := []string{"v=1&scene=" + about.ID}
		for _, d := range s.scene.Params().Descriptors() {
			if d.Effect == param.Display && d.Kind != param.Choice {
				continue
			}
			for _, text := range endsOf(d) {
				in := link.Settings{Scene: about.ID, Values: append(useOf(s.scene.Params(), d), link.Value{Name: d.Name, Text: text})}
				links = append(links, in.Hash())
			}
		}
		links = append(links, greatest(s.scene.Params(), about.ID)...)
		for _, c := range together {
			if in, _ := link.Parse(c.link); in.Scene == about.ID {
				links = append(links, c.link)
			}
		}
		for _, l := range heavy {
			if in, _ := link.Parse(l); in.Scene == about.ID {
				links = append(links, l)
			}
		}
		w := &watch{most: map[string]stretch{}}
		for _, l := range links {
			w.visit(t, l)
		}
		longest := slices.SortedFunc(maps.Values(w.most), func(a, b stretch) int { return cmp.Compare(b.took, a.took) })
		for _, p := range longest[:min(len(longest), 6)] {
			fmt.Fprintf(&table, "%-12s %7.1f ms  %-18s %s\n", about.ID, float64(p.took)/1e6, p.what, p.link)
		}
		fmt.Print(table.String())
		table.Reset()
	}
}

// greatest returns links in which every parameter that decides how much is shown at once has its maximum. There is one
// link with the other parameters' defaults, and one for each option of each choice.
func greatest(params *param.List, id string) (links []string) {
	all := link.Settings{Scene: id}
	for _, d := range params.Descriptors() {
		switch ends := endsOf(d); d.Kind {
		case param.Integer, param.Set:
			all.Values = append(all.Values, link.Value{Name: d.Name, Text: ends[len(ends)-1]})
		}
	}
	links = append(links, all.Hash())
	for _, d := range params.Descriptors() {
		if d.Kind == param.Choice {
			for _, text := range endsOf(d) {
				in := all
				in.Values = append(slices.Clone(all.Values), link.Value{Name: d.Name, Text: text})
				links = append(links, in.Hash())
			}
		}
	}
	return links
}

// heavy lists further settings with long pieces of work, in addition to the settings of TestExtremesTogether.
var heavy = []string{
	"v=1&scene=network&method=psmgd,mgda,ls,cagrad,upgrad,nashmtl,famo,uw,rlw&hidden1=256&hidden2=256",
	"v=1&scene=network&method=psmgd,mgda,ls,cagrad,upgrad,nashmtl,famo,uw,rlw&hidden1=256&hidden2=256&axis=seconds",
	"v=1&scene=ordering&K=128&seeds=20" + allOrders,
	manyOrders + "&seeds=20" + allOrders,
}

// allOrders selects all methods of the scene ordering.
const allOrders = "&method=random,random-own,once,once-own,flipflop,flipflop-own,randomflipflop,randomflipflop-own,grab-shared," +
	"grab-separate,jogba"
