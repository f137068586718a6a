# The commands that people need: `just` lists them, `just NAME` runs one.

_default:
    @just --list --unsorted

# Play a match to see that everything works
match:
    cargo run --release -- match scotland-yard mcts greedy

# Run all tests
test:
    cargo test --workspace

# Run the tests of one crate whose names contain a text: just test-in engine draughts
test-in CRATE FILTER="":
    cargo test --package botyard-{{CRATE}} {{FILTER}}

# Format, and check what CI checks first
lint:
    cargo fmt --all
    .ci/run lints words

# Run everything that must pass before a change lands, or some stages of it
ci *STAGES:
    .ci/run {{STAGES}}

# Build the book and the pages of the crates
docs:
    .ci/run docs

# Regenerate schemas, reference pages and golden games; then look at the difference
regenerate:
    UPDATE_SCHEMAS=1 cargo test --package botyard-engine --package botyard-protocol schemas
    UPDATE_PAGES=1 cargo test --package botyard-cli-reference --test system reference::
    UPDATE_GOLDEN=1 cargo test --package botyard-engine --test engine golden

# Remake the pictures of the README and the book; then look at the difference
pictures *PARTS:
    cargo build --release --workspace --features botyard-cli/raster
    docs/pictures/make {{PARTS}}

# Run the benchmarks of one crate: just bench referee
bench CRATE:
    cargo bench --package botyard-{{CRATE}}

# Fuzz one target until interrupted: just fuzz replay
fuzz TARGET:
    fuzz/seeds
    cargo +nightly fuzz run {{TARGET}}

# Build the archive and the wheel of a release
release:
    packaging/release
