package botyard

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// The protocol loop: what a bot sees, says and survives.

type first struct {
	Base
	Depth    int     `option:"depth" min:"1" max:"9" about:"plies"`
	C        float64 `option:"c" min:"0" max:"10"`
	Playouts string  `option:"playouts" values:"random,greedy"`
	Ponder   bool    `option:""`
	Book     string  `option:"book-file"`

	seen *[]any
}

func newFirst() *first {
	base := Base{Version: "2", Author: "A. Student", Games: []string{"any", "other"}}
	return &first{Base: base, Depth: 3, C: 1.4, Playouts: "random"}
}

func makeFirst() Bot { return newFirst() }

func (f *first) Start(game *Game) error {
	if f.seen != nil {
		*f.seen = append(*f.seen, []any{f.Depth, f.C, f.Playouts, f.Ponder, f.Book})
	}
	return nil
}

func (f *first) Choose(turn *Turn) (any, error) {
	legal, err := turn.LegalActions()
	if err != nil {
		return nil, err
	}
	return legal[0], nil
}

func TestHello(t *testing.T) {
	said := conversation(t, makeFirst, hello, quit, hello)
	if len(said) != 1 {
		t.Fatal("an answer after quit")
	}
	options := said[0]["options"].(object)
	delete(said[0], "options")
	expect(t, said[0], object{
		"type": "hello", "protocol": 1, "name": "first", "version": "2", "author": "A. Student",
		"games": []string{"any", "other"},
	})
	expect(t, options, object{
		"depth":     object{"kind": "int", "min": 1, "max": 9, "default": 3, "about": "plies"},
		"c":         object{"kind": "float", "min": 0, "max": 10, "default": 1.4},
		"playouts":  object{"kind": "enum", "values": []string{"random", "greedy"}, "default": "random"},
		"ponder":    object{"kind": "bool", "default": false},
		"book-file": object{"kind": "text", "default": ""},
		"seed":      object{"kind": "int", "min": 0, "max": MaxInt, "default": 0, "about": "seed of random choices"},
	})
	bare := conversation(t, choosing(nil), hello)[0]
	expect(t, bare["games"], []string{})
	expect(t, bare["name"], "chooser")
}

func TestARefereeThatSaysTheLeast(t *testing.T) {
	one := choosing(bots["one"])
	said := conversation(t, one, object{"type": "hello"}, object{"type": "start"}, object{"type": "turn"}, object{"type": "end"})
	expect(t, said[1:], []object{{"type": "ready"}, {"type": "move", "turn": 0, "action": 1}})
}

func TestUnknownMessagesAndFieldsAreIgnored(t *testing.T) {
	weather := object{"type": "weather", "turn": "cold"}
	said := conversation(t, makeFirst, hello, weather, start("any", object{"mood": 1}), object{"none": 1}, turn(1, []int{5}, object{"x": 1}))
	expect(t, said[1:], []object{{"type": "ready"}, {"type": "move", "turn": 1, "action": 5}})
}

func TestNull(t *testing.T) {
	null := object{"setup": nil, "setups": nil, "options": nil, "players": nil, "time": nil, "rules": nil}
	said := conversation(t, makeFirst, start("any", null), turn(1, []int{5}, object{"clock": nil}))
	expect(t, said[1]["action"], 5)
}

func TestPiecesAndLongLines(t *testing.T) {
	text := strings.Repeat("ä\U0001f3b2<&>", 20_000)
	input := bytes.ReplaceAll(lines(start("any"), turn(1, []string{text})), []byte("\n"), []byte("\r\n"))
	var out bytes.Buffer
	if err := Serve(makeFirst, iotest.HalfReader(bytes.NewReader(input)), &out); err != nil {
		t.Fatal(err)
	}
	expect(t, parsed(t, out.Bytes())[1]["action"], text)
	expectPart(t, out.String(), `\u00e4\ud83c\udfb2`)
}

