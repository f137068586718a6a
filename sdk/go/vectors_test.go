package botyard

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"testing"

	"botyard/connectfour"
	"botyard/dicewars"
	"botyard/draughts"
	"botyard/liarsdice"
	"botyard/scotlandyard"
)

// The vectors of sdk/vectors: the engine computed them, the kit must agree.

type vectorLine struct {
	Game   string          `json:"game"`
	Rules  json.RawMessage `json:"rules"`
	Setup  json.RawMessage `json:"setup"`
	Case   string          `json:"case"`
	View   json.RawMessage `json:"view"`
	Checks []check         `json:"checks"`
}

type check struct {
	Call     string                `json:"call"`
	Expect   json.RawMessage       `json:"expect"`
	From     int                   `json:"from"`
	To       int                   `json:"to"`
	Tickets  *scotlandyard.Tickets `json:"tickets"`
	Station  int                   `json:"station"`
	Ticket   scotlandyard.Kind     `json:"ticket"`
	Move     string                `json:"move"`
	Attacker int                   `json:"attacker"`
	Defender int                   `json:"defender"`
	Player   int                   `json:"player"`
	Won      bool                  `json:"won"`
	Action   connectfour.Action    `json:"action"`
	Possible []int                 `json:"possible"`
	Area     int                   `json:"area"`
	Dice     int                   `json:"dice"`
	Count    int                   `json:"count"`
	Face     int                   `json:"face"`
}

func vectors(t *testing.T, game string) []vectorLine {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "vectors", game+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	read := []vectorLine{}
	for _, text := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		var line vectorLine
		if err := json.Unmarshal(text, &line); err != nil {
			t.Fatal(err)
		}
		read = append(read, line)
	}
	return read
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Without the map, as JSON.
func withoutMap(view dicewars.View) any {
	plain := object{}
	if err := json.Unmarshal(must(json.Marshal(view)), &plain); err != nil {
		panic(err)
	}
	delete(plain, "adjacent")
	return plain
}

// Runs the checks of a game's file. The function answers those other than legal.
func run[V, R any](t *testing.T, game string, newRules func(rules, setup json.RawMessage) (R, error), call func(rules R, view *V, c *check) any) {
	games := map[string]vectorLine{}
	checks := 0
	for _, line := range vectors(t, game) {
		if line.Checks == nil {
			games[line.Game] = line
			continue
		}
		declared := games[line.Game]
		rules := must(newRules(declared.Rules, declared.Setup))
		book := must(NewRulebook(game, declared.Rules, declared.Setup))
		view := new(V)
		if err := json.Unmarshal(line.View, view); err != nil {
			t.Fatal(line.Case, err)
		}
		before := must(json.Marshal(view))
		for n := range line.Checks {
			c := &line.Checks[n]
			checks++
			switch c.Call {
			case "win", "hold_probability", "truth":
				if found := call(rules, view, c).(float64); math.Abs(found-must(json.Number(c.Expect).Float64())) > 1e-12 {
					t.Errorf("%s: %+v: got %v", line.Case, c, found)
				}
				continue
			}
			var found any
			if c.Call == "legal" {
				found = must(book.Legal(line.View))
			} else {
				found = call(rules, view, c)
			}
			if game == draughts.Name && (c.Call == "legal" || c.Call == "captures") {
				found = inOrder(listOf(must(json.Marshal(found))))
				c.Expect = must(json.Marshal(inOrder(listOf(c.Expect))))
			}
			if text := must(json.Marshal(found)); !equal(text, c.Expect) {
				t.Errorf("%s: %s: expected %s, got %s", line.Case, c.Call, c.Expect, text)
			}
			if after := must(json.Marshal(view)); !bytes.Equal(before, after) {
				t.Fatalf("%s: %s changed the view", line.Case, c.Call)
			}
		}
	}
	if checks <= 30 {
		t.Error("too few checks:", checks)
	}
}

