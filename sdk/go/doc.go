// Package botyard is the Go kit for Botyard bots.
//
// A bot is a struct that embeds Base and has a method Choose; Main connects it to the referee:
//
//	package main
//
//	import "botyard"
//
//	type Mine struct{ botyard.Base }
//
//	func (m *Mine) Choose(turn *botyard.Turn) (any, error) {
//		legal, err := turn.LegalActions()
//		if err != nil {
//			return nil, err
//		}
//		return legal[turn.Random().Intn(len(legal))], nil
//	}
//
//	func main() {
//		botyard.Main(func() botyard.Bot { return &Mine{} })
//	}
//
// Each game has a package with the types of its views and actions and with helper functions: scotlandyard, draughts,
// dicewars, connectfour and liarsdice.
package botyard
