package pdf

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"crypto/rc4"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
)

// lock opens the streams of a file that is encrypted under no password, as those are that only forbid
// printing or copying.
type lock struct {
	key []byte
	aes bool
	one bool // the key is the same for all objects
}

// padding stands in place of a password.
const padding = "\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A"

// unlock finds the key, if the file is encrypted; false if it takes a password or is encrypted in another way.
func (f *file) unlock() bool {
	if f.encrypt == nil {
		return true
	}
	d := f.dict(f.encrypt)
	u, _ := f.get(d["U"]).([]byte)
	version, revision := int(num(f.get(d["V"]))), int(num(f.get(d["R"])))
	if f.get(d["Filter"]) != name("Standard") || len(u) < 32 {
		return false
	}
	l := &lock{one: version == 5}
	if version >= 4 {
		which, _ := f.get(d["StmF"]).(name)
		how := f.get(f.dict(f.dict(d["CF"])[which])["CFM"])
		if which == "" || which == "Identity" || how == name("None") {
			return true
		}
		l.aes = how != name("V2")
	}
	switch {
	case revision >= 2 && revision <= 4:
		l.key = f.oldKey(d, revision, u)
	case (revision == 5 || revision == 6) && len(u) >= 48:
		l.key = f.newKey(d, revision, u)
	}
	if l.key != nil {
		f.lock = l
	}
	return l.key != nil
}

// oldKey returns the key of RC4 and of AES with 128 bits; nil if there is a password.
func (f *file) oldKey(d dict, revision int, u []byte) []byte {
	o, _ := f.get(d["O"]).([]byte)
	var id []byte
	if ids, _ := f.get(f.ids).(array); len(ids) > 0 {
		id, _ = f.get(ids[0]).([]byte)
	}
	data := append([]byte(padding), o[:min(32, len(o))]...)
	data = append(binary.LittleEndian.AppendUint32(data, uint32(int64(num(f.get(d["P"]))))), id...)
	if revision == 4 && f.get(d["EncryptMetadata"]) == false {
		data = append(data, 0xff, 0xff, 0xff, 0xff)
	}
	size := 5
	if revision > 2 {
		if size = int(num(f.get(d["Length"]))) / 8; size < 5 || size > 16 || revision == 4 {
			size = 16
		}
	}
	sum := md5.Sum(data)
	if revision == 2 {
		if !bytes.Equal(rc4ed(sum[:size], []byte(padding)), u[:32]) {
			return nil
		}
		return bytes.Clone(sum[:size])
	}
	for range 50 {
		sum = md5.Sum(sum[:size])
	}
	key := bytes.Clone(sum[:size])
	proof := md5.Sum(append([]byte(padding), id...))
	want := proof[:]
	for i := range byte(20) {
		turned := bytes.Clone(key)
		for k := range turned {
			turned[k] ^= i
		}
		want = rc4ed(turned, want)
	}
	if !bytes.Equal(want, u[:16]) {
		return nil
	}
	return key
}

// newKey returns the key of AES with 256 bits; nil if there is a password.
func (f *file) newKey(d dict, revision int, u []byte) []byte {
	sealed, _ := f.get(d["UE"]).([]byte)
	if len(sealed) < 32 || !bytes.Equal(hashed(u[32:40], revision), u[:32]) {
		return nil
	}
	return chained(hashed(u[40:48], revision), make([]byte, aes.BlockSize), sealed[:32])
}

// hashed returns the hash of no password and a salt.
func hashed(salt []byte, revision int) []byte {
	first := sha256.Sum256(salt)
	k := first[:]
	if revision == 5 {
		return k
	}
	for i, last := 0, 0; i < 64 || i < last+32; i++ {
		e := bytes.Repeat(k, 64)
		block, err := aes.NewCipher(k[:16])
		if err != nil {
			return nil
		}
		cipher.NewCBCEncrypter(block, k[16:32]).CryptBlocks(e, e)
		rest := 0
		for _, b := range e[:16] {
			rest += int(b)
		}
		switch last = int(e[len(e)-1]); rest % 3 {
		case 0:
			sum := sha256.Sum256(e)
			k = sum[:]
		case 1:
			sum := sha512.Sum384(e)
			k = sum[:]
		default:
			sum := sha512.Sum512(e)
			k = sum[:]
		}
	}
	return k[:32]
}

func rc4ed(key, data []byte) []byte {
	out := make([]byte, len(data))
	c, err := rc4.NewCipher(key)
	if err != nil {
		return nil
	}
	c.XORKeyStream(out, data)
	return out
}

// chained opens AES in blocks that are chained; what is no whole block at the end is left out.
func chained(key, iv, data []byte) []byte {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil
	}
	out := make([]byte, len(data)/aes.BlockSize*aes.BlockSize)
	cipher.NewCBCDecrypter(block, iv).CryptBlocks(out, data[:len(out)])
	return out
}

// open returns the bytes of an object's stream.
func (l *lock) open(data []byte, number, generation int) []byte {
	key := l.key
	if !l.one {
		seed := append(bytes.Clone(key), byte(number), byte(number>>8), byte(number>>16), byte(generation), byte(generation>>8))
		if l.aes {
			seed = append(seed, "sAlT"...)
		}
		sum := md5.Sum(seed)
		key = sum[:min(len(key)+5, 16)]
	}
	if !l.aes {
		return rc4ed(key, data)
	}
	if len(data) < 2*aes.BlockSize {
		return nil
	}
	out := chained(key, data[:aes.BlockSize], data[aes.BlockSize:])
	if n := int(out[len(out)-1]); n <= aes.BlockSize && n <= len(out) {
		out = out[:len(out)-n]
	}
	return out
}
