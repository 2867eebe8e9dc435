package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/akitad/akitad/internal/client"
)

func channelCommand(env environment) *cobra.Command {
	return group("channel", "The chat services and who may talk through them", channelLs(env), channelPair(env),
		channelPerson(env, "allow", "Let a person talk through a channel", (*client.Client).AllowPerson),
		channelPerson(env, "deny", "Shut a person out of a channel", (*client.Client).DenyPerson),
	)
}

func channelLs(env environment) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "ls", Short: "List the chat services, how they are, and who may talk through them", Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error {
		return withDaemon(env, func(c *client.Client) error {
			page, err := client.List[client.Channel](cmd.Context(), c, "/v1/channels", nil)
			switch {
			case err != nil:
				return err
			case asJSON:
				return printPage(env.Stdout, page)
			}
			return printChannels(env, page.Items)
		})
	}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// printChannels prints a line for each service, and below it a line for each person who was let in or
// shut out, or waits.
func printChannels(env environment, all []client.Channel) error {
	var rows [][]string
	for _, ch := range all {
		rows = append(rows, []string{ch.Name, ch.Mode, brief(ch.Health, 60), who(ch.Allow), who(ch.Groups), who(ch.Owners), strconv.Itoa(len(ch.Pending))})
	}
	if err := table(env.Stdout, []string{"CHANNEL", "MODE", "HEALTH", "ALLOW", "GROUPS", "OWNERS", "PENDING"}, rows); err != nil {
		return err
	}
	rows = nil
	for _, ch := range all {
		for _, p := range ch.People {
			rows = append(rows, []string{ch.Name, "allowed", p.ID, p.Name, stamp(p.At), p.By})
		}
		for _, p := range ch.Denied {
			rows = append(rows, []string{ch.Name, "denied", p.ID, p.Name, stamp(p.At), p.By})
		}
		for _, p := range ch.Pending {
			rows = append(rows, []string{ch.Name, "has a code", p.ID, p.Name, stamp(p.Since), "good until " + stamp(p.Until)})
		}
	}
	if len(rows) == 0 {
		return nil
	}
	fmt.Fprintln(env.Stdout)
	return table(env.Stdout, []string{"CHANNEL", "PERSON", "ID", "NAME", "SINCE", "BY"}, rows)
}

// who shows a list of ids.
func who(ids []string) string {
	if len(ids) == 0 {
		return "-"
	}
	return brief(strings.Join(ids, ","), 40)
}

func channelPair(env environment) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "pair CODE", Short: "Let in whoever was told this pairing code", Args: args(1, 1, "CODE"), RunE: func(cmd *cobra.Command, a []string) error {
		return withDaemon(env, func(c *client.Client) error {
			p, err := c.Pair(cmd.Context(), a[0])
			switch {
			case err != nil:
				return err
			case asJSON:
				return printJSON(env.Stdout, p)
			}
			_, err = fmt.Fprintln(env.Stdout, p.Channel, p.ID, strings.TrimSpace(p.Name+" may talk now"))
			return err
		})
	}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func channelPerson(env environment, name, short string, turn func(*client.Client, context.Context, string, string) (client.Channel, error)) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: name + " CHANNEL ID", Short: short, Args: args(2, 2, "CHANNEL ID"), RunE: func(cmd *cobra.Command, a []string) error {
		return withDaemon(env, func(c *client.Client) error {
			ch, err := turn(c, cmd.Context(), a[0], a[1])
			switch {
			case err != nil:
				return err
			case asJSON:
				return printJSON(env.Stdout, ch)
			}
			_, err = fmt.Fprintln(env.Stdout, ch.Name, a[1], map[string]string{"allow": "may talk now", "deny": "is shut out"}[name])
			return err
		})
	}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
