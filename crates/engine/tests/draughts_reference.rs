//! The move generator against a second one that is as plain as can be: a board of 8 by 8 cells,
//! every capture followed by trying all four diagonals. On random positions under every
//! combination of the rules of movement; perft of `draughts_perft.rs` covers two of these only.

use botyard_engine::draughts::{Colour, Jump, MOST_JUMPS, Move, Movement, Piece, Position, Square};
use botyard_engine::random::{Stream, below};

type Cells = [[Option<Piece>; 8]; 8];

fn cells(position: &Position) -> Cells {
    let mut cells = Cells::default();
    for square in Square::all() {
        cells[square.row() as usize][square.column() as usize] = position.piece(square);
    }
    cells
}

fn on_board(row: i8, column: i8) -> Option<(usize, usize)> {
    let inside = |at: i8| usize::try_from(at).ok().filter(|&at| at < 8);
    Some((inside(row)?, inside(column)?))
}

fn number(row: i8, column: i8) -> String {
    Square::at(row as u8, column as u8).unwrap().to_string()
}

fn king_row(colour: Colour) -> i8 {
    if colour == Colour::Black { 7 } else { 0 }
}

fn rows(piece: Piece) -> &'static [i8] {
    match (piece.is_king, piece.colour) {
        (true, _) => &[1, -1],
        (false, Colour::Black) => &[1],
        (false, Colour::White) => &[-1],
    }
}

/// Every legal move as text, in the order of the text.
fn reference_moves(position: &Position, rules: Movement) -> Vec<String> {
    let cells = cells(position);
    let (mut steps, mut captures) = (Vec::new(), Vec::new());
    for square in Square::all() {
        let Some(piece) = position.piece(square).filter(|p| p.colour == position.turn()) else {
            continue;
        };
        let (row, column) = (square.row() as i8, square.column() as i8);
        for &down in rows(piece) {
            for right in [-1, 1] {
                if let Some((r, c)) = on_board(row + down, column + right)
                    && cells[r][c].is_none()
                {
                    steps.push(format!("{square}-{}", number(r as i8, c as i8)));
                }
            }
        }
        let mut lifted = cells;
        lifted[row as usize][column as usize] = None;
        jump_on(&lifted, rules, piece, (row, column), &[], &square.to_string(), &mut captures);
    }
    if captures.is_empty() || !rules.compulsory_capture {
        captures.append(&mut steps);
    }
    captures.sort();
    captures
}

fn jump_on(
    cells: &Cells,
    rules: Movement,
    piece: Piece,
    (row, column): (i8, i8),
    taken: &[(usize, usize)],
    path: &str,
    into: &mut Vec<String>,
) {
    let mut stuck = true;
    let over = !taken.is_empty() && rules.jump == Jump::OnePiece;
    for &down in rows(piece).iter().filter(|_| !over) {
        for right in [-1, 1] {
            let over = on_board(row + down, column + right);
            let to = on_board(row + 2 * down, column + 2 * right);
            let (Some(over), Some(to)) = (over, to) else { continue };
            let enemy = cells[over.0][over.1].is_some_and(|other| other.colour != piece.colour);
            if !enemy || taken.contains(&over) || cells[to.0][to.1].is_some() {
                continue;
            }
            stuck = false;
            let to = (to.0 as i8, to.1 as i8);
            let path = format!("{path}x{}", number(to.0, to.1));
            let crowned = !piece.is_king && to.0 == king_row(piece.colour);
            if crowned && rules.promotion_ends_move {
                into.push(path);
                continue;
            }
            let piece = Piece { is_king: piece.is_king || crowned, ..piece };
            jump_on(cells, rules, piece, to, &[taken, &[over]].concat(), &path, into);
        }
    }
    if stuck && !taken.is_empty() {
        into.push(path.to_string());
    }
}

/// A position at random: up to 12 pieces a side, many of them crowned.
fn random_position(stream: &mut Stream) -> Position {
    loop {
        let mut lists = [Vec::new(), Vec::new()];
        let density = 1 + below(stream.rng(), 10);
        for square in Square::all() {
            let side = below(stream.rng(), 24);
            if side >= 2 * density {
                continue;
            }
            let crown = if below(stream.rng(), 3) == 0 { "K" } else { "" };
            lists[(side % 2) as usize].push(format!("{crown}{square}"));
        }
        let turn = if below(stream.rng(), 2) == 0 { "B" } else { "W" };
        let fen = format!("{turn}:W{}:B{}", lists[0].join(","), lists[1].join(","));
        if let Ok(position) = fen.parse() {
            return position;
        }
    }
}

#[test]
fn both_generators_agree() {
    let mut stream = Stream::new(11, "reference");
    let (mut captures, mut longest) = (0, 0);
    // In the first of these a king goes round all nine pieces: no move is longer.
    let grids = ["W:WK28:B6,7,8,14,15,16,22,23,24", "W:WK18:B6,7,8,14,15,16,22,23,24"];
    let grids = grids.map(|fen| fen.parse().unwrap());
    for position in grids.into_iter().chain((0..4_000).map(|_| random_position(&mut stream))) {
        for (one_piece, ends, compulsory) in [
            (false, true, true),
            (false, false, true),
            (false, true, false),
            (false, false, false),
            (true, true, true),
            (true, true, false),
        ] {
            let rules = Movement {
                jump: if one_piece { Jump::OnePiece } else { Jump::WholePath },
                promotion_ends_move: ends,
                compulsory_capture: compulsory,
            };
            let place = format!("{position} under {rules:?}");
            let moves = position.moves(rules);
            let mut ours: Vec<String> = moves.iter().map(Move::to_string).collect();
            ours.sort();
            assert_eq!(ours, reference_moves(&position, rules), "{place}");
            assert_eq!(position.count_moves(rules) as usize, ours.len(), "{place}: counted");
            assert_eq!(position.can_move(), !ours.is_empty(), "{place}: can_move");
            let capture = moves.iter().any(|mv| mv.is_capture());
            assert_eq!(position.can_capture(), capture, "{place}: can_capture");
            for &mv in &moves {
                assert_eq!(mv.to_string().parse(), Ok(mv), "{place}");
                assert_eq!(mv.captured().len() as usize, mv.jumps(), "{place}: {mv}");
                let after = position.make(mv);
                let lost =
                    position.board().of(after.turn()).len() - after.board().of(after.turn()).len();
                assert_eq!(lost as usize, mv.jumps(), "{place}: {mv}");
                longest = longest.max(mv.jumps());
            }
            captures += u32::from(capture);
        }
    }
    assert_eq!(longest, MOST_JUMPS);
    assert!(captures > 5_000, "{captures} positions with captures");
}
