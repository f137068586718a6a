package botyard

import (
	"encoding/json"

	"botyard/connectfour"
	"botyard/dicewars"
	"botyard/draughts"
	"botyard/liarsdice"
	"botyard/scotlandyard"
)

// A Rulebook is a game under one set of rules, in JSON. The packages of the games have the same with types.
type Rulebook interface {
	// Legal returns the legal actions of the seat to move, in the order of the legal list.
	Legal(view json.RawMessage) ([]json.RawMessage, error)
}

// The games that the kit knows. A new game is a package, and a line here.
var games = map[string]func(rules, setup json.RawMessage) (Rulebook, error){
	connectfour.Name: func(rules, setup json.RawMessage) (Rulebook, error) {
		r, err := connectfour.New(rules, setup)
		return book[connectfour.View, connectfour.Action](sure(r.Legal)), err
	},
	dicewars.Name: func(rules, setup json.RawMessage) (Rulebook, error) {
		r, err := dicewars.New(rules, setup)
		return book[dicewars.View, dicewars.Action](sure(r.Legal)), err
	},
	draughts.Name: func(rules, setup json.RawMessage) (Rulebook, error) {
		r, err := draughts.New(rules, setup)
		return book[draughts.View, draughts.Action](r.Legal), err
	},
	liarsdice.Name: func(rules, setup json.RawMessage) (Rulebook, error) {
		r, err := liarsdice.New(rules, setup)
		return book[liarsdice.View, liarsdice.Action](sure(r.Legal)), err
	},
	scotlandyard.Name: func(rules, setup json.RawMessage) (Rulebook, error) {
		r, err := scotlandyard.New(rules, setup)
		return book[scotlandyard.View, scotlandyard.Action](r.Legal), err
	},
}

// NewRulebook returns a game under these rules; nil if the kit does not know the game.
func NewRulebook(game string, rules, setup json.RawMessage) (Rulebook, error) {
	make, known := games[game]
	if !known {
		return nil, nil
	}
	book, err := make(rules, setup)
	if err != nil {
		return nil, err
	}
	return book, nil
}

// The function Legal of a game.
type book[V, A any] func(view *V) ([]A, error)

func sure[V, A any](legal func(view *V) []A) func(view *V) ([]A, error) {
	return func(view *V) ([]A, error) { return legal(view), nil }
}

func (b book[V, A]) Legal(message json.RawMessage) ([]json.RawMessage, error) {
	var view V
	if err := json.Unmarshal(message, &view); err != nil {
		return nil, err
	}
	actions, err := b(&view)
	if err != nil {
		return nil, err
	}
	list := make([]json.RawMessage, len(actions))
	for n, action := range actions {
		if list[n], err = json.Marshal(action); err != nil {
			return nil, err
		}
	}
	return list, nil
}
