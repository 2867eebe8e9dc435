package egress

import (
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// block is a range of addresses that are not the public internet, and what it is for.
type block struct {
	prefix netip.Prefix
	what   string
}

// blocks4 are the ranges of IPv4 that IANA's special-purpose registry keeps from the public
// internet, and the metadata service that hides in a public range.
var blocks4 = []block{
	{netip.MustParsePrefix("0.0.0.0/8"), "this host"},
	{netip.MustParsePrefix("10.0.0.0/8"), "a private network"},
	{netip.MustParsePrefix("100.64.0.0/10"), "a carrier's network (CGNAT)"},
	{netip.MustParsePrefix("127.0.0.0/8"), "loopback"},
	{netip.MustParsePrefix("168.63.129.16/32"), "a metadata service"},
	{netip.MustParsePrefix("169.254.0.0/16"), "link-local or a metadata service"},
	{netip.MustParsePrefix("172.16.0.0/12"), "a private network"},
	{netip.MustParsePrefix("192.0.0.0/24"), "reserved for protocols"},
	{netip.MustParsePrefix("192.0.2.0/24"), "reserved for documentation"},
	{netip.MustParsePrefix("192.88.99.0/24"), "a 6to4 relay"},
	{netip.MustParsePrefix("192.168.0.0/16"), "a private network"},
	{netip.MustParsePrefix("198.18.0.0/15"), "reserved for benchmarks"},
	{netip.MustParsePrefix("198.51.100.0/24"), "reserved for documentation"},
	{netip.MustParsePrefix("203.0.113.0/24"), "reserved for documentation"},
	{netip.MustParsePrefix("224.0.0.0/4"), "multicast"},
	{netip.MustParsePrefix("240.0.0.0/4"), "reserved"},
}

// public6 is all of IPv6 that is handed out; the rest (loopback, mapped, compatible, NAT64, unique
// local, link- and site-local, multicast) is refused without a list.
var public6 = netip.MustParsePrefix("2000::/3")

// blocks6 are the special ranges inside of public6. Teredo and 6to4 carry an IPv4 address that
// could be private.
var blocks6 = []block{
	{netip.MustParsePrefix("2001::/23"), "reserved for protocols (Teredo, ORCHID)"},
	{netip.MustParsePrefix("2001:db8::/32"), "reserved for documentation"},
	{netip.MustParsePrefix("2002::/16"), "6to4"},
	{netip.MustParsePrefix("3fff::/20"), "reserved for documentation"},
}

// Check refuses every address that is not on the public internet, with an error of kind
// permission_denied that says what the address is.
func Check(addr netip.Addr) error {
	switch {
	case !addr.IsValid():
		return refused("an empty address", "there is nothing to connect to")
	case addr.Zone() != "":
		return refused(addr.String(), "it names a network interface")
	}
	addr = addr.Unmap()
	blocks := blocks4
	if addr.Is6() {
		blocks = blocks6
		if !public6.Contains(addr) {
			return refused(addr.String(), "it is not a public IPv6 address")
		}
	}
	for _, b := range blocks {
		if b.prefix.Contains(addr) {
			return refused(addr.String(), "it is "+b.what)
		}
	}
	return nil
}

// checkOwn refuses a public address that is this machine's: what listens here may trust who comes from here.
// Where the machine does not tell its addresses, there are none to refuse.
func checkOwn(addr netip.Addr, own func() ([]net.Addr, error)) error {
	addrs, err := own()
	if err != nil {
		return nil
	}
	for _, a := range addrs {
		if network, ok := a.(*net.IPNet); ok && network.IP.Equal(addr.AsSlice()) {
			return refused(addr.String(), "it is this machine")
		}
	}
	return nil
}

// CheckHost refuses what is known to be wrong before a name is resolved: private addresses, names
// of this machine, and numbers that some resolvers read as addresses (127.1, 0x7f.1, 2130706433).
func CheckHost(host string) error {
	host = plainHost(host)
	if addr, err := netip.ParseAddr(host); err == nil {
		return Check(addr)
	}
	last := host[strings.LastIndexByte(host, '.')+1:]
	switch {
	case host == "":
		return refused("an empty host", "there is nothing to connect to")
	case host == "localhost" || last == "localhost":
		return refused(host, "it is this machine")
	case isNumber(last):
		return refused(host, "it is a number and not a name")
	case last == "" || host[0] == '.' || strings.Contains(host, "..") || strings.ContainsAny(host, "%:/@\\ ") || strings.ContainsFunc(host, func(r rune) bool { return r < ' ' }):
		return refused(strconv.Quote(host), "it is not a host name")
	}
	return nil
}

// isNumber reports whether a label reads as a number in decimal, octal or hexadecimal.
func isNumber(label string) bool {
	digits, hex := strings.CutPrefix(label, "0x")
	if digits == "" {
		return hex
	}
	for _, r := range digits {
		if (r < '0' || r > '9') && (!hex || r < 'a' || r > 'f') {
			return false
		}
	}
	return true
}
