//go:build aix || darwin || dragonfly || freebsd || netbsd || openbsd || solaris

package botyard

import "syscall"

func dup2(from, to int) error { return syscall.Dup2(from, to) }
