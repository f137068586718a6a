// Package dicewars has the types of the views and actions of Dice Wars, exact chances of battles, regions, and what an
// attack leads to.
//
// Rules is the game under one set of rules. Functions that change a view return a copy. The rules and the JSON are
// described in docs/games/dice-wars.md.
package dicewars

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"sort"
	"strconv"
	"strings"
)

// Name is the name of the game in the protocol.
const Name = "dice-wars"

const (
	// MaxDice is the most dice on an area.
	MaxDice = 8
	// MaxNewDice is the most new dice after a turn.
	MaxNewDice = 64
)

// A Kind is the kind of an action.
type Kind uint8

// The kinds of actions.
const (
	EndTurn Kind = iota
	Attack
	Transfer
)

// An Action is an attack or a transfer from an area to another, or the end of the turn: the zero value.
type Action struct {
	Kind     Kind
	From, To int
}

type pairs struct {
	Attack   *[2]int `json:"attack,omitempty"`
	Transfer *[2]int `json:"transfer,omitempty"`
}

// MarshalJSON returns "end_turn", or an object with "attack" or "transfer".
func (a Action) MarshalJSON() ([]byte, error) {
	pair := &[2]int{a.From, a.To}
	switch a.Kind {
	case Attack:
		return json.Marshal(pairs{Attack: pair})
	case Transfer:
		return json.Marshal(pairs{Transfer: pair})
	}
	return []byte(`"end_turn"`), nil
}

// UnmarshalJSON reads what MarshalJSON returns.
func (a *Action) UnmarshalJSON(data []byte) error {
	*a = Action{}
	if string(data) == `"end_turn"` {
		return nil
	}
	var read pairs
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	switch {
	case read.Attack != nil:
		*a = Action{Attack, read.Attack[0], read.Attack[1]}
	case read.Transfer != nil:
		*a = Action{Transfer, read.Transfer[0], read.Transfer[1]}
	default:
		return fmt.Errorf("expected an action of %s, got %s", Name, data)
	}
	return nil
}

// A Place is the final place of a player; 0 (in JSON null) while it is open.
type Place int

// MarshalJSON returns the number of the place, or null.
func (p Place) MarshalJSON() ([]byte, error) {
	if p == 0 {
		return []byte("null"), nil
	}
	return []byte(strconv.Itoa(int(p))), nil
}

// A View is all of a state; all seats see the same. Area n is at [n-1], and so is player n.
type View struct {
	ToMove        int     `json:"to_move"`
	Owners        []int   `json:"owners"`
	Dice          []int   `json:"dice"`
	Adjacent      [][]int `json:"adjacent"`
	Reserves      []int   `json:"reserves"`
	Regions       []int   `json:"regions"`
	Places        []Place `json:"places"`
	TransfersLeft int     `json:"transfers_left"`
	Turns         int     `json:"turns"`
	Battles       int     `json:"battles"`
	QuietTurns    int     `json:"quiet_turns"`
	Battle        *[2]int `json:"battle,omitempty"`
	Reinforcement bool    `json:"reinforcement,omitempty"`
	Over          string  `json:"over,omitempty"`
}

// An Area is an area of a map.
type Area struct {
	ID       int      `json:"id"`
	Adjacent []int    `json:"adjacent"`
	Cells    [][2]int `json:"cells"`
}

// A Setup never changes in a game: the map, and the first owners and dice.
type Setup struct {
	Map struct {
		Areas []Area `json:"areas"`
	} `json:"map"`
	Owners []int `json:"owners"`
	Dice   []int `json:"dice"`
}

// Win has at [a][d] the probability that a dice win against d, 1 to 8 each.
var Win = func() (win [MaxDice + 1][MaxDice + 1]float64) {
	var sums [MaxDice + 1][]int
	sums[0] = []int{1}
	power := [2*MaxDice + 1]int{1}
	for n := 1; n < len(power); n++ {
		power[n] = 6 * power[n-1]
	}
	for dice := 1; dice <= MaxDice; dice++ {
		sums[dice] = make([]int, 6*dice+1)
		for pips, count := range sums[dice-1] {
			for face := 1; face <= 6; face++ {
				sums[dice][pips+face] += count
			}
		}
	}
	for a := 1; a <= MaxDice; a++ {
		for d := 1; d <= MaxDice; d++ {
			below, wins := 0, 0
			for pips, count := range sums[a] {
				wins += count * below
				if pips < len(sums[d]) {
					below += sums[d][pips]
				}
			}
			win[a][d] = float64(wins) / float64(power[a+d])
		}
	}
	return win
}()

// WinProbability returns the probability that the attacker wins, by the dice of both sides, 1 to 8 each. It is exact.
func WinProbability(attacker, defender int) float64 {
	return Win[attacker][defender]
}

// Player returns the number of the player in a seat: 2 for "player-2"; 0 for other names.
func Player(seat string) int {
	number, _ := strconv.Atoi(strings.TrimPrefix(seat, "player-"))
	return number
}

// Rules is the game under one set of rules.
type Rules struct {
	wear                int
	maxBattles          int
	transfersBreakQuiet bool
}

// New returns the game under the rules of a start message.
func New(rules, setup json.RawMessage) (*Rules, error) {
	var named struct {
		Wear                int  `json:"wear"`
		MaxBattles          int  `json:"max_battles"`
		TransfersBreakQuiet bool `json:"transfers_break_quiet"`
	}
	if len(rules) > 0 {
		if err := json.Unmarshal(rules, &named); err != nil {
			return nil, fmt.Errorf("rules of %s: %w", Name, err)
		}
	}
	return &Rules{named.Wear, named.MaxBattles, named.TransfersBreakQuiet}, nil
}

