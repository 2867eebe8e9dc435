package app

import (
	"fmt"

	"go.uber.org/zap"

	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm/openai"
)

// learned logs what refusals have taught about an endpoint, which the owner may configure.
func (a *App) learned(endpoint string) func(string) {
	return func(what string) {
		a.log.Info("endpoint differs from the protocol", zap.String("endpoint", endpoint), zap.String("learned", what))
	}
}

// Advice returns, by endpoint, what the owner should know about its server.
func Advice(cfg config.Config) map[string]string {
	out := map[string]string{}
	for i, e := range cfg.Endpoints {
		window := e.Window
		if !cfg.IsSet(fmt.Sprintf("endpoints[%d].window", i)) {
			window = 0
		}
		if text := openai.Advice(e.Vendor, e.BaseURL, window); text != "" && e.Protocol == openai.Protocol {
			out[e.Name] = text
		}
	}
	return out
}
