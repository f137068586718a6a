//! The program of a game in Rust: its standard streams.

use crate::served::Served;
use botyard_engine::Game;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

/// Speaks the rules protocol for a game on the standard streams, until `quit` or the end of the
/// input. `version` is that of the program.
///
/// ```no_run
/// use botyard_engine::connect_four::ConnectFour;
///
/// fn main() -> std::process::ExitCode {
///     botyard_rules::serve::<ConnectFour>("1.0.0")
/// }
/// ```
pub fn serve<G: Game>(version: &'static str) -> ExitCode {
    match answer_all::<G>(version, &mut io::stdin().lock(), &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: the standard streams: {error}", G::NAME);
            ExitCode::FAILURE
        }
    }
}

fn answer_all<G: Game>(
    version: &'static str,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> io::Result<()> {
    let mut served = Served::<G>::new(version);
    let (mut request, mut answer) = (Vec::new(), Vec::new());
    while input.read_until(b'\n', &mut request)? > 0 {
        answer.clear();
        if served.answer(request.trim_ascii_end(), &mut answer).is_break() {
            break;
        }
        answer.push(b'\n');
        output.write_all(&answer)?;
        output.flush()?;
        request.clear();
    }
    Ok(())
}
