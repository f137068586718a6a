// Package scotlandyard has the types of the views and actions of Scotland Yard, and what every bot of it needs.
//
// Rules is the game under one set of rules on one board: the neighbours of a station, distances with given tickets, the
// stations where Mr. X can be, and the legal actions of a view. The rules and the JSON are described in
// docs/games/scotland-yard.md.
package scotlandyard

import (
	"encoding/json"
	"errors"
	"fmt"
	"sort"
)

// Name is the name of the game in the protocol.
const Name = "scotland-yard"

// A Kind is a kind of edge, or the ticket that pays for it. Black tickets pay for every edge, nothing else for ferries.
type Kind string

// The kinds of edges and tickets.
const (
	Taxi        Kind = "taxi"
	Bus         Kind = "bus"
	Underground Kind = "underground"
	Ferry       Kind = "ferry"
	Black       Kind = "black"
)

// Fares are the tickets that a detective may hold.
var Fares = []Kind{Taxi, Bus, Underground}

// The place of a kind in lists of actions.
func (k Kind) order() int {
	switch k {
	case Taxi:
		return 0
	case Bus:
		return 1
	case Underground:
		return 2
	case Ferry:
		return 3
	}
	return 4
}

// Tickets are counted tickets.
type Tickets struct {
	Taxi        int `json:"taxi"`
	Bus         int `json:"bus"`
	Underground int `json:"underground"`
}

// Of returns the number of tickets of a kind; 0 for ferries.
func (t Tickets) Of(kind Kind) int {
	switch kind {
	case Taxi:
		return t.Taxi
	case Bus:
		return t.Bus
	case Underground:
		return t.Underground
	}
	return 0
}

// Total returns the number of all tickets.
func (t Tickets) Total() int {
	return t.Taxi + t.Bus + t.Underground
}

// Spent returns the tickets that are left when one of them is used.
func (t Tickets) Spent(ticket Kind) Tickets {
	switch ticket {
	case Taxi:
		t.Taxi--
	case Bus:
		t.Bus--
	case Underground:
		t.Underground--
	}
	return t
}

// An Edge joins two stations. In JSON it is an array of both and the kind.
type Edge struct {
	A, B int
	Kind Kind
}

// UnmarshalJSON reads an array such as [1,8,"taxi"].
func (e *Edge) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[3]any{&e.A, &e.B, &e.Kind})
}

// A Setup never changes in a game. Width and Height are set on grids only, Coordinates on London's map only.
type Setup struct {
	Stations        int          `json:"stations"`
	Edges           []Edge       `json:"edges"`
	Width           int          `json:"width"`
	Height          int          `json:"height"`
	MrXStarts       []int        `json:"mr_x_starts"`
	DetectiveStarts []int        `json:"detective_starts"`
	Coordinates     [][2]float64 `json:"coordinates"`
}

// MrX is Mr. X as a seat sees him. Station is 0 where it is hidden, Tickets nil where they are unlimited.
type MrX struct {
	Station int      `json:"station"`
	Tickets *Tickets `json:"tickets"`
	Black   int      `json:"black"`
	Double  int      `json:"double"`
}

// A Detective has Station 0 when it was removed, and Tickets nil where they are unlimited.
type Detective struct {
	Station int      `json:"station"`
	Tickets *Tickets `json:"tickets"`
	Moved   bool     `json:"moved"`
}

// A LogEntry is a step of Mr. X's. Station is 0 where it is hidden, and so is that of a detective that was removed.
type LogEntry struct {
	Ticket     Kind  `json:"ticket"`
	Station    int   `json:"station"`
	Reveal     bool  `json:"reveal"`
	Detectives []int `json:"detectives"`
}

// An Action is a step. Detective is set in the detectives' actions, Double in the first half of a double move.
type Action struct {
	Detective int  `json:"detective,omitempty"`
	Ticket    Kind `json:"ticket"`
	To        int  `json:"to"`
	Double    bool `json:"double,omitempty"`
}

