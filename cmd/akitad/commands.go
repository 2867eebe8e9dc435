package main

import "github.com/spf13/cobra"

// commands are all commands besides serve, worker and run.
func commands(env environment) []*cobra.Command {
	return []*cobra.Command{
		taskCommand(env), specCommand(env), traceCommand(env), memoryCommand(env), indexCommand(env), agentCommand(env), strategyCommand(env), endpointCommand(env), usageCommand(env), flowCommand(env), toolCommand(env), channelCommand(env), approvalsCommand(env),
		configCommand(env), logsCommand(env), doctorCommand(env), initCommand(env), versionCommand(env),
	}
}
