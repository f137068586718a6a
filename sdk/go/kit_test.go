package botyard

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// What the tests share: a referee's side of a conversation.

type object = map[string]any

var (
	hello = object{"type": "hello", "protocol": 1, "limits": object{"line_bytes": 65536}, "unknown": []int{1}}
	quit  = object{"type": "quit"}
)

func with(message object, more ...object) object {
	for _, fields := range more {
		for name, value := range fields {
			message[name] = value
		}
	}
	return message
}

func start(game string, more ...object) object {
	seats := []string{"a", "b"}
	return with(object{"type": "start", "game_id": "7-1", "game": game, "seats": seats, "you": seats[:1]}, more...)
}

func turn(number int, legal any, more ...object) object {
	clock := object{"kind": "wall", "move_ms": 1000, "bank_ms": nil, "increment_ms": 0}
	message := object{"type": "turn", "turn": number, "seat": "a", "view": object{}, "clock": clock}
	if legal != nil {
		message["legal"] = legal
	}
	return with(message, more...)
}

func end() object {
	outcome := object{"kind": "completed", "scores": []float64{1, 0}, "ranks": []int{1, 2}, "reason": "won"}
	return object{"type": "end", "outcome": outcome, "faults": []int{}, "reveal": object{}}
}

func lines(messages ...object) []byte {
	var text bytes.Buffer
	for _, message := range messages {
		line, err := json.Marshal(message)
		if err != nil {
			panic(err)
		}
		text.Write(append(line, '\n'))
	}
	return text.Bytes()
}

func parsed(t *testing.T, text []byte) []object {
	t.Helper()
	said := []object{}
	for _, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		if len(line) == 0 {
			continue
		}
		message := object{}
		if err := json.Unmarshal(line, &message); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		said = append(said, message)
	}
	return said
}

// Returns what a bot says to these messages, in memory, what it reports, and the error that ended it.
func converse(t *testing.T, newBot func() Bot, messages ...object) (said []object, reports string, err error) {
	t.Helper()
	var out, errors bytes.Buffer
	session, err := NewSession(newBot, func(line []byte) error {
		for _, char := range line {
			if char >= 0x7f || char < ' ' && char != '\n' {
				t.Errorf("expected a line of ASCII, got %q", line)
			}
		}
		out.Write(line)
		return nil
	})
	if err == nil {
		session.Errors = &errors
		err = session.serve(bytes.NewReader(lines(messages...)))
	}
	return parsed(t, out.Bytes()), errors.String(), err
}

// The same for a bot that must not fail.
func conversation(t *testing.T, newBot func() Bot, messages ...object) []object {
	t.Helper()
	said, _, err := converse(t, newBot, messages...)
	if err != nil {
		t.Fatal(err)
	}
	return said
}

func expect(t *testing.T, found, expected any) {
	t.Helper()
	x, err := json.Marshal(found)
	y, err2 := json.Marshal(expected)
	if err != nil || err2 != nil || !equal(x, y) {
		t.Errorf("expected %s, got %s", y, x)
	}
}

func expectPart(t *testing.T, text any, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(fmt.Sprint(text), part) {
			t.Errorf("expected %q in %.2000q", part, text)
		}
	}
}

// A bot of a function.
type chooser struct {
	Base
	function func(turn *Turn) (any, error)
}

func (c *chooser) Choose(turn *Turn) (any, error) { return c.function(turn) }

func choosing(function func(turn *Turn) (any, error)) func() Bot {
	return func() Bot { return &chooser{function: function} }
}

// The test program is also a bot, if this variable names one of these.
const asBot = "BOTYARD_TEST_BOT"

var bots = map[string]func(turn *Turn) (any, error){
	"one": func(turn *Turn) (any, error) { return 1, nil },
	"print": func(turn *Turn) (any, error) {
		fmt.Println("stray")
		os.NewFile(1, "stdout").WriteString("again\n")
		return 1, nil
	},
	"child": func(turn *Turn) (any, error) {
		command := exec.Command("sh", "-c", "echo stray; cat")
		command.Stdin, command.Stdout = os.Stdin, os.Stdout
		return 1, command.Run()
	},
	"read": func(turn *Turn) (any, error) {
		count, _ := os.Stdin.Read(make([]byte, 10))
		return count + 1, nil
	},
	"panic": func(turn *Turn) (any, error) {
		var table []int
		return table[turn.Number], nil
	},
	"fail": func(turn *Turn) (any, error) { return nil, fmt.Errorf("lost") },
	"legal": func(turn *Turn) (any, error) {
		return turn.Legal, nil
	},
	"talk": func(turn *Turn) (any, error) {
		fmt.Println("thinking about", turn.Number, string(turn.View), turn.seed)
		turn.Log("hm")
		turn.Info(Info{"score": 0.5})
		if turn.Number == 9 {
			return nil, fmt.Errorf("lost")
		}
		return 1, nil
	},
}

func TestMain(m *testing.M) {
	if name := os.Getenv(asBot); name != "" {
		Main(choosing(bots[name]))
	}
	os.Exit(m.Run())
}

// Runs a bot as a program.
func process(bot string, input []byte, arguments ...string) (stdout, stderr string, code int) {
	command := exec.Command(os.Args[0], arguments...)
	command.Env = append(os.Environ(), asBot+"="+bot)
	command.Stdin = bytes.NewReader(input)
	var out, errors bytes.Buffer
	command.Stdout, command.Stderr = &out, &errors
	if err := command.Run(); err != nil && command.ProcessState == nil {
		panic(err)
	}
	return out.String(), errors.String(), command.ProcessState.ExitCode()
}
