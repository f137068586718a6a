// Command detective plays both sides of Scotland Yard by one look ahead.
//
// Detectives step where the stations at which Mr. X can be are nearest on average. Mr. X steps where the detectives are
// far away and where they will know little about his station.
package main

import (
	"fmt"

	"botyard"
	yard "botyard/scotlandyard"
)

// The distance for what cannot be reached.
const far = 20

// Detective is the bot.
type Detective struct {
	botyard.Base
	Safety float64 `option:"safety" min:"0" max:"10" about:"weight of the nearest detective for Mr. X"`

	rules *yard.Rules
}

// Start builds the tables of distances before the clock runs.
func (d *Detective) Start(game *botyard.Game) (err error) {
	if d.rules, err = yard.New(game.Rules, game.Setup); err == nil {
		d.rules.Distances(1)
	}
	return err
}

// Choose returns the action with the best score, one of them at random.
func (d *Detective) Choose(turn *botyard.Turn) (any, error) {
	view, err := botyard.View[yard.View](turn)
	if err != nil {
		return nil, err
	}
	actions, err := botyard.Legal[yard.Action](turn)
	if err != nil {
		return nil, err
	}
	candidates := d.rules.Candidates(view)
	if turn.Seat != "mr-x" {
		turn.Info(botyard.Info{"text": fmt.Sprintf("%d stations left", len(candidates))})
	}
	var best []yard.Action
	most := 0.0
	for _, action := range actions {
		score := 0.0
		if turn.Seat == "mr-x" {
			score = d.scoreOfFlight(view, action, candidates)
		} else {
			score = d.scoreOfChase(view, action, candidates)
		}
		if best == nil || score > most {
			best, most = []yard.Action{action}, score
		} else if score == most {
			best = append(best, action)
		}
	}
	turn.Info(botyard.Info{"score": most})
	return best[turn.Random().Intn(len(best))], nil
}

// Returns how near the detective comes to where Mr. X can be; to step there counts most.
func (d *Detective) scoreOfChase(view *yard.View, action yard.Action, candidates []int) float64 {
	detective := view.Detectives[action.Detective-1]
	able := detective.Tickets == nil || detective.Tickets.Total() > 1
	nearer, caught := 0.0, 0.0
	for _, goal := range candidates {
		nearer += d.away(detective.Station, goal, true) - d.away(action.To, goal, able)
		if goal == action.To {
			caught = 2
		}
	}
	return caught + nearer/float64(len(candidates))
}

// Returns how safe a station is for Mr. X: how far the nearest detectives are, and how many stations they must search.
// Black and double tickets are kept for when he needs them.
func (d *Detective) scoreOfFlight(view *yard.View, action yard.Action, candidates []int) float64 {
	entry := yard.LogEntry{Ticket: action.Ticket, Station: action.To}
	number := len(view.Log) + 1
	for _, reveal := range d.rules.Reveals {
		entry.Reveal = entry.Reveal || reveal == number
	}
	nearest, sum := float64(far), 0.0
	for _, detective := range view.Detectives {
		away := d.away(detective.Station, action.To, true)
		sum += away
		if away < nearest {
			nearest = away
		}
		entry.Detectives = append(entry.Detectives, detective.Station)
	}
	hidden := len(d.rules.CandidatesAfter(candidates, &entry))
	score := d.Safety*atMost(nearest, 4) + 0.2*sum/float64(len(view.Detectives))
	score += 0.05*atMost(float64(hidden), 30) + 0.03*float64(len(d.rules.Neighbours(action.To, yard.Black)))
	if nearest <= 1 {
		score -= 5
	}
	if action.Ticket == yard.Black && number <= 2 {
		score--
	}
	if action.Double {
		score -= 1.5
	}
	return score
}

// Returns the distance of two stations; far for a detective off the board or without tickets.
func (d *Detective) away(from, to int, able bool) float64 {
	if from == 0 || !able && from != to {
		return far
	}
	if steps := d.rules.Distances(from)[to]; steps >= 0 {
		return float64(steps)
	}
	return far
}

func atMost(value, most float64) float64 {
	if value > most {
		return most
	}
	return value
}

func main() {
	botyard.Main(func() botyard.Bot {
		return &Detective{Base: botyard.Base{Games: []string{yard.Name}}, Safety: 1}
	})
}
