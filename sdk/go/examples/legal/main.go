// Command legal plays every game, choosing any of the legal actions. The smallest bot.
package main

import "botyard"

// Legal is the bot.
type Legal struct{ botyard.Base }

// Choose returns any legal action.
func (l *Legal) Choose(turn *botyard.Turn) (any, error) {
	legal, err := turn.LegalActions()
	if err != nil {
		return nil, err
	}
	return legal[turn.Random().Intn(len(legal))], nil
}

func main() {
	botyard.Main(func() botyard.Bot { return &Legal{} })
}
