package botyard

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"sort"
	"strconv"
	"strings"
)

// MaxInt is the largest integer that the protocol allows.
const MaxInt = 1 << 53

// An OptionError is an option that the bot did not declare, or a value that it does not allow.
type OptionError string

func (e OptionError) Error() string { return string(e) }

// An option of a bot: a field of its struct with a tag `option:"name"`.
type option struct {
	name   string
	kind   string
	about  string
	values []string
	min    float64
	max    float64
	field  []int
}

// Returns the options that the fields of a bot declare.
func declared(bot Bot) ([]option, error) {
	value := reflect.ValueOf(bot)
	if value.Kind() != reflect.Pointer || value.Elem().Kind() != reflect.Struct {
		return nil, OptionError(fmt.Sprintf("expected a pointer to a struct as bot, got a %T", bot))
	}
	options := []option{}
	for _, field := range reflect.VisibleFields(value.Type().Elem()) {
		name, tagged := field.Tag.Lookup("option")
		if !tagged {
			continue
		}
		if name == "" {
			name = strings.ToLower(field.Name)
		}
		if !field.IsExported() {
			return nil, OptionError(fmt.Sprintf("option %s: its field %s must begin with a capital letter", name, field.Name))
		}
		o := option{name: name, about: field.Tag.Get("about"), field: field.Index}
		switch field.Type.Kind() {
		case reflect.Bool:
			o.kind = "bool"
		case reflect.String:
			o.kind = "text"
			if values := field.Tag.Get("values"); values != "" {
				o.kind, o.values = "enum", strings.Split(values, ",")
			}
		case reflect.Int, reflect.Int64:
			o.kind = "int"
		case reflect.Float64:
			o.kind = "float"
		default:
			return nil, OptionError(fmt.Sprintf("option %s: expected an int, int64, float64, bool or string, got a %s", name, field.Type))
		}
		if o.kind == "int" || o.kind == "float" {
			var err, err2 error
			o.min, err = strconv.ParseFloat(field.Tag.Get("min"), 64)
			o.max, err2 = strconv.ParseFloat(field.Tag.Get("max"), 64)
			if err != nil || err2 != nil {
				return nil, OptionError(fmt.Sprintf("option %s: its field needs tags min and max with numbers", name))
			}
		}
		options = append(options, o)
		if text, _ := json.Marshal(o.in(bot).Interface()); o.set(bot, text) != nil {
			return nil, OptionError(fmt.Sprintf("option %s: default: expected %s, got %s", name, o.expected(), text))
		}
	}
	return options, nil
}

// The field of the option in a bot.
func (o *option) in(bot Bot) reflect.Value {
	return reflect.ValueOf(bot).Elem().FieldByIndex(o.field)
}

// The allowed values, in words.
func (o *option) expected() string {
	switch o.kind {
	case "int":
		return fmt.Sprintf("an integer from %.0f to %.0f", o.min, o.max)
	case "float":
		return fmt.Sprintf("a number from %v to %v", o.min, o.max)
	case "enum":
		return "one of " + strings.Join(o.values, ", ")
	case "bool":
		return "true or false"
	}
	return "a text"
}

// Sets the option of a bot to a value in JSON.
func (o *option) set(bot Bot, text json.RawMessage) error {
	refused := OptionError(fmt.Sprintf("option %s: expected %s, got %s", o.name, o.expected(), text))
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return refused
	}
	field := o.in(bot)
	switch value := value.(type) {
	case bool:
		if o.kind != "bool" {
			return refused
		}
		field.SetBool(value)
	case string:
		allowed := o.kind == "text"
		for _, one := range o.values {
			allowed = allowed || one == value
		}
		if !allowed {
			return refused
		}
		field.SetString(value)
	case float64:
		switch {
		case value < o.min || value > o.max:
			return refused
		case o.kind == "float":
			field.SetFloat(value)
		case o.kind == "int" && value == math.Trunc(value):
			field.SetInt(int64(value))
		default:
			return refused
		}
	default:
		return refused
	}
	return nil
}

// Returns the options as hello declares them. The defaults are the values that the bot has.
func specs(bot Bot, options []option) map[string]any {
	specs := map[string]any{}
	for _, o := range options {
		spec := map[string]any{"kind": o.kind, "default": o.in(bot).Interface()}
		switch o.kind {
		case "int":
			spec["min"], spec["max"] = int64(o.min), int64(o.max)
		case "float":
			spec["min"], spec["max"] = o.min, o.max
		case "enum":
			spec["values"] = o.values
		}
		if o.about != "" {
			spec["about"] = o.about
		}
		specs[o.name] = spec
	}
	return specs
}

// Sets the options of a bot as a match does. All others get their defaults.
func setOptions(bot Bot, options []option, defaults []any, values map[string]json.RawMessage) error {
	byName := map[string]*option{}
	names := []string{}
	for n := range options {
		options[n].in(bot).Set(reflect.ValueOf(defaults[n]))
		byName[options[n].name] = &options[n]
		names = append(names, options[n].name)
	}
	sort.Strings(names)
	for name, value := range values {
		o, known := byName[name]
		if !known {
			return OptionError(fmt.Sprintf("there is no option %s; the options of this bot are: %s", name, strings.Join(names, ", ")))
		}
		if err := o.set(bot, value); err != nil {
			return err
		}
	}
	return nil
}
