// Command bot plays Connect Four, looking one disc ahead.
//
// It completes a line of four, prevents the other side's, and otherwise prefers columns near the middle.
package main

import (
	"botyard"
	"botyard/connectfour"
)

// Dropper is the bot.
type Dropper struct {
	botyard.Base

	rules connectfour.Rules
}

// Choose returns the action with the best score.
func (d *Dropper) Choose(turn *botyard.Turn) (any, error) {
	view, err := botyard.View[connectfour.View](turn)
	if err != nil {
		return nil, err
	}
	actions, err := botyard.Legal[connectfour.Action](turn)
	if err != nil {
		return nil, err
	}
	best, most := actions[0], -1000
	for _, action := range actions {
		if score := d.score(view, action); score > most {
			best, most = action, score
		}
	}
	return best, nil
}

// Returns how good a column is: the higher, the better.
func (d *Dropper) score(view *connectfour.View, action connectfour.Action) int {
	// The same column for the other side, which moves when Discs is odd.
	theirs := *view
	theirs.Discs++
	if after := d.rules.Play(view, action); after.End == "four_in_line" {
		return 20
	}
	if after := d.rules.Play(&theirs, action); after.End == "four_in_line" {
		return 10
	}
	fromMiddle := action.Column - (connectfour.Columns+1)/2
	return -fromMiddle * fromMiddle
}

func main() {
	botyard.Main(func() botyard.Bot {
		return &Dropper{Base: botyard.Base{Games: []string{connectfour.Name}}}
	})
}
