package runlog

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// A record of an event file has four parts: its length in eight bytes, the checksum of the length, its bytes, and
// the checksum of the bytes.
const (
	lengthBytes   = 8
	checksumBytes = 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum returns the checksum that event files use.
func checksum(data []byte) uint32 {
	c := crc32.Checksum(data, castagnoli)
	return (c>>15 | c<<17) + 0xa282ead8
}

// isEvents reports whether a file begins like a TensorBoard event file.
func isEvents(start []byte) bool {
	return len(start) >= lengthBytes+checksumBytes && binary.LittleEndian.Uint32(start[lengthBytes:]) == checksum(start[:lengthBytes])
}

// readEventFile reads a log from one event file.
func readEventFile(r io.Reader, most int64) (*Log, error) {
	out := newScalars("TensorBoard", most)
	if err := out.readEvents(r, most); err != nil {
		return nil, err
	}
	return out.log()
}

// readEvents adds the numbers of an event file. It omits an incomplete last record.
func (s *scalars) readEvents(r io.Reader, most int64) error {
	var frame bytes.Buffer
	for at := int64(0); ; {
		frame.Reset()
		n, err := io.CopyN(&frame, r, lengthBytes+checksumBytes)
		if errors.Is(err, io.EOF) {
			if n > 0 {
				s.cutOff(at)
			}
			return nil
		}
		if err != nil {
			return err
		}
		if !isEvents(frame.Bytes()) {
			return fmt.Errorf("the record at byte %d: the checksum of its length is wrong; the file is damaged there", at)
		}
		length := binary.LittleEndian.Uint64(frame.Bytes())
		if length > uint64(most) {
			return fmt.Errorf("the record at byte %d has %d bytes, more than the maximum of %d MB", at, length, most>>20)
		}
		frame.Reset()
		if _, err = io.CopyN(&frame, r, int64(length)+checksumBytes); errors.Is(err, io.EOF) {
			s.cutOff(at)
			return nil
		} else if err != nil {
			return err
		}
		data := frame.Bytes()[:length]
		if binary.LittleEndian.Uint32(frame.Bytes()[length:]) != checksum(data) {
			return fmt.Errorf("the record at byte %d: the checksum of its %d bytes is wrong; the file is damaged there", at, length)
		}
		if err := s.event(data); err != nil {
			return fmt.Errorf("the record at byte %d: %w", at, err)
		}
		at += lengthBytes + int64(length) + 2*checksumBytes
	}
}

// event adds the numbers of an Event. Field 2 is its step, field 5 its Summary, and field 7 a SessionLog, which
// marks a resumed run.
func (s *scalars) event(message []byte) error {
	var step int64
	var summaries [][]byte
	restarted := false
	err := eachField(message, func(f field) error {
		switch {
		case f.number == 2 && f.kind == protowire.VarintType:
			step = int64(f.value)
		case f.number == 5 && f.kind == protowire.BytesType:
			summaries = append(summaries, f.bytes)
		case f.number == 7 && f.kind == protowire.BytesType:
			return eachField(f.bytes, func(f field) error {
				const start = 1
				restarted = restarted || f.number == 1 && f.kind == protowire.VarintType && f.value == start
				return nil
			})
		}
		return nil
	})
	if err != nil {
		return err
	}
	if restarted {
		for _, of := range s.order {
			of.rewind(step)
		}
	}
	for _, summary := range summaries {
		err := eachField(summary, func(f field) error {
			if f.number != 1 || f.kind != protowire.BytesType {
				return nil
			}
			return s.summaryValue(step, f.bytes)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// summaryValue adds the number of a Summary.Value. Field 1 is its tag, field 2 a number of 32 bits, and field 8 a tensor.
func (s *scalars) summaryValue(step int64, message []byte) error {
	var tag string
	var number *float64
	err := eachField(message, func(f field) error {
		switch {
		case f.number == 1 && f.kind == protowire.BytesType:
			tag = string(f.bytes)
		case f.number == 2 && f.kind == protowire.Fixed32Type:
			s.narrow = true
			v := float64(math.Float32frombits(uint32(f.value)))
			number = &v
		case f.number == 8 && f.kind == protowire.BytesType:
			list, single, err := tensor(f.bytes)
			if err == nil && len(list) == 1 {
				s.narrow, number = s.narrow || single, &list[0]
			}
			return err
		}
		return nil
	})
	if err != nil || number == nil {
		return err
	}
	return s.add(tag, step, *number)
}

// tensor reads a single number of 32 or 64 bits from a TensorProto. Field 1 is its type. Field 4 contains all numbers
// as bytes, and fields 5 and 6 contain them one by one. For other tensors, tensor returns an empty list.
func tensor(message []byte) (list []float64, single bool, err error) {
	const float, double = 1, 2
	var kind uint64
	var content []byte
	err = eachField(message, func(f field) error {
		switch {
		case f.number == 1 && f.kind == protowire.VarintType:
			kind = f.value
		case (f.number == 4 || f.number == 5 || f.number == 6) && f.kind == protowire.BytesType:
			content = f.bytes
		case f.number == 5 && f.kind == protowire.Fixed32Type:
			content = binary.LittleEndian.AppendUint32(content, uint32(f.value))
		case f.number == 6 && f.kind == protowire.Fixed64Type:
			content = binary.LittleEndian.AppendUint64(content, f.value)
		}
		return nil
	})
	switch {
	case err != nil:
	case kind == float && len(content) == 4:
		list = append(list, float64(math.Float32frombits(binary.LittleEndian.Uint32(content))))
	case kind == double && len(content) == 8:
		list = append(list, math.Float64frombits(binary.LittleEndian.Uint64(content)))
	}
	return list, kind == float, err
}
