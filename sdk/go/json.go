package botyard

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"unicode/utf8"
)

// Returns JSON as the referee accepts it: on one line, in ASCII.
func dumps(value any) ([]byte, error) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	text := bytes.TrimSuffix(buffer.Bytes(), []byte("\n"))
	ascii := make([]byte, 0, len(text))
	for len(text) > 0 {
		char, size := utf8.DecodeRune(text)
		switch {
		case char < 0x7f:
			ascii = append(ascii, byte(char))
		case char < 0x10000:
			ascii = append(ascii, fmt.Sprintf(`\u%04x`, char)...)
		default:
			char -= 0x10000
			ascii = append(ascii, fmt.Sprintf(`\u%04x\u%04x`, 0xd800+char>>10, 0xdc00+char&0x3ff)...)
		}
		text = text[size:]
	}
	return ascii, nil
}

// Returns whether two values are equal as JSON.
func equal(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// Returns info that the referee accepts, whatever was given: it must never cost a game.
func infoOf(value any, depth int) any {
	if value == nil {
		return nil
	}
	v := reflect.ValueOf(value)
	if depth > 30 {
		return fmt.Sprintf("a %T, nested too deep", value)
	}
	switch value.(type) {
	case json.Marshaler, encoding.TextMarshaler:
		return reread(value, depth)
	case json.Number:
		return numberOf(value.(json.Number))
	}
	switch v.Kind() {
	case reflect.Bool:
		return v.Bool()
	case reflect.String:
		return strings.ToValidUTF8(v.String(), "?")
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if n := v.Int(); n < -MaxInt || n > MaxInt {
			return fmt.Sprint(n)
		}
		return v.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if v.Uint() > MaxInt {
			return fmt.Sprint(v.Uint())
		}
		return v.Uint()
	case reflect.Float32, reflect.Float64:
		return floatOf(v.Float())
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil
		}
		return infoOf(v.Elem().Interface(), depth+1)
	case reflect.Slice, reflect.Array:
		list := make([]any, v.Len())
		for n := range list {
			list[n] = infoOf(v.Index(n).Interface(), depth+1)
		}
		return list
	case reflect.Map:
		object := map[string]any{}
		for _, key := range v.MapKeys() {
			name := strings.ToValidUTF8(fmt.Sprint(key.Interface()), "?")
			if !strings.HasPrefix(name, "$") {
				object[name] = infoOf(v.MapIndex(key).Interface(), depth+1)
			}
		}
		return object
	}
	return reread(value, depth)
}

// Has the value written by encoding/json, and reads it again.
func reread(value any, depth int) any {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprintf("a %T, which is not JSON: %v", value, err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var read any
	if err := decoder.Decode(&read); err != nil {
		return fmt.Sprintf("a %T, which is not JSON: %v", value, err)
	}
	return infoOf(read, depth+1)
}

func floatOf(number float64) any {
	if math.IsNaN(number) || math.IsInf(number, 0) {
		return nil
	}
	if math.Trunc(number) == number && math.Abs(number) > MaxInt {
		return fmt.Sprint(number)
	}
	return number
}

func numberOf(number json.Number) any {
	if n, err := number.Int64(); err == nil {
		return infoOf(n, 0)
	}
	if f, err := number.Float64(); err == nil && strings.ContainsAny(string(number), ".eE") {
		return floatOf(f)
	}
	return string(number)
}
