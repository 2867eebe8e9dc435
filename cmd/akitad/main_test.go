package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Init()
	testscript.Main(m, map[string]func(){
		"akitad":  main,
		"visit":   func() { os.Exit(visit(os.Args[1:])) },
		"botd":    func() { os.Exit(telegramtest.ServeMain(os.Args[1:])) },
		"natsd":   func() { os.Exit(bustest.ServeMain(os.Args[1:])) },
		"fakellm": func() { os.Exit(llmtest.ServeMain(os.Args[1:])) },
		"api":     func() { os.Exit(api(os.Args[1:])) },
		"mib":     func() { os.Exit(mib(os.Args[1:])) },
		"port":    func() { os.Exit(port(os.Args[1:])) },
	})
}

// The stories run the real program, and beside it a NATS server, a model server and a client (api).
func TestStories(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("AKITA_HOME", filepath.Join(e.WorkDir, "home"))
			e.Setenv("AKITA_ADMIN_LISTEN", "127.0.0.1:0")
			e.Setenv("SHOP", string(akitad.DeriveSessionKey("cli", "shop")))
			flows, err := filepath.Abs("../../examples/flows")
			e.Setenv("FLOWS", flows)
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code": code, "until": until, "waitfile": waitFile, "capture": capture, "fromfile": fromFile,
		},
		RequireUniqueNames: true,
	})
}

// patience is how long a story waits for anything.
const patience = 60 * time.Second

// code N PROGRAM ARGS... runs a program that must exit with N.
func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N program args...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("%s exits with %d, want %d", args[1], got, want)
	}
}

// until REGEXP PROGRAM ARGS... runs a program again and again until its stdout matches.
func until(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: until regexp program args...")
	}
	want, err := regexp.Compile("(?m)" + args[0])
	ts.Check(err)
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		err := ts.Exec(args[1], args[2:]...)
		if err == nil && want.MatchString(ts.ReadFile("stdout")) {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("no match for %q within %s (%v)", args[0], patience, err)
		}
	}
}

// waitfile FILE waits until there is such a file.
func waitFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: waitfile file")
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("there is no file %s after %s", args[0], patience)
		}
	}
}

// capture NAME REGEXP sets a variable to the first group of a match in the last stdout.
func capture(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: capture name regexp")
	}
	re, err := regexp.Compile("(?m)" + args[1])
	ts.Check(err)
	m := re.FindStringSubmatch(ts.ReadFile("stdout") + "\n" + ts.ReadFile("stderr"))
	if len(m) != 2 {
		ts.Fatalf("no match for %q with one group", args[1])
	}
	ts.Setenv(args[0], m[1])
}

// fromfile NAME FILE sets a variable to what stands in a file.
func fromFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: fromfile name file")
	}
	ts.Setenv(args[0], strings.TrimSpace(ts.ReadFile(args[1])))
}

// mib N writes mib.json, a request whose text is N bytes longer than 1 MiB.
func mib(args []string) int {
	more, err := strconv.Atoi(args[0])
	if err == nil {
		err = os.WriteFile("mib.json", []byte(`{"text":"`+strings.Repeat("x", 1<<20+more)+`"}`), 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mib:", err)
		return 1
	}
	return 0
}

// port FILE prints the port of the daemon that the file names.
func port(args []string) int {
	var d client.Daemon
	text, err := os.ReadFile(args[0])
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "port:", err)
		return 1
	}
	fmt.Println(d.URL[strings.LastIndex(d.URL, ":")+1:])
	return 0
}

// api METHOD PATH [BODY] [NAME:VALUE...] sends a request to the daemon of AKITA_HOME and prints the
// status on a line, then the answer. BODY is JSON, or @FILE. A header without value is left out.
func api(args []string) int {
	if err := request(args, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "api:", err)
		return 1
	}
	return 0
}

func request(args []string, w io.Writer) error {
	home := os.Getenv("AKITA_HOME")
	text, err := os.ReadFile(filepath.Join(home, "data", "daemon.json"))
	if err != nil {
		return err
	}
	var d client.Daemon
	if err := json.Unmarshal(text, &d); err != nil {
		return err
	}
	token, err := os.ReadFile(filepath.Join(home, "admin.token"))
	if err != nil {
		return err
	}
	args = append(args, "")
	body := args[2]
	if file, ok := strings.CutPrefix(body, "@"); ok {
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		body = string(content)
	}
	req, err := http.NewRequest(args[0], d.URL+args[1], strings.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	for _, h := range args[min(3, len(args)):] {
		if name, value, ok := strings.Cut(h, ":"); ok && value == "" {
			req.Header.Del(name)
		} else if ok {
			req.Header.Set(name, value)
			if name == "Host" {
				req.Host = value
			}
		}
	}
	return answer(req, w)
}

func answer(req *http.Request, w io.Writer) error {
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	fmt.Fprintln(w, resp.StatusCode)
	_, err = io.Copy(w, resp.Body)
	fmt.Fprintln(w)
	return err
}

// visit METHOD URL [BODY] sends a request to a server of the story and prints the status on a line, then
// the answer.
func visit(args []string) int {
	req, err := http.NewRequest(args[0], args[1], strings.NewReader(strings.Join(args[2:], "")))
	if err == nil {
		err = answer(req, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "visit:", err)
		return 1
	}
	return 0
}
