//! `host`: a broker for matches between friends, until it is stopped. It is the broker that the window opens for "This network", on a computer that
//! stays on.

use crate::friends::Broker;
use async_signal::{Signal, Signals};
use futures_lite::StreamExt;
use qiju_core::terminal::{Failure, aside, json, line};
use serde::Serialize;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// Lets two friends meet at this computer: both enter the address as the broker of their match. It carries sealed letters alone, keeps the last ones in
/// memory, and ends when it is stopped.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The address to listen at, with or without a port: 192.168.1.5, 0.0.0.0:8080, [::1]:8080. Without a port it takes a free one [default: 127.0.0.1]
    #[arg(long, value_name = "ADDR", value_parser = address_of)]
    bind: Option<SocketAddr>,
    /// Print the address as one JSON object
    #[arg(long)]
    json: bool,
}

fn address_of(text: &str) -> Result<SocketAddr, String> {
    let alone = text.parse::<IpAddr>().map(|address| SocketAddr::new(address, 0));
    alone.or_else(|_| text.parse()).map_err(|_| "this is no IP address, with or without a port".to_owned())
}

/// What is told about it.
#[derive(Serialize)]
struct Told {
    address: String,
    /// Each match has topics of its own.
    topic: Option<String>,
    invitation: String,
}

/// Serves until it is stopped.
pub fn run(args: &Args) -> Result<(), Failure> {
    let wanted = args.bind.unwrap_or_else(|| (Ipv4Addr::LOCALHOST, 0).into());
    let mut signals = Signals::new([Signal::Term, Signal::Int]).map_err(|error| Failure::Work(error.to_string()))?;
    let broker = Broker::new(wanted).map_err(|error| Failure::Work(format!("{wanted}: {error}")))?;
    let address = broker.address();
    let told = Told { address: address.to_string(), topic: None, invitation: format!("ws://{address}/") };
    if args.json {
        json(&told)?
    } else {
        line(&told.invitation)?
    }
    if address.ip().is_loopback() {
        aside("Only programs on this computer can reach this address: --bind ADDR lets others in.");
    } else if address.ip().is_unspecified() {
        aside("It listens at every address of this computer: enter one of them instead of this one.");
    }
    aside("Enter the address where a match against a friend is set up, as its broker.");
    futures_lite::future::block_on(signals.next());
    Ok(())
}