// Legal returns the legal actions of the player to move: attacks, transfers, and the end of the turn.
func (r *Rules) Legal(view *View) []Action {
	if view.Over != "" || view.Battle != nil || view.Reinforcement {
		return []Action{}
	}
	actions := append(r.Attacks(view, view.ToMove), r.Transfers(view)...)
	return append(actions, Action{})
}

// Attacks returns the attacks that a player has, from and to ascending.
func (r *Rules) Attacks(view *View, player int) []Action {
	return found(view, player, Attack, func(to int) bool { return view.Owners[to-1] != player })
}

// Transfers returns the transfers of the player to move, from and to ascending.
func (r *Rules) Transfers(view *View) []Action {
	if view.TransfersLeft == 0 {
		return []Action{}
	}
	return found(view, view.ToMove, Transfer, func(to int) bool {
		return view.Owners[to-1] == view.ToMove && view.Dice[to-1] < MaxDice
	})
}

func found(view *View, player int, kind Kind, allowed func(to int) bool) []Action {
	actions := []Action{}
	for n, owner := range view.Owners {
		if owner != player || view.Dice[n] < 2 {
			continue
		}
		for _, to := range view.Adjacent[n] {
			if allowed(to) {
				actions = append(actions, Action{kind, n + 1, to})
			}
		}
	}
	return actions
}

// Regions returns the connected regions of a player, the one with the lowest area first, each ascending.
func (r *Rules) Regions(view *View, player int) [][]int {
	seen := make([]bool, len(view.Owners)+1)
	regions := [][]int{}
	for n, owner := range view.Owners {
		if owner != player || seen[n+1] {
			continue
		}
		region := []int{n + 1}
		seen[n+1] = true
		for next := 0; next < len(region); next++ {
			for _, to := range view.Adjacent[region[next]-1] {
				if view.Owners[to-1] == player && !seen[to] {
					seen[to] = true
					region = append(region, to)
				}
			}
		}
		sort.Ints(region)
		regions = append(regions, region)
	}
	return regions
}

// LargestRegion returns the largest connected region of a player; of several, that with the area of the lowest number.
func (r *Rules) LargestRegion(view *View, player int) []int {
	largest := []int{}
	for _, region := range r.Regions(view, player) {
		if len(region) > len(largest) {
			largest = region
		}
	}
	return largest
}

// NewDice returns how many dice a player would get if its turn ended now, those of its reserve included.
func (r *Rules) NewDice(view *View, player int) int {
	return least(view.Reserves[player-1]+view.Regions[player-1], MaxNewDice)
}

// AfterAttack returns the view after an attack that was won or lost.
func (r *Rules) AfterAttack(view *View, from, to int, won bool) View {
	after := view.copied()
	owners, dice := after.Owners, after.Dice
	winner, loser := owners[from-1], owners[to-1]
	if won {
		owners[to-1] = winner
		dice[to-1] = dice[from-1] - 1
	} else if r.wear > 0 {
		dice[to-1] -= least(dice[from-1]/r.wear, dice[to-1]-1)
	}
	dice[from-1] = 1
	after.Battles++
	after.QuietTurns = 0
	if won {
		after.Regions[winner-1] = len(r.LargestRegion(&after, winner))
		after.Regions[loser-1] = len(r.LargestRegion(&after, loser))
		if after.Regions[loser-1] == 0 {
			after.eliminate(loser)
		}
	}
	if after.Over == "" && r.maxBattles > 0 && after.Battles >= r.maxBattles {
		after.Over = "max_battles"
	}
	return after
}

// AfterTransfer returns the view after a transfer.
func (r *Rules) AfterTransfer(view *View, from, to int) View {
	after := view.copied()
	moved := least(MaxDice-after.Dice[to-1], after.Dice[from-1]-1)
	after.Dice[from-1] -= moved
	after.Dice[to-1] += moved
	after.TransfersLeft--
	if r.transfersBreakQuiet {
		after.QuietTurns = 0
	}
	return after
}

// AttackAtRandom returns the view after an attack whose end is drawn with its exact chances.
func (r *Rules) AttackAtRandom(view *View, from, to int, random *rand.Rand) View {
	chance := Win[view.Dice[from-1]][view.Dice[to-1]]
	return r.AfterAttack(view, from, to, random.Float64() < chance)
}

// HoldProbability returns the probability that an area of a player with these dice withstands one attack by each
// neighbour that is another player's and has more than one die.
func (r *Rules) HoldProbability(view *View, area, dice, player int) float64 {
	hold := 1.0
	for _, other := range view.Adjacent[area-1] {
		if view.Owners[other-1] != player && view.Dice[other-1] > 1 {
			hold *= 1 - Win[view.Dice[other-1]][dice]
		}
	}
	return hold
}

func (v *View) copied() View {
	after := *v
	after.Owners = append([]int(nil), v.Owners...)
	after.Dice = append([]int(nil), v.Dice...)
	after.Regions = append([]int(nil), v.Regions...)
	after.Places = append([]Place(nil), v.Places...)
	return after
}

func (v *View) eliminate(player int) {
	open, last := 0, 0
	for n, place := range v.Places {
		if place == 0 {
			open++
			if n+1 != player {
				last = n + 1
			}
		}
	}
	if v.Places[player-1] == 0 {
		v.Places[player-1] = Place(open)
		open--
	}
	if open != 1 {
		return
	}
	v.Over = "conquest"
	for _, owner := range v.Owners {
		if owner != last {
			v.Over = "forfeit"
		}
	}
}

func least(a, b int) int {
	if a < b {
		return a
	}
	return b
}
