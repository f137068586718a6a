package botyard

import (
	"encoding/json"
	"math"
	"time"
)

// Unlimited is the time of a clock without a limit.
const Unlimited = time.Duration(math.MaxInt64)

const (
	// With a clock of CPU time, an answer may take this many times the limit in wall-clock time, and 250 ms.
	backstopTimes = 5
	backstopMore  = 250 * time.Millisecond
)

// A margin of Clock.Share: a part of the limit, at least and at most.
type margin struct {
	part        time.Duration
	least, most time.Duration
}

var (
	wallMargin = margin{6, 10 * time.Millisecond, 50 * time.Millisecond}
	cpuMargin  = margin{12, 3 * time.Millisecond, 25 * time.Millisecond}
)

// A Reading is a moment: wall-clock time, and CPU time of this process.
type Reading struct {
	Wall time.Time
	CPU  time.Duration
}

// Now returns this moment.
func Now() Reading {
	return now()
}

// Tests of clocks replace this.
var now = func() Reading {
	return Reading{time.Now(), cpuTime()}
}

// A Clock is the clock of a seat in one decision. Times without a limit are Unlimited.
type Clock struct {
	// Kind is "wall" or "cpu"; a kind that the kit does not know is treated as "wall".
	Kind string
	// Move is the most that this decision may take.
	Move time.Duration
	// Bank is what the seat has left for all its decisions.
	Bank time.Duration
	// Increment is added to the bank after each decision.
	Increment time.Duration

	began Reading
}

// NewClock returns the clock of a turn message that was read at a moment.
func NewClock(message json.RawMessage, began Reading) (*Clock, error) {
	var fields struct {
		Kind      string   `json:"kind"`
		Move      *float64 `json:"move_ms"`
		Bank      *float64 `json:"bank_ms"`
		Increment *float64 `json:"increment_ms"`
	}
	if len(message) > 0 {
		if err := json.Unmarshal(message, &fields); err != nil {
			return nil, err
		}
	}
	clock := &Clock{fields.Kind, Unlimited, Unlimited, 0, began}
	if clock.Kind == "" {
		clock.Kind = "wall"
	}
	for _, field := range []struct {
		millis *float64
		to     *time.Duration
	}{{fields.Move, &clock.Move}, {fields.Bank, &clock.Bank}, {fields.Increment, &clock.Increment}} {
		if field.millis != nil {
			*field.to = time.Duration(*field.millis * float64(time.Millisecond))
		}
	}
	return clock, nil
}

// Limit returns the time that this decision may take at most: the lesser of Move and Bank.
func (c *Clock) Limit() time.Duration {
	return shorter(c.Move, c.Bank)
}

// Elapsed returns the time since the turn line was read, of the kind that the clock counts. CPU time is that of this
// process with all its threads, without child processes.
func (c *Clock) Elapsed() time.Duration {
	now := Now()
	if c.Kind == "cpu" {
		return now.CPU - c.began.CPU
	}
	return now.Wall.Sub(c.began.Wall)
}

// Left returns the time until the referee's deadline, without a margin. With a clock of CPU time it is the lesser of the
// CPU time and the wall-clock time that are left.
func (c *Clock) Left() time.Duration {
	limit := c.Limit()
	if limit == Unlimited {
		return Unlimited
	}
	now := Now()
	wall := now.Wall.Sub(c.began.Wall)
	if c.Kind != "cpu" {
		return limit - wall
	}
	return shorter(limit-(now.CPU-c.began.CPU), backstopTimes*limit+backstopMore-wall)
}

// Share returns the time to plan for this decision if the seat expects this many more, including it.
//
// That is an equal share of the bank and the increment, at most Move, minus a margin of at most half of it: 1/6 of the
// limit, 10 to 50 ms, for wall-clock time; 1/12, 3 to 25 ms, for CPU time.
func (c *Clock) Share(decisions int) time.Duration {
	limit := c.Move
	if c.Bank != Unlimited {
		if decisions < 1 {
			decisions = 1
		}
		limit = shorter(limit, shorter(c.Bank/time.Duration(decisions)+c.Increment, c.Bank))
	}
	if limit == Unlimited {
		return Unlimited
	}
	m := wallMargin
	if c.Kind == "cpu" {
		m = cpuMargin
	}
	kept := limit / m.part
	if kept < m.least {
		kept = m.least
	}
	return limit - shorter(shorter(kept, m.most), limit/2)
}

func shorter(a, b time.Duration) time.Duration {
	if a < b {
		return a
	}
	return b
}
