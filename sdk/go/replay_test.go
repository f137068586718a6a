package botyard

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The replay debugger: a bot on recorded lines.

func write(t *testing.T, directory, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(directory, name)
	if err := os.WriteFile(path, data, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReplays(t *testing.T) {
	directory := t.TempDir()
	options := object{"options": object{"seed": 3}}
	sent := lines(hello, start("any", options), turn(1, []int{1, 2}, object{"view": object{"n": 1}}), turn(3, []int{1, 2}), end(), quit)
	record := lines(
		object{"type": "header", "game_id": "7-1"},
		object{"type": "chance", "turn": 0, "outcome": object{}},
		object{"type": "move", "turn": 1, "seat": "a", "action": 1},
		object{"type": "move", "turn": 2, "seat": "b", "action": 5},
		object{"type": "move", "turn": 3, "seat": "a", "action": 2},
	)
	var compressed bytes.Buffer
	zip := gzip.NewWriter(&compressed)
	if _, err := zip.Write(record); err != nil {
		t.Fatal(err)
	}
	zip.Close()
	plain := write(t, directory, "lines.ndjson", sent)
	// A stand-in for the program, which knows what a bot was sent.
	script := fmt.Sprintf("#!/bin/sh\n[ \"$1 $2 $4 $5\" = 'replay stdin --seat a' ] && cat '%s'\n", plain)
	program := write(t, directory, "botyard", []byte(script))
	t.Setenv("BOTYARD", program)

	for _, path := range []string{
		write(t, directory, "game.ndjson", record), write(t, directory, "game.ndjson.gz", compressed.Bytes()),
	} {
		stdout, stderr, code := process("talk", nil, "--replay", path, "--seat", "a", "--mine")
		if code != 0 {
			t.Fatal(stderr)
		}
		expectPart(t, stdout, "thinking about 1 {\"n\":1} 3\n", "  log: hm\n", "turn 3: 1  recorded: 2  (")
		expectPart(t, stdout, `  info: {"score":0.5}`, "2 decisions, 1 differ from the record\n")
		if !regexp.MustCompile(`turn 1: 1  as recorded  \(\d\.\d+ s\)`).MatchString(stdout) {
			t.Error(stdout)
		}
	}

	stdout, _, _ := process("talk", nil, "--replay="+plain, "--turn", "3", "--option", "seed=8")
	expectPart(t, stdout, "thinking about 3 {} 8\n", "1 decisions\n")
	if strings.Contains(stdout, "thinking about 1") {
		t.Error(stdout)
	}
	_, stderr, code := process("talk", nil, "--replay", plain, "--turn", "2")
	expect(t, code, 1)
	expectPart(t, stderr, "there is no decision 2 of this seat: its first is ")

	_, stderr, code = process("panic", nil, "--replay", plain)
	expect(t, code, 1)
	expectPart(t, stderr, "turn 1: Choose failed: panic: ", "kit_test.go")

	game := filepath.Join(directory, "game.ndjson")
	_, stderr, code = process("talk", nil, "--replay", game, "--botyard", "/nowhere/botyard")
	expect(t, code, 1)
	expectPart(t, stderr, "cannot start the program /nowhere/botyard", "--botyard PATH")
	_, stderr, _ = process("talk", nil, "--replay", game, "--turn", "x")
	expectPart(t, stderr, "--turn needs a number")
}
