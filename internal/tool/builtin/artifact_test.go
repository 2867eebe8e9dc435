package builtin_test

import (
	"context"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool/builtin"
)

func TestReadArtifact(t *testing.T) {
	d := newDesk(t)
	d.wantError("read_artifact", `{"hash":"abcdef0123456789"}`, akitad.Unavailable, "nothing is kept")
	text := strings.Repeat("nothing to see\n", 400) + "the pump was replaced in May\n" + strings.Repeat("nothing to see\n", 400)
	kept := map[string]string{"abcdef0123456789": text, "0000000000000001": strings.Repeat("表格", 20_000)}
	d.use(builtin.Deps{Open: func(_ context.Context, task akitad.TaskID, name string) (builtin.Artifact, error) {
		body, ok := kept[name]
		if !ok || task != d.scope.Task {
			return builtin.Artifact{}, akitad.Errorf(akitad.NotFound, "no such artifact")
		}
		return builtin.Artifact{Hash: name, Body: []byte(body), Untrusted: true}, nil
	}})
	d.wantText("read_artifact", `{"hash":"abcdef0123456789","offset":15,"limit":14}`, "nothing to see\n[bytes 15-29 of 12029]")
	d.wantText("read_artifact", `{"hash":"abcdef0123456789","offset":12020}`, "g to see\n\n[bytes 12020-12029 of 12029]")
	for _, how := range []string{`"find":"pump"`, `"intent":"when was the pump replaced"`} {
		r, err := d.call("read_artifact", `{"hash":"abcdef0123456789",`+how+`}`)
		if err != nil || !strings.Contains(r.Text, "in May") || !strings.Contains(r.Text, "@6000") || !r.Untrusted || len(r.Text) > 1_000 {
			t.Errorf("%s: untrusted %v, %v\n%s", how, r.Untrusted, err, r.Text)
		}
	}
	if r, err := d.call("read_artifact", `{"hash":"0000000000000001","limit":20000}`); err != nil || len(r.Text) > 10_000 || !strings.HasPrefix(r.Text, "表格") {
		t.Errorf("%d bytes of Chinese, %v", len(r.Text), err)
	}
	d.wantError("read_artifact", `{"hash":"abcdef0123456789","offset":12029}`, akitad.InvalidRequest, "has only 12029 bytes")
	d.wantError("read_artifact", `{"hash":"ffffffffffff"}`, akitad.NotFound, "no such artifact")
	d.wantError("read_artifact", `{"find":"pump"}`, akitad.InvalidRequest, "hash")
}
