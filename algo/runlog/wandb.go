package runlog

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// wandbMagic is the beginning of W&B's files: an identifier, a number and a version. The file is a sequence of blocks,
// and the first block contains the magic bytes. Blocks contain chunks. Each chunk is preceded by its checksum, its
// length in two bytes, and its kind. If these do not fit into the rest of a block, the rest is empty.
var wandbMagic = []byte(":W&B\xe1\xbe\x00")

const (
	wandbBlock  = 1 << 15
	chunkHeader = 7

	wholeChunk, firstChunk, middleChunk, lastChunk = 1, 2, 3, 4
)

// readWandbFile reads a log from one W&B file.
func readWandbFile(r io.Reader, most int64) (*Log, error) {
	out := newScalars("W&B", most)
	out.sorted = true
	if err := out.readWandb(r, most); err != nil {
		return nil, err
	}
	return out.log()
}

// readWandb adds the numbers of a file that W&B writes for an offline run. It omits an incomplete last record.
func (s *scalars) readWandb(r io.Reader, most int64) error {
	if start, err := readUpTo(r, len(wandbMagic)); err != nil {
		return err
	} else if !bytes.Equal(start, wandbMagic) {
		return errors.New("it does not begin like a W&B file of the supported version")
	}
	var record bytes.Buffer
	at, begun := int64(len(wandbMagic)), int64(-1) // begun is the position in the file at which the current record begins
	for {
		if rest := wandbBlock - at%wandbBlock; rest < chunkHeader {
			if _, err := readUpTo(r, int(rest)); err != nil {
				return err
			}
			at += rest
		}
		header, err := readUpTo(r, chunkHeader)
		if err != nil {
			return err
		}
		if len(header) == 0 && begun < 0 {
			return nil
		}
		if begun < 0 {
			begun = at
		}
		if len(header) < chunkHeader {
			s.cutOff(begun)
			return nil
		}
		length, kind := int(binary.LittleEndian.Uint16(header[4:])), header[6]
		if kind < wholeChunk || kind > lastChunk || int64(chunkHeader+length) > wandbBlock-at%wandbBlock {
			return fmt.Errorf("the record at byte %d: it does not fit into its block; the file is damaged there", at)
		}
		chunk, err := readUpTo(r, length)
		if err != nil {
			return err
		}
		if len(chunk) < length {
			s.cutOff(begun)
			return nil
		}
		if crc32.Update(crc32.ChecksumIEEE(header[6:]), crc32.IEEETable, chunk) != binary.LittleEndian.Uint32(header) {
			return fmt.Errorf("the record at byte %d: the checksum of its %d bytes is wrong; the file is damaged there", at, length)
		}
		if begins := kind == wholeChunk || kind == firstChunk; begins != (begun == at) {
			return fmt.Errorf("the record at byte %d: its parts are out of order; the file is damaged there", at)
		}
		record.Write(chunk)
		if kind == wholeChunk || kind == lastChunk {
			if err := s.wandbRecord(record.Bytes()); err != nil {
				return fmt.Errorf("the record at byte %d: %w", begun, err)
			}
			record.Reset()
			begun = -1
		}
		at += int64(chunkHeader + length)
	}
}

// readUpTo reads n bytes, or fewer at the end of the file.
func readUpTo(r io.Reader, n int) ([]byte, error) {
	out := make([]byte, n)
	k, err := io.ReadFull(r, out)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return out[:k], err
}

// wandbRecord adds the numbers of a Record. Field 2 contains the data of one step: items, and the step's number.
func (s *scalars) wandbRecord(message []byte) error {
	return eachField(message, func(f field) error {
		if f.number != 2 || f.kind != protowire.BytesType {
			return nil
		}
		var step *int64
		var names, values []string
		err := eachField(f.bytes, func(f field) error {
			switch {
			case f.number == 1 && f.kind == protowire.BytesType:
				name, value, err := wandbItem(f.bytes)
				if err != nil {
					return err
				}
				if name != stepNames[0] {
					names, values = append(names, name), append(values, value)
					return nil
				}
				k, err := wholeText(value)
				step = &k
				return err
			case f.number == 2 && f.kind == protowire.BytesType && step == nil:
				return eachField(f.bytes, func(f field) error {
					if f.number == 1 && f.kind == protowire.VarintType {
						k := int64(f.value)
						step = &k
					}
					return nil
				})
			}
			return nil
		})
		if err != nil {
			return err
		}
		for i, name := range names {
			if strings.HasPrefix(name, "_") || s.find(name) == nil {
				continue
			}
			if step == nil {
				return fmt.Errorf("%.40s has no step", name)
			}
			v, err := decimal(strings.Trim(values[i], `"`))
			if err != nil {
				return fmt.Errorf("%.40s: %w", name, err)
			}
			if err := s.add(name, *step, v); err != nil {
				return err
			}
		}
		return nil
	})
}

// wandbItem parses a HistoryItem. Its name is either in field 1, or in several fields 2, one for each part of the
// name. Field 16 is its value in JSON.
func wandbItem(message []byte) (name, value string, err error) {
	var nested []string
	err = eachField(message, func(f field) error {
		switch {
		case f.kind != protowire.BytesType:
		case f.number == 1:
			name = string(f.bytes)
		case f.number == 2:
			nested = append(nested, string(f.bytes))
		case f.number == 16:
			value = string(f.bytes)
		}
		return nil
	})
	if name == "" {
		name = strings.Join(nested, "/")
	}
	return name, value, err
}
