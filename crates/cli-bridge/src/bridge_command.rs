//! `botyard bridge`: an engine that speaks a protocol of its field, as a bot. The crate
//! `botyard-bridge` has the protocols.

use botyard_bridge::{BridgeConfig, Connection, SearchLimits, SettingNames};
use botyard_cli::time_arguments::milliseconds;
use clap::{Args, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Duration;

/// `botyard bridge`.
#[derive(Debug, Args)]
#[command(after_help = "\
A bridge is a bot: it starts an engine or connects to it, and translates.
docs/do/connect-an-engine.md describes what of each protocol it speaks.

Examples:
  botyard match draughts \"botyard bridge hub ./engine\" random --games 10
  botyard match draughts \"botyard bridge uci-like python3 engine.py\" alpha-beta
  botyard match draughts \"botyard bridge dxp localhost:27531\" mtdf-2007 \\
      --sandbox none --bank 300000")]
pub struct BridgeArgs {
    /// The protocol.
    #[command(subcommand)]
    pub protocol: Protocol,
}

/// The engine's protocol.
#[derive(Debug, Subcommand)]
pub enum Protocol {
    /// Start an engine that speaks Hub, version 2, the protocol of Scan
    Hub(ProcessArgs),
    /// Start an engine that speaks a protocol like UCI, with FEN of draughts
    UciLike(ProcessArgs),
    /// Connect to an engine that speaks DXP, the DamExchange Protocol
    Dxp(DxpArgs),
}

/// What all bridges have.
#[derive(Debug, Args)]
pub struct CommonArgs {
    /// Play the first legal move where the engine's is illegal or ambiguous [default: exit, and
    /// forfeit the game]
    #[arg(long)]
    pub legal_instead: bool,

    /// Print every line to and from the engine to standard error
    #[arg(long)]
    pub trace: bool,
}

/// `botyard bridge hub` and `botyard bridge uci-like`.
#[derive(Debug, Args)]
pub struct ProcessArgs {
    /// Option of the engine; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    pub options: Vec<(String, String)>,

    /// Search at most this many plies
    #[arg(long, value_name = "PLIES")]
    pub depth: Option<u32>,

    /// Search at most this many nodes
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,

    /// Search at most this long per move, in milliseconds [default: what the clock allows]
    #[arg(long, value_name = "MS", value_parser = milliseconds(0..=u64::MAX))]
    pub move_time: Option<u64>,

    /// What all bridges have.
    #[command(flatten)]
    pub common: CommonArgs,

    /// Program of the engine and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub command: Vec<OsString>,
}

/// `botyard bridge dxp`.
#[derive(Debug, Args)]
pub struct DxpArgs {
    /// Address of an engine that waits for a connection
    #[arg(value_name = "HOST:PORT", required_unless_present = "listen", conflicts_with = "listen")]
    pub address: Option<String>,

    /// Wait for an engine that connects to this port, from any host (DXP uses 27531)
    #[arg(long, value_name = "PORT")]
    pub listen: Option<u16>,

    /// Thinking time of a game that the engine receives, in minutes [default: the bank, or the
    /// time of 40 moves]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=999))]
    pub minutes: Option<u16>,

    /// What all bridges have.
    #[command(flatten)]
    pub common: CommonArgs,
}

fn option(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.into(), value.into())),
        _ => Err("expected NAME=VALUE".into()),
    }
}

/// The options that messages name.
const NAMES: SettingNames = SettingNames {
    wall: "--clock wall",
    wall_anywhere: "--clock wall (clock = \"wall\" in a tournament file)",
    cpu: "--clock cpu",
    uncontained: "--sandbox none",
};

/// Runs a bridge for a referee on standard input and output.
pub(crate) fn run(args: &BridgeArgs) -> ExitCode {
    let of_process =
        |args: &ProcessArgs, connection: fn(Vec<OsString>) -> Connection| BridgeConfig {
            options: args.options.clone(),
            limits: SearchLimits { depth: args.depth, nodes: args.nodes },
            move_time: args.move_time.map(Duration::from_millis),
            legal_instead: args.common.legal_instead,
            is_traced: args.common.trace,
            ..BridgeConfig::new(connection(args.command.clone()))
        };
    let config = match &args.protocol {
        Protocol::Hub(args) => of_process(args, Connection::Hub),
        Protocol::UciLike(args) => of_process(args, Connection::UciLike),
        Protocol::Dxp(args) => BridgeConfig {
            minutes: args.minutes,
            legal_instead: args.common.legal_instead,
            is_traced: args.common.trace,
            ..BridgeConfig::new(match (&args.address, args.listen) {
                (_, Some(port)) => Connection::DxpFrom(port),
                (address, None) => Connection::DxpTo(address.clone().unwrap_or_default()),
            })
        },
    };
    BridgeConfig { names: NAMES, ..config }.run()
}
