package orchestrator

// EndedRuns lets the tests look at what tells a plan that one of its steps has ended.
var EndedRuns = endedRuns
