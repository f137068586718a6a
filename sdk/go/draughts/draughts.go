// Package draughts has the types of the views and actions of English draughts, a move generator and FEN.
//
// Rules is the game under one set of rules. A Position is the board and the side to move; it is what a search works on.
// The rules and the JSON are described in docs/games/draughts.md.
package draughts

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Name is the name of the game in the protocol.
const Name = "draughts"

// An Action is a move in PDN with every landing square: "11-15", "22x15x8".
type Action = string

// A View is all of a state; both seats see the same.
type View struct {
	// ToMove is "black", "white", or empty when the game is over.
	ToMove      string   `json:"to_move"`
	FEN         string   `json:"fen"`
	Board       string   `json:"board"`
	Ply         int      `json:"ply"`
	QuietPlies  int      `json:"quiet_plies"`
	QuietMoves  []string `json:"quiet_moves"`
	Repetitions int      `json:"repetitions"`
	Over        string   `json:"over,omitempty"`
}

// A Setup never changes in a game: the position of the first decision.
type Setup struct {
	FEN string `json:"fen"`
}

// A Side is Black or White.
type Side bool

// The sides.
const (
	Black Side = false
	White Side = true
)

func (s Side) String() string {
	if s == White {
		return "white"
	}
	return "black"
}

// The letters of a board.
const (
	Empty     = '.'
	BlackMan  = 'b'
	BlackKing = 'B'
	WhiteMan  = 'w'
	WhiteKing = 'W'
)

// A Position is a board and the side to move. Square n is Board[n-1].
type Position struct {
	Board  [32]byte
	ToMove Side
}

// Start is the start position.
var Start = mustPosition("B:W21-32:B1-12")

// In each direction (two downwards, two upwards), from each square: the neighbour and the square behind it, from 0; -1
// outside the board.
var steps = func() (steps [32][4]struct{ near, far int }) {
	at := func(row, column int) int {
		if row < 0 || row >= 8 || column < 0 || column >= 8 {
			return -1
		}
		return 4*row + column/2
	}
	for index := range steps {
		row := index / 4
		column := 2*(index%4) + (row+1)%2
		for direction, d := range [4][2]int{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}} {
			steps[index][direction].near = at(row+d[0], column+d[1])
			steps[index][direction].far = at(row+2*d[0], column+2*d[1])
		}
	}
	return steps
}()

// Rules is the game under one set of rules; the zero value is not English draughts: use New(nil, nil).
type Rules struct {
	onePiece          bool
	promotionEndsMove bool
	compulsory        bool
	drawRepetitions   int
	drawQuietPlies    int
	maxPlies          int
}

// New returns the game under the rules of a start message; English draughts without any.
func New(rules, setup json.RawMessage) (*Rules, error) {
	named := struct {
		Jump              string `json:"jump"`
		PromotionEndsMove bool   `json:"promotion_ends_move"`
		CompulsoryCapture bool   `json:"compulsory_capture"`
		DrawRepetitions   int    `json:"draw_repetitions"`
		DrawQuietPlies    int    `json:"draw_quiet_plies"`
		MaxPlies          int    `json:"max_plies"`
	}{"whole_path", true, true, 3, 80, 1000}
	if len(rules) > 0 {
		if err := json.Unmarshal(rules, &named); err != nil {
			return nil, fmt.Errorf("rules of %s: %w", Name, err)
		}
	}
	return &Rules{
		named.Jump == "one_piece", named.PromotionEndsMove, named.CompulsoryCapture,
		named.DrawRepetitions, named.DrawQuietPlies, named.MaxPlies,
	}, nil
}

// Legal returns the legal actions of a view, in no particular order.
func (r *Rules) Legal(view *View) ([]Action, error) {
	if view.ToMove == "" {
		return []Action{}, nil
	}
	position, err := PositionOf(view)
	if err != nil {
		return nil, err
	}
	return r.Moves(position), nil
}

// Moves returns the legal moves of a position, captures first; none if the side to move has lost. Draws by the number of
// plies or repetitions are not considered: see DrawAfter.
func (r *Rules) Moves(position Position) []Action {
	moves := r.Captures(position)
	if len(moves) > 0 && r.compulsory {
		return moves
	}
	for index, piece := range position.Board {
		if !isOf(piece, position.ToMove) {
			continue
		}
		first, last := directionsOf(piece)
		for _, step := range steps[index][first:last] {
			if step.near >= 0 && position.Board[step.near] == Empty {
				moves = append(moves, strconv.Itoa(index+1)+"-"+strconv.Itoa(step.near+1))
			}
		}
	}
	return moves
}

