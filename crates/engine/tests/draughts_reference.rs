//! The move generator against a second, simple one: a board of 8 by 8 cells, every capture followed
//! by trying all four diagonals. On random positions, reachable and not, under every combination of
//! the rules of movement; perft in `draughts_perft.rs` covers only two combinations.
//! `PROPTEST_CASES` is the number of positions.

use botyard_engine::draughts::{Colour, Jump, MOST_JUMPS, Move, Movement, Piece, Position, Square};
use botyard_engine::random::{Stream, below, choose};

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

/// Returns every legal move as text, in the order of the text.
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

/// Draws a random position: up to 12 pieces a side, many of them crowned.
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

/// Returns every combination of the rules of movement that can be played.
fn all_movements() -> impl Iterator<Item = Movement> {
    let whole = [(true, true), (false, true), (true, false), (false, false)];
    let whole = whole.map(|(ends, compulsory)| (Jump::WholePath, ends, compulsory));
    let single = [true, false].map(|compulsory| (Jump::OnePiece, true, compulsory));
    whole.into_iter().chain(single).map(|(jump, promotion_ends_move, compulsory_capture)| {
        Movement { jump, promotion_ends_move, compulsory_capture }
    })
}

/// Returns the number of positions tried of each kind: `PROPTEST_CASES`, as for the property tests.
fn cases() -> usize {
    let number = std::env::var("PROPTEST_CASES").ok().and_then(|number| number.parse().ok());
    number.unwrap_or(4_000)
}

/// What the positions contained, so that a test can check that it covered something.
#[derive(Default)]
struct Covered {
    captures: u32,
    longest: usize,
    refused: u32,
}

/// Compares the legal moves of a position with those of the second generator. Checks the documented
/// properties of each of them, and of each move that is legal only under other rules.
fn compare(position: &Position, covered: &mut Covered) {
    let lists: Vec<(Movement, Vec<Move>)> =
        all_movements().map(|rules| (rules, position.moves(rules).to_vec())).collect();
    for (rules, moves) in &lists {
        let (rules, place) = (*rules, format!("{position} under {rules:?}"));
        let mut ours: Vec<String> = moves.iter().map(Move::to_string).collect();
        ours.sort();
        assert_eq!(ours, reference_moves(position, rules), "{place}");
        assert_eq!(position.count_moves(rules) as usize, ours.len(), "{place}: counted");
        assert_eq!(position.can_move(), !ours.is_empty(), "{place}: can_move");
        let capture = moves.iter().any(|mv| mv.is_capture());
        assert_eq!(position.can_capture(), capture, "{place}: can_capture");
        covered.captures += u32::from(capture);
        for &mv in moves {
            assert_eq!(position.check(rules, mv), Ok(()), "{place}: {mv}");
            assert_eq!(mv.to_string().parse(), Ok(mv), "{place}");
            assert_eq!(mv.captured().len() as usize, mv.jumps(), "{place}: {mv}");
            played(position, mv, &place);
            covered.longest = covered.longest.max(mv.jumps());
        }
        for mv in lists.iter().flat_map(|(_, others)| others).filter(|mv| !moves.contains(mv)) {
            assert!(position.check(rules, *mv).is_err(), "{place}: {mv} is not legal");
            covered.refused += 1;
        }
    }
}

/// Checks what must hold after any legal move.
fn played(position: &Position, mv: Move, place: &str) {
    let after = position.make(mv);
    assert_eq!(after.turn(), position.turn().other(), "{place}: {mv}");
    assert_eq!(after.to_string().parse(), Ok(after), "{place}: {mv}: by FEN, key included");
    let count = |position: &Position, colour| position.board().of(colour).len() as usize;
    assert_eq!(count(&after, position.turn()), count(position, position.turn()), "{place}: {mv}");
    let lost = count(position, after.turn()) - count(&after, after.turn());
    assert_eq!(lost, mv.jumps(), "{place}: {mv}");
    let (before, now) = (position.piece(mv.from()), after.piece(mv.to()));
    let (Some(before), Some(now)) = (before, now) else { panic!("{place}: {mv}") };
    assert_eq!(now.colour, before.colour, "{place}: {mv}");
    assert!(now.is_king || !before.is_king, "{place}: {mv}: a king stays one");
    for square in Square::all().filter(|&square| square != mv.from() && square != mv.to()) {
        let expected = position.piece(square).filter(|_| !mv.captured().contains(square));
        assert_eq!(after.piece(square), expected, "{place}: {mv}: {square}");
    }
}

#[test]
fn both_generators_agree_on_any_position() {
    let mut stream = Stream::new(11, "reference");
    let mut covered = Covered::default();
    // In the first one a king captures all nine pieces: no move is longer.
    let grids = ["W:WK28:B6,7,8,14,15,16,22,23,24", "W:WK18:B6,7,8,14,15,16,22,23,24"];
    for position in grids.map(|fen| fen.parse().unwrap()) {
        compare(&position, &mut covered);
    }
    for _ in 0..cases() {
        compare(&random_position(&mut stream), &mut covered);
    }
    assert_eq!(covered.longest, MOST_JUMPS);
    assert!(covered.captures as usize > cases(), "{} positions with captures", covered.captures);
    assert!(covered.refused > 0);
}

#[test]
fn both_generators_agree_on_reachable_positions() {
    let mut stream = Stream::new(12, "reference");
    let mut covered = Covered::default();
    let (mut tried, mut deepest) = (0, 0);
    while tried < cases() {
        for rules in all_movements() {
            let mut position = Position::START;
            for ply in 0..120 {
                compare(&position, &mut covered);
                (tried, deepest) = (tried + 1, deepest.max(ply));
                let Some(&mv) = choose(stream.rng(), &position.moves(rules)) else { break };
                position = position.make(mv);
            }
        }
    }
    assert!(covered.captures > 0 && covered.refused > 0 && deepest > 30, "{deepest} plies");
}
