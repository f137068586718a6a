package botyard

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand"
	"os"
	"reflect"
	"runtime/debug"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"
)

// Protocol is the version of the protocol that the kit speaks.
const Protocol = 1

// ErrNoLegalActions means that the match sends no legal actions (--no-legal), and the kit cannot generate them.
var ErrNoLegalActions = errors.New("the match sends no legal actions, and the kit has no rules of this game: play without --no-legal")

// A Game is a game in progress: the start message.
type Game struct {
	// Name is the name of the game: "scotland-yard", ...
	Name string `json:"game"`
	// ID is the same for a game that is repeated with the same seed.
	ID string `json:"game_id"`
	// Rules has every parameter of the rules.
	Rules json.RawMessage `json:"rules"`
	// Seats are all seats, in seat order.
	Seats []string `json:"seats"`
	// You are the seats that this bot holds.
	You []string `json:"you"`
	// Players are who holds what.
	Players []struct {
		Name  string   `json:"name"`
		Seats []string `json:"seats"`
	} `json:"players"`
	// Time is how time is kept, and on_fault.
	Time json.RawMessage `json:"time"`
	// Options are those that the match set.
	Options map[string]json.RawMessage `json:"options"`
	// Setup never changes in this game, as far as the first of your seats may know it.
	Setup json.RawMessage `json:"setup"`
	// Setups are those of your other seats where they differ: see SetupOf.
	Setups map[string]json.RawMessage `json:"setups"`
	// Message is the whole message.
	Message json.RawMessage `json:"-"`

	rulebook Rulebook
}

// SetupOf returns the setup as this seat of yours may know it.
func (g *Game) SetupOf(seat string) json.RawMessage {
	if setup, found := g.Setups[seat]; found {
		return setup
	}
	return g.Setup
}

// Rulebook returns the game under these rules; nil if the kit does not know the game.
func (g *Game) Rulebook() (Rulebook, error) {
	var err error
	if g.rulebook == nil {
		g.rulebook, err = NewRulebook(g.Name, g.Rules, g.Setup)
	}
	return g.rulebook, err
}

// An Outcome is the end of a game: the end message.
type Outcome struct {
	// Game is the game that ended.
	Game *Game
	// Kind is "completed", "bot_fault" or "void".
	Kind string
	// Scores are the points of each seat, in seat order; empty if the game is void.
	Scores []float64
	// Ranks are the places of the seats, from 1; empty if the game is void.
	Ranks []int
	// Reason is the game's word for the end.
	Reason string
	// Faults are who failed, and how.
	Faults []json.RawMessage
	// Reveal is the whole final state, hidden things included.
	Reveal json.RawMessage
	// Message is the whole message.
	Message json.RawMessage
}

// Score returns the points of a seat; false if the game is void.
func (o *Outcome) Score(seat string) (points float64, counts bool) {
	if o.Game != nil {
		for n, name := range o.Game.Seats {
			if name == seat && n < len(o.Scores) {
				return o.Scores[n], true
			}
		}
	}
	return 0, false
}

// Info is what a bot thought: the replay keeps it. By convention it has "score" (how good the position is), "depth"
// (plies), "nodes" (positions or playouts), "pv" (expected actions) and "text"; anything else is kept too.
type Info map[string]any

// A Turn is a decision to be made: the turn message. The functions View and Legal read it with the types of a game.
type Turn struct {
	// Game is the game.
	Game *Game
	// Number is the number of this decision in the game, from 1, over all seats.
	Number int
	// Seat is the seat that decides: one of Game.You.
	Seat string
	// View is all that the seat may know now: the game's JSON.
	View json.RawMessage
	// Legal are the legal actions; nil if the match sends none (--no-legal).
	Legal []json.RawMessage
	// Clock is the seat's clock.
	Clock *Clock
	// Message is the whole message.
	Message json.RawMessage

	seed   int64
	log    func(text string)
	random *rand.Rand
	info   Info
}