func TestOptionsAreSetAndReset(t *testing.T) {
	seen := []any{}
	options := object{"depth": 9, "c": 2, "playouts": "greedy", "ponder": true, "book-file": "x"}
	bot := newFirst()
	bot.seen = &seen
	conversation(t, func() Bot { return bot }, start("any", object{"options": options}), start("any"))
	expect(t, seen, []any{[]any{9, 2, "greedy", true, "x"}, []any{3, 1.4, "random", false, ""}})
}

func TestRefusedOptions(t *testing.T) {
	for text, options := range map[string]object{
		"there is no option depht; the options of this bot are: book-file, c, depth, playouts, ponder, seed": {"depht": 3},
		"option depth: expected an integer from 1 to 9, got 0":                                               {"depth": 0},
		"got 2.5":                 {"depth": 2.5},
		"got true":                {"depth": true},
		"a number from 0 to 10":   {"c": "1"},
		"one of random, greedy":   {"playouts": "none"},
		"true or false":           {"ponder": 1},
		"a text":                  {"book-file": []int{}},
		"from 0 to 9007199254740": {"seed": -1},
	} {
		_, _, err := converse(t, makeFirst, start("any", object{"options": options}))
		var refused OptionError
		if !errors.As(err, &refused) {
			t.Errorf("%v: expected an OptionError, got %v", options, err)
		}
		expectPart(t, err, text)
	}
	wrong := newFirst()
	wrong.Depth = 0
	_, err := NewSession(func() Bot { return wrong }, nil)
	expectPart(t, err, "option depth: default: expected an integer from 1 to 9, got 0")
}

func TestABotForEveryGame(t *testing.T) {
	game := []object{start("any"), turn(1, nil), turn(3, nil), end()}
	counting := func() Bot {
		asked := 0
		return choosing(func(*Turn) (any, error) { asked++; return asked, nil })()
	}
	kept := counting()
	for _, c := range []struct {
		newBot   func() Bot
		expected []int
	}{{counting, []int{1, 2, 1, 2}}, {func() Bot { return kept }, []int{1, 2, 3, 4}}} {
		actions := []any{}
		for _, message := range conversation(t, c.newBot, append(game, game...)...) {
			if message["type"] == "move" {
				actions = append(actions, message["action"])
			}
		}
		expect(t, actions, c.expected)
	}
}

func TestSeveralSeats(t *testing.T) {
	seen := []any{}
	both := choosing(func(turn *Turn) (any, error) {
		seen = append(seen, []any{turn.Seat, turn.Game.SetupOf(turn.Seat)})
		return 1, nil
	})
	setups := object{"setup": object{"x": 1}, "setups": object{"b": object{"x": 2}}}
	conversation(t, both, start("any", setups), turn(1, nil), turn(2, nil, object{"seat": "b"}))
	expect(t, seen, []any{[]any{"a", object{"x": 1}}, []any{"b", object{"x": 2}}})
}

type ending struct {
	first
	outcomes *[]*Outcome
}

func (e *ending) End(outcome *Outcome) {
	*e.outcomes = append(*e.outcomes, outcome)
	panic("after the game")
}

func TestTheEnd(t *testing.T) {
	outcomes := []*Outcome{}
	newBot := func() Bot { return &ending{*newFirst(), &outcomes} }
	said, reports, err := converse(t, newBot, start("any"), end(), start("any"), turn(1, []int{2}))
	if err != nil {
		t.Fatal(err)
	}
	expect(t, said[2]["action"], 2)
	expectPart(t, reports, "ending: End failed: panic: after the game", "bot_test.go")
	outcome := outcomes[0]
	expect(t, []any{outcome.Kind, outcome.Reason, outcome.Ranks}, []any{"completed", "won", []int{1, 2}})
	for seat, points := range map[string]float64{"a": 1, "b": 0} {
		if found, counts := outcome.Score(seat); !counts || found != points {
			t.Errorf("score of %s: %v", seat, found)
		}
	}
	if _, counts := outcome.Score("c"); counts {
		t.Error("a score without a seat")
	}
}

