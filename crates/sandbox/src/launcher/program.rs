//! The program that the launcher becomes, ready to be run: made before system calls are restricted.

use super::setup::{Step, Unfit};
use crate::launch::Launch;
use std::ffi::{CString, OsStr, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::ptr;

/// A program with its arguments and its environment, which is the launcher's own.
pub(super) struct Program {
    path: CString,
    args: Vec<CString>,
    environment: Vec<CString>,
}

impl Program {
    pub fn new(launch: &Launch) -> Result<Program, Unfit> {
        let c = |text: &OsStr| CString::new(text.as_bytes()).step("reading its command line");
        let path = c(launch.program.as_os_str())?;
        let mut args = vec![path.clone()];
        for arg in &launch.args {
            args.push(c(arg)?);
        }
        let variable = |(name, value): (OsString, OsString)| {
            let mut text = name.into_vec();
            text.push(b'=');
            text.extend(value.into_vec());
            CString::new(text).step("reading its environment")
        };
        let environment = std::env::vars_os().map(variable).collect::<Result<_, _>>()?;
        Ok(Program { path, args, environment })
    }

    /// Becomes it; what the system says where it cannot. Not what a shell would do: a file that is
    /// neither a program nor has a `#!` line is none, and is not read as a script.
    #[allow(unsafe_code)]
    pub fn run(&self) -> io::Error {
        let pointers = |strings: &[CString]| {
            let pointers = strings.iter().map(|string| string.as_ptr());
            pointers.chain([ptr::null()]).collect::<Vec<_>>()
        };
        let (args, environment) = (pointers(&self.args), pointers(&self.environment));
        // SAFETY: a C string, and two arrays of C strings that end with a null pointer; all of them
        // outlive the call.
        unsafe { libc::execve(self.path.as_ptr(), args.as_ptr(), environment.as_ptr()) };
        io::Error::last_os_error()
    }
}
