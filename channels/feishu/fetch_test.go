package feishu_test

import (
	"io"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/feishu/feishutest"
)

func (r *rig) read(from akitad.Origin, f akitad.File) string {
	r.t.Helper()
	body, err := r.f.Fetch(r.t.Context(), from, f)
	if err != nil {
		r.t.Fatal(err)
	}
	defer body.Close()
	out, err := io.ReadAll(body)
	if err != nil {
		r.t.Fatal(err)
	}
	return string(out)
}

// Each type of file is asked for as the service wants it; a file of JSON is a file, too.
func TestFetch(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.run()
		for _, kind := range []string{"image", "audio", "media", ""} {
			r.Say(feishutest.Said{From: anna, File: &feishutest.Upload{Kind: kind, Name: "x.json", Bytes: []byte(`{"code":7}`)}})
			m := r.next()
			if got := r.read(m.Origin, m.Files[0]); got != `{"code":7}` {
				t.Errorf("%q was fetched as %q", kind, got)
			}
		}
	})
}

func TestFetchFails(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.run()
		r.Say(feishutest.Said{From: anna, File: &feishutest.Upload{Name: "x", Bytes: []byte("x")}})
		m := r.next()
		for _, tt := range []struct {
			fault feishutest.Fault
			want  akitad.Kind
		}{
			{feishutest.Fault{Code: 234003}, akitad.NotFound},
			{feishutest.Fault{Code: 234003, Status: 200}, akitad.NotFound},
			{feishutest.Fault{Code: 99991400, Status: 429, Reset: 3}, akitad.RateLimited},
			{feishutest.Fault{Status: 502, Body: "<html>"}, akitad.Overloaded},
			{feishutest.Fault{Status: 404, Body: "<html>"}, akitad.Overloaded},
			{feishutest.Fault{Drop: true}, akitad.Transport},
			{feishutest.Fault{Code: 230002}, akitad.PermissionDenied},
			{feishutest.Fault{Code: 234001}, akitad.NotFound}, // what is not too large is not called so
			{feishutest.Fault{Code: 230110}, akitad.NotFound},
			{feishutest.Fault{Code: 234037}, akitad.InvalidRequest},
		} {
			tt.fault.Method, tt.fault.Times = "resource", -1
			r.Fail(tt.fault)
			body, err := r.f.Fetch(r.t.Context(), m.Origin, m.Files[0])
			if akitad.KindOf(err) != tt.want {
				t.Errorf("%+v: %v (%s), want %s", tt.fault, err, akitad.KindOf(err), tt.want)
			}
			if err == nil {
				_ = body.Close()
			}
			r.Heal()
		}
		for _, remote := range []string{"", "om_1", "om_1/file", "om_1/file/"} {
			if _, err := r.f.Fetch(r.t.Context(), m.Origin, akitad.File{Remote: remote}); akitad.KindOf(err) != akitad.InvalidRequest {
				t.Errorf("%q: %v", remote, err)
			}
		}
		r.Fail(feishutest.Fault{Method: "resource", Code: 99991400, Status: 429, Reset: 20, Times: 2})
		began := time.Now()
		if got := r.read(m.Origin, m.Files[0]); got != "x" || time.Since(began) < 40*time.Second {
			t.Errorf("fetched %q after %v, want to wait twice as long as asked", got, time.Since(began))
		}
	})
}
