package session

import (
	"iter"

	"paretoplay/internal/engine/timeline"
)

// Begun is a verb, or work, that a session has begun. It may rest in the middle: the data, methods and first measures of large
// settings take long to make. While it rests the scene is half made. Work goes on with it, and any other request to the
// session ends it first, except where both only look.
type Begun struct {
	next    func() (struct{}, bool)
	more    func() bool // of the part that is under way
	hurry   bool        // it rests no more, and work ends soon
	inside  bool        // it is under way
	ended   bool
	err     error
	version uint64   // of the frame before
	told    []string // events that are due when it has ended

	result  any  // of a verb
	looks   bool // it changes nothing: who looks too need not end it
	late    bool // nobody waits for its error, which becomes a notice
	work    bool // it is no verb: only Work asks for its outcome
	pending bool // after this work there is more
}

// Outcome returns what a verb has returned, once it has ended.
func (b *Begun) Outcome() (result any, ended bool, err error) { return b.result, b.ended, b.err }

// again reports whether there is time left.
func (b *Begun) again() bool { return !b.hurry && b.more() }

// goOn lets what was begun go on, while more() holds and beyond until it may rest.
func (s *Session) goOn(more func() bool) {
	b := s.player.begun
	b.more, b.inside = more, true
	defer func() { // also where it panics
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

// run begins f.
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

// Begin is Call, but the verb may rest where more no longer holds.
func (s *Session) Begin(verb string, args []byte, more func() bool) *Begun {
	s.settle()
	return s.run(&Begun{}, func(b *Begun) (err error) {
		b.result, err = s.Call(verb, args)
		return err
	}, more)
}

// resting reports whether something rests in the middle.
func (s *Session) resting() bool { return s.player.begun != nil && !s.player.begun.inside }

// settle ends what rests in the middle.
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

// mayRest is where what was begun may rest. It does nothing where nothing was.
func (s *Session) mayRest() {
	if s.player.rest != nil {
		s.player.rest()
	}
}

// settleToLook is settle for who only looks: what only looks too may go on resting.
func (s *Session) settleToLook() {
	if s.resting() && !s.player.begun.looks {
		s.settle()
	}
}

// makeRuns is the scene's Restart, which may rest.
func (s *Session) makeRuns(log []timeline.Change) error {
	t := s.timeline()
	t.SetMaking(s.player.rest)
	defer t.SetMaking(nil)
	return s.scene.Restart(log)
}
