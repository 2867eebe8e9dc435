package main

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/journal/projection"
)

func endpointCommand(env environment) *cobra.Command {
	return group("endpoint", "The model endpoints and how they do", endpointLs(env))
}

func endpointLs(env environment) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "ls", Short: "List the endpoints of the daemon's node, and what became of the calls since it began", Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error {
		return withDaemon(env, func(c *client.Client) error {
			page, err := client.List[client.Endpoint](cmd.Context(), c, "/v1/endpoints", nil)
			if err != nil {
				return err
			}
			if asJSON {
				return printPage(env.Stdout, page)
			}
			var rows [][]string
			for _, e := range page.Items {
				rows = append(rows, []string{
					e.Name, e.Protocol, e.Model, strconv.Itoa(e.InFlight), strconv.Itoa(e.Calls), strconv.Itoa(e.Failed),
					tokens(e.Input, e.Cached, e.Output), money(e.Cost), endpointState(e),
				})
			}
			return table(env.Stdout, []string{"NAME", "PROTOCOL", "MODEL", "NOW", "CALLS", "FAILED", "TOKENS", "COST", "STATE"}, rows)
		})
	}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func endpointState(e client.Endpoint) string {
	switch {
	case !e.Healthy && e.Since != nil && e.NextProbe != nil:
		return fmt.Sprintf("degraded since %s, tried again from %s: %s", stamp(*e.Since), stamp(*e.NextProbe), brief(e.Error, 80))
	case e.RestsUntil != nil:
		return fmt.Sprintf("resting until %s, others are asked first: %s", stamp(*e.RestsUntil), brief(e.Error, 80))
	case e.Failures > 0:
		return fmt.Sprintf("healthy, %s lately: %s", counted(e.Failures, "failure"), brief(e.Error, 80))
	}
	return "healthy"
}

func tokens(in, cached, out int) string {
	return fmt.Sprintf("%d in (%d cached), %d out", in, cached, out)
}

// money prints an amount in the owner's currency; without prices nothing is known of it.
func money(cost float64) string {
	if cost == 0 {
		return "-"
	}
	return strconv.FormatFloat(cost, 'f', 4, 64)
}

// shareRows tells of each role at each endpoint, below what stands for all of them.
func shareRows(name string, s client.Share) (rows [][]string) {
	rows = append(rows,
		[]string{name + ": tasks", strconv.Itoa(s.Tasks)},
		[]string{name + ": models", usageText(s.Usage)},
		[]string{name + ": tool bytes", fmt.Sprintf("%d made, %d shown to models", s.Produced, s.Shown)},
		[]string{name + ": window", fmt.Sprintf("%d tokens masked, %d summarised", s.Masked, s.Summarised)},
	)
	for _, b := range s.Bills {
		rows = append(rows, []string{name + ": " + strings.TrimSpace(b.Role+" at "+b.Endpoint), usageText(b.Usage)})
	}
	return rows
}

func usageText(u akitad.Usage) string {
	return fmt.Sprintf("%d calls, %s, cost %s", u.Calls, tokens(u.Input, u.Cached, u.Output), money(u.Cost))
}

func usageCommand(env environment) *cobra.Command {
	var f struct {
		by, since, until string
		asJSON           bool
	}
	cmd := &cobra.Command{Use: "usage", Short: "Sum what models were used and what that cost, of all tasks that are kept", Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error {
		for _, day := range []string{f.since, f.until} {
			if _, err := time.Parse(time.DateOnly, day); day != "" && err != nil {
				return usage("%q is no day: write it like 2026-11-30", day)
			}
		}
		for by := range strings.SplitSeq(f.by, ",") {
			if f.by != "" && !slices.Contains(projection.Groups(), strings.TrimSpace(by)) {
				return usage("--by %s: use some of %s", by, strings.Join(projection.Groups(), ", "))
			}
		}
		return withReader(cmd.Context(), env, func(c *client.Client) error {
			q := url.Values{"by": {f.by}, "since": {f.since}, "until": {f.until}, "limit": {strconv.Itoa(projection.MaxLimit)}}
			for name, v := range q {
				if v[0] == "" {
					q.Del(name)
				}
			}
			page, err := client.List[client.Sum](cmd.Context(), c, "/v1/usage", q)
			if err != nil {
				return err
			}
			if f.asJSON {
				return printPage(env.Stdout, page)
			}
			return printUsage(env, f.by, page)
		})
	}}
	cmd.Flags().StringVar(&f.by, "by", "person,day", "what to group by: "+strings.Join(projection.Groups(), ", ")+", several with commas")
	cmd.Flags().StringVar(&f.since, "since", "", "the first day, like 2026-11-30")
	cmd.Flags().StringVar(&f.until, "until", "", "the last day")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print JSON")
	return cmd
}

func printUsage(env environment, by string, page client.Page[client.Sum]) error {
	var head []string
	for word := range strings.SplitSeq(by, ",") {
		if word = strings.TrimSpace(word); word != "" {
			head = append(head, word)
		}
	}
	rows := make([][]string, 0, len(page.Items))
	for _, s := range page.Items {
		fields := map[string]string{"day": s.Day, "person": s.Person, "endpoint": s.Endpoint, "role": s.Role, "profile": s.Profile, "task": string(s.Task)}
		var row []string
		for _, h := range head {
			row = append(row, fields[h])
		}
		rows = append(rows, append(row, strconv.Itoa(s.Calls), strconv.Itoa(s.Input), strconv.Itoa(s.Cached), strconv.Itoa(s.Output), money(s.Cost)))
	}
	head = append(head, "calls", "input", "cached", "output", "cost")
	if err := env.listing(strings.Split(strings.ToUpper(strings.Join(head, "\x00")), "\x00"), rows, "no model was used in that time"); err != nil || page.Next == "" {
		return err
	}
	_, err := fmt.Fprintln(env.Stdout, "and more: group by less, or choose fewer days")
	return err
}
