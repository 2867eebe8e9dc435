package feishutest

import "google.golang.org/protobuf/encoding/protowire"

// frame is one message of the long connection. It is written and read here by other code than a client's,
// so that a mistake in one does not hide in the other.
type frame struct {
	SeqID, LogID    uint64
	Service, Method int32
	Headers         map[string]string
	Payload         []byte
}

func (f frame) encode() []byte {
	var b []byte
	for n, v := range []uint64{f.SeqID, f.LogID, uint64(f.Service), uint64(f.Method)} {
		b = protowire.AppendVarint(protowire.AppendTag(b, protowire.Number(n+1), protowire.VarintType), v)
	}
	for key, value := range f.Headers {
		var h []byte
		h = protowire.AppendString(protowire.AppendTag(h, 1, protowire.BytesType), key)
		h = protowire.AppendString(protowire.AppendTag(h, 2, protowire.BytesType), value)
		b = protowire.AppendBytes(protowire.AppendTag(b, 5, protowire.BytesType), h)
	}
	if f.Payload != nil {
		b = protowire.AppendBytes(protowire.AppendTag(b, 8, protowire.BytesType), f.Payload)
	}
	return b
}

// decode reads a frame; ok is false if it is none, or if one of the four fields that must be there is not.
func decode(b []byte) (f frame, ok bool) {
	f.Headers = map[string]string{}
	required := 0
	for len(b) > 0 {
		n, typ, size := protowire.ConsumeTag(b)
		if size < 0 {
			return f, false
		}
		b = b[size:]
		switch {
		case n <= 4 && typ == protowire.VarintType:
			var v uint64
			if v, size = protowire.ConsumeVarint(b); size < 0 {
				return f, false
			}
			required |= 1 << n
			switch n {
			case 1:
				f.SeqID = v
			case 2:
				f.LogID = v
			case 3:
				f.Service = int32(v)
			case 4:
				f.Method = int32(v)
			}
		case (n == 5 || n == 8) && typ == protowire.BytesType:
			var v []byte
			if v, size = protowire.ConsumeBytes(b); size < 0 {
				return f, false
			}
			if n == 8 {
				f.Payload = append([]byte{}, v...)
			} else if !f.header(v) {
				return f, false
			}
		default:
			if size = protowire.ConsumeFieldValue(n, typ, b); size < 0 {
				return f, false
			}
		}
		b = b[size:]
	}
	return f, required == 0b11110
}

func (f *frame) header(b []byte) bool {
	var pair [3]string
	for len(b) > 0 {
		n, typ, size := protowire.ConsumeTag(b)
		if size < 0 || typ != protowire.BytesType || n < 1 || n > 2 {
			return false
		}
		v, more := protowire.ConsumeString(b[size:])
		if more < 0 {
			return false
		}
		pair[n] = v
		b = b[size+more:]
	}
	f.Headers[pair[1]] = pair[2]
	return true
}
