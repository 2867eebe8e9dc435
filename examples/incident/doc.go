// Package incidentexample holds the committed example: the logs of an invented outage and a deploy
// note (logs/), and the truth about them (truth.json), which agents do not see.
package incidentexample

//go:generate go run ./gen -seed 1 -format plain -out logs -truth truth.json
