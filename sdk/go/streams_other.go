//go:build !(aix || darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris)

package botyard

import (
	"os"
	"time"
)

// Returns the protocol's input and output. Prints to os.Stdout go to standard error; child processes that inherit the
// standard streams are not kept away from them.
func takeStandardStreams() (in, out *os.File, err error) {
	in, out = os.Stdin, os.Stdout
	os.Stdout = os.Stderr
	nothing, err := os.Open(os.DevNull)
	if err == nil {
		os.Stdin = nothing
	}
	return in, out, nil
}

var started = time.Now()

// Returns the wall-clock time: CPU time is not measured on this system.
func cpuTime() time.Duration { return time.Since(started) }
