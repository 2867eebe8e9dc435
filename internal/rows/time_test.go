package rows_test

import (
	"testing"
	"time"

	"github.com/akitad/akitad/internal/rows"
	"pgregory.net/rapid"
)

func TestParseTime(t *testing.T) {
	for text, want := range map[string]string{
		"2026-11-30T10:12:01Z":            "2026-11-30T10:12:01Z",
		"2026-11-30T10:12:01.123Z":        "2026-11-30T10:12:01.123Z",
		"2026-11-30 10:12:01,5":           "2026-11-30 10:12:01.500",
		"2026-11-30 10:12:01.123456":      "2026-11-30 10:12:01.123456",
		"2026-11-30T10:12:01+08:00":       "2026-11-30T10:12:01+08:00",
		"2026-11-30 10:12:01 -0530":       "2026-11-30T10:12:01-05:30",
		"2026-11-30 10:12:01 UTC":         "2026-11-30T10:12:01Z",
		"[2026-11-30 10:12:01]":           "2026-11-30 10:12:01",
		"2026/11/30 10:12":                "2026-11-30 10:12",
		"2026-11-30":                      "2026-11-30",
		"2026.11.30":                      "2026-11-30",
		"30/Nov/2026:10:12:01 +0000":      "2026-11-30T10:12:01Z",
		"30-Nov-2026 10:12:01":            "2026-11-30 10:12:01",
		"30.11.2026 10:12":                "2026-11-30 10:12",
		"11/30/2026 10:12:01 PM":          "2026-11-30 22:12:01",
		"25/12/2026":                      "2026-12-25",
		"3/4/2026":                        "2026-03-04",
		"Nov 30 10:12:01":                 "Nov 30 10:12:01",
		"Nov  3 10:12:01":                 "Nov  3 10:12:01",
		"Mon Nov 30 10:12:01 2026":        "2026-11-30 10:12:01",
		"Mon Nov 30 10:12:01.25 2026":     "2026-11-30 10:12:01.250",
		"November 30, 2026":               "2026-11-30",
		"20261130T101201":                 "2026-11-30 10:12:01",
		"20261130 10:12:01":               "2026-11-30 10:12:01",
		"10:12:01.250":                    "10:12:01.250",
		"9:05":                            "09:05",
		"12:00 AM":                        "00:00",
		"2026年11月30日 10:12":               "2026-11-30 10:12",
		"2026年1月3日10时5分7秒":                "2026-01-03 10:05:07",
		"11月30日":                          "Nov 30",
		"1764497521":                      "2025-11-30T10:12:01Z",
		"1764497521.5":                    "2025-11-30T10:12:01.500Z",
		"1764497521123":                   "2025-11-30T10:12:01.123Z",
		"1764497521123456":                "2025-11-30T10:12:01.123456Z",
		"2024-02-29":                      "2024-02-29",
		"Feb 29 00:00:00":                 "Feb 29 00:00:00",
		"2026-11-30T10:12:01.1234567891Z": "2026-11-30T10:12:01.123456789Z",
	} {
		got, ok := rows.ParseTime(text)
		if !ok || got.String() != want {
			t.Errorf("ParseTime(%q) = %q, %v; want %q", text, got, ok, want)
		}
	}
}

func TestParseTimeRefuses(t *testing.T) {
	for _, text := range []string{
		"", "12", "1.2.3", "10.0.0.1", "2026-13-01", "2026-02-30", "25:00:00", "10:60", "Foo 30 10:12:01", "2026-11-30x",
		"123456789", "-1764497521", "v2.3.1", "2026", "May be", "11/31/2026", "1764497521x", "2026-11-30T10:12:01Zulu",
	} {
		if got, ok := rows.ParseTime(text); ok {
			t.Errorf("ParseTime(%q) = %q, want none", text, got)
		}
	}
}

func TestFindTime(t *testing.T) {
	for text, want := range map[string]string{
		"deployed at 2026-11-30 10:12 by ann": "2026-11-30 10:12",
		"- Time: 2026-11-30T10:12:01Z":        "2026-11-30T10:12:01Z",
		"at 14:05 we rolled out":              "14:05",
		"version 1.2.3 of 10.0.0.1:80":        "",
		"ratio 10:12 is 10:12":                "10:12",
		"id-2026-11-30-x":                     "",
		"In May 5 things broke":               "May  5",
		"上线时间：2026年11月30日 10:12。":             "2026-11-30 10:12",
	} {
		got, _, _, ok := rows.FindTime(text)
		if ok != (want != "") || ok && got.String() != want {
			t.Errorf("FindTime(%q) = %q, %v; want %q", text, got, ok, want)
		}
	}
}

func TestBucket(t *testing.T) {
	at, _ := rows.ParseTime("2026-11-30T10:42:31+05:30")
	for unit, want := range map[rows.Unit]string{
		rows.Minute: "2026-11-30T10:42+05:30", rows.Hour: "2026-11-30T10:00+05:30",
		rows.Day: "2026-11-30", rows.Month: "2026-11", rows.Year: "2026",
	} {
		if got := at.Bucket(unit); got != want {
			t.Errorf("%s: %q, want %q", unit, got, want)
		}
	}
	at, _ = rows.ParseTime("Nov 30 10:42:31")
	if got := at.Bucket(rows.Year) + at.Bucket(rows.Hour); got != "Nov 30 10:00" {
		t.Errorf("without a year: %q", got)
	}
}

func TestCompare(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"2026-11-30T10:00:00Z", "2026-11-30T12:00:00+03:00", 1},
		{"2026-11-30 10:00:00", "2026-11-30T10:00:00Z", 0},
		{"Nov 30 10:00:00", "2020-11-30 10:00:01", -1},
		{"10:00", "2026-11-30 09:59:59", 1},
		{"2026-11-30 10:00", "2026-11-30T10:00:01+08:00", -1},
		{"2026-11-30T10:00:01+08:00", "2026-11-30 10:00", 1},
		{"Feb 29 00:00:00", "2024-02-29", 0},
	} {
		a, _ := rows.ParseTime(tt.a)
		b, _ := rows.ParseTime(tt.b)
		if got := a.Compare(b); got != tt.want {
			t.Errorf("%s against %s: %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestOn(t *testing.T) {
	day, _ := rows.ParseTime("2026-11-30")
	clock, _ := rows.ParseTime("10:12")
	yearless, _ := rows.ParseTime("Nov 29 10:12:00")
	if got := clock.On(day).String() + "|" + yearless.On(day).String(); got != "2026-11-30 10:12|2026-11-29 10:12:00" {
		t.Errorf("On gives %q", got)
	}
}

// TestTimeRoundTrip: what a time is shown as reads as the same time.
func TestTimeRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		layouts := []string{
			time.RFC3339Nano, "2006-01-02 15:04:05.000", "2006-01-02 15:04", "Jan _2 15:04:05", "15:04:05", "2006-01-02",
			"02/Jan/2006:15:04:05 -0700", "Mon Jan _2 15:04:05 2006", "2006/01/02 15:04:05", "20060102T150405",
		}
		at := time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "unix"), rapid.Int64Range(0, 1e9-1).Draw(t, "ns")).UTC()
		text := at.Format(rapid.SampledFrom(layouts).Draw(t, "layout"))
		a, ok := rows.ParseTime(text)
		if !ok {
			t.Fatalf("%q is not read", text)
		}
		b, ok := rows.ParseTime(a.String())
		if !ok || a.Compare(b) != 0 || a.String() != b.String() {
			t.Fatalf("%q: %q, then %q", text, a, b)
		}
	})
}
