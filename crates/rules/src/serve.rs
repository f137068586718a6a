//! The program of a game in Rust: its standard streams.

use crate::served::{Picture, Served};
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
    serve_all(Served::<G>::new(version))
}

/// Does the same for a game with drawings: see [`Picture`].
pub fn serve_with_picture<G: Game>(version: &'static str, picture: Picture<G>) -> ExitCode {
    serve_all(Served::with_picture(version, picture))
}

fn serve_all<G: Game>(served: Served<G>) -> ExitCode {
    match answer_all(served, &mut io::stdin().lock(), &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: the standard streams: {error}", G::NAME);
            ExitCode::FAILURE
        }
    }
}

fn answer_all<G: Game>(
    mut served: Served<G>,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> io::Result<()> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_engine::connect_four::ConnectFour;

    #[test]
    fn each_line_is_answered_by_one_until_quit() {
        let input = "{\"type\":\"new\",\"rules\":{}}\n{\"type\":\"sing\"}\r\n\
                     {\"type\":\"quit\"}\n{\"type\":\"sing\"}\n";
        let mut output = Vec::new();
        answer_all(Served::<ConnectFour>::new("1.0.0"), &mut input.as_bytes(), &mut output)
            .unwrap();
        let expected = "{\"type\":\"rules\",\"rules\":{},\"seats\":[\"yellow\",\"red\"],\
                        \"scores\":{\"least\":0.0,\"most\":1.0,\"sum\":1.0}}\n\
                        {\"type\":\"unknown\"}\n";
        assert_eq!(String::from_utf8(output).unwrap(), expected);
    }
}
