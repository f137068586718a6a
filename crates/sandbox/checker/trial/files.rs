//! Files: the program's own, the system's, and those of other users.

use super::machine::allowed;
use super::{Operation, Target, checked, refuse_unless};
use std::ffi::CString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

pub(super) const OPERATIONS: &[Operation] = &[
    ("read its own file", |on| read(&own(on))),
    ("list its own directory", |on| fs::read_dir(on.place.join("own")).map(drop)),
    ("read a file beside something hidden", |on| read(&on.place.join("own/beside.txt"))),
    ("read a library of the system", |_| read(Path::new("/usr/bin/env"))),
    ("read /proc/self/status", |_| read(Path::new("/proc/self/status"))),
    ("read /proc/meminfo", |_| read(Path::new("/proc/meminfo"))),
    ("read /dev/urandom", |_| File::open("/dev/urandom")?.read_exact(&mut [0; 8])),
    ("write to /dev/null", |_| OpenOptions::new().write(true).open("/dev/null")?.write_all(b"x")),
    ("write a file in /tmp", |_| {
        fs::write("/tmp/checker", b"x")?;
        fs::remove_file("/tmp/checker")
    }),
    ("read what is hidden in its directory", |on| read(&on.place.join("own/hidden/replay.ndjson"))),
    ("find the name of what is hidden in its directory", |on| {
        let mut names = fs::read_dir(on.place.join("own/hidden"))?.flatten();
        match names.any(|entry| entry.file_name() == "replay.ndjson") {
            true => Ok(()),
            false => Err(io::ErrorKind::NotFound.into()),
        }
    }),
    ("read what is hidden by a link", |on| read(&on.place.join("own/link-to-hidden"))),
    ("read another's file by a link", |on| read(&on.place.join("own/link-to-another"))),
    ("read a key by a link named like an option", |on| read(&on.place.join("own/-u"))),
    ("read another bot's source", |on| read(&on.place.join("other/bot.py"))),
    ("list another bot's directory", |on| fs::read_dir(on.place.join("other")).map(drop)),
    ("read a key in a home directory", |on| read(&on.place.join("home/.ssh/id_ed25519"))),
    ("read /etc/group", |_| read(Path::new("/etc/group"))),
    ("read through /proc/self/root", |on| {
        read(
            &Path::new("/proc/self/root")
                .join(on.place.join("other/bot.py").strip_prefix("/").unwrap()),
        )
    }),
    ("read its own files in /proc", |_| {
        ["stat", "statm", "maps", "cmdline", "limits", "comm", "auxv", "environ"]
            .iter()
            .try_for_each(|name| read(&Path::new("/proc/self").join(name)))
    }),
    ("list its descriptors", |_| fs::read_dir("/proc/self/fd").map(drop)),
    ("list its threads", |_| fs::read_dir("/proc/self/task").map(drop)),
    ("read the connections of its network", |_| read(Path::new("/proc/self/net/tcp"))),
    ("read the connections by thread-self", |_| read(Path::new("/proc/thread-self/net/tcp"))),
    ("read the devices of its network", |_| read(Path::new("/proc/net/dev"))),
    ("read the mount table", |_| read(Path::new("/proc/self/mountinfo"))),
    ("read the mount table by thread-self", |_| read(Path::new("/proc/thread-self/mounts"))),
    ("read its control group", |_| read(Path::new("/proc/self/cgroup"))),
    ("list the root", |_| fs::read_dir("/").map(drop)),
    ("write its own file", |on| OpenOptions::new().write(true).open(own(on)).map(drop)),
    ("create a file in its own directory", |on| {
        File::create_new(on.place.join("own/new")).map(drop)
    }),
    ("make a directory in its own", |on| fs::create_dir(on.place.join("own/newdir"))),
    ("remove its own file", |on| fs::remove_file(on.place.join("own/beside.txt"))),
    ("rename its own file", |on| fs::rename(own(on), on.place.join("own/renamed"))),
    ("link to its own file", |on| fs::hard_link(own(on), on.place.join("own/linked"))),
    ("make a symbolic link in its own directory", |on| {
        symlink("/etc/passwd", on.place.join("own/log"))
    }),
    ("change the mode of its own file", |on| {
        fs::set_permissions(own(on), fs::Permissions::from_mode(0o777))
    }),
    ("change the times of its own file", |on| {
        // SAFETY: a C string, and null times, which mean now.
        checked(unsafe {
            libc::utimensat(libc::AT_FDCWD, c(&own(on)).as_ptr(), std::ptr::null(), 0)
        })
    }),
    ("set an attribute of its own file", |on| {
        // SAFETY: C strings, and one byte.
        checked(unsafe {
            libc::setxattr(c(&own(on)).as_ptr(), c"user.x".as_ptr(), b"x".as_ptr().cast(), 1, 0)
        })
    }),
    ("truncate the referee's file", |on| {
        // SAFETY: a C string.
        checked(unsafe { libc::truncate(c(&on.place.join("referee.txt")).as_ptr(), 0) })
    }),
    ("write the referee's file", |on| {
        OpenOptions::new().append(true).open(on.place.join("referee.txt")).map(drop)
    }),
    ("take a lease on its own file", |on| {
        let file = File::open(own(on))?;
        use std::os::fd::AsRawFd;
        // SAFETY: a descriptor and two numbers.
        checked(unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETLEASE, libc::F_RDLCK) })
    }),
    ("read a file under a lock", |on| {
        let file = File::open(own(on))?;
        lock(&file, libc::F_SETLK, libc::F_RDLCK)?;
        (&file).read_exact(&mut [0; 1])?;
        lock(&file, libc::F_SETLK, libc::F_UNLCK).map(drop)
    }),
    ("hold a lock that another program can see", |on| {
        let (one, other) = (File::open(own(on))?, File::open(own(on))?);
        lock(&one, libc::F_OFD_SETLK, libc::F_RDLCK)?;
        let found = lock(&other, libc::F_OFD_GETLK, libc::F_WRLCK)?;
        refuse_unless(i32::from(found.l_type) != libc::F_UNLCK, "the lock is not there")
    }),
    ("write in /dev/shm", |_| write_and_remove(Path::new("/dev/shm/checker"))),
    ("write in /var/tmp", |_| write_and_remove(Path::new("/var/tmp/checker"))),
    ("write in /run", |_| write_and_remove(Path::new("/run/checker"))),
    ("write in the root", |_| write_and_remove(Path::new("/checker"))),
    ("open a block or memory device", |_| {
        ["/dev/mem", "/dev/kmsg", "/dev/vda", "/dev/sda", "/dev/tty", "/dev/ptmx", "/dev/fuse"]
            .iter()
            .map(|device| File::open(device).map(drop))
            .reduce(Result::or)
            .unwrap_or(Ok(()))
    }),
    ("make a setuid file in /tmp", |_| {
        // SAFETY: C strings and numbers.
        unsafe {
            let flags = libc::O_CREAT | libc::O_WRONLY;
            let file = libc::open(c"/tmp/checker-setuid".as_ptr(), flags, 0o4755);
            checked(file)?;
            checked(libc::unlink(c"/tmp/checker-setuid".as_ptr()))
        }
    }),
    ("make a setgid file in /tmp by mknod", |_| {
        let path = c"/tmp/checker-setgid";
        // SAFETY: C strings and numbers: an ordinary file.
        unsafe {
            checked(libc::mknod(path.as_ptr(), libc::S_IFREG | 0o2755, 0))?;
            checked(libc::unlink(path.as_ptr()))
        }
    }),
    ("set the setuid bit of a file in /tmp", |_| change_mode(0o4755)),
    ("set the setgid bit of a file in /tmp", |_| change_mode(0o2755)),
    ("change the mode of a file in /tmp", |_| change_mode(0o755)),
    ("open a file by openat2", |_| {
        // SAFETY: a size of zero is rejected before anything is read.
        allowed(unsafe {
            libc::syscall(libc::SYS_openat2, -1, c"/tmp".as_ptr(), std::ptr::null::<u8>(), 0)
        })
    }),
    ("make a device", |on| {
        let path = c(&on.place.join("own/device"));
        // SAFETY: a C string and numbers: the null device.
        checked(unsafe { libc::mknod(path.as_ptr(), libc::S_IFCHR | 0o666, libc::makedev(1, 3)) })
    }),
    ("watch a directory", |on| {
        // SAFETY: numbers, and a C string; the descriptor closes with the process.
        let watch = unsafe { libc::inotify_init1(libc::IN_CLOEXEC) };
        checked(watch)?;
        checked(unsafe { libc::inotify_add_watch(watch, c(&on.place).as_ptr(), libc::IN_CREATE) })
    }),
];

