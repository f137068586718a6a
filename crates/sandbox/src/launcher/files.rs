//! Landlock rules: a bot may use the system's programs and libraries, the files that the launch
//! names, and nothing else. In tiers B and C the same list determines what is mounted in the bot's
//! file system; Landlock applies there too.

use super::setup::{Step, Unfit};
use crate::launch::{FileId, Launch, Writable};
use crate::path_walk::Walked;
use crate::tier::Tier;
use crate::walk_error::WalkError;
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetStatus, Scope,
};
use rustix::fs::{CWD, Dir, FileType, Mode, OFlags, fstat, openat};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The system files that every program needs to start: programs, libraries, and the few files of
/// `/etc` that loaders and runtimes read. None of them is secret: they came with the system.
const SYSTEM: [&str; 17] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    // The stores of NixOS and Guix, which hold all of the above.
    "/nix/store",
    "/gnu/store",
    "/run/current-system",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/alternatives",
    "/etc/localtime",
    // Node exits without it.
    "/etc/ssl/openssl.cnf",
    "/etc/pki/tls/openssl.cnf",
];

/// Name prefixes of runtime settings in `/etc`: `java-17-openjdk`, `python3.11`.
const RUNTIMES: [&str; 2] = ["java", "python"];

/// Devices that produce or consume bytes and store none.
pub(super) const DEVICES: [&str; 4] = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"];

/// Parts of `/proc` and `/sys` that are the same for all processes; runtimes read the machine's
/// size there.
const MACHINE: [&str; 3] = ["/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu"];

/// Files of `/proc/self` that a program in tier A may read. Not all of `/proc/self`: its `net` and
/// its mount tables describe the machine, and so do those of each thread in `task`.
const ITSELF: [&str; 14] = [
    "auxv",
    "cmdline",
    "comm",
    "environ",
    "io",
    "limits",
    "maps",
    "sched",
    "schedstat",
    "smaps",
    "smaps_rollup",
    "stat",
    "statm",
    "status",
];

/// Directories of `/proc/self` that the program may list. Access to what a descriptor points to
/// depends on where that file is.
const ITSELF_LISTED: [&str; 3] = ["fd", "fdinfo", "task"];

/// The newest Landlock ABI whose rules were tested. An older kernel applies the rules that it
/// knows; detection reports its version.
const ABI_TESTED: ABI = ABI::V7;

/// Returns what every contained program may read on this machine: the system's own programs and
/// libraries. No author of a bot can write there.
pub fn system_files() -> Vec<PathBuf> {
    let settings = fs::read_dir("/etc").into_iter().flatten().flatten();
    let settings = settings.filter(|entry| {
        let name = entry.file_name();
        RUNTIMES.iter().any(|runtime| name.to_string_lossy().starts_with(runtime))
    });
    let system = SYSTEM.iter().map(PathBuf::from).filter(|path| path.symlink_metadata().is_ok());
    system.chain(settings.map(|entry| entry.path())).collect()
}

/// Returns the Landlock ABI version of the kernel; 0 if it has none.
#[allow(unsafe_code)]
pub(crate) fn landlock_abi() -> u32 {
    const VERSION: libc::c_uint = 1; // LANDLOCK_CREATE_RULESET_VERSION
    let no_rules: *const libc::c_void = std::ptr::null();
    // SAFETY: with this flag the call reads no memory and returns a number.
    let abi = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, no_rules, 0, VERSION) };
    u32::try_from(abi).unwrap_or(0)
}

/// Irrevocably denies access to all files except those that the launch grants.
pub(super) fn restrict(launch: &Launch) -> Result<(), Unfit> {
    const STEP: &str = "restricting its files (Landlock)";
    let failed =
        |error: &dyn std::error::Error| Unfit::new(STEP, io::Error::other(error.to_string()));
    let read = AccessFs::from_read(ABI_TESTED);
    let all = AccessFs::from_all(ABI_TESTED);
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(all)
        .and_then(|rules| rules.handle_access(AccessNet::from_all(ABI_TESTED)))
        .and_then(|rules| rules.scope(Scope::from_all(ABI_TESTED)))
        .and_then(Ruleset::create)
        .map_err(|error| failed(&error))?;
    for path in system_files() {
        rules = allow(rules, &path, read)?;
    }
    for path in &launch.readable {
        if let Ok(found) = open_path(CWD, path.as_os_str(), OFlags::empty()) {
            rules = allow_but(rules, found, path, &launch.hidden, read)?;
        }
    }
    for path in &launch.own {
        if let Some(walked) = walk_own(path)? {
            let path = walked.path().to_path_buf();
            rules = allow_but(rules, walked.into(), &path, &launch.hidden, read)?;
        }
    }
    if launch.tier.has_namespaces() {
        // All of this `/proc` belongs to the program's own namespaces.
        rules = allow(rules, Path::new("/proc"), read)?;
        rules = allow(rules, Path::new("/tmp"), all)?;
    } else {
        for path in MACHINE {
            rules = allow(rules, Path::new(path), read)?;
        }
        let itself = Path::new("/proc/self");
        for name in ITSELF {
            rules = allow(rules, &itself.join(name), read)?;
        }
        for name in ITSELF_LISTED {
            rules = allow(rules, &itself.join(name), AccessFs::ReadDir.into())?;
        }
    }
    for directory in &launch.writable {
        rules = allow_found(rules, walk_writable(directory)?.into(), all)?;
    }
    for device in DEVICES {
        let access = match device {
            "/dev/null" => read | AccessFs::WriteFile,
            _ => AccessFs::ReadFile.into(),
        };
        rules = allow(rules, Path::new(device), access)?;
    }
    let status = rules.restrict_self().map_err(|error| failed(&error))?;
    if status.ruleset == RulesetStatus::NotEnforced && launch.tier == Tier::A {
        return Err(Unfit::new(STEP, io::ErrorKind::Unsupported));
    }
    Ok(())
}