// A DoubleMove is a double move that Mr. X can begin, with its second steps.
type DoubleMove struct {
	First  Action   `json:"first"`
	Second []Action `json:"second"`
}

// A View is all that a seat may know. ToMove is empty when the game is over.
type View struct {
	Round       int          `json:"round"`
	ToMove      string       `json:"to_move"`
	SecondLeg   bool         `json:"second_leg"`
	MrX         MrX          `json:"mr_x"`
	Detectives  []Detective  `json:"detectives"`
	Log         []LogEntry   `json:"log"`
	Candidates  []int        `json:"candidates"`
	DoubleMoves []DoubleMove `json:"double_moves"`
	// MrXStarts is absent, "anywhere", or a list: see Rules.Candidates.
	MrXStarts json.RawMessage `json:"mr_x_starts"`
	Over      string          `json:"over"`
}

// A Step is an edge from a station to another.
type Step struct {
	Kind Kind
	To   int
}

// Rules is the game under one set of rules on one board.
type Rules struct {
	// Setup is the setup that the game was made with.
	Setup Setup
	// Reveals are the numbers of the log's entries that show Mr. X's station.
	Reveals []int

	xMayBlunder   bool
	nobodyFollows bool
	fixedOrder    bool
	mostMoves     int
	steps         [][]Step
	neighbours    [][]int
	tables        map[int][][]int
}

// New returns the game under the rules and the setup of a start message.
func New(rules, setup json.RawMessage) (*Rules, error) {
	var named struct {
		XOntoDetective string `json:"x_onto_detective"`
		AgentCollision string `json:"agent_collision"`
		Order          string `json:"order"`
		Limit          int    `json:"limit"`
		LimitUnit      string `json:"limit_unit"`
		Reveals        []int  `json:"reveals"`
	}
	r := &Rules{tables: map[int][][]int{}}
	if err := json.Unmarshal(rules, &named); err != nil {
		return nil, fmt.Errorf("rules of %s: %w", Name, err)
	}
	if err := json.Unmarshal(setup, &r.Setup); err != nil {
		return nil, fmt.Errorf("setup of %s: %w", Name, err)
	}
	r.Reveals = named.Reveals
	r.xMayBlunder = named.XOntoDetective == "loses"
	r.nobodyFollows = named.AgentCollision == "pre_move_strict"
	r.fixedOrder = named.Order == "fixed"
	r.mostMoves = int(^uint(0) >> 1)
	if named.LimitUnit == "x_moves" {
		r.mostMoves = named.Limit
	}
	r.steps = make([][]Step, r.Setup.Stations+1)
	for _, edge := range r.Setup.Edges {
		r.steps[edge.A] = append(r.steps[edge.A], Step{edge.Kind, edge.B})
		if edge.A != edge.B {
			r.steps[edge.B] = append(r.steps[edge.B], Step{edge.Kind, edge.A})
		}
	}
	r.neighbours = make([][]int, len(r.steps))
	for station, steps := range r.steps {
		sort.Slice(steps, func(a, b int) bool {
			if steps[a].Kind != steps[b].Kind {
				return steps[a].Kind.order() < steps[b].Kind.order()
			}
			return steps[a].To < steps[b].To
		})
		ends := map[int]bool{}
		for _, step := range steps {
			ends[step.To] = true
		}
		r.neighbours[station] = sorted(ends)
	}
	return r, nil
}

func sorted(set map[int]bool) []int {
	list := make([]int, 0, len(set))
	for item := range set {
		list = append(list, item)
	}
	sort.Ints(list)
	return list
}

// Steps returns the edges at a station, by kind and then by station.
func (r *Rules) Steps(station int) []Step {
	return r.steps[station]
}

// Neighbours returns the stations that a ticket leads to, ascending. A black ticket leads along every edge.
func (r *Rules) Neighbours(station int, ticket Kind) []int {
	if ticket == Black {
		return r.neighbours[station]
	}
	ends := []int{}
	for _, step := range r.steps[station] {
		if step.Kind == ticket {
			ends = append(ends, step.To)
		}
	}
	return ends
}