/// Sets the mode of a file in `/tmp`, by descriptor and by path.
fn change_mode(mode: u32) -> io::Result<()> {
    let path = Path::new("/tmp/checker-mode");
    let file = File::create(path)?;
    let changed = file
        .set_permissions(fs::Permissions::from_mode(mode))
        .or_else(|_| fs::set_permissions(path, fs::Permissions::from_mode(mode)));
    fs::remove_file(path)?;
    changed
}

pub(super) fn own(on: &Target) -> PathBuf {
    on.place.join("own/file.txt")
}

fn read(path: &Path) -> io::Result<()> {
    File::open(path)?.read(&mut [0; 16]).map(drop)
}

fn write_and_remove(path: &Path) -> io::Result<()> {
    File::create_new(path)?.write_all(b"x")?;
    fs::remove_file(path)
}

fn c(path: &Path) -> CString {
    CString::new(path.as_os_str().as_bytes()).expect("no NUL byte")
}

/// Runs an `fcntl` command with a lock on the whole file; returns the lock as the call leaves it.
fn lock(file: &File, command: i32, kind: i32) -> io::Result<libc::flock> {
    use std::os::fd::AsRawFd;
    // SAFETY: zeros are a valid `flock`, which outlives the call; the descriptor is open.
    unsafe {
        let mut lock: libc::flock = std::mem::zeroed();
        lock.l_type = kind.try_into().expect("a kind of lock");
        checked(libc::fcntl(file.as_raw_fd(), command, &raw mut lock))?;
        Ok(lock)
    }
}
