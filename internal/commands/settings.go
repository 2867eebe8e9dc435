package commands

import (
	"context"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/text"
	"github.com/akitad/akitad/orchestrator"
)

// automatic reports whether a word takes a choice back.
func automatic(word string) bool {
	return slices.Contains([]string{"auto", "default", "none", "off", "reset", "自动", "默认", "无", "取消"}, strings.ToLower(word))
}

// reserved reports whether a person may not choose for this conversation: in a group only an owner may.
func (r request) reserved() bool { return r.Origin.Group && !r.Origin.Owner }

// model shows which models there are, or chooses one for the conversation's next tasks.
func (c *Commands) model(ctx context.Context, r request) (string, error) {
	name, _ := oneValue(r.args)
	switch {
	case name == "":
		return c.models(ctx, r)
	case r.reserved():
		return r.lang.OwnerOnly("/model"), nil
	case automatic(name):
		name = ""
	default:
		if name = c.knownModel(name); name == "" {
			first, _ := oneValue(r.args)
			return r.lang.NoModel(first, c.modelNames()), nil
		}
	}
	err := c.Orchestrator.Prefer(ctx, r.Session, func(p *orchestrator.Preferences) { p.Model = name })
	return r.lang.ModelSet(name), err
}

func (c *Commands) modelNames() []string {
	if c.Orchestrator.Models == nil {
		return nil
	}
	return c.Orchestrator.Models.Models()
}

// knownModel returns the name as it is written of a model that there is, "" for none.
func (c *Commands) knownModel(name string) string {
	return named(c.modelNames(), name)
}

// named returns the one of the names that a word is, in any letter case, "" for none.
func named(names []string, word string) string {
	if slices.Contains(names, word) {
		return word
	}
	at := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, word) })
	if at < 0 {
		return ""
	}
	return names[at]
}

func (c *Commands) models(ctx context.Context, r request) (string, error) {
	stand := map[string]llm.Status{}
	if c.Endpoints != nil {
		all, err := c.Endpoints(ctx)
		if err != nil {
			return "", err
		}
		for _, s := range all {
			stand[s.Name] = s
		}
	}
	var lines []string
	for _, name := range c.modelNames() {
		s := stand[name]
		if slices.Contains(llm.Roles(), llm.Role(name)) {
			lines = append(lines, r.lang.ModelRole(name, r.set.Model == name))
			continue
		}
		lines = append(lines, r.lang.ModelLine(name, s.Model, r.set.Model == name, s.Health.Degraded()))
	}
	return r.lang.Models(r.set.Model, lines), nil
}

// persona shows which profiles there are, or chooses one for the conversation's next tasks.
func (c *Commands) persona(ctx context.Context, r request) (string, error) {
	name, _ := oneValue(r.args)
	var names, lines []string
	for _, p := range c.Orchestrator.Profiles.Described() {
		names = append(names, p.Name)
		lines = append(lines, text.PersonaLine(p.Name, text.Does(r.lang, p.Description), p.Name == r.set.Profile))
	}
	given := name
	switch {
	case name == "":
		return r.lang.Personas(r.set.Profile, lines), nil
	case r.reserved():
		return r.lang.OwnerOnly("/persona"), nil
	case automatic(name):
		name = ""
	default:
		if name = named(names, name); name == "" {
			return r.lang.NoPersona(given, names), nil
		}
	}
	err := c.Orchestrator.Prefer(ctx, r.Session, func(p *orchestrator.Preferences) { p.Profile = name })
	return r.lang.PersonaSet(name), err
}

// languages are the words by which people call the languages of messages.
var languages = map[string]text.Lang{
	"en": text.En, "english": text.En, "en-us": text.En, "en-gb": text.En, "英文": text.En, "英语": text.En,
	"zh": text.Zh, "cn": text.Zh, "zh-cn": text.Zh, "zh-hans": text.Zh, "chinese": text.Zh, "中文": text.Zh, "汉语": text.Zh, "简体中文": text.Zh, "简体": text.Zh,
}

// language shows or sets the language of messages to this conversation; a group's is for owners to set.
func (c *Commands) language(ctx context.Context, r request) (string, error) {
	name, _ := oneValue(r.args)
	lang, known := languages[strings.ToLower(name)]
	switch {
	case name == "":
		return r.lang.LangIs(text.Lang(r.set.Lang)), nil
	case r.reserved():
		return r.lang.OwnerOnly("/lang"), nil
	case !known && !automatic(name):
		return r.lang.NoLang(name), nil
	}
	err := c.Orchestrator.Prefer(ctx, r.Session, func(p *orchestrator.Preferences) { p.Lang = string(lang) })
	if lang == "" {
		r.set.Lang = ""
		return r.language().LangIs(""), err
	}
	return lang.LangIs(lang), err
}
