package filter_test

import "fmt"

// warnings is what a C compiler and its linker print.
func warnings() fixture {
	m := newMaker(41)
	files := []string{"src/net/socket.c", "src/net/tls.c", "src/core/buffer.c", "src/core/hash.c", "src/ui/draw.c"}
	kinds := map[string]int{}
	byFile := map[string]int{}
	errs := 0
	emit := func(file, level, text string) {
		byFile[file]++
		if level == "error" {
			errs++
		}
		line := 20 + m.IntN(900)
		m.f("%s:%d:%d: %s: %s\n %4d |     %s\n      |     ^~~~~~\n", file, line, 3+m.IntN(30), level, text, line, pick(m, "int n = count(list);", "memcpy(dst, src, len);", "return node->next;", "if (a = b) {"))
	}
	for i := range 130 {
		kind := pick(m, "unused-variable", "sign-compare", "sign-compare", "unused-parameter", "implicit-fallthrough")
		kinds[kind]++
		emit(pick(m, append(files, "src/core/hash.c")...), "warning", fmt.Sprintf("%s [-W%s]", pick(m, "unused variable 'n'", "comparison of integers of different signs", "this statement may fall through"), kind))
		switch i {
		case 40:
			emit("src/net/tls.c", "error", "'SSL_OP_NO_RENEGOTIATION' undeclared (first use in this function)")
		case 90:
			emit("src/ui/draw.c", "error", "too few arguments to function 'draw_glyph'; expected 5, have 4")
		}
	}
	m.f("/usr/bin/ld: build/core/hash.o: undefined reference to `siphash24_final'\ncollect2: error: ld returned 1 exit status\nmake: *** [Makefile:88: all] Error 1\n")
	most, at := 0, ""
	for _, f := range files {
		if byFile[f] > most {
			most, at = byFile[f], f
		}
	}
	return fixture{name: "C warnings", text: m.String(), queries: []question{
		{"undeclared identifier", exactly("SSL_OP_NO_RENEGOTIATION")},
		{"which function got too few arguments", exactly("draw_glyph")},
		{"what symbol does the linker miss", exactly("siphash24_final")},
		{"file with most messages", counted(at, most)},
		{"how many sign-compare warnings", counted("sign-compare", kinds["sign-compare"])},
		{"line of the Makefile that failed", exactly("Makefile:88")},
	}}
}

// patch is a change in another language, as a series of files.
func patch() fixture {
	m := newMaker(42)
	files := 45
	for i := range files {
		file := fmt.Sprintf("app/%s/%s_%d.py", pick(m, "views", "models", "tasks"), pick(m, "order", "user", "report"), i)
		m.f("diff --git a/%s b/%s\nindex %07x..%07x 100644\n--- a/%s\n+++ b/%s\n", file, file, m.Uint32N(1<<28), m.Uint32N(1<<28), file, file)
		for range 1 + m.IntN(3) {
			from := 5 + m.IntN(200)
			m.f("@@ -%d,6 +%d,7 @@ def %s(request):\n     ctx = base_context(request)\n-    items = %s.objects.all()\n+    items = %s.objects.select_related('owner')\n+    ctx['count'] = len(items)\n     return render(request, ctx)\n", from, from, pick(m, "index", "detail", "export"), pick(m, "Order", "User"), pick(m, "Order", "User"))
		}
		if i == 30 {
			m.f("@@ -12,7 +12,7 @@ class Settings:\n     DEBUG = False\n-    SESSION_COOKIE_AGE = 1209600\n+    SESSION_COOKIE_AGE = 7200\n     CSRF = True\n")
		}
		if i == 11 {
			m.f("@@ -40,3 +40,2 @@ def charge(card):\n     amount = total(card)\n-    audit(card, amount)\n     gateway.charge(card, amount)\n")
		}
	}
	return fixture{name: "Python patch", text: m.String(), queries: []question{
		{"new lifetime of the session cookie", exactly("7200")},
		{"which call was removed from charge", exactly("-    audit(card, amount)")},
		{"file in which the session settings change", `app/\w+/\w+_30\.py`},
		{"number of changed files", fmt.Sprintf(`\b%d\b`, files)},
	}}
}

// priceList is a page with tables and lists.
func priceList() fixture {
	m := newMaker(43)
	m.f("<!DOCTYPE html><html><head><title>Hosting</title><style>body{margin:0}</style><script>var a = '<p>not text</p>';</script></head><body><header><a href='/login'>Sign in</a></header>")
	for i := range 40 {
		m.f("<div class=\"card\"><h3>%s %d</h3><p>%s</p><ul><li>%s</li><li>%s</li></ul></div>", pick(m, "Guide", "Story", "News"), i, m.prose(3), m.prose(1), m.prose(1))
		if i == 17 {
			m.f("<div id=plans><h2>Plans</h2><table><thead><tr><th>Plan</th><th>Price</th><th>Disk</th></tr></thead><tbody><tr><td>Small</td><td>4.90</td><td>20 GB</td></tr><tr><td>Medium</td><td>9.40</td><td>80 GB</td></tr><tr><td>Large</td><td>21.00</td><td>320 GB</td></tr></tbody></table></div>")
		}
		if i == 29 {
			m.f("<dl><dt>Notice period</dt><dd>14 days to the end of a month</dd><dt>Uptime</dt><dd>99.93 %%</dd></dl>")
		}
	}
	m.f("<footer>Tern Hosting GmbH, VAT id DE811193231, <a href=\"mailto:hello@tern.example\">mail us</a></footer></body></html>")
	return fixture{name: "price page", text: m.String(), queries: []question{
		{"price of the medium plan", exactly("9.40")},
		{"disk space of the large plan", exactly("320 GB")},
		{"notice period", exactly("14 days")},
		{"VAT id of the company", exactly("DE811193231")},
		{"contact mail address", exactly("hello@tern.example")},
		{"which plan costs 4.90", exactly("Small")},
	}}
}