// LegalActions returns the legal actions: those of the message, or those that the kit generates. The error is
// ErrNoLegalActions if there are neither.
func (t *Turn) LegalActions() ([]json.RawMessage, error) {
	if t.Legal == nil {
		book, err := t.Game.Rulebook()
		if err != nil {
			return nil, err
		}
		if book == nil {
			return nil, fmt.Errorf("game %q: %w", t.Game.Name, ErrNoLegalActions)
		}
		if t.Legal, err = book.Legal(t.View); err != nil {
			return nil, err
		}
	}
	return t.Legal, nil
}

// TimeLeft returns the time until the referee's deadline, without a margin: see Clock.Left. The clock stops when the
// referee has read the answer, so keep 20 to 50 ms back.
func (t *Turn) TimeLeft() time.Duration {
	return t.Clock.Left()
}

// TimeShare returns the time of Clock.Share that is left for this decision, with its margin.
func (t *Turn) TimeShare(decisions int) time.Duration {
	share := t.Clock.Share(decisions)
	if share == Unlimited {
		return Unlimited
	}
	return share - t.Clock.Elapsed()
}

// Random returns the random number generator of this decision.
//
// It is seeded from the option seed, the game's ID, your seats and the number of the decision, so a decision can be
// reproduced from a replay, while the games of a match differ.
func (t *Turn) Random() *rand.Rand {
	if t.random == nil {
		hash := fnv.New64a()
		fmt.Fprintf(hash, "%d/%s/%s/%d", t.seed, t.Game.ID, strings.Join(t.Game.You, ","), t.Number)
		t.random = rand.New(rand.NewSource(int64(hash.Sum64())))
	}
	return t.random
}

// Log writes a line into the log of the game, immediately.
func (t *Turn) Log(format string, values ...any) {
	t.log(fmt.Sprintf(format, values...))
}

// Info adds to the info of the answer.
func (t *Turn) Info(info Info) {
	if t.info == nil {
		t.info = Info{}
	}
	for name, value := range info {
		if value != nil {
			t.info[name] = value
		}
	}
}

// Draw draws on the board, for the page of the game: a circle around the place "point", or a "line" or an "arrow"
// through two places or more, perhaps with a "color" and a "text". Places are named as in the game:
// turn.Draw(map[string]any{"arrow": []any{11, 15}, "color": "red"}).
func (t *Turn) Draw(mark map[string]any) {
	marks, _ := t.info["draw"].([]any)
	t.Info(Info{"draw": append(marks, mark)})
}

// View returns the view of a turn with the type of a game: View[draughts.View](turn).
func View[V any](turn *Turn) (*V, error) {
	view := new(V)
	if err := json.Unmarshal(turn.View, view); err != nil {
		return nil, fmt.Errorf("view of turn %d: %w", turn.Number, err)
	}
	return view, nil
}

// Legal returns the legal actions of a turn with the type of a game: Legal[draughts.Action](turn).
func Legal[A any](turn *Turn) ([]A, error) {
	list, err := turn.LegalActions()
	if err != nil {
		return nil, err
	}
	actions := make([]A, len(list))
	for n, text := range list {
		if err := json.Unmarshal(text, &actions[n]); err != nil {
			return nil, fmt.Errorf("legal actions of turn %d: %w", turn.Number, err)
		}
	}
	return actions, nil
}

// A Bot decides. It is a pointer to a struct that embeds Base and has a method Choose, and perhaps Start and End.
//
// Fields with a tag option can be set by a match. Their values in a new bot are the defaults; numbers need the tags min
// and max, words the tag values:
//
//	type Mine struct {
//		botyard.Base
//		Depth int    `option:"depth" min:"1" max:"9" about:"plies to search"`
//		Style string `option:"style" values:"calm,wild"`
//	}
//
// An empty name is that of the field in lower case. The types are int, int64, float64, bool and string.
type Bot interface {
	// Start prepares for a game. This time is not charged to the first decision: build tables here.
	Start(game *Game) error
	// Choose returns one of the legal actions: anything that encoding/json writes as one.
	Choose(turn *Turn) (action any, err error)
	// End looks at the end of a game.
	End(outcome *Outcome)

	base() *Base
}