func TestATurnWithoutAGameAndAGameThatItDoesNotPlay(t *testing.T) {
	_, _, err := converse(t, makeFirst, turn(1, []int{1}))
	expectPart(t, err, "turn 1: asked to decide, but no game is in progress")
	_, _, err = converse(t, makeFirst, start("chess"))
	expectPart(t, err, `asked to play "chess", but this bot plays any, other`)
	expectPart(t, Serve(makeFirst, strings.NewReader("[1]\n"), nil), "expected a message of the referee")
}

func TestErrorsOfTheRefereeArePrinted(t *testing.T) {
	detail := object{"got": "{}", "legal_sample": []int{1}}
	_, reports, _ := converse(t, makeFirst, object{"type": "error", "turn": 3, "code": "illegal_action", "message": "no", "detail": detail})
	expect(t, reports, "first: error from the referee: turn 3: illegal_action: no\n  your line: {}\n  legal would be, for example: [1]\n")
}

func TestLogAndInfo(t *testing.T) {
	talking := choosing(func(turn *Turn) (any, error) {
		turn.Log("two\nlines %s \xff", "100%")
		turn.Info(Info{"score": 0.5, "depth": 3, "pv": []int{1, 2}, "nodes": nil})
		turn.Info(Info{"text": "got him", "mine": struct{ A []int }{[]int{1, 2}}})
		turn.Draw(map[string]any{"arrow": []any{11, 15}, "color": "red"})
		turn.Draw(map[string]any{"point": "c3", "text": "0.4"})
		return 7, nil
	})
	said := conversation(t, talking, start("any"), turn(4, []int{7}))
	expect(t, said[1], object{"type": "log", "text": "two\nlines 100% ?"})
	info := object{"score": 0.5, "depth": 3, "pv": []int{1, 2}, "text": "got him", "mine": object{"A": []int{1, 2}}}
	info["draw"] = []any{object{"arrow": []int{11, 15}, "color": "red"}, object{"point": "c3", "text": "0.4"}}
	expect(t, said[2], object{"type": "move", "turn": 4, "action": 7, "info": info})
}

type node struct{ Next *node }

func TestInfoNeverCostsAGame(t *testing.T) {
	careless := choosing(func(turn *Turn) (any, error) {
		var deep any
		for n := 0; n < 100; n++ {
			deep = []any{deep}
		}
		round := &node{}
		round.Next = round
		loop := map[string]any{}
		loop["loop"] = loop
		turn.Info(Info{
			"score": math.NaN(), "nodes": int64(1) << 60, "float": 1e17, "deep": deep, "round": round, "loop": loop,
			"thing": map[any]any{1: "a", "$serde": 2, "x\xff": "\xff"}, "when": time.Unix(0, 0).UTC(), "function": func() {},
			"nothing": (*node)(nil), "large": struct{ N uint64 }{math.MaxUint64},
		})
		turn.Log(strings.Repeat("ä", 100_000))
		return 1, nil
	})
	said := conversation(t, careless, hello, start("any"), turn(1, []int{1}))
	info := said[3]["info"].(object)
	expect(t, []any{info["score"], info["nodes"], info["float"]}, []any{nil, "1152921504606846976", "1e+17"})
	expect(t, info["thing"], object{"1": "a", "x?": "?"})
	expect(t, []any{info["when"], info["nothing"], info["large"]}, []any{"1970-01-01T00:00:00Z", nil, object{"N": "18446744073709551615"}})
	expectPart(t, info["deep"], "nested too deep")
	expectPart(t, info["loop"], "nested too deep")
	expectPart(t, info["function"], "a func(), which is not JSON")
	expectPart(t, said[2]["text"], "ää")

	long := choosing(func(turn *Turn) (any, error) {
		turn.Info(Info{"text": strings.Repeat("x", 70_000)})
		return 1, nil
	})
	said, reports, _ := converse(t, long, start("any"), turn(1, []int{1}))
	expect(t, said[1], object{"type": "move", "turn": 1, "action": 1})
	expectPart(t, reports, "turn 1: info left out")
}

