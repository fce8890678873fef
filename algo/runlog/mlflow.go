package runlog

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// longestLine is the maximum number of bytes in a line of MLflow's files.
const longestLine = 1 << 16

// readMetric adds the numbers of an MLflow file, which all have the same name. Each line contains a time, a value and a step.
func (s *scalars) readMetric(name string, r io.Reader) error {
	lines := bufio.NewReaderSize(r, longestLine)
	for number := 1; ; number++ {
		text, err := lines.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			return fmt.Errorf("line %d: it has more than %d bytes", number, longestLine)
		}
		cut := errors.Is(err, io.EOF)
		if err != nil && !cut {
			return err
		}
		if cut && len(text) == 0 {
			return nil
		}
		fields := strings.Fields(string(text))
		if cut { // an incomplete line is omitted even if it has all fields, because its step may lack digits
			s.cutOffLine(name)
			return nil
		}
		if len(fields) != 3 {
			return fmt.Errorf("line %d: it has %d fields, but must have three: time, value and step", number, len(fields))
		}
		v, err := decimal(fields[1])
		if err != nil {
			return fmt.Errorf("line %d: the value: %w", number, err)
		}
		step, err := wholeText(fields[2])
		if err != nil {
			return fmt.Errorf("line %d: the step: %w", number, err)
		}
		if err := s.add(name, step, v); err != nil {
			return err
		}
	}
}
