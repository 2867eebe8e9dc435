package loose
import ("testing";"os";"encoding/json")
func tree(n *node) any {
 switch n.kind { case mapping: m:=map[string]any{}; for _,k:=range n.keys{m[k.name]=tree(k.value)}; return m
 case sequence: l:=[]any{}; for _,i:=range n.items{l=append(l,tree(i))}; return l }
 return n.text }
func TestZZ(t *testing.T){
 b,_:=os.ReadFile("/tmp/ydiff/in.json"); var docs []string; json.Unmarshal(b,&docs)
 out:=make([]any,len(docs))
 for i,d:=range docs { n,f:=parse(d); if f!=nil {out[i]=[]any{"ERR",f.text}; continue}; out[i]=[]any{"OK",tree(n)} }
 r,_:=json.Marshal(out); os.WriteFile("/tmp/ydiff/out.json",r,0o644)
}