// Distances returns the number of moves from a station to every other along edges of these kinds; of the Fares if none
// are given.
//
// The distance to station n is at [n]; -1 where there is no way. The lists of all stations are computed at the first call
// for these kinds, so make it in Start. It is not safe to call from several goroutines before that.
func (r *Rules) Distances(station int, kinds ...Kind) []int {
	if len(kinds) == 0 {
		kinds = Fares
	}
	set := 0
	for _, kind := range kinds {
		set |= 1 << kind.order()
	}
	return r.table(set)[station]
}

// The distances along the edges whose kinds are in a set of bits.
func (r *Rules) table(set int) [][]int {
	table, known := r.tables[set]
	if !known {
		table = make([][]int, len(r.steps))
		for start := range table {
			table[start] = r.search(start, set)
		}
		r.tables[set] = table
	}
	return table
}

func (r *Rules) search(start, set int) []int {
	found := make([]int, len(r.steps))
	for station := range found {
		found[station] = -1
	}
	if start == 0 {
		return found
	}
	found[start] = 0
	queue := []int{start}
	for next := 0; next < len(queue); next++ {
		at := queue[next]
		for _, step := range r.steps[at] {
			if found[step.To] < 0 && set>>step.Kind.order()&1 == 1 {
				found[step.To] = found[at] + 1
				queue = append(queue, step.To)
			}
		}
	}
	return found
}

// Distance returns the least number of moves of a detective who holds these tickets (nil: unlimited); -1 if it cannot
// arrive. Other pieces on the way are not considered.
func (r *Rules) Distance(from, to int, tickets *Tickets) int {
	if tickets == nil {
		return r.Distances(from)[to]
	}
	least := r.least(*tickets, from, to)
	enough := least >= 0
	for _, fare := range Fares {
		count := tickets.Of(fare)
		enough = enough && (count == 0 || count >= least)
	}
	if least < 0 || enough {
		return least
	}
	// Breadth-first over stations and tickets left.
	type state struct {
		at   int
		left Tickets
	}
	first := state{from, *tickets}
	seen := map[state]bool{first: true}
	frontier := []state{first}
	for steps := 0; len(frontier) > 0; steps++ {
		following := []state{}
		for _, now := range frontier {
			if now.at == to {
				return steps
			}
			for _, step := range r.steps[now.at] {
				if now.left.Of(step.Kind) == 0 {
					continue
				}
				next := state{step.To, now.left.Spent(step.Kind)}
				needed := r.least(next.left, next.at, to)
				if !seen[next] && needed >= 0 && needed <= next.left.Total() {
					seen[next] = true
					following = append(following, next)
				}
			}
		}
		frontier = following
	}
	return -1
}

// The distance with any number of the tickets of which there is one at least.
func (r *Rules) least(held Tickets, from, to int) int {
	set := 0
	for _, fare := range Fares {
		if held.Of(fare) > 0 {
			set |= 1 << fare.order()
		}
	}
	return r.table(set)[from][to]
}

// Candidates returns the stations at which Mr. X can be as far as the detectives can know, ascending. It follows from the
// public log, so it is the same in the views of both sides.
func (r *Rules) Candidates(view *View) []int {
	if view.Over == "caught" && view.MrX.Station != 0 {
		return []int{view.MrX.Station}
	}
	starts := r.Setup.MrXStarts
	if len(view.MrXStarts) > 0 && view.MrXStarts[0] == '[' {
		starts = nil
		_ = json.Unmarshal(view.MrXStarts, &starts)
	} else if len(view.MrXStarts) > 0 && view.MrXStarts[0] == '"' {
		starts = nil
		for station := 1; station <= r.Setup.Stations; station++ {
			starts = append(starts, station)
		}
	}
	for n := range view.Log {
		starts = r.CandidatesAfter(starts, &view.Log[n])
	}
	possible := map[int]bool{}
	for _, station := range starts {
		possible[station] = true
	}
	for _, detective := range view.Detectives {
		delete(possible, detective.Station)
	}
	return sorted(possible)
}

