package botyard

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

const usage = `usage: BOT --replay FILE [--seat SEAT] [--turn N] [--option KEY=VALUE]... [--botyard PATH]

Run this bot on a recorded game.

  --replay FILE       replay, or output of ` + "`botyard replay stdin`" + `
  --seat SEAT         seat of the bot: its name, or its number from 1 (default: 1)
  --turn N            ask for decision N only
  --option KEY=VALUE  set an option of the bot
  --botyard PATH      the program botyard
`

// Returns the lines of a file, which may be compressed by gzip.
func readLines(path string) ([][]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(data, []byte("\x1f\x8b")) {
		unzip, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if data, err = io.ReadAll(unzip); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return linesOf(data), nil
}

func linesOf(data []byte) [][]byte {
	lines := [][]byte{}
	for _, line := range bytes.Split(data, []byte("\n")) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			lines = append(lines, line)
		}
	}
	return lines
}

// What a line of a replay has that matters here.
type event struct {
	Type   string          `json:"type"`
	Turn   int             `json:"turn"`
	Action json.RawMessage `json:"action"`
}

func isReplay(lines [][]byte) bool {
	var first event
	return len(lines) > 0 && json.Unmarshal(lines[0], &first) == nil && first.Type == "header"
}

// Returns the lines that the bot in a seat was sent: those of `botyard replay stdin`. The file is a replay, or has the
// output of that command.
func sentLines(path, seat, program string) ([][]byte, error) {
	lines, err := readLines(path)
	if err != nil || !isReplay(lines) {
		return lines, err
	}
	if program == "" {
		program = os.Getenv("BOTYARD")
	}
	if program == "" {
		program = "botyard"
	}
	command := exec.Command(program, "replay", "stdin", path, "--seat", seat)
	command.Stderr = os.Stderr
	output, err := command.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, fmt.Errorf("%s replay stdin: %w", program, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%w\ncannot start the program %s, which reads replays: name it by --botyard PATH or the "+
			"environment variable BOTYARD, or give --replay the output of `botyard replay stdin FILE --seat SEAT`", err, program)
	}
	return linesOf(output), nil
}

// Returns the recorded actions of a replay, by the number of the decision; none for another kind of file.
func recordedActions(path string) (map[int]json.RawMessage, error) {
	actions := map[int]json.RawMessage{}
	lines, err := readLines(path)
	if err != nil || !isReplay(lines) {
		return actions, err
	}
	for _, line := range lines {
		var move event
		if json.Unmarshal(line, &move) == nil && move.Type == "move" {
			actions[move.Turn] = move.Action
		}
	}
	return actions, nil
}

type replaying struct {
	recorded  map[int]json.RawMessage
	took      time.Duration
	asked     int
	different int
	out       io.Writer
}

// Prints a line of the bot, and how its choice compares with the record.
func (r *replaying) answer(line []byte) error {
	var said struct {
		event
		Text string          `json:"text"`
		Info json.RawMessage `json:"info"`
	}
	if err := json.Unmarshal(line, &said); err != nil {
		return err
	}
	if said.Type == "log" {
		fmt.Fprintf(r.out, "  log: %s\n", said.Text)
	}
	if said.Type != "move" {
		return nil
	}
	r.asked++
	beside := ""
	if recorded, found := r.recorded[said.Turn]; found {
		beside = "  as recorded"
		if !equal(recorded, said.Action) {
			r.different++
			beside = fmt.Sprintf("  recorded: %s", recorded)
		}
	}
	fmt.Fprintf(r.out, "turn %d: %s%s  (%.3f s)\n", said.Turn, said.Action, beside, r.took.Seconds())
	if said.Info != nil {
		fmt.Fprintf(r.out, "  info: %s\n", said.Info)
	}
	return nil
}

// The arguments of a replay; those that the kit does not know are the bot's.
type replayArguments struct {
	replay, seat, botyard string
	turn                  int
	options               map[string]json.RawMessage
}

