//! A program to execute, prepared in advance. Executing it allocates nothing and looks nothing up,
//! so it works after system calls were restricted, and between `fork` and `exec`.

use std::ffi::{CString, NulError, OsStr, OsString, c_char};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::ptr;

/// A program with its arguments and its environment.
pub(crate) struct Program {
    path: CString,
    args: CStrings,
    environment: CStrings,
}

impl Program {
    /// Prepares the program at this path with these arguments and variables (`NAME=value`).
    ///
    /// # Errors
    ///
    /// Fails if a string contains a NUL byte.
    pub(crate) fn new<'a>(
        path: &Path,
        args: impl IntoIterator<Item = &'a OsStr>,
        environment: impl IntoIterator<Item = OsString>,
    ) -> Result<Program, NulError> {
        let path = CString::new(path.as_os_str().as_bytes())?;
        let mut words = vec![path.clone()];
        for arg in args {
            words.push(CString::new(arg.as_bytes())?);
        }
        let variable = |variable: OsString| CString::new(variable.into_vec());
        let environment: Vec<CString> =
            environment.into_iter().map(variable).collect::<Result<_, _>>()?;
        Ok(Program { path, args: words.into(), environment: environment.into() })
    }

    /// Executes the program; returns the system's error if that fails. Unlike a shell, it does not
    /// run a file that is neither a program nor has a `#!` line as a script.
    #[allow(unsafe_code)]
    pub(crate) fn run(&self) -> io::Error {
        let (args, environment) = (self.args.pointers.as_ptr(), self.environment.pointers.as_ptr());
        // SAFETY: the arguments are a C string and two arrays of C strings that end with a null
        // pointer; all of them outlive the call.
        unsafe { libc::execve(self.path.as_ptr(), args, environment) };
        io::Error::last_os_error()
    }
}

/// Returns an environment variable as a program receives it.
pub(crate) fn variable(name: &OsStr, value: &OsStr) -> OsString {
    let mut variable = name.to_os_string();
    variable.push("=");
    variable.push(value);
    variable
}

/// Strings, and the array of pointers to them that C expects.
struct CStrings {
    /// Owns the strings that the pointers point to; never changed.
    _strings: Vec<CString>,
    pointers: Vec<*const c_char>,
}

// SAFETY: the pointers point to the heap memory of the strings beside them, which moves with the
// structure, is freed with it and is only read.
#[allow(unsafe_code)]
unsafe impl Send for CStrings {}
// SAFETY: as above.
#[allow(unsafe_code)]
unsafe impl Sync for CStrings {}

impl From<Vec<CString>> for CStrings {
    fn from(strings: Vec<CString>) -> CStrings {
        let pointers = strings.iter().map(|string| string.as_ptr()).chain([ptr::null()]).collect();
        CStrings { _strings: strings, pointers }
    }
}
