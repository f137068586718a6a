// Package connectfour has the types of the views and actions of Connect Four, its legal actions, and dropping a disc.
//
// The rules and the JSON are described in docs/games/connect-four.md.
package connectfour

import "encoding/json"

// Name is the name of the game in the protocol.
const Name = "connect-four"

// The board is Columns wide and Rows high.
const (
	Columns = 7
	Rows    = 6
)

// The letters of the cells.
const (
	Yellow = "x"
	Red    = "o"
	Empty  = "."
)

// An Action is a disc in a column, from 1 (left) to 7 (right).
type Action struct {
	Column int `json:"column"`
}

// A View is the board: columns from left to right, each from bottom to top. Yellow moves when Discs is even.
type View struct {
	Columns [Columns][Rows]string `json:"columns"`
	Discs   int                   `json:"discs"`
	// End is "four_in_line" or "full" when the game is over.
	End string `json:"end,omitempty"`
}

// Rules is the game; it has no rules to change.
type Rules struct{}

// New returns the game. It ignores its arguments, which are those of other games.
func New(rules, setup json.RawMessage) (*Rules, error) {
	return &Rules{}, nil
}

// Legal returns the legal actions, from left to right.
func (r *Rules) Legal(view *View) []Action {
	actions := []Action{}
	if view.End != "" {
		return actions
	}
	for column := range view.Columns {
		if view.Columns[column][Rows-1] == Empty {
			actions = append(actions, Action{column + 1})
		}
	}
	return actions
}

// Play returns the view after a disc of the side to move, in a column that has room.
func (r *Rules) Play(view *View, action Action) View {
	after := *view
	column, row := action.Column-1, 0
	for after.Columns[column][row] != Empty {
		row++
	}
	after.Columns[column][row] = Yellow
	if view.Discs%2 == 1 {
		after.Columns[column][row] = Red
	}
	after.Discs++
	if WinsAt(&after, column, row) {
		after.End = "four_in_line"
	} else if after.Discs == Columns*Rows {
		after.End = "full"
	}
	return after
}

// WinsAt returns whether the disc there (counted from 0) is in a line of four.
func WinsAt(view *View, column, row int) bool {
	disc := view.Columns[column][row]
	run := func(across, up int) int {
		length := 0
		for x, y := column+across, row+up; x >= 0 && x < Columns && y >= 0 && y < Rows; x, y = x+across, y+up {
			if view.Columns[x][y] != disc {
				break
			}
			length++
		}
		return length
	}
	for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
		if run(d[0], d[1])+run(-d[0], -d[1]) >= 3 {
			return true
		}
	}
	return false
}
