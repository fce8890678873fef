package runlog

import (
	"fmt"
	"math"
	"unicode"
	"unicode/utf8"
)

const (
	symmetryTolerance = 1e-5 // relative to the larger of two symmetric entries, or to the product of the two gradients' lengths
	leastEigenvalue   = 1e-4 // relative to the trace; Gramians in single precision may have slightly negative eigenvalues
	agreement         = 1e-3 // allowed difference between a Gramian's entry and its gradients' product, relative to their lengths
	longestName       = 200  // in characters
)

// arrayError returns an error about a row of an array.
func arrayError(array string, row int, format string, args ...any) error {
	return fmt.Errorf("%s, row %d: %w", array, row, fmt.Errorf(format, args...))
}

// finish completes and validates a log that was read, and returns it.
func (l *Log) finish() (*Log, error) {
	if err := l.complete(); err != nil {
		return nil, err
	}
	if l.unordered != "" {
		return nil, l.errUnordered()
	}
	if err := l.sift(); err != nil {
		return nil, err
	}
	for k := 1; k < l.records; k++ {
		if err := checkStep(k, l.steps[k-1], l.steps[k]); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// complete validates the log as a whole, and adds the parts that files may omit.
func (l *Log) complete() error {
	switch {
	case l.gramian == nil && l.jacobian == nil:
		return fmt.Errorf("%s and %s are missing; a log needs one of them", gramian, jacobian)
	case l.records < 2:
		return errRecords(l.mainName(), l.records)
	}
	if l.steps == nil {
		l.steps = make([]int64, l.records)
		for k := range l.steps {
			l.steps[k] = int64(k)
		}
	}
	if l.names == nil {
		l.names = numbered(l.objectives)
	}
	if err := checkTexts(names, l.names); err != nil {
		return err
	}
	if l.outcomes != nil {
		if err := l.outcomes.check(); err != nil {
			return err
		}
	}
	for _, b := range []struct {
		name string
		*block
	}{{forward, l.forward}, {backward, l.backward}} {
		for k := 0; b.block != nil && k < l.records; k++ {
			if v := b.at(k); v < 0 && !math.IsInf(v, -1) {
				return arrayError(b.name, k, "%g is not a duration", v)
			}
		}
	}
	return nil
}

// checkStep returns an error if the step of record k is not a valid successor of the previous step.
func checkStep(k int, before, now int64) error {
	switch {
	case now <= before:
		return arrayError(step, k, "step %d comes after step %d: steps must increase", now, before)
	case before < 0 && now > math.MaxInt64+before:
		return arrayError(step, k, "step %d is too far from step %d", now, before)
	}
	return nil
}

// errRecords returns the error for a number of records that is out of range.
func errRecords(array string, n int) error {
	return fmt.Errorf("%s: the number of records is %d; it must be from 2 to %d", array, n, MaxRecords)
}

// mainName returns the name of the main array, Gramian or Jacobian. Errors about the whole log use this name.
func (l *Log) mainName() string {
	if l.gramian == nil {
		return jacobian
	}
	return gramian
}

// checkTexts returns an error if a name in an array is too long or contains characters that cannot be displayed.
func checkTexts(array string, list []string) error {
	for i, name := range list {
		if !utf8.ValidString(name) {
			return arrayError(array, i, "%q is not valid UTF-8", name)
		}
		if n := utf8.RuneCountInString(name); n > longestName {
			return arrayError(array, i, "%d characters, at most %d are allowed", n, longestName)
		}
		for _, r := range name {
			if !unicode.IsPrint(r) {
				return arrayError(array, i, "%q has a character that cannot be shown, %U", name, r)
			}
		}
	}
	return nil
}

// checkGramian returns an error if the matrix of record k cannot be a Gramian. It makes a nearly symmetric matrix
// symmetric. If no gradients have the products in such a matrix, the error is an *impossible. c and own are scratch
// space of S×S numbers.
func (l *Log) checkGramian(k int, c, own []float64) error {
	s, at := l.objectives, k*l.objectives*l.objectives
	for i := range s {
		for j := range i {
			v, w := l.gramian.at(at+i*s+j), l.gramian.at(at+j*s+i)
			if v == w {
				continue
			}
			lengths := math.Sqrt(max(l.gramian.at(at+i*s+i), 0)) * math.Sqrt(max(l.gramian.at(at+j*s+j), 0))
			if !(math.Abs(float64(v/2)-float64(w/2)) <= symmetryTolerance/2*max(math.Abs(v), math.Abs(w), lengths)) {
				return fmt.Errorf("entries (%d, %d) and (%d, %d) are %g and %g: a Gramian is symmetric", i, j, j, i, v, w)
			}
			l.gramian.set(at+i*s+j, float64(v/2)+float64(w/2))
			l.gramian.set(at+j*s+i, float64(v/2)+float64(w/2))
		}
	}
	copy(c, l.gramian.row(c, k))
	e := normalise(c)
	if l.jacobian != nil {
		part := Log{objectives: s, variables: l.variables, jacobian: l.jacobian}
		if i, j := disagreement(s, c, e, own, part.Products(own, k)); i >= 0 {
			return fmt.Errorf("entry (%d, %d) is not the product of the rows %d and %d of %s", i, j, i, j, jacobian)
		}
	}
	trace := 0.0
	for i := range s {
		trace += c[i*s+i]
		for j := range i {
			bound := math.Sqrt(max(c[i*s+i], 0)) * math.Sqrt(max(c[j*s+j], 0))
			if v := c[i*s+j]; math.Abs(v) > bound*(1+boundTolerance) {
				if bound == 0 {
					return &impossible{fmt.Sprintf("entry (%d, %d) is not 0, and the product of the two lengths is", i, j)}
				}
				return &impossible{fmt.Sprintf("entry (%d, %d) is %.3g times the product of the two lengths", i, j, v/bound)}
			}
		}
	}
	if !semidefinite(c, s, leastEigenvalue*trace) {
		return &impossible{fmt.Sprintf("the least eigenvalue is below %g of the trace", -leastEigenvalue)}
	}
	return nil
}

// disagreement returns the indices of an entry at which c·4^e and own·4^f differ. It returns −1 if they agree.
func disagreement(s int, c []float64, e int, own []float64, f int) (i, j int) {
	for i := range s {
		for j := range s {
			v := math.Ldexp(c[i*s+j], 2*(e-f))
			if !(math.Abs(v-own[i*s+j]) <= agreement*math.Sqrt(own[i*s+i])*math.Sqrt(own[j*s+j])) {
				return i, j
			}
		}
	}
	return -1, -1
}

// semidefinite reports whether all eigenvalues of the s×s matrix c are at least −shift. It computes a Cholesky
// factorization of c + shift·I in c's storage.
func semidefinite(c []float64, s int, shift float64) bool {
	if shift <= 0 {
		for _, v := range c {
			if v != 0 {
				return false
			}
		}
		return shift == 0
	}
	for i := range s {
		row := c[i*s : i*s+i+1]
		for j := range i {
			other, v := c[j*s:j*s+j+1], row[j]
			for b, w := range other[:j] {
				v -= float64(row[b] * w)
			}
			row[j] = v / other[j]
		}
		pivot := row[i] + shift
		for _, v := range row[:i] {
			pivot -= float64(v * v)
		}
		if !(pivot > 0) {
			return false
		}
		row[i] = math.Sqrt(pivot)
	}
	return true
}
