// The runtime looks every second whether the system gives it more or fewer processors now: at rest that is a tenth
// of all there is to do. It counts them at the start.
//
//go:debug updatemaxprocs=0

// Command akitad is a team of agents behind a chat handle: a daemon, and the tools to talk to it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/loose"
	"github.com/akitad/akitad/internal/sandbox"
)

// version is set by the build.
var version = "dev"

// Exit codes of the contract.
const (
	exitOK      = 0
	exitFailed  = 1
	exitUsage   = 2
	exitDaemon  = 3 // needs a running daemon
	exitRefused = 4 // refused by policy
)

func main() {
	sandbox.Init() // in a sandboxed child this does not return
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal kills the process
	code := run(ctx, os.Args[1:], environment{Env: os.Environ(), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr})
	stop()
	os.Exit(code)
}

// environment is what the commands take from the operating system.
type environment struct {
	Env    []string
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
}

// home gives the home folder of this environment.
func (e environment) home() string { return config.Home(e.Env) }

// config reads the configuration of the home.
func (e environment) config() (config.Config, error) { return config.Load(e.home(), e.Env) }

func run(ctx context.Context, args []string, env environment) int {
	out := &output{Writer: env.Stdout}
	env.Stdout = out
	root := newRoot(env)
	root.SetArgs(args)
	err := helpOnNothing(root, args)
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	if err == nil {
		err = out.failed
	}
	if err == nil {
		return exitOK
	}
	report(env.Stderr, err)
	return exitCode(err)
}

// output remembers that something could not be written: an answer that nobody got is no success, whichever
// command wrote it.
type output struct {
	io.Writer
	failed error
}

// Write writes, and remembers the first failure.
func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if err != nil && o.failed == nil {
		o.failed = fmt.Errorf("not all of the output could be written: %w", err)
	}
	return n, err
}

// errUsage marks what cobra found wrong with the command line.
type errUsage struct{ error }

func newRoot(env environment) *cobra.Command {
	showVersion := false // cobra's own flag would bring text/template and 8 MB of what nobody calls
	root := &cobra.Command{
		Use: "akitad", Short: "A self-hosted team of agents behind a chat handle",
		SilenceUsage: true, SilenceErrors: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if showVersion {
				_, err := fmt.Fprintln(env.Stdout, "akitad", version)
				return err
			}
			if len(args) > 0 {
				return noCommand(args[0], cmd)
			}
			return cmd.Help()
		},
		Args: cobra.ArbitraryArgs,
	}
	root.SetIn(env.Stdin)
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	root.Flags().BoolVar(&showVersion, "version", false, "print the version")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage("%s%s; see %s --help", plainly(err.Error()), nearFlag(cmd, err), cmd.CommandPath())
	})
	root.AddCommand(serveCommand(env), workerCommand(env), runCommand(env))
	root.AddCommand(commands(env)...)
	return root
}

// plainly says what is wrong with a flag without the names of functions in it.
func plainly(text string) string {
	text, _, parsed := strings.Cut(text, ": strconv.")
	if parsed {
		text += ": it is no such number or truth"
	}
	return text
}

// nearFlag says which flag may be meant by one that cmd does not have.
func nearFlag(cmd *cobra.Command, err error) string {
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return ""
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := loose.Nearest(unknown.GetSpecifiedName(), names); near != "" {
		return ", did you mean --" + near + "?"
	}
	return ""
}

// report prints an error with what can be done about it.
func report(w io.Writer, err error) {
	fmt.Fprintln(w, "akitad:", err)
	if e, ok := errors.AsType[*akitad.Error](err); ok && e.Hint != "" {
		fmt.Fprintln(w, "hint:", e.Hint)
	}
}

// errNoDaemon marks a command that needs a running daemon and found none.
type errNoDaemon struct{ error }

func exitCode(err error) int {
	if _, usage := errors.AsType[errUsage](err); usage {
		return exitUsage
	}
	if _, none := errors.AsType[errNoDaemon](err); none {
		return exitDaemon
	}
	if akitad.KindOf(err) == akitad.PermissionDenied && !errors.Is(err, fs.ErrPermission) { // the system is no policy
		return exitRefused
	}
	return exitFailed
}
