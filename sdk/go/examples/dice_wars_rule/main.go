// Command dice_wars_rule plays Dice Wars by one rule, that of the bot dw-stei.
//
// It makes the attack that it most probably wins and whose area it then keeps until its next turn, if that is likely
// enough. Attacks from its largest region count more, because that region brings the new dice.
package main

import (
	"botyard"
	"botyard/dicewars"
)

// Rule is the bot.
type Rule struct {
	botyard.Base
	Least     float64 `option:"least" min:"0" max:"1" about:"the least probability to win and hold, with three players or more"`
	Transfers bool    `option:"transfers" about:"bring dice to the border before attacks"`

	rules   *dicewars.Rules
	players int
}

// Start reads the rules.
func (r *Rule) Start(game *botyard.Game) (err error) {
	r.players = len(game.Seats)
	r.rules, err = dicewars.New(game.Rules, game.Setup)
	return err
}

// Choose returns the best attack that is worth it, or ends the turn.
func (r *Rule) Choose(turn *botyard.Turn) (any, error) {
	view, err := botyard.View[dicewars.View](turn)
	if err != nil {
		return nil, err
	}
	me := dicewars.Player(turn.Seat)
	if transfer, found := r.toTheBorder(view, me); found && r.Transfers {
		return transfer, nil
	}
	least, weight := r.Least, 2.0
	if r.players == 2 {
		least, weight = 0.2, 3
	}
	inRegion := map[int]bool{}
	for _, area := range r.rules.LargestRegion(view, me) {
		inRegion[area] = true
	}
	best, chosen := 0.0, dicewars.Action{}
	for _, attack := range r.rules.Attacks(view, me) {
		dice := view.Dice[attack.From-1]
		chance := dicewars.WinProbability(dice, view.Dice[attack.To-1]) * r.rules.HoldProbability(view, attack.To, dice-1, me)
		if chance < least && dice < dicewars.MaxDice {
			continue
		}
		if inRegion[attack.From] {
			chance *= weight
		}
		if chance >= best {
			best, chosen = chance, attack
		}
	}
	if chosen.Kind == dicewars.Attack {
		turn.Info(botyard.Info{"score": best})
	}
	return chosen, nil
}

// Returns the transfer that brings most dice to the border, at least two.
func (r *Rule) toTheBorder(view *dicewars.View, me int) (best dicewars.Action, found bool) {
	isBorder := func(area int) bool {
		for _, to := range view.Adjacent[area-1] {
			if view.Owners[to-1] != me {
				return true
			}
		}
		return false
	}
	most := 2
	for _, transfer := range r.rules.Transfers(view) {
		moved := dicewars.MaxDice - view.Dice[transfer.To-1]
		if rest := view.Dice[transfer.From-1] - 1; rest < moved {
			moved = rest
		}
		if moved >= most && !isBorder(transfer.From) && isBorder(transfer.To) {
			most, best, found = moved, transfer, true
		}
	}
	return best, found
}

func main() {
	botyard.Main(func() botyard.Bot {
		return &Rule{Base: botyard.Base{Games: []string{dicewars.Name}}, Least: 0.4, Transfers: true}
	})
}
