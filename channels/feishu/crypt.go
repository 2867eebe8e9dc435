package feishu

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
)

var errDecrypt = errors.New("the event cannot be decrypted")

// decrypt opens what the service encrypted: base64 of an initial vector and AES-256-CBC under the
// SHA-256 of the key. The padding is checked as a whole; what it is made of tells nothing, for an event
// counts only with its signature.
func decrypt(key, text string) ([]byte, error) {
	sealed, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(sealed) < 2*aes.BlockSize || len(sealed)%aes.BlockSize != 0 {
		return nil, errDecrypt
	}
	sum := sha256.Sum256([]byte(key))
	block, err := aes.NewCipher(sum[:])
	if err != nil {
		return nil, errDecrypt
	}
	plain := make([]byte, len(sealed)-aes.BlockSize)
	cipher.NewCBCDecrypter(block, sealed[:aes.BlockSize]).CryptBlocks(plain, sealed[aes.BlockSize:])
	pad := int(plain[len(plain)-1])
	if pad == 0 || pad > aes.BlockSize {
		return nil, errDecrypt
	}
	return plain[:len(plain)-pad], nil
}

// signature is what the service signs a request with: the hex SHA-256 of time, nonce, key and body.
func signature(timestamp, nonce, key string, body []byte) string {
	h := sha256.New()
	for _, part := range []string{timestamp, nonce, key} {
		h.Write([]byte(part))
	}
	h.Write(body)
	return hex.EncodeToString(h.Sum(nil))
}

// same compares secrets in a time that does not tell where they differ. An empty one is like none.
func same(a, b string) bool {
	return a != "" && subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1
}