/// Resolves a path of the bot's author. Returns `None` if the file does not exist or this user may
/// not access it.
///
/// # Errors
///
/// Fails if a link on the path leads out of the directory that holds it.
pub(super) fn walk_own(path: &Path) -> Result<Option<Walked>, Unfit> {
    match Walked::along(path) {
        Ok(walked) => Ok(Some(walked)),
        Err(WalkError::Io { error, .. }) if is_absent(&error) => Ok(None),
        Err(error) => Err(not_given(path, error)),
    }
}

/// Resolves a directory in which the program may write.
///
/// # Errors
///
/// Fails if a link on the path leads out of the directory that holds it, or if the path leads to
/// another directory than the expected one.
pub(super) fn walk_writable(directory: &Writable) -> Result<Walked, Unfit> {
    let Writable { path, id } = directory;
    let walked = Walked::along(path).map_err(|error| not_given(path, error))?;
    let found = walked.stat().step("looking at its directory")?;
    if FileId::from(&found) != *id {
        let error =
            io::Error::other("expected the directory that was there before, got another one");
        return Err(Unfit::own(giving(path), error));
    }
    Ok(walked)
}

fn not_given(path: &Path, error: WalkError) -> Unfit {
    let error = match error {
        WalkError::Io { error, .. } => error,
        leads_out => io::Error::other(leads_out.to_string()),
    };
    Unfit::own(giving(path), error)
}

fn giving(path: &Path) -> String {
    format!("giving it {}", path.display())
}

fn is_absent(error: &io::Error) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound, PermissionDenied};
    matches!(error.kind(), NotFound | NotADirectory | PermissionDenied)
}

/// Grants access to a path that no author of a bot can change.
fn allow(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, Unfit> {
    match open_path(CWD, path.as_os_str(), OFlags::empty()) {
        Ok(found) => allow_found(rules, found, access),
        // A file that is missing, or that this user may not access, cannot and need not be granted.
        Err(_) => Ok(rules),
    }
}

/// Grants access to an open file or directory.
fn allow_found(
    rules: RulesetCreated,
    found: OwnedFd,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, Unfit> {
    let access = match kind_of(&found) {
        FileType::Directory => access,
        _ => access & AccessFs::from_file(ABI_TESTED),
    };
    rules
        .add_rule(PathBeneath::new(found, access))
        .map_err(|error| io::Error::other(error.to_string()))
        .own_step("granting a file (Landlock)")
}

/// Grants access to `found`, the file at `path`, except for hidden files beneath it. Landlock rules
/// can only grant access, so a directory with a hidden file in it is granted entry by entry; the
/// directory itself can only be listed. That right holds for everything below it, so the names in a
/// hidden directory can be listed too, unless an empty file system is mounted there (tiers B and C).
/// It cannot be left out: Python imports no module from a directory that it cannot list.
fn allow_but(
    mut rules: RulesetCreated,
    found: OwnedFd,
    path: &Path,
    hidden: &[PathBuf],
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, Unfit> {
    if hidden.iter().any(|hidden| path.starts_with(hidden)) {
        return Ok(rules);
    }
    if !hidden.iter().any(|hidden| hidden.starts_with(path)) {
        return allow_found(rules, found, access);
    }
    let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
    let entries = openat(&found, ".", flags, Mode::empty()).and_then(Dir::new);
    for entry in entries.into_iter().flatten().flatten() {
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        if name == "." || name == ".." {
            continue;
        }
        // A link grants no access to its target, which may be hidden.
        let Ok(inner) = open_path(&found, name, OFlags::NOFOLLOW) else { continue };
        if kind_of(&inner) != FileType::Symlink {
            rules = allow_but(rules, inner, &path.join(name), hidden, access)?;
        }
    }
    allow_found(rules, found, AccessFs::ReadDir.into())
}

fn open_path(directory: impl AsFd, name: &OsStr, flags: OFlags) -> Result<OwnedFd, Errno> {
    openat(directory, name, OFlags::PATH | OFlags::CLOEXEC | flags, Mode::empty())
}

fn kind_of(found: &OwnedFd) -> FileType {
    fstat(found).map_or(FileType::Unknown, |found| FileType::from_raw_mode(found.st_mode))
}