// Base is what every bot embeds.
type Base struct {
	// Name is the name of the bot; that of its type in lower case if it is empty.
	Name string
	// Version and Author are shown with results.
	Version, Author string
	// Games are the games that it plays; empty: whatever it is given.
	Games []string
	// AnswerOnError has an error or a panic in Choose or an illegal action reported to standard error and answered by a
	// legal action. Otherwise an error ends the bot.
	AnswerOnError bool
	// Seed is the seed of Turn.Random.
	Seed int64 `option:"seed" min:"0" max:"9007199254740992" about:"seed of random choices"`
}

func (b *Base) base() *Base { return b }

// Start does nothing.
func (b *Base) Start(game *Game) error { return nil }

// End does nothing.
func (b *Base) End(outcome *Outcome) {}

func nameOf(bot Bot) string {
	if name := bot.base().Name; name != "" {
		return name
	}
	return strings.ToLower(reflect.TypeOf(bot).Elem().Name())
}

// A Session is a bot's conversation with the referee, one line at a time: Run without input and output.
type Session struct {
	// Bot is the bot that plays.
	Bot Bot
	// Game is the game in progress.
	Game *Game
	// Errors is where reports go, standard error by default.
	Errors io.Writer

	make      func() Bot
	fresh     bool
	options   []option
	defaults  []any
	write     func(line []byte) error
	failed    error
	lineBytes int
	asked     *Turn
	choose    func(turn *Turn) (any, error)
}

// NewSession begins a conversation. It calls newBot once, and again for every further game; newBot may return the same
// bot each time to keep it over games. The function write gets each line of the bot, with its newline.
func NewSession(newBot func() Bot, write func(line []byte) error) (*Session, error) {
	bot := newBot()
	s := &Session{Bot: bot, Errors: os.Stderr, make: newBot, fresh: true, write: write, lineBytes: 65536}
	s.choose = func(turn *Turn) (any, error) { return s.Bot.Choose(turn) }
	var err error
	if s.options, err = declared(bot); err != nil {
		return nil, err
	}
	for n := range s.options {
		s.defaults = append(s.defaults, s.options[n].in(bot).Interface())
	}
	return s, nil
}

// A line of the referee.
type message struct {
	Type   string `json:"type"`
	Limits struct {
		LineBytes int `json:"line_bytes"`
	} `json:"limits"`
	Turn    *int              `json:"turn"`
	Seat    string            `json:"seat"`
	View    json.RawMessage   `json:"view"`
	Legal   []json.RawMessage `json:"legal"`
	Clock   json.RawMessage   `json:"clock"`
	Outcome struct {
		Kind   string    `json:"kind"`
		Scores []float64 `json:"scores"`
		Ranks  []int     `json:"ranks"`
		Reason string    `json:"reason"`
	} `json:"outcome"`
	Faults  []json.RawMessage `json:"faults"`
	Reveal  json.RawMessage   `json:"reveal"`
	Code    string            `json:"code"`
	Message string            `json:"message"`
	Detail  struct {
		Got         string          `json:"got"`
		LegalSample json.RawMessage `json:"legal_sample"`
	} `json:"detail"`
}

