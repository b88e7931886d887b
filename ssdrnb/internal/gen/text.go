package gen

import (
	"fmt"
	"go/format"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Kinds of options, with the numbers of ssdrnb.ParamKind.
const (
	intParam = iota
	floatParam
	choiceParam
	boolParam
)

// auto is ssdrnb.Auto.
const auto = math.MinInt32

func writeBuilders(methods []*method) (string, error) {
	var b strings.Builder
	b.WriteString(notice + "package ssdrnb\n")
	for _, m := range byFunc(methods) {
		builder := m.Func + "Builder"
		comment(&b, fmt.Sprintf("%s has the options of [%s]. Their defaults: %s.", builder, m.Func, defaults(m)))
		fmt.Fprintf(&b, "type %s struct{ common }\n\n", builder)
		fmt.Fprintf(&b, "func new%s(s Spec) *%s { return &%[2]s{common{s}} }\n", m.Func, builder)
		comment(&b, "With sets an option by its name, as the registry lists it.")
		fmt.Fprintf(&b, "func (b *%s) With(name string, v any) *%[1]s { return new%[2]s(b.spec.With(name, v)) }\n", builder, m.Func)
		comment(&b, "Fresh makes Fit compute the model even if an equal model is remembered.")
		fmt.Fprintf(&b, "func (b *%s) Fresh() *%[1]s { return new%[2]s(b.spec.Fresh()) }\n", builder, m.Func)
		for _, p := range m.Params {
			if p.Setter == "" {
				continue
			}
			o := m.options[p.Name]
			comment(&b, help(p, o)...)
			kind, value := "int", o.parameter
			switch p.Kind {
			case floatParam:
				kind = "float64"
			case boolParam:
				kind = "bool"
			case choiceParam:
				kind, value = o.kind, "string("+value+")"
			}
			fmt.Fprintf(&b, "func (b *%s) %s(%s %s) *%[1]s { return b.With(%[5]q, %[6]s) }\n", builder, p.Setter, o.parameter, kind, p.Name, value)
		}
	}
	out, err := format.Source([]byte(b.String()))
	return string(out), err
}

func writeTests(methods []*method) string {
	var b strings.Builder
	b.WriteString(notice + "package ssdrnb_test\n\nimport \"github.com/ssdrnb/ssdrnb/ssdrnb\"\n\n// builders has one of each method, by the name of its constructor.\nvar builders = map[string]any{\n")
	for _, m := range byFunc(methods) {
		fmt.Fprintf(&b, "\t%q: ssdrnb.%s(),\n", m.Func, m.Func)
	}
	out, err := format.Source([]byte(b.String() + "}\n"))
	if err != nil {
		panic(err) // the compiler accepted these function names
	}
	return string(out)
}

func byFunc(methods []*method) []*method {
	return slices.SortedFunc(slices.Values(methods), func(a, b *method) int { return strings.Compare(a.Func, b.Func) })
}

// defaults lists the options of a method with their default values.
func defaults(m *method) string {
	var out []string
	for _, p := range m.Params {
		out = append(out, p.Name+" "+strings.Trim(value(p, option{}, p.Default), "[]"))
	}
	return strings.Join(out, ", ")
}

// help returns the paragraphs of a setter's comment: the meaning of the option, the help in its
// declaration, the range, and the default for this method.
func help(p param, o option) []string {
	paragraphs := strings.Split(o.help, "\n\n")
	first := p.Setter + " sets " + article(p.Doc) + p.Doc + "."
	for k, text := range paragraphs {
		paragraphs[k] = strings.Join(strings.Fields(text), " ")
	}
	paragraphs[0] = strings.TrimSpace(first + " " + paragraphs[0])
	last := len(paragraphs) - 1
	if strings.TrimSpace(o.help) != "" && last > 0 { // a separate paragraph after long help
		return append(paragraphs, allowed(p, o))
	}
	paragraphs[last] += " " + allowed(p, o)
	return paragraphs
}

// article returns "the " if a description starts with a noun, otherwise "".
func article(doc string) string {
	word, _, _ := strings.Cut(doc, " ")
	word = strings.TrimRight(word, ",:")
	if slices.Contains([]string{"how", "where", "whether", "what", "which", "the", "a", "an"}, word) || len(word) < 2 {
		return ""
	}
	for _, r := range word {
		if r < 'a' || r > 'z' {
			return ""
		}
	}
	return "the "
}

// allowed describes the values of an option and its default value.
func allowed(p param, o option) string {
	def := value(p, o, p.Default)
	switch p.Kind {
	case boolParam:
		return "The default is " + def + "."
	case choiceParam:
		var named []string
		for k := range p.Choices {
			if len(o.choices) == len(p.Choices) && o.choices[k] != "" {
				named = append(named, "["+o.choices[k]+"]")
			}
		}
		return "The value is " + joinOr(named) + "; the default is " + def + "."
	}
	text := "The value is " + bounds(p)
	if p.Auto == "" {
		return text + "; the default is " + def + "."
	}
	if def == "[Auto]" {
		return text + ", or [Auto], the default: " + p.Auto + "."
	}
	return text + ", or [Auto]: " + p.Auto + "; the default is " + def + "."
}

// bounds describes the range of a numeric option.
func bounds(p param) string {
	low, high := strconv.FormatFloat(p.Min, 'g', -1, 64), strconv.FormatFloat(p.Max, 'g', -1, 64)
	positive, open := p.Min == math.SmallestNonzeroFloat64, p.Max >= math.MaxInt32
	switch {
	case positive && open:
		return "positive"
	case positive:
		return "in (0, " + high + "]"
	case open:
		return "at least " + low
	}
	return "in [" + low + ", " + high + "]"
}

// value formats a value of an option for the documentation.
func value(p param, o option, v any) string {
	switch v := v.(type) {
	case bool:
		return strconv.FormatBool(v)
	case float64:
		if v == auto && p.Auto != "" {
			return "[Auto]"
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		if k := slices.Index(p.Choices, v); k >= 0 && k < len(o.choices) && o.choices[k] != "" {
			return "[" + o.choices[k] + "]"
		}
		return strconv.Quote(v)
	}
	return fmt.Sprint(v)
}

// joinOr joins names with commas and "or".
func joinOr(names []string) string { return join(names, "or") }

func join(names []string, word string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " " + word + " " + names[n-1]
	}
	return strings.Join(names, "")
}

// comment writes paragraphs as a comment with lines of at most 90 characters.
func comment(b *strings.Builder, paragraphs ...string) {
	b.WriteString("\n")
	for k, text := range paragraphs {
		if k > 0 {
			b.WriteString("//\n")
		}
		fill(b, "// ", "// ", text)
	}
}

// fill writes text in lines of at most 90 characters. The first line begins with `first`, all
// others with `rest`.
func fill(b *strings.Builder, first, rest, text string) {
	line, at := first, 0
	for _, word := range strings.Fields(text) {
		if at > 0 && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > 90 {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line, at = rest, 0
		}
		if at > 0 {
			line += " "
		}
		line, at = line+word, at+1
	}
	b.WriteString(line + "\n")
}

// table returns the methods as rows of the README's table.
func table(methods []*method) string {
	var b strings.Builder
	for _, m := range methods {
		fmt.Fprintf(&b, "| %s, %s | [`ssdrnb.%s()`](ssdrnb/%s) | %s | %s | %s | %s |\n", m.Name, m.Title, m.Func, m.file, m.Supervision, m.Shape, m.Uses, m.Paper)
	}
	return b.String()
}

// list returns the methods as the list in the package comment, grouped by the knowledge they use.
func list(methods []*method) string {
	type group struct{ supervision, uses string }
	var order []group
	// The second list of a group holds methods with kernel maps, the third methods that choose
	// features, and the first all others.
	members := map[group][3][]string{}
	for _, m := range methods {
		g := group{m.Supervision, m.Uses}
		if _, ok := members[g]; !ok {
			order = append(order, g)
		}
		parts, k := members[g], 0
		switch {
		case m.Selects:
			k = 2
		case m.Shape == "kernel":
			k = 1
		}
		parts[k] = append(parts[k], "["+m.Func+"]")
		members[g] = parts
	}
	var b strings.Builder
	for k, g := range order {
		var parts []string
		for k, with := range []string{"", "with kernel maps ", "choosing features "} {
			if names := members[g][k]; len(names) > 0 {
				parts = append(parts, with+join(names, "and"))
			}
		}
		head := g.supervision
		if g.uses != "none" {
			head += ", from " + g.uses
		}
		end := ";"
		if k == len(order)-1 {
			end = "."
		}
		fill(&b, "//   - ", "//     ", head+": "+strings.Join(parts, ", and ")+end)
	}
	return b.String()
}