// Captures returns the moves of a position that capture, whether or not they are compulsory.
func (r *Rules) Captures(position Position) []Action {
	found := []Action{}
	for index, piece := range position.Board {
		if isOf(piece, position.ToMove) {
			// The piece itself has left its square, so a king may come back to it.
			board := position.Board
			board[index] = Empty
			var path [33]int
			path[0] = index
			r.jump(&board, piece, !position.ToMove, path[:1], &found)
		}
	}
	return found
}

// Continues a capture along its path. Captured pieces are marked 'x' until the move is over: they are in the way, and are
// not jumped again.
func (r *Rules) jump(board *[32]byte, piece byte, other Side, path []int, found *[]Action) {
	through := true
	first, last := directionsOf(piece)
	for _, step := range steps[path[len(path)-1]][first:last] {
		if step.far < 0 || !isOf(board[step.near], other) || board[step.far] != Empty {
			continue
		}
		through = false
		longer := append(path, step.far)
		crowned := isMan(piece) && isFar(piece, step.far)
		if r.onePiece || crowned && r.promotionEndsMove {
			*found = append(*found, captureOf(longer))
			continue
		}
		taken, moving := board[step.near], piece
		if crowned {
			moving = kingOf(piece)
		}
		board[step.near] = 'x'
		r.jump(board, moving, other, longer, found)
		board[step.near] = taken
	}
	if through && len(path) > 1 {
		*found = append(*found, captureOf(path))
	}
}

// Play returns the position after a legal move.
func (r *Rules) Play(position Position, move Action) Position {
	squares := squaresOf(move)
	piece := position.Board[squares[0]-1]
	position.Board[squares[0]-1] = Empty
	for _, square := range Captured(move) {
		position.Board[square-1] = Empty
	}
	for _, square := range squares[1:] {
		if isFar(piece, square-1) {
			piece = kingOf(piece)
		}
	}
	position.Board[squares[len(squares)-1]-1] = piece
	position.ToMove = !position.ToMove
	return position
}

// RepetitionsAfter returns how often the position after a legal move will have occurred in the game; 1 if it is new.
func (r *Rules) RepetitionsAfter(view *View, move Action) (int, error) {
	earlier, err := History(view)
	if err != nil {
		return 0, err
	}
	after := r.Play(earlier[len(earlier)-1], move)
	times := 1
	for _, position := range earlier {
		if position == after {
			times++
		}
	}
	return times, nil
}

// DrawAfter returns the reason if a legal move ends the game in a draw: "repetition", "quiet_plies" or "max_plies"; an
// empty text if it does not, also if it wins.
func (r *Rules) DrawAfter(view *View, move Action) (string, error) {
	times, err := r.RepetitionsAfter(view, move)
	if err != nil {
		return "", err
	}
	now, err := PositionOf(view)
	if err != nil {
		return "", err
	}
	switch {
	case len(r.Moves(r.Play(now, move))) == 0:
		return "", nil
	case r.drawRepetitions > 0 && times >= r.drawRepetitions:
		return "repetition", nil
	case r.drawQuietPlies > 0 && now.IsQuiet(move) && view.QuietPlies+1 >= r.drawQuietPlies:
		return "quiet_plies", nil
	case view.Ply+1 >= r.maxPlies:
		return "max_plies", nil
	}
	return "", nil
}

// PliesLeft returns the number of plies after which the game is drawn unless one of them captures or moves a man. The
// last plies before max_plies are counted too, whatever is played in them.
func (r *Rules) PliesLeft(view *View) int {
	left := r.maxPlies - view.Ply
	if quiet := r.drawQuietPlies - view.QuietPlies; r.drawQuietPlies > 0 && quiet < left {
		return quiet
	}
	return left
}

// IsQuiet returns whether a legal move is a step of a king: one that can be undone, and counts towards a draw.
func (p Position) IsQuiet(move Action) bool {
	return !strings.Contains(move, "x") && !isMan(p.Board[squaresOf(move)[0]-1])
}

// History returns the positions since the last capture or man's move, or since the opening, oldest first; the last one
// is the position of the view. No earlier position can occur again.
func History(view *View) ([]Position, error) {
	now, err := PositionOf(view)
	if err != nil {
		return nil, err
	}
	found := make([]Position, len(view.QuietMoves)+1)
	found[len(view.QuietMoves)] = now
	for n := len(view.QuietMoves) - 1; n >= 0; n-- {
		squares := squaresOf(view.QuietMoves[n])
		start, to := squares[0]-1, squares[len(squares)-1]-1
		now.Board[start], now.Board[to] = now.Board[to], Empty
		now.ToMove = !now.ToMove
		found[n] = now
	}
	return found, nil
}

