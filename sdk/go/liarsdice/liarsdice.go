// Package liarsdice has the types of the views and actions of Liar's Dice, its legal actions, and the probability of a
// bid.
//
// The rules and the JSON are described in docs/games/liars-dice.md.
package liarsdice

import (
	"encoding/json"
	"fmt"
	"math"
)

// Name is the name of the game in the protocol.
const Name = "liars-dice"

// Faces is the number of faces of a die.
const Faces = 6

// An Action is a bid that at least Count of all dice show Face; or, if Liar is set, the call that the last bid is a lie.
type Action struct {
	Liar  bool
	Count int
	Face  int
}

type bid struct {
	Bid struct {
		Count int `json:"count"`
		Face  int `json:"face"`
	} `json:"bid"`
}

// MarshalJSON returns "liar" or the bid as an object.
func (a Action) MarshalJSON() ([]byte, error) {
	if a.Liar {
		return []byte(`"liar"`), nil
	}
	var b bid
	b.Bid.Count, b.Bid.Face = a.Count, a.Face
	return json.Marshal(b)
}

// UnmarshalJSON reads what MarshalJSON returns.
func (a *Action) UnmarshalJSON(data []byte) error {
	if string(data) == `"liar"` {
		*a = Action{Liar: true}
		return nil
	}
	var b bid
	err := json.Unmarshal(data, &b)
	*a = Action{Count: b.Bid.Count, Face: b.Bid.Face}
	return err
}

// A View is all that a seat may know.
type View struct {
	// Cups has for each seat how many of its dice show 1 to 6, nil where that is hidden.
	Cups [][]int `json:"cups"`
	// Bid is the last bid, count and face; nil before the first.
	Bid *[2]int `json:"bid"`
	// Bids is the number of bids.
	Bids int `json:"bids"`
	// Lost is who lost, as the number of the seat from 0, and why; nil during the game.
	Lost []json.RawMessage `json:"lost"`
}

// Rules is the game under one set of rules.
type Rules struct {
	Players int `json:"players"`
	Dice    int `json:"dice"`
}

// New returns the game under the rules of a start message.
func New(rules, setup json.RawMessage) (*Rules, error) {
	r := &Rules{Players: 2, Dice: 5}
	if len(rules) > 0 {
		if err := json.Unmarshal(rules, r); err != nil {
			return nil, fmt.Errorf("rules of %s: %w", Name, err)
		}
	}
	return r, nil
}

// Legal returns the legal actions: "liar" after a bid, and the higher bids.
func (r *Rules) Legal(view *View) []Action {
	actions := []Action{}
	if view.Lost != nil {
		return actions
	}
	last := [2]int{}
	if view.Bid != nil {
		last = *view.Bid
		actions = append(actions, Action{Liar: true})
	}
	for count := 1; count <= r.Players*r.Dice; count++ {
		for face := 1; face <= Faces; face++ {
			if count > last[0] || count == last[0] && face > last[1] {
				actions = append(actions, Action{Count: count, Face: face})
			}
		}
	}
	return actions
}

// Truth returns the probability that at least count of all dice show face, given the cups in the view. The hidden dice
// are taken as fair: nothing is concluded from the bids.
func (r *Rules) Truth(view *View, count, face int) float64 {
	needed, hidden := count, 0
	for _, cup := range view.Cups {
		if cup == nil {
			hidden += r.Dice
		} else {
			needed -= cup[face-1]
		}
	}
	if needed <= 0 {
		return 1
	}
	// The probability of exactly this number of hits, from 0.
	exactly, sum := math.Pow(5.0/6, float64(hidden)), 0.0
	for hits := 0; hits <= hidden; hits++ {
		if hits >= needed {
			sum += exactly
		}
		exactly *= float64(hidden-hits) / float64(hits+1) / 5
	}
	return sum
}
