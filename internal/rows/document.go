package rows

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"
)

// Names of the fields of a setting: the names on the way to it, joined by dots, and what it is set to.
const (
	KeyField   = "key"
	ValueField = "value"
)

// maxListDepth is how deep in a document its list of objects may stand: {"data": [{...}]} is 1.
const maxListDepth = 3

// docKind tells a JSON document that is one object over several lines or in one alone, and whether a list
// of objects in it holds its rows; a document without one is a set of settings.
func docKind(name string, head []byte) (doc, list bool) {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF")), " \t\r\n")
	if strings.ToLower(path.Ext(name)) != ".json" || len(text) == 0 || text[0] != '{' {
		return false, false
	}
	if first, rest, ok := bytes.Cut(text, []byte("\n")); ok && json.Valid(bytes.TrimSpace(first)) && len(bytes.TrimSpace(rest)) > 0 {
		return false, false // an object in each line
	}
	return true, hasList(json.NewDecoder(bytes.NewReader(text)))
}

// hasList looks for a list of objects in what there is of a document.
func hasList(dec *json.Decoder) bool {
	var open []json.Delim
	for {
		tok, err := dec.Token()
		if err != nil {
			return false
		}
		d, ok := tok.(json.Delim)
		switch {
		case !ok:
		case d == '}' || d == ']':
			open = open[:len(open)-1]
		case d == '{' && len(open) > 0 && open[len(open)-1] == '[':
			return len(open)-1 <= maxListDepth
		default:
			open = append(open, d)
		}
	}
}

// document walks a JSON document, of which either the objects of its list or its settings are rows.
type document struct {
	rd   *reading
	dec  *json.Decoder
	at   *lineCounter
	list bool
	done bool // the list has ended
}

func (rd *reading) readDocument(list bool) error {
	c := rd.countedLines()
	d := &document{rd: rd, dec: json.NewDecoder(c), at: c, list: list}
	d.dec.UseNumber()
	stop, err := d.value("")
	if stop != nil {
		return stop
	}
	return rd.endArray(c, nothingAfter(d.dec, err))
}

// value walks what stands under a name; stop is an error of whoever takes the rows.
func (d *document) value(name string) (stop, err error) {
	tok, err := d.dec.Token()
	if err != nil {
		return nil, err
	}
	switch t := tok.(type) {
	case json.Delim:
		if t == '[' {
			return d.elements(name)
		}
		return d.members(name)
	case nil:
		return d.setting(name, ""), nil
	case string:
		return d.setting(name, t), nil
	case bool:
		return d.setting(name, map[bool]string{true: "true", false: "false"}[t]), nil
	case json.Number:
		return d.setting(name, t.String()), nil
	}
	return nil, nil
}

func (d *document) members(name string) (stop, err error) {
	for d.dec.More() {
		tok, err := d.dec.Token()
		if err != nil {
			return nil, err
		}
		key, _ := tok.(string)
		if name != "" {
			key = name + "." + key
		}
		if stop, err := d.value(key); stop != nil || err != nil {
			return stop, err
		}
	}
	_, err = d.dec.Token()
	return nil, err
}

// elements hands over the objects of the list. What other lists hold cannot be rows beside them, and is
// counted as malformed where it is objects.
func (d *document) elements(name string) (stop, err error) {
	rowsHere := false
	for d.dec.More() {
		if !d.list {
			if stop, err := d.value(name); stop != nil || err != nil {
				return stop, err
			}
			continue
		}
		var raw json.RawMessage
		if err := d.dec.Decode(&raw); err != nil {
			return nil, err
		}
		d.rd.lines.n = d.at.at(d.dec.InputOffset() - int64(len(raw)))
		switch {
		case raw[0] != '{':
		case d.done:
			d.rd.stats.malformed(d.rd.lines.n)
		default:
			if stop := d.rd.element(raw); stop != nil {
				return stop, nil
			}
			rowsHere = true
		}
	}
	d.done = d.done || rowsHere
	_, err = d.dec.Token()
	return nil, err
}

// setting hands over one setting as a row.
func (d *document) setting(name, value string) error {
	if d.list {
		return nil
	}
	d.rd.lines.n = d.at.at(d.dec.InputOffset() - 1)
	value = strings.ToValidUTF8(value, "\uFFFD")
	d.rd.start(name + ": " + value)
	d.rd.row.add(KeyField, name)
	d.rd.row.add(ValueField, value)
	return d.rd.emit()
}
