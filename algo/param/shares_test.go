package param_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"paretoplay/algo/param"
)

// counted returns a list with two parameters: an Integer n and a Simplex of n shares. It also returns pointers to the
// variables that these parameters set.
func counted() (l *param.List, n *int, shares *[]float64) {
	l, n, shares = new(param.List), new(int), new([]float64)
	*n = 4
	l.Integer(n, param.Descriptor{Name: "n", Min: 1, Max: 6, Step: 1})
	l.Simplex(shares, param.Descriptor{Name: "a", Count: "n", AtMost: 6})
	return l, n, shares
}

// TestShares checks a list of shares whose length another parameter sets. An empty list means equal shares. Assign
// must accept a list of any length, and Check must compare the length with the other parameter.
func TestShares(t *testing.T) {
	l, n, shares := counted()
	if *shares == nil || !l.IsDefault("a") || l.Check() != nil {
		t.Fatalf("no shares: %v, error %v", *shares, l.Check())
	}
	for _, text := range []string{"0.5,0.5,0,0", "1,0,0", ""} {
		if err := l.Assign("a", text); err != nil || l.Text("a") != text {
			t.Errorf("%q: %q, error %v", text, l.Text("a"), err)
		}
		err := l.Check()
		if misfit := text == "1,0,0"; misfit != (err != nil) {
			t.Errorf("%q: %v", text, err)
		} else if misfit && !strings.Contains(err.Error(), "a has 3 shares, but n = 4 needs 4") {
			t.Error(err)
		}
	}
	for _, text := range []string{"0.2,0.2,0.2,0.2,0.2,0,0", "0.5,0.6", "0.5,-0.1,0.6,0", "x"} {
		if err := l.Assign("a", text); err == nil || !strings.Contains(err.Error(), "a = ") {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, c := range []struct {
		text, says string
		n          int
		want       []float64
	}{
		{"0.5,0.25,0.25,0", "", 4, []float64{0.5, 0.25, 0.25, 0}},
		{"0.5,0.25,0.125,0.125", "the first 2 are kept", 2, []float64{2. / 3, 1. / 3}},
		{"0,0,0.5,0.5", "all are now equal", 2, []float64{}},
		{"1,0", "the new ones are equal", 4, []float64{0.5, 0, 0.25, 0.25}},
	} {
		if err := l.Assign("a", c.text); err != nil {
			t.Fatal(err)
		}
		*n = c.n
		notices := l.Fit()
		if (len(notices) > 0) != (c.says != "") || c.says != "" && !strings.Contains(notices[0], c.says) {
			t.Errorf("%s at n = %d: notices %q", c.text, c.n, notices)
		}
		if !reflect.DeepEqual(*shares, c.want) || l.Check() != nil {
			t.Errorf("%s at n = %d: %v, want %v; error %v", c.text, c.n, *shares, c.want, l.Check())
		}
	}
}

// TestSharesAbove checks that Fit leaves no share below the minimum. If there are too many shares to give each the
// minimum, Fit must make the list empty.
func TestSharesAbove(t *testing.T) {
	var l param.List
	n, shares := 2, []float64{}
	l.Integer(&n, param.Descriptor{Name: "n", Min: 1, Max: 9, Step: 1})
	l.Simplex(&shares, param.Descriptor{Name: "a", Count: "n", AtMost: 9, Min: 0.125})
	if err := l.Assign("a", "0.125,0.125,0.125,0.625"); err != nil {
		t.Fatal(err)
	}
	n = 5
	if l.Fit(); !reflect.DeepEqual(shares, []float64{0.125, 0.125, 0.125, 0.4375, 0.1875}) {
		t.Errorf("%v", shares)
	}
	n = 9
	if l.Fit(); len(shares) != 0 {
		t.Errorf("nine shares of an eighth at least: %v", shares)
	}
}

// TestFrequencies checks that an empty list of whole numbers means a list of ones. Fit must remove excess
// numbers and append 1 for every missing number.
func TestFrequencies(t *testing.T) {
	var l param.List
	q, m := 2, []int(nil)
	l.Integer(&q, param.Descriptor{Name: "q", Min: 1, Max: 5, Step: 1})
	l.Frequencies(&m, param.Descriptor{Name: "m", Max: 15, Count: "q", AtMost: 5})
	if d, _ := l.Lookup("m"); m == nil || !d.Whole() || l.Check() != nil || !reflect.DeepEqual(param.Frequencies(m, q), []int{1, 1}) {
		t.Fatalf("no frequencies: %v, error %v", m, l.Check())
	}
	if err := l.Assign("m", "1,2,3,4,5,6"); err == nil || !strings.Contains(err.Error(), "m = ") {
		t.Error(err)
	}
	for _, c := range []struct {
		text, says string
		q          int
		want       []int
	}{
		{"", "", 3, []int{}},
		{"1,3", "", 2, []int{1, 3}},
		{"1,3", "m has 2 whole numbers, but q = 4 needs 4: the new ones are 1", 4, []int{1, 3, 1, 1}},
		{"5,0,15", "the first 2 are kept", 2, []int{5, 0}},
		{"0,0,15", "all are now 1", 2, []int{}},
	} {
		if err := l.Assign("m", c.text); err != nil || l.Text("m") != c.text || param.FormatFrequencies(m) != c.text {
			t.Fatalf("%q: %v, error %v", c.text, m, err)
		}
		q = c.q
		if err := l.Check(); (err != nil) != (c.says != "") || err != nil && !strings.Contains(err.Error(), "leave it empty to set all to 1") {
			t.Errorf("%s at q = %d: error %v", c.text, q, err)
		}
		notices := l.Fit()
		if (len(notices) > 0) != (c.says != "") || c.says != "" && !strings.Contains(notices[0], c.says) {
			t.Errorf("%s at q = %d: notices %q", c.text, q, notices)
		}
		if !reflect.DeepEqual(m, c.want) || l.Check() != nil {
			t.Errorf("%s at q = %d: %v, want %v; error %v", c.text, q, m, c.want, l.Check())
		}
	}
}

// TestWithShare checks that WithShare gives one share the requested value and keeps the proportions of the others.
// The parameter must accept the result without a notice.
func TestWithShare(t *testing.T) {
	for _, c := range []struct {
		shares       []float64
		at           int
		value, least float64
		want         []float64
	}{
		{[]float64{0.5, 0.25, 0.25}, 0, 0.2, 0, []float64{0.2, 0.4, 0.4}},
		{[]float64{1, 0, 0}, 0, 0.5, 0, []float64{0.5, 0.25, 0.25}},
		{[]float64{0.5, 0.5}, 1, 2, 0, []float64{0, 1}},
		{[]float64{0.5, 0.25, 0.25}, 2, -1, 0, []float64{0.666667, 0.333333, 0}},
		{[]float64{0.5, 0.25, 0.25}, 1, 0, 0.1, []float64{0.609091, 0.1, 0.290909}},
		{[]float64{1}, 0, 0.3, 0, []float64{1}},
	} {
		if got := param.WithShare(c.shares, c.at, c.value, c.least); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v with %g at %d: %v, want %v", c.shares, c.value, c.at, got, c.want)
		}
	}
	var l param.List
	n, shares := 200, []float64{}
	l.Integer(&n, param.Descriptor{Name: "n", Min: 1, Max: 200, Step: 1})
	l.Simplex(&shares, param.Descriptor{Name: "a", Count: "n", AtMost: 200})
	now := param.Shares(nil, n)
	for i, value := range []float64{0.123456, 0.9999, 0.3, 0, 1, 0.5} {
		now = param.WithShare(now, 31*i, value, 0)
		if err := l.Assign("a", param.FormatShares(now)); err != nil {
			t.Fatalf("%g: %v", value, err)
		}
		if want := float64(int(value*1e4+0.5)) / 1e4; now[31*i] != want {
			t.Errorf("%g: the share is %v, not %v", value, now[31*i], want)
		}
	}
}

// TestRequire checks that Check returns the error of a condition that Require added.
func TestRequire(t *testing.T) {
	var l param.List
	a, b := 1.0, 1.0
	l.Number(&a, param.Descriptor{Name: "a", Max: 2})
	l.Number(&b, param.Descriptor{Name: "b", Max: 2})
	excluded := errors.New("a and b exclude each other")
	l.Require(func() error {
		if a == b {
			return nil
		}
		return excluded
	})
	if err := l.Check(); err != nil {
		t.Error(err)
	}
	if err := l.Assign("a", "2"); err != nil || l.Check() != excluded {
		t.Errorf("error %v, then %v", err, l.Check())
	}
}