func listOf(text json.RawMessage) []json.RawMessage {
	list := []json.RawMessage{}
	if err := json.Unmarshal(text, &list); err != nil {
		panic(err)
	}
	return list
}

func inOrder(list []json.RawMessage) []json.RawMessage {
	sort.Slice(list, func(a, b int) bool { return bytes.Compare(list[a], list[b]) < 0 })
	return list
}

func TestVectorsOfScotlandYard(t *testing.T) {
	run(t, scotlandyard.Name, scotlandyard.New, func(rules *scotlandyard.Rules, view *scotlandyard.View, c *check) any {
		switch c.Call {
		case "candidates":
			return rules.Candidates(view)
		case "candidates_after":
			return rules.CandidatesAfter(c.Possible, &view.Log[len(view.Log)-1])
		case "neighbours":
			return rules.Neighbours(c.Station, c.Ticket)
		}
		if found := rules.Distance(c.From, c.To, c.Tickets); found >= 0 {
			return found
		}
		return nil
	})
}

func TestVectorsOfDraughts(t *testing.T) {
	run(t, draughts.Name, draughts.New, func(rules *draughts.Rules, view *draughts.View, c *check) any {
		position := must(draughts.PositionOf(view))
		switch c.Call {
		case "captures":
			return append([]draughts.Action{}, rules.Captures(position)...)
		case "history":
			fens := []string{}
			for _, earlier := range must(draughts.History(view)) {
				fens = append(fens, earlier.FEN())
			}
			return fens
		case "repetitions_after":
			return must(rules.RepetitionsAfter(view, c.Move))
		case "draw_after":
			if reason := must(rules.DrawAfter(view, c.Move)); reason != "" {
				return reason
			}
			return nil
		case "plies_left":
			return rules.PliesLeft(view)
		}
		return rules.Play(position, c.Move).FEN()
	})
}

func TestVectorsOfDiceWars(t *testing.T) {
	run(t, dicewars.Name, dicewars.New, func(rules *dicewars.Rules, view *dicewars.View, c *check) any {
		switch c.Call {
		case "win":
			return dicewars.WinProbability(c.Attacker, c.Defender)
		case "regions":
			return rules.Regions(view, c.Player)
		case "new_dice":
			return rules.NewDice(view, c.Player)
		case "hold_probability":
			return rules.HoldProbability(view, c.Area, c.Dice, c.Player)
		case "attack":
			return withoutMap(rules.AfterAttack(view, c.From, c.To, c.Won))
		}
		return withoutMap(rules.AfterTransfer(view, c.From, c.To))
	})
}

func TestVectorsOfConnectFour(t *testing.T) {
	run(t, connectfour.Name, connectfour.New, func(rules *connectfour.Rules, view *connectfour.View, c *check) any {
		return rules.Play(view, c.Action)
	})
}

func TestVectorsOfLiarsDice(t *testing.T) {
	run(t, liarsdice.Name, liarsdice.New, func(rules *liarsdice.Rules, view *liarsdice.View, c *check) any {
		return rules.Truth(view, c.Count, c.Face)
	})
}

func TestPerftOfDraughts(t *testing.T) {
	english := must(draughts.New(nil, nil))
	var perft func(now draughts.Position, depth int) int
	perft = func(now draughts.Position, depth int) int {
		moves := english.Moves(now)
		if depth == 1 {
			return len(moves)
		}
		count := 0
		for _, move := range moves {
			count += perft(english.Play(now, move), depth-1)
		}
		return count
	}
	for depth, expected := range []int{7, 49, 302, 1469, 7361, 36768} {
		expect(t, perft(draughts.Start, depth+1), expected)
	}
}

