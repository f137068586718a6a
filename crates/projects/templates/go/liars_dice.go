// Command bot plays Liar's Dice by the probability of each bid, given its own dice.
//
// It makes the bid that is most probably true, or calls the last bid a lie if that is more probable.
package main

import (
	"botyard"
	"botyard/liarsdice"
)

// Counter is the bot.
type Counter struct {
	botyard.Base

	rules *liarsdice.Rules
}

// Start reads the rules.
func (c *Counter) Start(game *botyard.Game) (err error) {
	c.rules, err = liarsdice.New(game.Rules, game.Setup)
	return err
}

// Choose returns the action that is most probably right.
func (c *Counter) Choose(turn *botyard.Turn) (any, error) {
	view, err := botyard.View[liarsdice.View](turn)
	if err != nil {
		return nil, err
	}
	actions, err := botyard.Legal[liarsdice.Action](turn)
	if err != nil {
		return nil, err
	}
	best, most := actions[0], -1.0
	for _, action := range actions {
		if chance := c.chance(view, action); chance > most {
			best, most = action, chance
		}
	}
	return best, nil
}

// Returns the probability that an action is right.
func (c *Counter) chance(view *liarsdice.View, action liarsdice.Action) float64 {
	if !action.Liar {
		return c.rules.Truth(view, action.Count, action.Face)
	}
	if view.Bid == nil {
		return 0
	}
	return 1 - c.rules.Truth(view, view.Bid[0], view.Bid[1])
}

func main() {
	botyard.Main(func() botyard.Bot {
		return &Counter{Base: botyard.Base{Games: []string{liarsdice.Name}}}
	})
}
