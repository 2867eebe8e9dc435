package main

import (
	_ "embed"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/config"
)

//go:embed init.yaml
var initFile []byte

func initCommand(env environment) *cobra.Command {
	return &cobra.Command{Use: "init", Short: "Make the home folder and a commented configuration file in it", Args: noArgs, RunE: func(*cobra.Command, []string) error {
		path := config.Layout(env.home())
		if err := config.EnsureHome(path.Home); err != nil {
			return err
		}
		f, err := os.OpenFile(path.Config, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, os.ErrExist) {
			return akitad.Errorf(akitad.InvalidRequest, "%s exists already and stays as it is", path.Config).
				WithHint("edit it; akitad config explain shows every key with its value")
		}
		if err != nil {
			return err
		}
		_, err = f.Write(initFile)
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
		_, err = fmt.Fprintf(env.Stdout, "wrote %s\nnext: akitad doctor, then akitad serve\n", path.Config)
		return err
	}}
}
