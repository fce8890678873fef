package runlog

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// field is a decoded field of a protocol buffer message.
type field struct {
	number protowire.Number
	kind   protowire.Type
	value  uint64 // set if the field is a number
	bytes  []byte
}

// eachField parses a message and calls read for each of its fields.
func eachField(message []byte, read func(f field) error) error {
	for len(message) > 0 {
		number, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return errors.New("it is not a protocol buffer message")
		}
		message = message[n:]
		f := field{number: number, kind: kind}
		switch kind {
		case protowire.VarintType:
			f.value, n = protowire.ConsumeVarint(message)
		case protowire.Fixed32Type:
			var v uint32
			v, n = protowire.ConsumeFixed32(message)
			f.value = uint64(v)
		case protowire.Fixed64Type:
			f.value, n = protowire.ConsumeFixed64(message)
		case protowire.BytesType:
			f.bytes, n = protowire.ConsumeBytes(message)
		default:
			n = protowire.ConsumeFieldValue(number, kind, message)
		}
		if n < 0 {
			return fmt.Errorf("field %d of a protocol buffer message is damaged", number)
		}
		message = message[n:]
		if err := read(f); err != nil {
			return err
		}
	}
	return nil
}