// Handle handles a line of the referee that was read at a moment. It returns false after quit, and the error of the bot,
// an OptionError, or another error for a line that is not a message.
func (s *Session) Handle(line []byte, began Reading) (more bool, err error) {
	var kind struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(line, &kind); err != nil {
		if len(line) > 200 {
			line = line[:200]
		}
		return false, fmt.Errorf("expected a message of the referee, a JSON object, got %q: %w", line, err)
	}
	var m message
	switch kind.Type {
	case "hello", "turn", "end", "error":
		if err := json.Unmarshal(line, &m); err != nil {
			return false, fmt.Errorf("the referee's message %s: %w", kind.Type, err)
		}
	}
	switch kind.Type {
	case "turn":
		err = s.turn(&m, line, began)
	case "hello":
		if m.Limits.LineBytes > 0 {
			s.lineBytes = m.Limits.LineBytes
		}
		err = s.send(s.hello())
	case "start":
		err = s.start(line)
	case "end":
		outcome := m.Outcome
		end := &Outcome{s.Game, outcome.Kind, outcome.Scores, outcome.Ranks, outcome.Reason, m.Faults, m.Reveal, line}
		s.Game = nil
		if failure := guarded(func() error { s.Bot.End(end); return nil }); failure != nil {
			s.say("End failed: %v", failure)
		}
	case "error":
		s.say("%s", errorText(&m))
	case "quit":
		return false, s.failed
	}
	// Messages of later versions are ignored.
	if err == nil {
		err = s.failed
	}
	return err == nil, err
}

func (s *Session) hello() map[string]any {
	base := s.Bot.base()
	games := base.Games
	if games == nil {
		games = []string{}
	}
	hello := map[string]any{
		"type": "hello", "protocol": Protocol, "name": nameOf(s.Bot), "games": games, "options": specs(s.Bot, s.options),
	}
	if base.Version != "" {
		hello["version"] = base.Version
	}
	if base.Author != "" {
		hello["author"] = base.Author
	}
	return hello
}

func (s *Session) start(line []byte) error {
	game := &Game{Message: line}
	if err := json.Unmarshal(line, game); err != nil {
		return fmt.Errorf("the referee's message start: %w", err)
	}
	s.Game, s.asked = nil, nil
	if !s.fresh {
		s.Bot = s.make()
	}
	s.fresh = false
	base := s.Bot.base()
	plays := len(base.Games) == 0
	for _, name := range base.Games {
		plays = plays || name == game.Name
	}
	if !plays {
		return fmt.Errorf("asked to play %q, but this bot plays %s", game.Name, strings.Join(base.Games, ", "))
	}
	if err := setOptions(s.Bot, s.options, s.defaults, game.Options); err != nil {
		return err
	}
	s.Game = game
	if err := guarded(func() error { return s.Bot.Start(game) }); err != nil {
		if !base.AnswerOnError {
			return fmt.Errorf("Start failed: %w", err)
		}
		s.say("Start failed, playing on: %v", err)
	}
	return s.send(map[string]any{"type": "ready"})
}

func (s *Session) turn(m *message, line []byte, began Reading) error {
	number := 0
	if m.Turn != nil {
		number = *m.Turn
	}
	if s.Game == nil {
		return fmt.Errorf("turn %d: asked to decide, but no game is in progress", number)
	}
	clock, err := NewClock(m.Clock, began)
	if err != nil {
		return fmt.Errorf("turn %d: clock: %w", number, err)
	}
	// Where a match gives another try, the same line comes again, and the clock has not stopped.
	if s.asked != nil && s.asked.Number == number {
		clock.began = s.asked.Clock.began
	}
	base := s.Bot.base()
	turn := &Turn{
		Game: s.Game, Number: number, Seat: m.Seat, View: m.View, Legal: m.Legal, Clock: clock, Message: line,
		seed: base.Seed, log: s.log,
	}
	s.asked = turn
	var action json.RawMessage
	err = guarded(func() error {
		chosen, err := s.choose(turn)
		if err != nil {
			return err
		}
		if action, err = dumps(chosen); err != nil {
			return err
		}
		if string(action) == "null" {
			return errors.New("Choose returned nil, expected an action")
		}
		if base.AnswerOnError && !isLegal(action, turn) {
			return fmt.Errorf("Choose returned %s, which is not a legal action", action)
		}
		return nil
	})
	if err != nil {
		err = fmt.Errorf("turn %d: Choose failed: %w", number, err)
		if !base.AnswerOnError {
			return err
		}
		s.say("%v\nplaying a legal action", err)
		legal, err := turn.LegalActions()
		if err != nil {
			return err
		}
		if action, err = dumps(legal[turn.Random().Intn(len(legal))]); err != nil {
			return err
		}
	}
	answer := fmt.Sprintf(`{"type":"move","turn":%d,"action":%s}`, number, action)
	if len(turn.info) > 0 {
		info, err := dumps(infoOf(map[string]any(turn.info), 0))
		with := fmt.Sprintf(`%s,"info":%s}`, answer[:len(answer)-1], info)
		switch {
		case err != nil:
			s.say("turn %d: info left out: %v", number, err)
		case len(with) > s.lineBytes:
			s.say("turn %d: info left out, because the line would be too long", number)
		default:
			answer = with
		}
	}
	return s.write([]byte(answer + "\n"))
}

