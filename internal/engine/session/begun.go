package session

import (
	"iter"

	"paretoplay/internal/engine/timeline"
)

// Begun is a verb or work that a session has started. It may pause, because with large settings the data, the methods
// and the first measurements take long to compute. The scene is unfinished during a pause. Work continues a paused
// Begun. Any other request to the session finishes it first, unless both only read.
type Begun struct {
	next    func() (struct{}, bool)
	more    func() bool // reports whether the current part may continue
	hurry   bool        // whether it must finish without a pause
	inside  bool        // whether it is running, not paused
	ended   bool
	err     error
	version uint64   // version of the frame before it started
	told    []string // events to report when it ends

	result  any  // result of a verb
	looks   bool // whether it changes nothing, so that other readers need not finish it first
	late    bool // whether its error becomes a notice, because no caller waits for it
	work    bool // whether it is work, not a verb; only Work returns the outcome of work
	pending bool // whether more work remains after it
}

// Outcome returns the result and error of a verb. ended is false until the verb has ended.
func (b *Begun) Outcome() (result any, ended bool, err error) { return b.result, b.ended, b.err }

// again reports whether b may continue without a pause.
func (b *Begun) again() bool { return !b.hurry && b.more() }

// goOn continues the started verb or work while more() is true, and then up to its next pause.
func (s *Session) goOn(more func() bool) {
	b := s.player.begun
	b.more, b.inside = more, true
	defer func() { // also after a panic
		if b.inside = false; b.ended {
			s.player.begun = nil
			if b.late && b.err != nil {
				s.notice("%v.", b.err)
			}
			for _, kind := range b.told {
				s.events.tell(kind)
			}
		}
	}()
	b.next()
}

// run starts f as the verb or work b. f may pause when more() is false.
func (s *Session) run(b *Begun, f func(b *Begun) error, more func() bool) *Begun {
	b.next, _ = iter.Pull(func(yield func(struct{}) bool) {
		rest := s.player.rest
		defer func() { s.player.rest, b.ended = rest, true }()
		s.player.rest = func() {
			if b.inside && !b.hurry && !b.more() {
				yield(struct{}{})
			}
		}
		b.err = f(b)
	})
	b.version = s.Version()
	s.player.begun = b
	s.goOn(more)
	return b
}

// Begin is like Call, but the verb may pause when more() is false.
func (s *Session) Begin(verb string, args []byte, more func() bool) *Begun {
	s.settle()
	return s.run(&Begun{}, func(b *Begun) (err error) {
		b.result, err = s.Call(verb, args)
		return err
	}, more)
}

// resting reports whether a verb or work is paused.
func (s *Session) resting() bool { return s.player.begun != nil && !s.player.begun.inside }

// settle finishes the paused verb or work, if there is one.
func (s *Session) settle() {
	if !s.resting() {
		return
	}
	b := s.player.begun
	b.hurry = true
	s.goOn(func() bool { return false })
	if b.work && b.err != nil {
		s.notice("%v.", b.err)
	}
}

// mayRest pauses the running verb or work if its time is up. It does nothing if none is running.
func (s *Session) mayRest() {
	if s.player.rest != nil {
		s.player.rest()
	}
}

// settleToLook is like settle, for callers that only read. It leaves another reader paused.
func (s *Session) settleToLook() {
	if s.resting() && !s.player.begun.looks {
		s.settle()
	}
}

// makeRuns calls the scene's Restart, which may pause.
func (s *Session) makeRuns(log []timeline.Change) error {
	t := s.timeline()
	t.SetMaking(s.player.rest)
	defer t.SetMaking(nil)
	return s.scene.Restart(log)
}
