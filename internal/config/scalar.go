package config

import (
	"errors"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Size is a number of bytes, written as "20MB", "64 MiB" or a plain number.
type Size int64

// String gives the size in the largest binary or decimal unit that divides it.
func (s Size) String() string {
	for _, u := range sizeUnits {
		if s >= Size(u.bytes) && s%Size(u.bytes) == 0 && u.bytes > 1 {
			return strconv.FormatInt(int64(s)/u.bytes, 10) + u.name
		}
	}
	return strconv.FormatInt(int64(s), 10) + "B"
}

type sizeUnit struct {
	name  string
	bytes int64
}

// sizeUnits go from large to small; the binary ones first, because sizes of memory are those.
var sizeUnits = []sizeUnit{
	{"GiB", 1 << 30}, {"GB", 1e9}, {"MiB", 1 << 20}, {"MB", 1e6}, {"KiB", 1 << 10}, {"KB", 1e3}, {"B", 1},
}

var errSize = errors.New("is not a size; write it like 512KiB, 20MB or 1GiB")

// ParseSize reads a size; without a unit it is bytes.
func ParseSize(text string) (Size, error) {
	number, unit := strings.TrimSpace(text), int64(1)
	for _, u := range sizeUnits {
		if len(number) > len(u.name) && strings.EqualFold(number[len(number)-len(u.name):], u.name) {
			number, unit = strings.TrimSpace(number[:len(number)-len(u.name)]), u.bytes
			break
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/unit {
		return 0, errSize
	}
	return Size(n * unit), nil
}

var (
	durationType = reflect.TypeFor[time.Duration]()
	sizeType     = reflect.TypeFor[Size]()
	secretType   = reflect.TypeFor[Secret]()
	stringsType  = reflect.TypeFor[[]string]()
)

// isScalar reports whether values of type t are written as one word.
func isScalar(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice, reflect.Map:
		return false
	case reflect.Struct:
		return t == secretType
	}
	return true
}

// setScalar reads text into dst; the error says what is wrong and how to write it.
func setScalar(dst reflect.Value, text string) error {
	switch {
	case dst.Type() == durationType:
		return setDuration(dst, text)
	case dst.Type() == sizeType:
		n, err := ParseSize(text)
		dst.SetInt(int64(n))
		return err
	case dst.Kind() == reflect.String:
		dst.SetString(text)
		return nil
	case dst.Kind() == reflect.Bool:
		return setBool(dst, text)
	case dst.Kind() == reflect.Int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return errors.New("is not a whole number; write digits only")
		}
		dst.SetInt(int64(n))
		return nil
	case dst.Kind() == reflect.Float64:
		return setFloat(dst, text)
	}
	panic("config: no reader for " + dst.Type().String()) // a key of a new type; every test would meet it
}

func setDuration(dst reflect.Value, text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return errors.New("is not a duration; write it like 500ms, 30s, 5m or 720h")
	}
	dst.SetInt(int64(d))
	return nil
}

func setBool(dst reflect.Value, text string) error {
	switch text {
	case "true", "True", "TRUE":
		dst.SetBool(true)
	case "false", "False", "FALSE": // these six are what YAML knows
		dst.SetBool(false)
	default:
		return errors.New("is neither true nor false; write one of them")
	}
	return nil
}

func setFloat(dst reflect.Value, text string) error {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return errors.New("is not a number; write it like 0.75")
	}
	dst.SetFloat(f)
	return nil
}
