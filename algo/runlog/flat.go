package runlog

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"paretoplay/internal/pattern"
)

// flatKey matches flat JSON lines, and lines written by ClearML. In them, every number of a log has a separate name.
var flatKey = pattern.Lazy(`"(loss|gramian)/[^"]*"\s*:|"loss"\s*:\s*\{|"variant"\s*:\s*"`)

// deepest is the maximum nesting depth of objects.
const deepest = 8

// flatReader reads JSON lines in which every number has a name.
type flatReader struct {
	*Lines
	out *scalars

	names  []string // names of the line's numbers
	values []float64
	step   *int64
	rank   int // index of the step's name in stepNames

	metric, variant string // from a line written by ClearML
	value           *float64
}

// readFlat reads a log in flat JSON lines. Several lines may contain the numbers of one step.
func readFlat(r io.Reader, most int64) (*Log, error) {
	f := &flatReader{Lines: NewLines(r, most), out: newScalars("the tracker", most)}
	f.final, f.object = true, f.readObject
	for {
		line, err := f.Next()
		if errors.Is(err, io.EOF) {
			return f.out.log()
		}
		if err != nil && errors.Is(f.fault, io.EOF) && f.line.Number > 1 {
			f.out.cutOffLine("the file")
			return f.out.log()
		}
		if err != nil {
			return nil, err
		}
		if err := f.keepLine(); err != nil {
			return nil, fmt.Errorf("line %d: %w", line.Number, err)
		}
	}
}

func (f *flatReader) readObject(c byte) error {
	f.names, f.values, f.step, f.rank = f.names[:0], f.values[:0], nil, len(stepNames)
	f.metric, f.variant, f.value = "", "", nil
	if c != '{' {
		return errors.New(`a JSON object is expected, such as {"_step": 0, "loss/a": 1, "gramian/0_0": 1}`)
	}
	return f.inner("", 1)
}

// inner reads the members of an object, and adds a prefix to their names.
func (f *flatReader) inner(prefix string, depth int) error {
	return f.members(func(name string, c byte) error {
		name = prefix + name
		switch {
		case c == '{' && depth < deepest:
			if name == "metrics" { // written by trackio
				name = ""
			} else {
				name += "/"
			}
			return f.inner(name, depth+1)
		case c == '"':
			return f.word(name)
		case c == 'n' && f.follows("ull"):
			return f.pass(name, c) // null marks a missing number
		case c == '-' || c >= '0' && c <= '9' || c == 'N' || c == 'I' || c == 'n' || c == 'i':
			v, err := f.one(name, 0, c)
			if err != nil {
				return err
			}
			return f.number(name, v)
		}
		return f.pass(name, c)
	})
}

// follows reports whether the next bytes equal text.
func (f *flatReader) follows(text string) bool {
	next, _ := f.r.Peek(len(text))
	return string(next) == text
}

// word reads a string that holds a number or one of ClearML's names.
func (f *flatReader) word(name string) error {
	f.token = f.token[:0]
	if err := f.Lines.text('"'); err != nil {
		return err
	}
	var text string
	if len(f.token) < maxToken {
		if err := json.Unmarshal(f.token, &text); err != nil {
			return fmt.Errorf("%.40s: %w", name, err)
		}
	}
	switch {
	case name == "metric":
		f.metric = text
	case name == "variant":
		f.variant = text
	case text != "" && slices.Contains(marks, strings.ToLower(strings.TrimLeft(text, "+-"))):
		v := math.NaN()
		if strings.Contains(strings.ToLower(text), "inf") {
			v = math.Inf(1)
		}
		return f.number(name, v)
	case strings.HasPrefix(name, lossPrefix) || strings.HasPrefix(name, gramianPrefix):
		return fmt.Errorf("%.40s: a number is expected, not %.40q", name, text)
	}
	return nil
}

// number stores a number of the line under its name.
func (f *flatReader) number(name string, v float64) error {
	if rank := slices.Index(stepNames, name); rank >= 0 {
		if rank > f.rank {
			return nil
		}
		n, err := whole(v)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		f.step, f.rank = &n, rank
		return nil
	}
	if name == "value" {
		f.value = &v
	}
	f.names, f.values = append(f.names, name), append(f.values, v)
	return nil
}

// keepLine adds the numbers of the line to the log.
func (f *flatReader) keepLine() error {
	if f.metric != "" && f.variant != "" && f.value != nil {
		f.out.tracker, f.out.zeroIsNaN = "ClearML", true
		f.names, f.values = append(f.names[:0], f.metric+"/"+f.variant), append(f.values[:0], *f.value)
	}
	for i, name := range f.names {
		if f.out.find(name) == nil {
			continue
		}
		if f.step == nil {
			return fmt.Errorf("the step is missing; one of %s is expected", strings.Join(stepNames, ", "))
		}
		if err := f.out.add(name, *f.step, f.values[i]); err != nil {
			return err
		}
	}
	return nil
}
