package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"reflect"
	"testing"
)

type message struct {
	Type   string `json:"type"`
	Legal  []any  `json:"legal"`
	Action any    `json:"action"`
}

func find(t *testing.T, lines []byte, kind string) message {
	t.Helper()
	for _, line := range bytes.Split(bytes.TrimSpace(lines), []byte("\n")) {
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if m.Type == kind {
			return m
		}
	}
	t.Fatalf("no %s in %s", kind, lines)
	return message{}
}

// Asks the bot for a first move: go test.
func TestFirstMoveIsLegal(t *testing.T) {
	lines, err := os.ReadFile("first_move.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	bot := exec.Command("go", "run", ".")
	bot.Stdin = bytes.NewReader(lines)
	bot.Stderr = os.Stderr
	answers, err := bot.Output()
	if err != nil {
		t.Fatal(err)
	}
	move := find(t, answers, "move")
	for _, action := range find(t, lines, "turn").Legal {
		if reflect.DeepEqual(action, move.Action) {
			return
		}
	}
	t.Fatalf("not legal: %v", move.Action)
}
