package pattern_test

import (
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/akitad/akitad/internal/pattern"
)

// Every method gives what package regexp gives.
func TestMethods(t *testing.T) {
	for _, text := range []string{
		`(?P<key>[a-z]+)=(?P<value>\d*)`, `(?P<key>键)=?(?P<value>\d*)`, `(?P<key>[一-龥]+)(?P<value>\d)`, `(?P<key>键|k)(?P<value>1|2)`,
		`(?P<key>键|é+)(?P<value>.*)`, `(?P<key>键)?(?P<value>a)`, `(?P<key>键){0,2}(?P<value>=)`, `(?P<key>键){1,2}(?P<value>.)`, `(?P<key>键*)(?P<value>o)`,
		`(?i)(?P<key>\x{212a})(?P<value>=?)`, `(?i)(?P<key>[\x{17f}é])(?P<value>.?)`, `(?P<key>[^a])(?P<value>[^0-9])`, `(?P<key>)(?P<value>$)`,
	} {
		testMethods(t, text)
	}
}

func testMethods(t *testing.T, text string) {
	t.Helper()
	want, got := regexp.MustCompile(text), pattern.New(text)
	for _, s := range []string{"", "a=1", "x a=1, bc=22 d=", "no", "é=1 ok=7", "键=1 键2", "K=k", "s=ſ", "中文1键", "\xff=1"} {
		for name, pair := range map[string][2]any{
			"MatchString":                {got.MatchString(s), want.MatchString(s)},
			"FindString":                 {got.FindString(s), want.FindString(s)},
			"FindStringIndex":            {got.FindStringIndex(s), want.FindStringIndex(s)},
			"FindStringSubmatch":         {got.FindStringSubmatch(s), want.FindStringSubmatch(s)},
			"FindAllString":              {got.FindAllString(s, 2), want.FindAllString(s, 2)},
			"FindStringSubmatchIndex":    {got.FindStringSubmatchIndex(s), want.FindStringSubmatchIndex(s)},
			"FindAllIndex":               {got.FindAllIndex([]byte(s), -1), want.FindAllIndex([]byte(s), -1)},
			"FindAllStringIndex":         {got.FindAllStringIndex(s, -1), want.FindAllStringIndex(s, -1)},
			"FindAllStringSubmatch":      {got.FindAllStringSubmatch(s, -1), want.FindAllStringSubmatch(s, -1)},
			"FindAllStringSubmatchIndex": {got.FindAllStringSubmatchIndex(s, 1), want.FindAllStringSubmatchIndex(s, 1)},
			"ReplaceAllString":           {got.ReplaceAllString(s, "$value"), want.ReplaceAllString(s, "$value")},
			"ReplaceAllStringFunc":       {got.ReplaceAllStringFunc(s, strings.ToUpper), want.ReplaceAllStringFunc(s, strings.ToUpper)},
			"SubexpNames":                {got.SubexpNames(), want.SubexpNames()},
		} {
			if !reflect.DeepEqual(pair[0], pair[1]) {
				t.Errorf("%s, %s of %q: %v, want %v", text, name, s, pair[0], pair[1])
			}
		}
	}
}

// A text is looked at when it is first used and not before, and by one goroutine.
func TestCompiledAtFirstUse(t *testing.T) {
	bad := pattern.New("(")
	defer func() {
		if recover() == nil {
			t.Error("a text that is no expression was used")
		}
	}()
	bad.MatchString("x")
}

func TestManyGoroutines(t *testing.T) {
	p := pattern.New(`^\d+$`)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if !p.MatchString("123") || p.MatchString("x") {
				t.Error("wrong")
			}
		})
	}
	wg.Wait()
}
