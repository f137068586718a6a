//! Counts of won, lost and drawn positions by class.

use botyard_engine::draughts::endgame::{Endgames, Material, Tally};
use serde::{Serialize, Serializer};

/// The counts of all classes of a set of tables.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Counts {
    /// Each class, those with few pieces first.
    pub classes: Vec<ClassCounts>,
    /// The sums over all classes with the same number of pieces.
    pub totals: Vec<TotalCounts>,
}

/// The counts of one class.
#[derive(Clone, Debug, Serialize)]
pub struct ClassCounts {
    /// The class: `men` and `kings`, of the side to move and of the other.
    #[serde(flatten, serialize_with = "men_and_kings")]
    pub material: Material,
    /// Its counts.
    #[serde(flatten, serialize_with = "with_positions")]
    pub tally: Tally,
}

/// The counts of all classes with one number of pieces.
#[derive(Clone, Debug, Serialize)]
pub struct TotalCounts {
    /// The number of pieces of both sides together.
    pub pieces: u8,
    /// Their counts.
    #[serde(flatten, serialize_with = "with_positions")]
    pub tally: Tally,
}

impl Counts {
    /// Counts the positions of these tables.
    pub fn of(endgames: &Endgames) -> Counts {
        let mut counts = Counts::default();
        for pieces in 2..=Material::MOST_PIECES {
            let classes = endgames.classes().into_iter().filter(|class| class.pieces() == pieces);
            let classes = classes.filter_map(|material| {
                Some(ClassCounts { material, tally: endgames.tally(material)? })
            });
            let classes: Vec<ClassCounts> = classes.collect();
            if classes.is_empty() {
                continue;
            }
            let mut tally = Tally::default();
            classes.iter().for_each(|class| tally += class.tally);
            counts.totals.push(TotalCounts { pieces, tally });
            counts.classes.extend(classes);
        }
        counts
    }

    /// Returns the columns of [`Counts::rows`].
    pub const fn columns() -> [&'static str; 6] {
        ["side to move v other", "positions", "won", "lost", "drawn", "longest, plies"]
    }

    /// Returns a row for each class, and after those with one number of pieces a row with their
    /// sums.
    pub fn rows(&self) -> Vec<[String; 6]> {
        let mut rows = Vec::new();
        for TotalCounts { pieces, tally } in &self.totals {
            let classes = self.classes.iter().filter(|class| class.material.pieces() == *pieces);
            rows.extend(classes.map(|class| row(class.material.to_string(), &class.tally)));
            rows.push(row(format!("all with {pieces} pieces"), tally));
        }
        rows
    }
}

fn row(name: String, tally: &Tally) -> [String; 6] {
    let Tally { wins, losses, draws, longest } = *tally;
    let counts = [tally.positions(), wins, losses, draws].map(|n| n.to_string());
    let [positions, wins, losses, draws] = counts;
    let longest = longest.map_or("-".into(), |plies| plies.to_string());
    [name, positions, wins, losses, draws, longest]
}

fn men_and_kings<S: Serializer>(material: &Material, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Fields {
        men: [u8; 2],
        kings: [u8; 2],
    }
    Fields { men: material.men(), kings: material.kings() }.serialize(serializer)
}

fn with_positions<S: Serializer>(tally: &Tally, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Fields {
        positions: u64,
        wins: u64,
        losses: u64,
        draws: u64,
        longest: Option<u8>,
    }
    let Tally { wins, losses, draws, longest } = *tally;
    Fields { positions: tally.positions(), wins, losses, draws, longest }.serialize(serializer)
}
