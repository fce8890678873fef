package session

import (
	"fmt"
	"os"
	"testing"
	"time"

	"paretoplay/internal/engine/scene"
	"paretoplay/scenes"
)

// played is what one play looked like.
type played struct {
	time, share float64 // seconds, and the part of them after which 95 % of the motion was over
	way         float64 // the mean way of a thing, in frame lengths
	k           int     // the last iteration
	left        float64 // how far a thing is at the end of the budget from where it was then
}

// play plays to the end, looking at the places of all things in every frame.
func play(t *testing.T, s *Session) (out played) {
	t.Helper()
	const dt, most, limit = 1. / 60, 1 << 30, 120.
	if err := s.Play(); err != nil {
		t.Fatal(err)
	}
	work(t, s)
	var ways []float64
	before := s.places(nil, s.timeline().Latest(), most)
	for s.Playing() && out.time < limit {
		if err := s.Advance(dt, always); err != nil {
			t.Fatal(err)
		}
		out.time += dt
		now := s.places(nil, s.timeline().Latest(), most)
		mean, _ := distances(before, now)
		out.way += mean
		ways = append(ways, out.way)
		before = now
	}
	for i, way := range ways {
		if way >= 0.95*out.way {
			out.share = float64(i+1) / float64(len(ways))
			break
		}
	}
	out.k = s.timeline().Latest()
	if s.timeline().Running() {
		if err := s.Step(s.timeline().Budget()); err != nil {
			t.Fatal(err)
		}
		work(t, s)
		_, out.left = distances(before, s.places(nil, s.timeline().Latest(), most))
	}
	return out
}

func TestPacingTable(t *testing.T) {
	for _, about := range scenes.All {
		for i := -1; i < len(about.Presets); i++ {
			s, err := New(scenes.All, about.ID)
			if err != nil {
				t.Fatal(err)
			}
			if _, static := scene.AsStatic(s.scene); static || len(s.timeline().Runs()) == 0 {
				break
			}
			name := ""
			if i >= 0 {
				name = about.Presets[i].ID
				if err := s.Card(name); err != nil {
					t.Fatal(err)
				}
				work(t, s)
				if _, slow := scene.InSlowMotion(s.scene); slow || s.scene.Extras().HidesRuns {
					continue
				}
			} else if os.Getenv("CARDS") == "only" {
				continue
			}
			b := s.timeline().Budget()
			began := time.Now()
			p := play(t, s)
			fmt.Printf("%-12s %-10s %-10s %6.1f s  share %.2f way %.2f k %d of %d left %.3f speed %s; took %.1f\n", about.ID, name, s.front(), p.time, p.share, p.way, p.k, b, p.left, s.scene.Params().Text("speed"), time.Since(began).Seconds())
			if os.Getenv("CARDS") == "" {
				break
			}
		}
	}
}
