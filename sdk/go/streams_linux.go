package botyard

import "syscall"

// Some processors have no dup2 on Linux.
func dup2(from, to int) error { return syscall.Dup3(from, to, 0) }
