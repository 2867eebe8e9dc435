package memory

import (
	"os"
	"path/filepath"
	"testing"
)

// A person who saves the file while we write it loses nothing: the change is made again on what
// they saved.
func TestHandEditDuringAWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, mainFile)
	save := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	save("- before\n")
	m, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	calls := 0
	err = m.shelf("").edit(t.Context(), func(d *draft) error {
		if calls++; calls == 1 {
			save("- before\n- by hand\n")
		}
		p := d.page(mainFile)
		d.put(p, p.doc.with("- ours"))
		return nil
	})
	got, rerr := os.ReadFile(path)
	if want := "- before\n- by hand\n- ours\n"; err != nil || rerr != nil || string(got) != want || calls != 2 {
		t.Errorf("after %d calls the file is %q (%v, %v), want %q", calls, got, err, rerr, want)
	}
}

func TestSees(t *testing.T) {
	const a, b = "telegram:1", "telegram:2"
	for _, tt := range []struct {
		name  string
		q     Query
		owner string
		e     Entry
		want  bool
	}{
		{"global", Query{Person: a}, "", Entry{Scope: Global}, true},
		{"global to nobody in particular", Query{}, "", Entry{Scope: Global}, true},
		{"own", Query{Person: a}, a, Entry{Scope: PersonScope(a)}, true},
		{"another's", Query{Person: a}, "", Entry{Scope: PersonScope(b)}, false},
		{"another's to nobody", Query{}, "", Entry{Scope: PersonScope(b)}, false},
		{"global in another's folder", Query{Person: a}, b, Entry{Scope: Global}, false},
		{"own scope in another's folder", Query{Person: a}, b, Entry{Scope: PersonScope(a)}, false},
		{"nobody in a folder", Query{}, b, Entry{Scope: Global}, false},
		{"administrator", Query{Person: Everyone}, b, Entry{Scope: PersonScope(b)}, true},
		{"type", Query{Person: a, Type: Rule}, "", Entry{Scope: Global, Type: Fact}, false},
		{"own only", Query{Person: a, Own: true}, "", Entry{Scope: Global}, false},
		{"own only, said by them", Query{Person: a, Own: true}, "", Entry{Scope: Global, By: a}, true},
		{"own only, of nobody", Query{Own: true}, "", Entry{Scope: Global}, false},
		{"unknown scope", Query{Person: a}, "", Entry{Scope: "planet"}, false},
	} {
		if got := tt.q.sees(tt.owner, &tt.e); got != tt.want {
			t.Errorf("%s: sees = %t, want %t", tt.name, got, tt.want)
		}
	}
}