// CandidatesAfter returns where Mr. X can be after a step, from where he could be before it, ascending.
func (r *Rules) CandidatesAfter(possible []int, entry *LogEntry) []int {
	if entry.Reveal && entry.Station != 0 {
		return []int{entry.Station}
	}
	held := map[int]bool{}
	for _, station := range entry.Detectives {
		held[station] = true
	}
	reached := map[int]bool{}
	for _, at := range possible {
		if held[at] {
			continue
		}
		for _, to := range r.Neighbours(at, entry.Ticket) {
			if !held[to] {
				reached[to] = true
			}
		}
	}
	return sorted(reached)
}

// Legal returns the legal actions of the seat to move. Mr. X's need his own view, which shows his station.
func (r *Rules) Legal(view *View) ([]Action, error) {
	switch view.ToMove {
	case "":
		return []Action{}, nil
	case "mr-x":
		if view.MrX.Station == 0 {
			return nil, errors.New("Mr. X's legal actions need a view that shows his station")
		}
		return r.legalOfX(view), nil
	}
	return r.legalOfDetectives(view), nil
}

func (r *Rules) legalOfDetectives(view *View) []Action {
	taken := stationsOf(view)
	if r.nobodyFollows && len(view.Log) > 0 {
		for _, station := range view.Log[len(view.Log)-1].Detectives {
			taken[station] = true
		}
	}
	actions := []Action{}
	for n, detective := range view.Detectives {
		if detective.Moved {
			continue
		}
		for _, step := range r.steps[detective.Station] {
			free := !taken[step.To] || step.To == detective.Station
			if free && step.Kind != Ferry && has(detective.Tickets, step.Kind) {
				actions = append(actions, Action{Detective: n + 1, Ticket: step.Kind, To: step.To})
			}
		}
		if r.fixedOrder {
			break
		}
	}
	return actions
}

func (r *Rules) legalOfX(view *View) []Action {
	x, taken := view.MrX, stationsOf(view)
	steps := r.xSteps(x.Station, x.Tickets, x.Black)
	actions := []Action{}
	for _, step := range steps {
		if r.xMayBlunder || !taken[step.To] {
			actions = append(actions, step)
		}
	}
	if view.SecondLeg || x.Double == 0 || len(view.Log)+2 > r.mostMoves {
		return actions
	}
	for _, step := range steps {
		if taken[step.To] {
			continue
		}
		black, tickets := x.Black, x.Tickets
		if step.Ticket == Black {
			black--
		} else if tickets != nil {
			left := tickets.Spent(step.Ticket)
			tickets = &left
		}
		for _, second := range r.xSteps(step.To, tickets, black) {
			if r.xMayBlunder || !taken[second.To] {
				actions = append(actions, Action{Ticket: step.Ticket, To: step.To, Double: true})
				break
			}
		}
	}
	return actions
}

func (r *Rules) xSteps(station int, tickets *Tickets, black int) []Action {
	steps := []Action{}
	for _, step := range r.steps[station] {
		if step.Kind != Ferry && has(tickets, step.Kind) {
			steps = append(steps, Action{Ticket: step.Kind, To: step.To})
		}
	}
	if black > 0 {
		for _, to := range r.neighbours[station] {
			steps = append(steps, Action{Ticket: Black, To: to})
		}
	}
	return steps
}

func stationsOf(view *View) map[int]bool {
	taken := map[int]bool{}
	for _, detective := range view.Detectives {
		if detective.Station != 0 {
			taken[detective.Station] = true
		}
	}
	return taken
}

func has(tickets *Tickets, kind Kind) bool {
	return tickets == nil || tickets.Of(kind) > 0
}
