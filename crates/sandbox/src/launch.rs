//! What is to be started, and what it may see: the launcher's whole configuration. It travels to
//! the launcher over a socket and never over a command line, which every user of a machine can
//! read.

use crate::limits::ResourceLimits;
use crate::tier::Tier;
use rustix::fs::Stat;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::PathBuf;

/// A program to be started contained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// How strongly it is contained: [`Tier::A`], [`Tier::B`] or [`Tier::C`].
    pub tier: Tier,
    /// The program: an absolute path.
    #[serde(with = "os_strings::one")]
    pub program: PathBuf,
    /// Its arguments.
    #[serde(with = "os_strings")]
    pub args: Vec<OsString>,
    /// The directory in which it runs; `/` where its user may not enter that.
    #[serde(with = "os_strings::one")]
    pub directory: PathBuf,
    /// What it may read and run besides the system's own programs and libraries: files, and
    /// directories with all that is in them. Links that lead there are followed, so these are paths
    /// that no bot's author can change. What does not exist is skipped.
    #[serde(with = "os_strings")]
    pub readable: Vec<PathBuf>,
    /// The same for files of the program's author: no link on the way may lead out of the
    /// directory that holds it ([`Walked`](crate::Walked)), or the program is not started.
    #[serde(with = "os_strings")]
    pub own: Vec<PathBuf>,
    /// Directories in which it may also write: empty for whatever plays games. A launcher that is root
    /// runs the program as the owner of the first, which must not be root's.
    pub writable: Vec<Writable>,
    /// What it may not read although it lies in a directory that it may.
    #[serde(with = "os_strings")]
    pub hidden: Vec<PathBuf>,
    /// Whether it may start other processes, which tier A never allows. Threads it may always start.
    pub children: bool,
    /// What it may use up.
    pub limits: ResourceLimits,
}

/// A directory in which a program may write, found like those in [`Launch::own`]. If its path leads to
/// another directory by then, the program is not started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Writable {
    /// Where it is: an absolute path.
    #[serde(with = "os_strings::one")]
    pub path: PathBuf,
    /// Which directory it is.
    pub id: FileId,
}

/// A file or directory by its device and inode: another one at the same path has another id.
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

/// Paths and arguments need not be UTF-8, and JSON is: those that are not become lists of bytes.
mod os_strings {
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

    pub fn serialize<T, S>(strings: &[T], out: S) -> Result<S::Ok, S::Error>
    where
        T: AsRef<OsStr>,
        S: Serializer,
    {
        out.collect_seq(strings.iter().map(|string| Wire::from(string.as_ref())))
    }

    pub fn deserialize<'de, T, D>(from: D) -> Result<Vec<T>, D::Error>
    where
        T: From<OsString>,
        D: Deserializer<'de>,
    {
        let strings = Vec::<Wire>::deserialize(from)?;
        Ok(strings.into_iter().map(|string| T::from(string.into())).collect())
    }

    /// The same for a single one.
    pub mod one {
        use super::*;

        pub fn serialize<T, S>(string: &T, out: S) -> Result<S::Ok, S::Error>
        where
            T: AsRef<OsStr>,
            S: Serializer,
        {
            Wire::from(string.as_ref()).serialize(out)
        }

        pub fn deserialize<'de, T, D>(from: D) -> Result<T, D::Error>
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
    fn a_launch_travels_as_json_whatever_its_bytes() {
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
