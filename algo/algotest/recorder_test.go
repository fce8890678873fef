package algotest_test

import (
	"fmt"
	"strings"
	"testing"
)

// recorder is a T that records failures instead of failing.
type recorder struct{ messages []string }

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.messages = append(r.messages, fmt.Sprintf(format, args...))
}

// mustFail fails the test unless check reports a failure that contains want.
func mustFail(t *testing.T, name, want string, check func(r *recorder)) {
	t.Helper()
	var r recorder
	check(&r)
	for _, m := range r.messages {
		if strings.Contains(m, want) {
			return
		}
	}
	t.Errorf("%s: no failure that says %q among %q", name, want, r.messages)
}

// mustPass fails the test if check reports a failure.
func mustPass(t *testing.T, check func(r *recorder)) {
	t.Helper()
	var r recorder
	check(&r)
	for _, m := range r.messages {
		t.Errorf("unexpected: %s", m)
	}
}