func TestRandomNumbersFollowFromGameAndDecision(t *testing.T) {
	drawing := choosing(func(turn *Turn) (any, error) { return turn.Random().Intn(1e9), nil })
	draw := func(number int, fields object) any {
		return conversation(t, drawing, start("any", fields), turn(number, nil))[1]["action"]
	}
	expect(t, draw(1, nil), draw(1, nil))
	different := map[any]bool{
		draw(1, nil): true, draw(2, nil): true, draw(1, object{"game_id": "8-1"}): true,
		draw(1, object{"you": []string{"b"}}): true, draw(1, object{"options": object{"seed": 4}}): true,
	}
	expect(t, len(different), 5)
}

func TestWithoutLegalActions(t *testing.T) {
	_, _, err := converse(t, makeFirst, start("any"), turn(1, nil))
	if !errors.Is(err, ErrNoLegalActions) {
		t.Error(err)
	}
	expectPart(t, err, "play without --no-legal")
	last := choosing(func(turn *Turn) (any, error) {
		legal, err := turn.LegalActions()
		return legal[len(legal)-1], err
	})
	columns := [7][6]string{}
	for column := range columns {
		for row := range columns[column] {
			columns[column][row] = "."
		}
	}
	view := object{"view": object{"columns": columns, "discs": 0}}
	expect(t, conversation(t, last, start("connect-four"), turn(1, nil, view))[1]["action"], object{"column": 7})
}

type failing struct{ first }

func (f *failing) Start(game *Game) error { return errors.New("no tables") }

func (f *failing) Choose(turn *Turn) (any, error) {
	switch turn.Number {
	case 1:
		return nil, errors.New("no move")
	case 2:
		panic("lost")
	case 3:
		return nil, nil
	case 4:
		return object{"to": 9}, nil
	case 5:
		return object{"to": math.NaN()}, nil
	}
	return struct {
		Y  int `json:"y"`
		To int `json:"to"`
	}{1, 1}, nil
}

func TestAnswerOnError(t *testing.T) {
	newBot := func() Bot {
		bot := &failing{*newFirst()}
		bot.AnswerOnError = true
		return bot
	}
	legal := []object{{"to": 1, "y": 1}}
	messages := []object{start("any")}
	for number := 1; number <= 6; number++ {
		messages = append(messages, turn(number, legal))
	}
	said, reports, err := converse(t, newBot, messages...)
	if err != nil || len(said) != 7 {
		t.Fatal(err, said)
	}
	for _, message := range said[1:] {
		expect(t, message["action"], legal[0])
	}
	expectPart(t, reports, "no tables", "no move", "panic: lost", "returned nil", `{"to":9}, which is not a legal action`, "NaN")
	if strings.Contains(reports, "turn 6") {
		t.Error(reports)
	}
}

func TestErrorsOtherwiseEndTheBot(t *testing.T) {
	_, _, err := converse(t, func() Bot { return &failing{*newFirst()} }, start("any"))
	expectPart(t, err, "Start failed: no tables")
	_, _, err = converse(t, choosing(bots["fail"]), start("any"), turn(1, []int{1}))
	expectPart(t, err, "turn 1: Choose failed: lost")
	_, _, err = converse(t, choosing(func(*Turn) (any, error) { return nil, nil }), start("any"), turn(1, []int{1}))
	expectPart(t, err, "turn 1: Choose failed: Choose returned nil, expected an action")
	broken := errors.New("gone")
	session, _ := NewSession(choosing(func(turn *Turn) (any, error) { turn.Log("x"); return 1, nil }), func(line []byte) error {
		return map[bool]error{true: broken}[bytes.Contains(line, []byte("log"))]
	})
	if err := session.serve(bytes.NewReader(lines(start("any"), turn(1, nil)))); !errors.Is(err, broken) {
		t.Error(err)
	}
}

