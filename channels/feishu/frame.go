package feishu

import (
	"errors"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// What a frame is for.
const (
	methodControl = 0 // pings and pongs
	methodData    = 1 // events
)

// frame is one message of the long connection.
type frame struct {
	seq, log uint64
	service  int32
	method   int32
	headers  []header
	encoding string
	kind     string
	payload  []byte
	logNew   string
}

type header struct{ key, value string }

// The fields of a frame and of a header on the wire.
const (
	fieldSeq protowire.Number = iota + 1
	fieldLog
	fieldService
	fieldMethod
	fieldHeader
	fieldEncoding
	fieldKind
	fieldPayload
	fieldLogNew

	fieldKey   protowire.Number = 1
	fieldValue protowire.Number = 2
)

const maxHeaders = 64

var errFrame = errors.New("feishu: a frame cannot be read")

// get gives a header's value; "" if there is none.
func (f *frame) get(key string) string {
	if i := slices.IndexFunc(f.headers, func(h header) bool { return h.key == key }); i >= 0 {
		return f.headers[i].value
	}
	return ""
}

// encode gives the frame's bytes. The first four fields are always there: the service requires them.
func (f *frame) encode() []byte {
	varint := func(b []byte, n protowire.Number, v uint64) []byte {
		return protowire.AppendVarint(protowire.AppendTag(b, n, protowire.VarintType), v)
	}
	text := func(b []byte, n protowire.Number, v string) []byte {
		return protowire.AppendString(protowire.AppendTag(b, n, protowire.BytesType), v)
	}
	var b []byte
	b = varint(b, fieldSeq, f.seq)
	b = varint(b, fieldLog, f.log)
	b = varint(b, fieldService, uint64(int64(f.service)))
	b = varint(b, fieldMethod, uint64(int64(f.method)))
	for _, h := range f.headers {
		b = text(b, fieldHeader, string(text(text(nil, fieldKey, h.key), fieldValue, h.value)))
	}
	if f.encoding != "" {
		b = text(b, fieldEncoding, f.encoding)
	}
	if f.kind != "" {
		b = text(b, fieldKind, f.kind)
	}
	if f.payload != nil {
		b = text(b, fieldPayload, string(f.payload))
	}
	if f.logNew != "" {
		b = text(b, fieldLogNew, f.logNew)
	}
	return b
}

// decodeFrame reads a frame. Unknown fields are passed over.
func decodeFrame(b []byte) (f frame, err error) {
	err = fields(b, func(n protowire.Number, v uint64, text []byte) error {
		switch n {
		case fieldSeq:
			f.seq = v
		case fieldLog:
			f.log = v
		case fieldService:
			f.service = int32(v)
		case fieldMethod:
			f.method = int32(v)
		case fieldHeader:
			return f.addHeader(text)
		case fieldEncoding:
			f.encoding = string(text)
		case fieldKind:
			f.kind = string(text)
		case fieldPayload:
			f.payload = slices.Clone(text)
		case fieldLogNew:
			f.logNew = string(text)
		}
		return nil
	})
	return f, err
}

func (f *frame) addHeader(b []byte) error {
	if len(f.headers) >= maxHeaders {
		return errFrame
	}
	var h header
	err := fields(b, func(n protowire.Number, _ uint64, text []byte) error {
		switch n {
		case fieldKey:
			h.key = string(text)
		case fieldValue:
			h.value = string(text)
		}
		return nil
	})
	f.headers = append(f.headers, h)
	return err
}

// fields calls visit with each varint or text of a message.
func fields(b []byte, visit func(n protowire.Number, v uint64, text []byte) error) error {
	for len(b) > 0 {
		n, typ, size := protowire.ConsumeTag(b)
		if size < 0 {
			return errFrame
		}
		b = b[size:]
		var v uint64
		var text []byte
		switch typ {
		case protowire.VarintType:
			v, size = protowire.ConsumeVarint(b)
		case protowire.BytesType:
			text, size = protowire.ConsumeBytes(b)
		default:
			n, size = 0, protowire.ConsumeFieldValue(n, typ, b)
		}
		if size < 0 {
			return errFrame
		}
		b = b[size:]
		if err := visit(n, v, text); err != nil {
			return err
		}
	}
	return nil
}
