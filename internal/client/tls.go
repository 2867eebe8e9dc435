package client

import (
	"bytes"
	"crypto/tls"
	"encoding/pem"
	"errors"
	"os"

	"github.com/akitad/akitad"
)

// pinned trusts the one certificate in the file and no other: the daemon's certificate names its
// public host, while the command line talks to it on this machine. No file means the system's rules.
func pinned(file string) (*tls.Config, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, akitad.Errorf(akitad.Unavailable, "the daemon's certificate: %w", err).WithHint("make admin.tls_cert readable")
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, akitad.Errorf(akitad.InvalidRequest, "%s holds no certificate", file).WithHint("admin.tls_cert must be a PEM file")
	}
	return &tls.Config{
		MinVersion:         tls.VersionTLS12,
		InsecureSkipVerify: true, // VerifyConnection compares the certificate itself
		VerifyConnection: func(s tls.ConnectionState) error {
			if len(s.PeerCertificates) == 0 || !bytes.Equal(s.PeerCertificates[0].Raw, block.Bytes) {
				return errors.New("the server shows another certificate than the daemon's")
			}
			return nil
		},
	}, nil
}
