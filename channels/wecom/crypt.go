package wecom

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha1" //nolint:gosec // WeCom's signatures are what they are
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
)

// crypt reads what WeCom has sealed: AES-256-CBC with the key's beginning as the vector, over 16 random
// bytes, the length, the text and the company's id, padded to a multiple of 32.
type crypt struct {
	token    string
	receiver string
	key      []byte
	block    cipher.Block
}

const (
	aesKeyLen = 43 // letters of base64, without the last =
	padTo     = 32
	nonceLen  = 16
)

func newCrypt(app App) (*crypt, error) {
	key, err := base64.StdEncoding.DecodeString(app.AESKey + "=")
	if len(app.AESKey) != aesKeyLen || err != nil {
		return nil, errors.New("the encoding key is not one of 43 letters")
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return &crypt{token: app.Token, receiver: app.CorpID, key: key, block: block}, nil
}

// signature is WeCom's over what is sealed.
func (c *crypt) signature(timestamp, nonce, sealed string) string {
	parts := []string{c.token, timestamp, nonce, sealed}
	slices.Sort(parts)
	sum := sha1.Sum([]byte(strings.Join(parts, ""))) //nolint:gosec // see above
	return hex.EncodeToString(sum[:])
}

func (c *crypt) signed(signature, timestamp, nonce, sealed string) bool {
	return subtle.ConstantTimeCompare([]byte(signature), []byte(c.signature(timestamp, nonce, sealed))) == 1
}

var errSeal = errors.New("what was sent cannot be opened with the encoding key")

// open returns the text. It must be for this company.
func (c *crypt) open(sealed string) ([]byte, error) {
	data, err := base64.StdEncoding.DecodeString(sealed)
	if err != nil || len(data) == 0 || len(data)%aes.BlockSize != 0 {
		return nil, errSeal
	}
	cipher.NewCBCDecrypter(c.block, c.key[:aes.BlockSize]).CryptBlocks(data, data)
	pad := int(data[len(data)-1])
	if pad < 1 || pad > padTo || pad > len(data) {
		return nil, errSeal
	}
	data = data[:len(data)-pad]
	if len(data) < nonceLen+4 {
		return nil, errSeal
	}
	n := int64(binary.BigEndian.Uint32(data[nonceLen:]))
	rest := data[nonceLen+4:]
	if n > int64(len(rest)) {
		return nil, errSeal
	}
	if string(rest[n:]) != c.receiver {
		return nil, errors.New("what was sent is for another company")
	}
	return rest[:n], nil
}
