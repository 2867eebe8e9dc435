package egress

import (
	"errors"
	"net"
	"net/netip"
	"testing"

	"github.com/akitad/akitad"
)

// What is asked at the moment of connecting, without a connection.
func TestGuardKnowsThisMachine(t *testing.T) {
	own := func() ([]net.Addr, error) {
		return []net.Addr{
			&net.UnixAddr{Name: "x"},
			&net.IPNet{IP: net.ParseIP("8.8.4.4"), Mask: net.CIDRMask(24, 32)},
			&net.IPNet{IP: net.ParseIP("2a00:1450::9"), Mask: net.CIDRMask(64, 128)},
		}, nil
	}
	for _, tt := range []struct {
		network, address string
		own              func() ([]net.Addr, error)
		refused          bool
	}{
		{"tcp4", "8.8.4.4:9", own, true},
		{"tcp6", "[::ffff:8.8.4.4]:9", own, true},
		{"tcp6", "[2a00:1450::9]:9", own, true},
		{"tcp4", "8.8.4.5:9", own, false}, // a neighbour is none of ours
		{"tcp6", "[2a00:1450::8]:9", own, false},
		{"tcp4", "10.0.0.1:9", own, true},
		{"tcp4", "8.8.4.4:9", func() ([]net.Addr, error) { return nil, errors.New("no") }, false},
		{"tcp4", "1.1.1.1:9", nil, false}, // asks the machine
	} {
		d, err := New(Options{Own: tt.own})
		if err != nil {
			t.Fatal(err)
		}
		err = d.guarded.ControlContext(t.Context(), tt.network, tt.address, nil)
		if refused := akitad.KindOf(err) == akitad.PermissionDenied; refused != tt.refused || err != nil && !refused {
			t.Errorf("%s: %v", tt.address, err)
		}
	}
	if checkOwn(netip.MustParseAddr("127.0.0.1"), net.InterfaceAddrs) == nil {
		t.Error("the machine does not know its loopback")
	}
}
