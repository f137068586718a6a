// Command draughts_two_ply plays English draughts by a search of two plies: its own moves and every answer, and captures
// beyond them.
package main

import (
	"botyard"
	"botyard/draughts"
)

// What pieces are worth to Black.
var worth = [256]int{'b': 100, 'B': 160, 'w': -100, 'W': -160}

const won = 10_000

// TwoPly is the bot.
type TwoPly struct {
	botyard.Base
	Depth int `option:"depth" min:"1" max:"12" about:"plies to search"`

	rules *draughts.Rules
	nodes int
}

// Start reads the rules.
func (t *TwoPly) Start(game *botyard.Game) (err error) {
	t.rules, err = draughts.New(game.Rules, game.Setup)
	return err
}

// Choose returns the move with the best value, one of them at random.
func (t *TwoPly) Choose(turn *botyard.Turn) (any, error) {
	view, err := botyard.View[draughts.View](turn)
	if err != nil {
		return nil, err
	}
	now, err := draughts.PositionOf(view)
	if err != nil {
		return nil, err
	}
	actions, err := botyard.Legal[draughts.Action](turn)
	if err != nil {
		return nil, err
	}
	if len(actions) == 1 {
		return actions[0], nil
	}
	// Equal moves are played in random order.
	turn.Random().Shuffle(len(actions), func(a, b int) { actions[a], actions[b] = actions[b], actions[a] })
	best, chosen := -won-1, ""
	t.nodes = 0
	for _, action := range actions {
		if value := -t.search(t.rules.Play(now, action), t.Depth-1, -won, won); value > best {
			best, chosen = value, action
		}
	}
	turn.Info(botyard.Info{"score": best, "depth": t.Depth, "nodes": t.nodes})
	return chosen, nil
}

// Returns the value of a position for the side to move, by alpha-beta.
func (t *TwoPly) search(now draughts.Position, depth, alpha, beta int) int {
	t.nodes++
	var moves []draughts.Action
	if depth > 0 {
		if moves = t.rules.Moves(now); len(moves) == 0 {
			return -won
		}
	} else if moves = t.rules.Captures(now); len(moves) == 0 {
		// A position in the middle of an exchange is not judged: captures are searched to their end.
		return evaluate(now)
	}
	for _, move := range moves {
		if value := -t.search(t.rules.Play(now, move), depth-1, -beta, -alpha); value > alpha {
			alpha = value
		}
		if alpha >= beta {
			break
		}
	}
	return alpha
}

// Returns the material and how far men have come, for the side to move.
func evaluate(now draughts.Position) int {
	value := 0
	for index, piece := range now.Board {
		value += worth[piece]
		switch piece {
		case draughts.BlackMan:
			value += index / 4
		case draughts.WhiteMan:
			value -= 7 - index/4
		}
	}
	if now.ToMove == draughts.White {
		return -value
	}
	return value
}

func main() {
	botyard.Main(func() botyard.Bot {
		return &TwoPly{Base: botyard.Base{Name: "two-ply", Games: []string{draughts.Name}}, Depth: 2}
	})
}