// Captured returns the squares that a move jumps over, in order; none for a step.
func Captured(move Action) []int {
	over := []int{}
	if !strings.Contains(move, "x") {
		return over
	}
	squares := squaresOf(move)
	for n, to := range squares[1:] {
		for _, step := range steps[squares[n]-1] {
			if step.far == to-1 {
				over = append(over, step.near+1)
			}
		}
	}
	return over
}

func squaresOf(move Action) []int {
	squares := make([]int, 0, 8)
	number := 0
	for n := 0; n < len(move); n++ {
		if c := move[n]; c >= '0' && c <= '9' {
			number = 10*number + int(c-'0')
		} else {
			squares, number = append(squares, number), 0
		}
	}
	return append(squares, number)
}

func captureOf(path []int) Action {
	text := make([]byte, 0, 3*len(path))
	for n, index := range path {
		if n > 0 {
			text = append(text, 'x')
		}
		text = strconv.AppendInt(text, int64(index+1), 10)
	}
	return string(text)
}

func isMan(piece byte) bool { return piece == BlackMan || piece == WhiteMan }

func kingOf(piece byte) byte { return piece &^ 0x20 }

func isOf(piece byte, side Side) bool {
	if side == White {
		return piece == WhiteMan || piece == WhiteKing
	}
	return piece == BlackMan || piece == BlackKing
}

func isFar(piece byte, index int) bool {
	if isOf(piece, Black) {
		return index >= 28
	}
	return index < 4
}

func directionsOf(piece byte) (first, last int) {
	switch piece {
	case BlackMan:
		return 0, 2
	case WhiteMan:
		return 2, 4
	}
	return 0, 4
}

// PositionOf returns the position of a view; when the game is over, that of the side that would move.
func PositionOf(view *View) (Position, error) {
	var position Position
	if copy(position.Board[:], view.Board) != 32 || len(view.Board) != 32 {
		return position, fmt.Errorf("expected a board of 32 letters, got %q", view.Board)
	}
	side := view.ToMove
	if side == "" {
		side = map[bool]string{true: "white", false: "black"}[strings.HasPrefix(view.FEN, "W")]
	}
	position.ToMove = side == "white"
	return position, nil
}

// PositionOfFEN returns the position of a FEN such as "B:W18,K10:BK5,1-4".
func PositionOfFEN(fen string) (Position, error) {
	position := Position{}
	for index := range position.Board {
		position.Board[index] = Empty
	}
	parts := strings.Split(strings.TrimSuffix(fen, "."), ":")
	position.ToMove = parts[0] == "W"
	for _, side := range parts[1:] {
		if side == "" {
			return position, fmt.Errorf("FEN %q: a side is empty", fen)
		}
		for _, text := range strings.Split(side[1:], ",") {
			if text == "" {
				continue
			}
			piece := side[0] | 0x20
			if text[0] == 'K' {
				piece = kingOf(piece)
				text = text[1:]
			}
			low, high, isRange := strings.Cut(text, "-")
			if !isRange {
				high = low
			}
			first, err := strconv.Atoi(low)
			last, err2 := strconv.Atoi(strings.TrimPrefix(high, "K"))
			if err != nil || err2 != nil || first < 1 || last > 32 {
				return position, fmt.Errorf("FEN %q: expected squares from 1 to 32, got %q", fen, text)
			}
			for square := first; square <= last; square++ {
				position.Board[square-1] = piece
			}
		}
	}
	return position, nil
}

func mustPosition(fen string) Position {
	position, err := PositionOfFEN(fen)
	if err != nil {
		panic(err)
	}
	return position
}

// FEN returns the FEN of a position, as the referee writes it.
func (p Position) FEN() string {
	side := func(side Side) string {
		texts := []string{}
		for index, piece := range p.Board {
			if isOf(piece, side) {
				king := ""
				if !isMan(piece) {
					king = "K"
				}
				texts = append(texts, king+strconv.Itoa(index+1))
			}
		}
		return strings.Join(texts, ",")
	}
	return strings.ToUpper(p.ToMove.String()[:1]) + ":W" + side(White) + ":B" + side(Black)
}