// Stops the time until the end of a test.
func stopTime(t *testing.T) Reading {
	stopped, running := Now(), now
	now = func() Reading { return stopped }
	t.Cleanup(func() { now = running })
	return stopped
}

// A clock of which this much has passed, of the kind that it counts.
func clock(t *testing.T, kind string, move, bank any, increment int, ago time.Duration) *Clock {
	t.Helper()
	began := Now()
	began.Wall = began.Wall.Add(-ago)
	if kind == "cpu" {
		began.CPU -= ago
	}
	message := bytes.TrimSpace(lines(object{"kind": kind, "move_ms": move, "bank_ms": bank, "increment_ms": increment}))
	clock, err := NewClock(message, began)
	if err != nil {
		t.Fatal(err)
	}
	return clock
}

func near(t *testing.T, found, expected time.Duration) {
	t.Helper()
	if found < expected-time.Microsecond || found > expected+time.Microsecond {
		t.Errorf("expected %v, got %v", expected, found)
	}
}

func TestSharesOfTheClock(t *testing.T) {
	// Most for a move, bank, increment, decisions, expected: milliseconds, as in the Rust kit.
	for _, c := range []struct {
		move, bank           any
		increment, decisions int
		expected             time.Duration
	}{
		{1000, nil, 0, 1, 950},
		{1000, nil, 500, 30, 950},
		{120, nil, 0, 1, 100},
		{4, nil, 0, 1, 2},
		{nil, 60_000, 0, 30, 1950},
		{nil, 60_000, 1000, 30, 2950},
		{nil, 90, 1000, 30, 75},
		{nil, 60_000, 0, 0, 59_950},
		{1500, 60_000, 0, 30, 1450},
		{1500, 900, 0, 30, 20},
		{1500, 0, 0, 30, 0},
	} {
		near(t, clock(t, "wall", c.move, c.bank, c.increment, 0).Share(c.decisions), c.expected*time.Millisecond)
	}
	near(t, clock(t, "cpu", 120, nil, 0, 0).Share(1), 110*time.Millisecond)
	near(t, clock(t, "cpu", nil, 60_000, 0, 0).Share(30), 1975*time.Millisecond)
	expect(t, clock(t, "wall", nil, nil, 5, 0).Share(30), Unlimited)
}

func TestTimeLeft(t *testing.T) {
	stopTime(t)
	near(t, clock(t, "wall", 1000, 5000, 0, 250*time.Millisecond).Left(), 750*time.Millisecond)
	near(t, clock(t, "wall", 1000, 5000, 0, 250*time.Millisecond).Elapsed(), 250*time.Millisecond)
	near(t, clock(t, "wall", 5000, 1000, 0, 2*time.Second).Left(), -time.Second)
	near(t, clock(t, "later", 1000, nil, 0, 500*time.Millisecond).Left(), 500*time.Millisecond)
	expect(t, clock(t, "wall", nil, nil, 0, 0).Left(), Unlimited)
	expect(t, clock(t, "cpu", nil, nil, 0, 0).Left(), Unlimited)
}

func TestAClockOfCPUTime(t *testing.T) {
	now := stopTime(t)
	left := func(wall, cpu time.Duration) time.Duration {
		clock := clock(t, "cpu", 100, nil, 0, 0)
		clock.began = Reading{now.Wall.Add(-wall), now.CPU - cpu}
		return clock.Left()
	}
	near(t, left(300*time.Millisecond, 10*time.Millisecond), 90*time.Millisecond)
	// The wall-clock limit: five times the CPU time, and 250 ms.
	near(t, left(700*time.Millisecond, 10*time.Millisecond), 50*time.Millisecond)
	near(t, clock(t, "cpu", 100, nil, 0, 20*time.Millisecond).Elapsed(), 20*time.Millisecond)
}

