package markdown_test

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var (
	tagOrText  = regexp.MustCompile(`<[^<>]*>|[^<>]+|[<>]`)
	knownOpen  = regexp.MustCompile(`^<(b|i|s|code|pre|blockquote|a href="[^"<>]+"|code class="language-[^"<>\s]+")>$`)
	entityRefs = regexp.MustCompile(`&(lt|gt|amp|quot);`)
	webAddress = regexp.MustCompile(`(?i)^(https?|tg|ton)://.|^(mailto|tel):.`)
)

// strict reads HTML by the narrowest reading of the Bot API's rules and gives what is seen. It takes only
// what this package may write: tags that it writes, each closed in order, four references, and the
// nesting that is allowed in every version of the rules.
func strict(s string) (string, error) {
	if !utf8.ValidString(s) {
		return "", fmt.Errorf("broken UTF-8")
	}
	var open []string
	var seen strings.Builder
	for _, m := range tagOrText.FindAllString(s, -1) {
		switch {
		case strings.HasPrefix(m, "</"):
			name := strings.Trim(m, "</>")
			if len(open) == 0 || open[len(open)-1] != name {
				return "", fmt.Errorf("%s closes %v", m, open)
			}
			open = open[:len(open)-1]
		case knownOpen.MatchString(m):
			name := strings.Trim(strings.Fields(m)[0], "<>")
			if err := mayStand(name, m, open); err != nil {
				return "", err
			}
			open = append(open, name)
		case strings.ContainsAny(m, "<>") || strings.Contains(entityRefs.ReplaceAllString(m, ""), "&"):
			return "", fmt.Errorf("not escaped: %q", m)
		default:
			seen.WriteString(html.UnescapeString(m))
		}
	}
	if len(open) > 0 {
		return "", fmt.Errorf("%v is open at the end", open)
	}
	return seen.String(), nil
}

// mayStand says what keeps a tag from standing within others: code stands in quotes alone (and in pre,
// to name the language), quotes and links not within themselves, and nothing in code.
func mayStand(name, tag string, within []string) error {
	isCode := name == "code" || name == "pre"
	for _, w := range within {
		language := name == "code" && strings.Contains(tag, "language-") && w == "pre"
		switch {
		case language:
		case w == "code", w == "pre", isCode && w != "blockquote", name == w:
			return fmt.Errorf("%s within %v", tag, within)
		}
	}
	if strings.Contains(tag, "language-") && !slices.Contains(within, "pre") {
		return fmt.Errorf("%s outside of pre", tag)
	}
	if name == "a" && !webAddress.MatchString(html.UnescapeString(strings.TrimSuffix(strings.TrimPrefix(tag, `<a href="`), `">`))) {
		return fmt.Errorf("no address: %s", tag)
	}
	return nil
}

func TestStrictIsStrict(t *testing.T) {
	for _, s := range []string{
		"<b>a", "a</b>", "<b><i>a</b></i>", "<u>a</u>", "a < b", "a & b", "a > b", "&nbsp;", "<code><b>a</b></code>", "<b><code>a</code></b>",
		"<a href=\"https://a\"><code>a</code></a>", "<a href=\"javascript:a\">a</a>", "<a href=\"\">a</a>", "<blockquote><blockquote>a</blockquote></blockquote>",
		"<code class=\"language-go\">a</code>", "<pre><code class=\"language-a b\">a</code></pre>", "<b><b>a</b></b>", "<a href=\"https://a\"><b><a href=\"https://b\">a</a></b></a>", "\xff",
	} {
		if seen, err := strict(s); err == nil {
			t.Errorf("%q is taken as %q", s, seen)
		}
	}
	if seen, err := strict(`<blockquote>a <b>b</b> <code>&lt;</code></blockquote><pre><code class="language-c++">&quot;</code></pre>`); err != nil || seen != `a b <"` {
		t.Errorf("%q, %v", seen, err)
	}
}
