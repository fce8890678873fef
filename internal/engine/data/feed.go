package data

import (
	"errors"
	"io"
	"iter"

	"paretoplay/algo/runlog"
)

// feed reads a log piece by piece. A coroutine reads each piece when the piece arrives, and then waits for the next.
type feed struct {
	piece []byte
	last  bool // whether there are no more pieces
	next  func() (struct{}, bool)
	stop  func()
	rest  func() bool

	log *runlog.Log
	err error
}

// newFeed returns a reader for one file. If names is not nil, it lists the names of the losses in the order of the
// Gramian's rows.
func newFeed(names []string) *feed {
	f := &feed{}
	f.next, f.stop = iter.Pull(func(yield func(struct{}) bool) {
		f.rest = func() bool { return yield(struct{}{}) }
		f.log, f.err = runlog.ReadParts([]runlog.Part{{File: f}}, names, runlog.PageBytes)
	})
	return f
}

// errAbandoned is the read error that ends the reading of an abandoned log.
var errAbandoned = errors.New("the file was not read to its end")

// Read implements io.Reader. It waits until write supplies a piece or close ends the file.
func (f *feed) Read(p []byte) (int, error) {
	for len(f.piece) == 0 {
		if f.last {
			return 0, io.EOF
		}
		if !f.rest() {
			return 0, errAbandoned
		}
	}
	n := copy(p, f.piece)
	f.piece = f.piece[n:]
	return n, nil
}

// write supplies the next piece and returns once the piece is read. After an error, no further piece can be read.
func (f *feed) write(piece []byte) error {
	f.piece = piece
	f.next()
	return f.err
}

// close ends the file and returns the log.
func (f *feed) close() (*runlog.Log, error) {
	f.last = true
	f.next()
	return f.log, f.err
}
