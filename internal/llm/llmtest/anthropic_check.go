package llmtest

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/akitad/akitad"
)

// check refuses what the service refuses, in the words that it has for it as far as they are public.
func (in messagesRequest) check() error {
	switch {
	case in.Model == "":
		return fmt.Errorf("model: Field required")
	case in.MaxTokens < 1:
		return fmt.Errorf("max_tokens: must be greater than or equal to 1")
	case len(in.Messages) == 0:
		return fmt.Errorf("messages: at least one message is required")
	case in.Messages[0].Role != "user":
		return fmt.Errorf("messages: first message must use the \"user\" role")
	}
	for _, one := range []func() error{in.checkTools, in.checkMarkers, in.checkThinking, in.checkTurns} {
		if err := one(); err != nil {
			return err
		}
	}
	return nil
}

func (in messagesRequest) checkTools() error {
	names := map[string]bool{}
	for i, t := range in.Tools {
		var schema struct{ Type string }
		if json.Unmarshal(t.Schema, &schema) != nil || schema.Type != "object" {
			return fmt.Errorf("tools.%d.input_schema.type: Input should be 'object'", i)
		}
		if !anthropicName.MatchString(t.Name) || names[t.Name] {
			return fmt.Errorf("tools.%d.name: %q is not valid, or not unique", i, t.Name)
		}
		names[t.Name] = true
	}
	if len(in.ToolChoice) > 0 && len(in.Tools) == 0 {
		return fmt.Errorf("tool_choice may only be specified while providing tools")
	}
	return nil
}

// checkMarkers holds that there are four cache markers at most, none of them where none may be.
func (in messagesRequest) checkMarkers() error {
	n := 0
	for _, t := range in.Tools {
		n += min(len(t.Cache), 1)
	}
	all := in.System
	for _, m := range in.Messages {
		all = append(all[:len(all):len(all)], m.Content...)
	}
	for _, b := range all {
		n += min(len(b.Cache), 1)
		if len(b.Cache) > 0 && strings.HasSuffix(b.Type, "thinking") {
			return fmt.Errorf("cache_control cannot be set for %s blocks", b.Type)
		}
	}
	if n > 4 {
		return fmt.Errorf("a maximum of 4 blocks with cache_control may be provided. Found %d", n)
	}
	return nil
}

func (in messagesRequest) checkThinking() error {
	if in.Thinking == nil {
		return nil
	}
	if in.Thinking.Type != "adaptive" && in.Thinking.Budget < 1024 || in.Thinking.Budget >= in.MaxTokens {
		return fmt.Errorf("`max_tokens` must be greater than `thinking.budget_tokens`, which must be at least 1024")
	}
	n := len(in.Messages)
	if n < 2 || in.Messages[n-1].Content[0].Type != "tool_result" {
		return nil
	}
	if first := in.Messages[n-2].Content[0].Type; !strings.HasSuffix(first, "thinking") {
		return fmt.Errorf("messages.%d.content.0.type: Expected `thinking` or `redacted_thinking`, but found `%s`", n-2, first)
	}
	return nil
}

// checkTurns holds that the sides take turns, that every call is answered in the next message before
// anything else is said, and that no block is empty.
func (in messagesRequest) checkTurns() error {
	used := map[string]bool{}
	for i, m := range in.Messages {
		if m.Role != "user" && m.Role != "assistant" || i > 0 && in.Messages[i-1].Role == m.Role {
			return fmt.Errorf("messages: roles must alternate between \"user\" and \"assistant\", but found %q at %d", m.Role, i)
		}
		if len(m.Content) == 0 {
			return fmt.Errorf("messages.%d: all messages must have non-empty content", i)
		}
		for j, b := range m.Content {
			if err := b.check(m.Role, used); err != nil {
				return fmt.Errorf("messages.%d.content.%d: %w", i, j, err)
			}
		}
		if err := m.checkResults(in.before(i)); err != nil {
			return fmt.Errorf("messages.%d: %w", i, err)
		}
	}
	if last := len(in.Messages); len(in.before(last)) > 0 {
		return fmt.Errorf("messages.%d: `tool_use` ids were found without `tool_result` blocks immediately after", last-1)
	}
	return nil
}

func (m messagesTurn) checkResults(open map[string]string) error {
	last := false // something else was said
	for _, b := range m.Content {
		if b.Type != "tool_result" {
			last = true
			continue
		}
		if _, ok := open[b.Call]; !ok || last {
			return fmt.Errorf("unexpected `tool_use_id` found in `tool_result` blocks: %s", b.Call)
		}
		delete(open, b.Call)
	}
	if len(open) > 0 {
		return fmt.Errorf("`tool_use` ids were found without `tool_result` blocks immediately after")
	}
	return nil
}

func (b messageBlock) check(role string, used map[string]bool) error {
	switch b.Type {
	case "text":
		if strings.TrimSpace(b.Text) == "" {
			return fmt.Errorf("text content blocks must contain non-whitespace text")
		}
	case "thinking":
		if b.Signature != signature(b.Thinking) {
			return fmt.Errorf("invalid `signature` in `thinking` block")
		}
	case "tool_use":
		if !anthropicID.MatchString(b.ID) || used[b.ID] {
			return fmt.Errorf("`tool_use` ids must be unique, and match %s: %q", anthropicID, b.ID)
		}
		used[b.ID] = true
		return b.checkCall()
	case "redacted_thinking", "tool_result":
	case "image", "document":
		if b.Source.Data == "" {
			return fmt.Errorf("source.data: Field required")
		}
	default:
		return fmt.Errorf("input tag %q is not expected", b.Type)
	}
	if mine := b.Type == "text" || strings.HasSuffix(b.Type, "thinking"); role == "assistant" && !mine || role == "user" && strings.HasSuffix(b.Type, "thinking") {
		return fmt.Errorf("a %s block is not for role %s", b.Type, role)
	}
	return nil
}

func (b messageBlock) checkCall() error {
	if !anthropicName.MatchString(b.Name) {
		return fmt.Errorf("name %q is not valid", b.Name)
	}
	var input map[string]json.RawMessage
	if json.Unmarshal(b.Input, &input) != nil || input == nil {
		return fmt.Errorf("input: Input should be a valid dictionary")
	}
	return nil
}

// signature is what the server gives its thoughts, to know them again.
func signature(thoughts string) string { return "sig+/" + akitad.Digest(thoughts) + "==" }
