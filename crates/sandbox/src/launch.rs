//! The launcher's whole configuration: the program to start and the files that it may see. It is
//! sent to the launcher over a socket, never on a command line, which every user of a machine can
//! read.

use crate::limits::ResourceLimits;
use crate::tier::Tier;
use rustix::fs::Stat;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::PathBuf;

/// A program to start contained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// How strongly it is contained: [`Tier::A`], [`Tier::B`] or [`Tier::C`].
    pub tier: Tier,
    /// The absolute path of the program.
    #[serde(with = "os_strings::one")]
    pub program: PathBuf,
    /// Its arguments.
    #[serde(with = "os_strings")]
    pub args: Vec<OsString>,
    /// The working directory; `/` if the program's user may not enter it.
    #[serde(with = "os_strings::one")]
    pub directory: PathBuf,
    /// Files, and directories with their contents, that the program may read and execute in
    /// addition to the system's programs and libraries. Links on these paths are followed, so no
    /// author of a bot may be able to change them. Paths that do not exist are skipped.
    #[serde(with = "os_strings")]
    pub readable: Vec<PathBuf>,
    /// The same for files of the bot's author. If a link on a path leads out of the directory that
    /// holds it ([`Walked`](crate::Walked)), the program is not started.
    #[serde(with = "os_strings")]
    pub own: Vec<PathBuf>,
    /// Directories in which the program may also write; empty for programs that play games. A
    /// launcher that runs as root runs the program as the owner of the first directory, which must
    /// not be root.
    pub writable: Vec<Writable>,
    /// Paths that the program may not read although they are inside a granted directory.
    #[serde(with = "os_strings")]
    pub hidden: Vec<PathBuf>,
    /// Whether the program may start other processes. Tier A never allows it. Threads are always
    /// allowed.
    pub children: bool,
    /// Resource limits.
    pub limits: ResourceLimits,
}

impl Launch {
    /// Returns whether its processes share the memory limit, each with a part of it: those of a
    /// game, where no controller limits them together.
    pub(crate) fn shares_memory(&self) -> bool {
        self.tier == Tier::B && self.children && self.writable.is_empty()
    }
}

/// A directory in which a program may write, resolved like the paths in [`Launch::own`]. If its
/// path leads to another directory by then, the program is not started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Writable {
    /// Its absolute path.
    #[serde(with = "os_strings::one")]
    pub path: PathBuf,
    /// Its identity.
    pub id: FileId,
}

/// A file or directory by its device and inode: another one at the same path has another ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FileId {
    /// The device (`st_dev`).
    pub device: u64,
    /// The inode (`st_ino`).
    pub inode: u64,
}

impl From<&Stat> for FileId {
    fn from(stat: &Stat) -> FileId {
        FileId { device: stat.st_dev, inode: stat.st_ino }
    }
}

/// Serializes paths and arguments. JSON is UTF-8 and they need not be: a string that is not becomes
/// a list of bytes.
pub(crate) mod os_strings {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::ffi::{OsStr, OsString};
    use std::os::unix::ffi::{OsStrExt, OsStringExt};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Wire {
        Text(String),
        Bytes(Vec<u8>),
    }

    impl From<&OsStr> for Wire {
        fn from(string: &OsStr) -> Wire {
            match string.to_str() {
                Some(text) => Wire::Text(text.to_string()),
                None => Wire::Bytes(string.as_bytes().to_vec()),
            }
        }
    }

    impl From<Wire> for OsString {
        fn from(wire: Wire) -> OsString {
            match wire {
                Wire::Text(text) => text.into(),
                Wire::Bytes(bytes) => OsString::from_vec(bytes),
            }
        }
    }

    pub(crate) fn serialize<T, S>(strings: &[T], out: S) -> Result<S::Ok, S::Error>
    where
        T: AsRef<OsStr>,
        S: Serializer,
    {
        out.collect_seq(strings.iter().map(|string| Wire::from(string.as_ref())))
    }

    pub(crate) fn deserialize<'de, T, D>(from: D) -> Result<Vec<T>, D::Error>
    where
        T: From<OsString>,
        D: Deserializer<'de>,
    {
        let strings = Vec::<Wire>::deserialize(from)?;
        Ok(strings.into_iter().map(|string| T::from(string.into())).collect())
    }

    /// Serializes a single string.
    pub(crate) mod one {
        use super::*;

        pub(crate) fn serialize<T, S>(string: &T, out: S) -> Result<S::Ok, S::Error>
        where
            T: AsRef<OsStr>,
            S: Serializer,
        {
            Wire::from(string.as_ref()).serialize(out)
        }

        pub(crate) fn deserialize<'de, T, D>(from: D) -> Result<T, D::Error>
        where
            T: From<OsString>,
            D: Deserializer<'de>,
        {
            Ok(T::from(Wire::deserialize(from)?.into()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStringExt;

    #[test]
    fn a_launch_round_trips_through_json_with_any_bytes() {
        let odd = OsString::from_vec(b"caf\xe9 \"\n".to_vec());
        let launch = Launch {
            tier: Tier::B,
            program: PathBuf::from(&odd),
            args: vec!["-x".into(), odd.clone()],
            directory: "/srv/bots/\u{fc}".into(),
            readable: vec![PathBuf::from(&odd), "/a".into()],
            own: vec![PathBuf::from(&odd)],
            writable: vec![Writable {
                path: PathBuf::from(&odd),
                id: FileId { device: u64::MAX, inode: 7 },
            }],
            hidden: vec![PathBuf::from(&odd)],
            children: false,
            limits: ResourceLimits::default(),
        };
        let json = serde_json::to_vec(&launch).unwrap();
        assert_eq!(serde_json::from_slice::<Launch>(&json).unwrap(), launch);
    }
}
