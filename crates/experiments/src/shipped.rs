//! The experiments that come with Botyard: the files of `experiments/`, embedded in the program so
//! that they are always available.

use super::definition::Experiment;
use botyard_engine::rules::did_you_mean;
use botyard_referee::read_text;
use botyard_runner::Error;
use std::fs::File;

/// The largest file of an experiment, in bytes.
const LARGEST: u64 = 1 << 20;

/// The files, in the order of the list.
macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        [$((
            concat!($name, ".toml"),
            include_str!(concat!("../../../experiments/", $name, ".toml")),
        )),+]
    };
}

const FILES: [(&str, &str); 24] = files![
    "sova-5.1",
    "sova-5.2",
    "sova-5.3",
    "sova-5.4",
    "sova-5.5",
    "sova-5.6",
    "sova-time",
    "mcts-iterations",
    "mcts-iterations-london",
    "sova-readings",
    "sova-ours",
    "belej-5.1",
    "belej-t50",
    "belej-readings",
    "belej-time",
    "belej-ours",
    "dice-wars-baselines",
    "dice-wars-max-n-2021",
    "dice-wars-network",
    "dice-wars-ours",
    "janacek-searches",
    "janacek-first-guess",
    "janacek-matches",
    "horak-chance",
];

/// Returns all experiments.
///
/// # Errors
///
/// A file is invalid, which a test rules out.
pub fn all() -> Result<Vec<Experiment>, Error> {
    FILES.iter().map(|(file, text)| Experiment::read(file, text).map_err(Error::host)).collect()
}

/// Returns the experiment of this name, or of the file at this path.
///
/// # Errors
///
/// The experiment or file does not exist, or is invalid.
pub fn find(name: &str) -> Result<Experiment, Error> {
    if name.ends_with(".toml") || name.contains('/') {
        let text = File::open(name)
            .and_then(|file| read_text(file, LARGEST))
            .map_err(|error| Error::usage(format!("{name} cannot be read: {error}")))?;
        return Experiment::read(name, &text).map_err(Error::usage);
    }
    let mut experiments = all()?;
    match experiments.iter().position(|experiment| experiment.name == name) {
        Some(index) => Ok(experiments.swap_remove(index)),
        None => {
            let known: Vec<String> = experiments.into_iter().map(|known| known.name).collect();
            Err(Error::usage(format!(
                "there is no experiment {name:?}{}; they are {}; to run your own, give the path of its \
                 .toml file",
                did_you_mean(name, &known),
                known.join(", ")
            )))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    #[test]
    fn every_file_is_listed_under_its_name() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
        let there: BTreeSet<String> = fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name != "results")
            .collect();
        let listed: BTreeSet<String> = FILES.iter().map(|(file, _)| file.to_string()).collect();
        assert_eq!(there, listed);
        for (file, text) in FILES {
            assert_eq!(format!("{}.toml", Experiment::read(file, text).unwrap().name), file);
        }
    }

    #[test]
    fn a_name_that_is_none_is_refused_with_the_nearest() {
        let error = find("sova-5.7").unwrap_err().to_string();
        assert!(
            error.contains("there is no experiment \"sova-5.7\" (did you mean sova-5."),
            "{error}"
        );
        let error = find("no/such.toml").unwrap_err().to_string();
        assert!(error.contains("no/such.toml cannot be read"), "{error}");
    }
}