func TestReadings(t *testing.T) {
	before := Now()
	time.Sleep(300 * time.Millisecond)
	slept := Now()
	if slept.Wall.Sub(before.Wall) < 300*time.Millisecond || slept.CPU-before.CPU > 200*time.Millisecond {
		t.Error("sleep counts as CPU time:", before, slept)
	}
	for Now().CPU-slept.CPU < 20*time.Millisecond {
	}
}

func TestTheClockRunsFromTheTurnLine(t *testing.T) {
	now := stopTime(t)
	left := []time.Duration{}
	timing := choosing(func(turn *Turn) (any, error) {
		left = append(left, turn.TimeLeft(), turn.TimeShare(1))
		return 1, nil
	})
	session, err := NewSession(timing, func([]byte) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	session.Errors = io.Discard
	handle := func(message object, began Reading) {
		if _, err := session.Handle(lines(message), began); err != nil {
			t.Fatal(err)
		}
	}
	handle(start("any"), now)
	handle(turn(1, nil), Reading{now.Wall.Add(-500 * time.Millisecond), now.CPU})
	near(t, left[0], 500*time.Millisecond)
	near(t, left[1], 450*time.Millisecond)
	// Another try: the clock has been running since the first.
	handle(object{"type": "error", "turn": 1}, now)
	handle(turn(1, nil), now)
	near(t, left[2], 500*time.Millisecond)
	handle(turn(2, nil), now)
	near(t, left[4], time.Second)
	handle(start("any"), now)
	handle(turn(2, nil), now)
	near(t, left[6], time.Second)
}

func TestStrayOutputGoesToStandardError(t *testing.T) {
	input := lines(hello, start("any"), turn(1, nil), turn(2, nil), quit)
	for bot, text := range map[string]string{"print": "stray\nagain\n", "child": "stray\n", "read": ""} {
		stdout, stderr, code := process(bot, input)
		said := parsed(t, []byte(stdout))
		if code != 0 || len(said) != 4 {
			t.Errorf("%s: %d %s %s", bot, code, stdout, stderr)
		}
		expect(t, said[3]["action"], 1)
		expectPart(t, stderr, text)
	}
}

func TestAnErrorEndsTheProgram(t *testing.T) {
	input := lines(hello, start("any"), turn(1, nil))
	_, stderr, code := process("fail", input)
	expect(t, code, 1)
	expect(t, stderr, "botyard: turn 1: Choose failed: lost\n")
	_, stderr, code = process("panic", input)
	expect(t, code, 1)
	expectPart(t, stderr, "index out of range [1]", "kit_test.go")
	_, stderr, code = process("one", lines(hello, start("any", object{"options": object{"depth": 1}})))
	expect(t, code, 1)
	expect(t, stderr, "botyard: there is no option depth; the options of this bot are: seed\n")
}

func TestTheEndOfTheInputIsQuit(t *testing.T) {
	stdout, _, code := process("one", lines(hello, start("any"), turn(1, nil)))
	expect(t, []int{code, len(parsed(t, []byte(stdout)))}, []int{0, 3})
}

func TestAnswersAreWrittenOneByOne(t *testing.T) {
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), asBot+"=one")
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewReader(out)
	for _, message := range []object{hello, start("any"), turn(1, nil)} {
		if _, err := in.Write(lines(message)); err != nil {
			t.Fatal(err)
		}
		if line, err := answers.ReadString('\n'); err != nil {
			t.Fatal(err, line)
		}
	}
	in.Close()
	if err := command.Wait(); err != nil {
		t.Error(err)
	}
}

func TestARefereeThatHasGone(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	read.Close()
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), asBot+"=one")
	command.Stdin, command.Stdout = bytes.NewReader(lines(hello, start("any"))), write
	if err := command.Run(); err != nil {
		t.Error(fmt.Errorf("expected exit code 0: %w", err))
	}
}