func parseReplay(arguments []string) (*replayArguments, error) {
	parsed := &replayArguments{seat: "1", options: map[string]json.RawMessage{}}
	for at := 0; at < len(arguments); at++ {
		name, value, inline := strings.Cut(arguments[at], "=")
		switch name {
		case "--replay", "--seat", "--turn", "--option", "--botyard":
		default:
			continue
		}
		if !inline {
			if at++; at == len(arguments) {
				return nil, fmt.Errorf("%s needs a value\n%s", name, usage)
			}
			value = arguments[at]
		}
		switch name {
		case "--replay":
			parsed.replay = value
		case "--seat":
			parsed.seat = value
		case "--botyard":
			parsed.botyard = value
		case "--turn":
			var err error
			if parsed.turn, err = strconv.Atoi(value); err != nil || parsed.turn < 1 {
				return nil, fmt.Errorf("--turn needs a number from 1, got %q\n%s", value, usage)
			}
		case "--option":
			key, text, _ := strings.Cut(value, "=")
			if !json.Valid([]byte(text)) {
				quoted, _ := json.Marshal(text)
				text = string(quoted)
			}
			parsed.options[key] = json.RawMessage(text)
		}
	}
	return parsed, nil
}

// Replay runs a bot on a recorded game: BOT --replay FILE --seat SEAT [--turn N]. It returns the exit code.
//
// The bot is sent what it was sent in the game, and each of its choices is printed beside the recorded one. Standard input
// and output are the terminal's, so fmt.Println and debuggers work.
func Replay(newBot func() Bot, arguments []string, out io.Writer) int {
	for _, argument := range arguments {
		if argument == "--help" || argument == "-h" {
			fmt.Fprint(out, usage)
			return 0
		}
	}
	if err := replayed(newBot, arguments, out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func replayed(newBot func() Bot, arguments []string, out io.Writer) error {
	args, err := parseReplay(arguments)
	if err != nil {
		return err
	}
	lines, err := sentLines(args.replay, args.seat, args.botyard)
	if err != nil {
		return err
	}
	r := &replaying{out: out}
	if r.recorded, err = recordedActions(args.replay); err != nil {
		return err
	}
	session, err := NewSession(newBot, r.answer)
	if err != nil {
		return err
	}
	session.choose = func(turn *Turn) (any, error) {
		began := time.Now()
		defer func() { r.took = time.Since(began) }()
		return session.Bot.Choose(turn)
	}
	known := ", which was never to move"
	first := 0
	for _, line := range lines {
		var sent event
		if err := json.Unmarshal(line, &sent); err != nil {
			return err
		}
		if sent.Type == "turn" {
			if first == 0 {
				first = sent.Turn
			}
			known = fmt.Sprintf(": its first is %d, its last %d", first, sent.Turn)
		}
		if args.turn > 0 && sent.Type == "turn" && sent.Turn != args.turn {
			continue
		}
		if sent.Type == "start" && len(args.options) > 0 {
			if line, err = withOptions(line, args.options); err != nil {
				return err
			}
		}
		more, err := session.Handle(line, Now())
		if err != nil {
			return err
		}
		if !more {
			break
		}
	}
	if args.turn > 0 && r.asked == 0 {
		return fmt.Errorf("there is no decision %d of this seat%s", args.turn, known)
	}
	compared := ""
	if len(r.recorded) > 0 {
		compared = fmt.Sprintf(", %d differ from the record", r.different)
	}
	fmt.Fprintf(out, "%d decisions%s\n", r.asked, compared)
	return nil
}

func withOptions(line []byte, options map[string]json.RawMessage) ([]byte, error) {
	start := map[string]json.RawMessage{}
	if err := json.Unmarshal(line, &start); err != nil {
		return nil, err
	}
	all := map[string]json.RawMessage{}
	if len(start["options"]) > 0 {
		if err := json.Unmarshal(start["options"], &all); err != nil {
			return nil, err
		}
	}
	for name, value := range options {
		all[name] = value
	}
	set, err := json.Marshal(all)
	if err != nil {
		return nil, err
	}
	start["options"] = set
	return json.Marshal(start)
}
