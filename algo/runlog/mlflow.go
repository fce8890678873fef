package runlog

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// longestLine is how many bytes a line of MLflow's files may have.
const longestLine = 1 << 16

// readMetric adds the numbers of a file of MLflow, which has those of one name: a line a number, with its time, value and step.
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
		if cut { // also where all fields seem to be there: the step may lack digits
			s.cutOffLine(name)
			return nil
		}
		if len(fields) != 3 {
			return fmt.Errorf("line %d: there are %d fields; time, value and step are expected", number, len(fields))
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