func TestFEN(t *testing.T) {
	expect(t, must(draughts.PositionOfFEN("B:W18,K10:BK5,1-4.")).FEN(), "B:WK10,18:B1,2,3,4,K5")
	expect(t, must(draughts.PositionOfFEN("W:W:BK1-3")).FEN(), "W:W:BK1,K2,K3")
	for _, wrong := range []string{"W:Wx", "W:W33", "W::B1", "W:W0"} {
		if _, err := draughts.PositionOfFEN(wrong); err == nil {
			t.Error(wrong)
		}
	}
}

func TestTruthOfABid(t *testing.T) {
	rules := must(liarsdice.New(json.RawMessage(`{"players":2,"dice":1}`), nil))
	view := &liarsdice.View{Cups: [][]int{{0, 1, 0, 0, 0, 0}, nil}}
	for _, c := range []struct {
		count, face int
		expected    float64
	}{{1, 2, 1}, {2, 2, 1.0 / 6}, {1, 3, 1.0 / 6}, {2, 3, 0}} {
		if found := rules.Truth(view, c.count, c.face); math.Abs(found-c.expected) > 1e-12 {
			t.Error(c, found)
		}
	}
}

func TestAGameThatTheKitDoesNotKnow(t *testing.T) {
	if book, err := NewRulebook("chess", nil, nil); book != nil || err != nil {
		t.Error(book, err)
	}
}

// Each example is asked in many views of the vectors, with and without the list of legal actions.
func TestExamples(t *testing.T) {
	directory := t.TempDir()
	if text, err := exec.Command("go", "build", "-o", directory, "./examples/...").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	for _, c := range []struct {
		example, game string
		most          int
	}{
		{"legal", scotlandyard.Name, 60}, {"legal", draughts.Name, 60}, {"legal", dicewars.Name, 60},
		{"legal", connectfour.Name, 60}, {"legal", liarsdice.Name, 60}, {"detective", scotlandyard.Name, 200},
		{"draughts_two_ply", draughts.Name, 60}, {"dice_wars_rule", dicewars.Name, 200},
	} {
		games := map[string]vectorLine{}
		messages, expected, seen := []object{hello}, []vectorLine{}, 0
		for _, line := range vectors(t, c.game) {
			if line.Checks == nil {
				games[line.Game] = line
			}
			if line.Checks == nil || string(line.View) == "null" {
				continue
			}
			// Every third view, so that all rules have their share.
			if seen++; seen%3 > 0 || len(expected) >= 2*c.most {
				continue
			}
			var view struct {
				ToMove any `json:"to_move"`
			}
			if err := json.Unmarshal(line.View, &view); err != nil {
				t.Fatal(err)
			}
			seat, named := view.ToMove.(string)
			if number, numbered := view.ToMove.(float64); numbered {
				seat = fmt.Sprintf("player-%.0f", number)
			} else if !named {
				seat = "a"
			}
			declared := games[line.Game]
			you := object{"rules": declared.Rules, "setup": declared.Setup, "you": []string{seat}, "seats": []string{"a", "b", "c"}}
			messages = append(messages, start(c.game, you))
			for _, legal := range []any{line.Checks[0].Expect, nil} {
				messages = append(messages, turn(1, legal, object{"view": line.View, "seat": seat}))
				expected = append(expected, line)
			}
		}
		command := exec.Command(filepath.Join(directory, c.example))
		command.Stdin = bytes.NewReader(lines(messages...))
		command.Stderr = os.Stderr
		output, err := command.Output()
		if err != nil {
			t.Fatal(c, err)
		}
		asked := 0
		for _, message := range parsed(t, output) {
			if message["type"] != "move" {
				continue
			}
			action, legal := must(json.Marshal(message["action"])), false
			for _, one := range listOf(expected[asked].Checks[0].Expect) {
				legal = legal || equal(one, action)
			}
			if !legal {
				t.Errorf("%s: %s chose %s", expected[asked].Case, c.example, action)
			}
			asked++
		}
		if asked != len(expected) || asked < 20 {
			t.Errorf("%+v: %d answers of %d", c, asked, len(expected))
		}
	}
}