func isLegal(action json.RawMessage, turn *Turn) bool {
	legal, err := turn.LegalActions()
	if err != nil {
		return true // Not known.
	}
	for _, one := range legal {
		if equal(one, action) {
			return true
		}
	}
	return false
}

func (s *Session) log(text string) {
	for {
		line, err := dumps(map[string]any{"type": "log", "text": strings.ToValidUTF8(text, "?")})
		if err == nil && len(line) <= s.lineBytes {
			if err := s.write(append(line, '\n')); err != nil && s.failed == nil {
				s.failed = err
			}
			return
		}
		half := len(text) / 2
		for half > 0 && !utf8.RuneStart(text[half]) {
			half--
		}
		text = text[:half]
	}
}

func (s *Session) send(message map[string]any) error {
	line, err := dumps(message)
	if err != nil {
		return err
	}
	return s.write(append(line, '\n'))
}

func (s *Session) say(format string, values ...any) {
	fmt.Fprintf(s.Errors, "%s: %s\n", nameOf(s.Bot), fmt.Sprintf(format, values...))
}

func errorText(m *message) string {
	text := "error from the referee: "
	if m.Turn != nil {
		text += fmt.Sprintf("turn %d: ", *m.Turn)
	}
	text += m.Code + ": " + m.Message
	if m.Detail.Got != "" {
		text += "\n  your line: " + m.Detail.Got
	}
	if len(m.Detail.LegalSample) > 0 {
		text += "\n  legal would be, for example: " + string(m.Detail.LegalSample)
	}
	return text
}

// Calls a function of the bot. A panic becomes an error with its stack.
func guarded(call func() error) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic: %v\n%s", reason, bytes.TrimSpace(debug.Stack()))
		}
	}()
	return call()
}

// Serve plays until quit or the end of the input, on any streams: for tests. See Run.
func Serve(newBot func() Bot, in io.Reader, out io.Writer) error {
	session, err := NewSession(newBot, func(line []byte) error {
		_, err := out.Write(line)
		return err
	})
	if err != nil {
		return err
	}
	return session.serve(in)
}

func (s *Session) serve(in io.Reader) error {
	// A bufio.Scanner would end at lines of more than 64 KiB.
	reader := bufio.NewReaderSize(in, 1<<16)
	for {
		line, err := reader.ReadBytes('\n')
		began := Now()
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if more, err := s.Handle(line, began); err != nil || !more {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Run plays as a bot on standard input and output until quit, and exits.
//
// An error or a panic is printed to standard error and ends the program with exit code 1.
func Run(newBot func() Bot) {
	in, out, err := takeStandardStreams()
	if err == nil {
		err = Serve(newBot, in, out)
	}
	if err == nil || errors.Is(err, syscall.EPIPE) {
		os.Exit(0) // With a broken pipe, the referee has ended the game.
	}
	fmt.Fprintf(os.Stderr, "botyard: %v\n", err)
	os.Exit(1)
}

// Main is the whole main program of a bot: it plays, or replays a recorded game with --replay FILE --seat SEAT.
//
// It calls newBot for every game. Arguments that the kit does not know are left to the bot.
func Main(newBot func() Bot) {
	for _, argument := range os.Args[1:] {
		if argument == "--replay" || strings.HasPrefix(argument, "--replay=") {
			os.Exit(Replay(newBot, os.Args[1:], os.Stdout))
		}
	}
	Run(newBot)
}
