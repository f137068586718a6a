//! Connect Four as a rules program. Any game in Rust becomes one by this line.

use botyard_engine::connect_four::ConnectFour;
use std::process::ExitCode;

fn main() -> ExitCode {
    botyard_rules::serve::<ConnectFour>(env!("CARGO_PKG_VERSION"))
}
