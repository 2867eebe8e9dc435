package builtin_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/sandbox"
	"github.com/akitad/akitad/internal/tool/builtin"
)

// What a daemon keeps in its home beside the folders of the sessions.
var treasures = []string{
	"admin.token", "config.yaml", "memory/MEMORY.md", "data/jetstream/1.blk", "agents/assistant.md", "flows/x.yaml", "skills/s/SKILL.md",
	"workspace/files/s-2/other.txt", "workspace/snapshots/s-1/x.json", "workspace/given/s-2.json",
}

const treasure = "treasure-5d1c"

// hoard puts treasures into the home and ways to them into the folder.
func hoard(d *desk) {
	for i, name := range treasures {
		full := filepath.Join(d.home, name)
		d.must(os.MkdirAll(filepath.Dir(full), 0o700))
		d.must(os.WriteFile(full, []byte(treasure), 0o600))
		d.must(os.Symlink(full, filepath.Join(d.dir.Path(), fmt.Sprintf("abs%d", i))))
		rel, err := filepath.Rel(d.dir.Path(), full)
		d.must(err)
		d.must(os.Symlink(rel, filepath.Join(d.dir.Path(), fmt.Sprintf("rel%d", i))))
		d.must(os.Link(full, filepath.Join(d.dir.Path(), fmt.Sprintf("hard%d", i))))
	}
	d.must(os.Symlink(d.home, filepath.Join(d.dir.Path(), "home")))
	d.must(os.Symlink("../../..", filepath.Join(d.dir.Path(), "up")))
}

// ways gives every name by which one treasure might be reached.
func ways(d *desk, i int) []string {
	name := treasures[i]
	rel, err := filepath.Rel(d.dir.Path(), filepath.Join(d.home, name))
	d.must(err)
	return []string{
		filepath.Join(d.home, name), "/" + rel, rel, "./" + rel, "x/../" + rel, "home/" + name, "up/" + name,
		fmt.Sprintf("abs%d", i), fmt.Sprintf("rel%d", i), fmt.Sprintf("hard%d", i), "/proc/self/cwd/" + rel, "/proc/1/root" + filepath.Join(d.home, name),
	}
}

// attempts are calls of every tool that takes a name, with the name in each place.
func attempts(name string) map[string]string {
	quoted, _ := json.Marshal(name)
	q := string(quoted)
	return map[string]string{
		"list_directory": `{"path":` + q + `}`, "read_file": `{"path":` + q + `}`, "glob": `{"pattern":"**","path":` + q + `}`,
		"grep": `{"pattern":".","path":` + q + `}`, "write_file": `{"path":` + q + `,"content":"overwritten"}`,
		"submit_result": `{"text":"x","artifacts":[` + q + `]}`,
	}
}

// script is a command that tries every way, one after the other.
func script(ways []string) string {
	var b strings.Builder
	for _, way := range ways {
		fmt.Fprintf(&b, "cat '%[1]s'; cp '%[1]s' stolen; ln '%[1]s' linked; cat stolen linked; echo x >> '%[1]s'; rm -f stolen linked\n", way)
	}
	args, _ := json.Marshal(map[string]string{"command": b.String()})
	return string(args)
}

// TestNothingOfTheHomeIsInReach tries every built-in tool, on each rung of the sandbox, against
// everything in the daemon's home, by every way that leads there.
func TestNothingOfTheHomeIsInReach(t *testing.T) {
	for _, rung := range []string{sandbox.Bubblewrap, sandbox.Namespaces} {
		t.Run(rung, func(t *testing.T) {
			d := newDesk(t)
			hoard(d)
			d.use(builtin.Deps{Sandbox: sandbox.New(sandbox.Options{Hidden: []string{d.home}, Rungs: []string{rung}})})
			for i := range treasures {
				d.tryToSteal("run_shell", script(ways(d, i)))
				for _, way := range ways(d, i) {
					for name, args := range attempts(way) {
						d.relink(i)
						d.tryToSteal(name, args)
					}
				}
				data, err := os.ReadFile(filepath.Join(d.home, treasures[i]))
				if string(data) != treasure || err != nil {
					t.Errorf("%s is now %q, %v", treasures[i], data, err)
				}
			}
		})
	}
}

// relink plants the hard link again, which a write may have replaced.
func (d *desk) relink(i int) {
	d.t.Helper()
	link := filepath.Join(d.dir.Path(), fmt.Sprintf("hard%d", i))
	d.must(os.RemoveAll(link))
	d.must(os.Link(filepath.Join(d.home, treasures[i]), link))
}

func (d *desk) tryToSteal(name, args string) {
	d.t.Helper()
	r, err := d.call(name, args)
	if told := fmt.Sprint(r.Text, " ", err); strings.Contains(told, treasure) {
		d.t.Errorf("%s %s told %s", name, args, told)
	}
	if r.Final != nil {
		d.t.Errorf("%s %s was accepted", name, args)
	}
}

// The tools together, asked for all they can see, show nothing of the home.
func TestLookingAroundShowsNothing(t *testing.T) {
	d := newDesk(t)
	hoard(d)
	for name, args := range map[string]string{
		"grep": `{"pattern":"treasure","limit":5000}`, "list_directory": `{}`, "glob": `{"pattern":"**"}`,
		"run_shell": `{"command":"grep -rs treasure . /tmp /etc /proc/1/root/work; cat * 2>&1; ls -la / .. /proc/1/cwd/.. ; env; cat /proc/*/environ"}`,
	} {
		r, err := d.call(name, args)
		d.must(err)
		if strings.Contains(r.Text, treasure) || strings.Contains(r.Text, "s-2") {
			d.t.Errorf("%s shows %s", name, r.Text)
		}
	}
}
