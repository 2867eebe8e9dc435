package window

import "github.com/akitad/akitad/internal/llm"

// LoadOf estimates a request on its own.
func LoadOf(req llm.Request) Load { return new(Counter).Request(req) }

// Count is LoadOf in tokens.
func Count(req llm.Request) int { return LoadOf(req).Tokens() }
