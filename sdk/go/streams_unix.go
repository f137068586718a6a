//go:build aix || darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris

package botyard

import (
	"os"
	"syscall"
	"time"
)

// Returns the protocol's input and output, and leaves others in their places: file descriptor 1 becomes a copy of
// standard error, and 0 reads nothing, so that neither prints, C code nor child processes write into the protocol or read
// from it.
func takeStandardStreams() (in, out *os.File, err error) {
	ownIn, err := syscall.Dup(0)
	if err != nil {
		return nil, nil, os.NewSyscallError("dup", err)
	}
	ownOut, err := syscall.Dup(1)
	if err != nil {
		return nil, nil, os.NewSyscallError("dup", err)
	}
	syscall.CloseOnExec(ownIn)
	syscall.CloseOnExec(ownOut)
	if err := dup2(2, 1); err != nil {
		return nil, nil, os.NewSyscallError("dup2", err)
	}
	// Without /dev/null, child processes must not read standard input.
	if nothing, err := os.Open(os.DevNull); err == nil {
		_ = dup2(int(nothing.Fd()), 0)
		nothing.Close()
	}
	return os.NewFile(uintptr(ownIn), "stdin"), os.NewFile(uintptr(ownOut), "stdout"), nil
}

// Returns the CPU time of this process with all its threads.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
