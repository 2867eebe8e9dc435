package extract_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/tool/extract"
)

// Sums of several columns and the names that open messages are columns like any other.
func TestWorkedOut(t *testing.T) {
	dir := folder(t, map[string]string{
		"marks.csv": "who,a,b,c\nAnn,1,2.5,3\nBob,4,,6\nCid,9,9,9\n",
		"pay.log":   "2026-06-01T08:00:00Z ERROR pay-service lost peer\n2026-06-01T08:00:01Z ERROR 订单服务 超时\n2026-06-01T08:00:02Z INFO service\n2026-06-01T08:00:03Z INFO plain words\n",
	})
	for _, tt := range []struct {
		args extract.Args
		want []string
	}{
		{extract.Args{Path: "marks.csv", Columns: "who,a+b+c"}, []string{"Ann\t6.5\n", "Bob\t\n", "Cid\t27\n"}},
		{extract.Args{Path: "marks.csv", Aggregate: "sum(a+b+c)"}, []string{"33.5"}},
		{extract.Args{Path: "pay.log", GroupBy: "opener(service)", Aggregate: "count"}, []string{"pay-service\t1", "\t3"}},
		{extract.Args{Path: "pay.log", Where: `"opener(服务)" = 订单服务`, Aggregate: "count"}, []string{"matched=1"}},
	} {
		got, err := extract.Run(t.Context(), dir, tt.args)
		if err != nil {
			t.Errorf("%+v: %v", tt.args, err)
		}
		for _, w := range tt.want {
			if !strings.Contains(got, w) {
				t.Errorf("%+v lacks %q:\n%s", tt.args, w, got)
			}
		}
	}
	for _, columns := range []string{"a+b*c", "a*b+nothing", "a+b+nothing"} {
		if got, err := extract.Run(t.Context(), dir, extract.Args{Path: "marks.csv", Columns: columns}); err == nil {
			t.Errorf("%s is reckoned:\n%s", columns, got)
		}
	}
}
