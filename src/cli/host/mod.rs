//! `host`: a table for a friend, at which one of our engines sits; without a game, a broker for matches between friends. Both last until they are
//! stopped. The broker is that which the window opens for "This network".

mod table;

use super::ask::{ClockArgs, read_game, words};
use crate::friends::{Announced, Broker, Carrier, News, Page, local_address};
use async_signal::{Signal, Signals};
use futures_lite::StreamExt;
use qiju_core::games;
use qiju_core::message::Message;
use qiju_core::record::letter::name_of;
use qiju_core::rules::Side;
use qiju_core::table::Setup;
use qiju_core::terminal::{Failure, aside, json, line};
use serde::Serialize;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use table::Hosted;

/// Opens a table at which an engine waits for a friend, and prints the invitation. Without --game it lets two friends meet at this computer: both enter
/// the address as the broker of their match. It carries sealed letters alone, keeps the last ones in memory, and ends when it is stopped.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The address to listen at, with or without a port: 192.168.1.5, 0.0.0.0:8080, [::1]:8080. Without a port it takes a free one [default: 127.0.0.1]
    #[arg(long, value_name = "ADDR", value_parser = address_of)]
    bind: Option<SocketAddr>,
    /// Use the broker at this address instead: ws://HOST:PORT or wss://HOST:PORT
    #[arg(long, value_name = "URL", conflicts_with = "bind", requires = "game")]
    broker: Option<String>,
    /// The folder of a page made by `scripts/web`, with which a friend joins in a browser [default: the one installed with the program, if there is one]
    #[arg(long, value_name = "FOLDER", conflicts_with = "broker")]
    page: Option<PathBuf>,
    /// The game: xiangqi, gomoku, two-eat-one or tic-tac-toe
    #[arg(long, value_name = "GAME", value_parser = read_game)]
    game: Option<String>,
    /// The variant [default: the first variant of the game]
    #[arg(long, value_name = "V", visible_alias = "rules", requires = "game")]
    variant: Option<String>,
    /// The level of the engine
    #[arg(long, value_name = "N", default_value_t = 5, allow_negative_numbers = true, value_parser = clap::value_parser!(u8).range(1..=10), requires = "game")]
    level: u8,
    /// The side of the engine: first or second
    #[arg(long, value_name = "SIDE", default_value = "second", value_parser = side_of, requires = "game")]
    side: Side,
    #[command(flatten)]
    clocks: ClockArgs,
    /// Print the address and the invitation as one JSON object
    #[arg(long)]
    json: bool,
}

fn address_of(text: &str) -> Result<SocketAddr, String> {
    let alone = text.parse::<IpAddr>().map(|address| SocketAddr::new(address, 0));
    alone.or_else(|_| text.parse()).map_err(|_| "this is no IP address, with or without a port".to_owned())
}

fn side_of(text: &str) -> Result<Side, String> {
    let side = Side::BOTH.into_iter().find(|side| side.key() == text);
    side.ok_or_else(|| format!("there is no such side; there are {}", words(Side::BOTH.map(Side::key))))
}

/// What is told about it.
#[derive(Serialize)]
struct Told {
    address: String,
    /// Where the letters of a table go; each match of a broker has topics of its own.
    topic: Option<String>,
    invitation: String,
}

impl Told {
    fn print(&self, as_json: bool) -> Result<(), Failure> {
        if as_json { json(self) } else { line(&self.invitation) }
    }
}

/// Serves until it is stopped.
pub fn run(args: &Args) -> Result<(), Failure> {
    // Windows knows the first alone.
    let ends: &[Signal] = if cfg!(windows) { &[Signal::Int] } else { &[Signal::Int, Signal::Term] };
    let mut signals = Signals::new(ends).map_err(|error| Failure::work(Message::from(error).to_string()))?;
    let broker = match &args.broker {
        Some(_) => None,
        None => {
            let wanted = args.bind.unwrap_or_else(|| (Ipv4Addr::LOCALHOST, 0).into());
            let page = match &args.page {
                Some(folder) => Some(Page::in_folder(folder).map_err(|why| Failure::usage(why.to_string()))?),
                None => Page::installed(),
            };
            let begun = Broker::with_page(wanted, page);
            Some(begun.map_err(|error| Failure::work(format!("{wanted}: {}", Message::from(error))))?)
        }
    };
    let address = broker.as_ref().map(Broker::address);
    match &args.game {
        Some(game) => {
            // A friend cannot reach every address: one of this computer is told.
            let told = address.map(|address| match address.ip().is_unspecified() {
                true => SocketAddr::new(local_address(), address.port()),
                false => address,
            });
            let page = told.filter(|_| broker.as_ref().is_some_and(|broker| broker.page().is_some()));
            let url = args.broker.clone().or_else(|| told.map(|address| format!("ws://{address}/"))).unwrap_or_default();
            open_table(args, game, url, told, page)?;
        }
        None => {
            let address = address.map(|address| address.to_string()).unwrap_or_default();
            let invitation = format!("ws://{address}/");
            Told { address, topic: None, invitation }.print(args.json)?;
        }
    }
    if address.is_some_and(|address| address.ip().is_loopback()) {
        aside("Only programs on this computer can reach this address: --bind ADDR lets others in.");
    } else if args.game.is_none() && address.is_some_and(|address| address.ip().is_unspecified()) {
        aside("It listens at every address of this computer: enter one of them instead of this one.");
    }
    aside(match args.game {
        Some(_) => "Open the invitation in Qiju to play. The table is there until this program is stopped.",
        None => "Enter the address where a match against a friend is set up, as its broker.",
    });
    futures_lite::future::block_on(signals.next());
    Ok(())
}

/// Opens the table, once the broker is reached, and prints the invitation.
fn open_table(
    args: &Args,
    game: &str,
    url: String,
    address: Option<SocketAddr>,
    page: Option<SocketAddr>,
) -> Result<(), Failure> {
    let entry = games::find(game)?;
    let table = entry.table(&Setup { variant: args.variant.clone(), position: None })?;
    let sheet = entry.sheet()?;
    let (wake, woken) = channel();
    let carrier = Carrier::new(&url, move || wake.send(()).unwrap_or_default()).map_err(|why| Failure::usage(why.to_string()))?;
    let carrier = connected(carrier, &woken)?;
    let hosted = Hosted::new(url.clone(), (table, &sheet), (args.side, args.level), args.clocks.controls());
    let link = hosted.invitation().map_err(|why| Failure::work(why.to_string()))?;
    // With the page, the same link opens in a browser.
    let fragment = link.split_once('#').map_or("", |(_, fragment)| fragment);
    let told = Told {
        address: address.map_or(url, |address| address.to_string()),
        topic: Some(format!("qiju/{}", name_of(hosted.number))),
        invitation: page.map_or_else(|| link.clone(), |page| format!("http://{page}/#{fragment}")),
    };
    // Those on the same network see it in their list.
    let reached = address.filter(|address| !address.ip().is_loopback());
    let announced = reached.and_then(|address| match Announced::new(hosted.number, address, &link) {
        Ok(announced) => Some(announced),
        Err(why) => {
            aside(&why.to_string());
            None
        }
    });
    let begun = std::thread::Builder::new().name("table".to_owned()).spawn(move || hosted.serve(carrier, &woken, announced));
    begun.map_err(|error| Failure::work(Message::from(error).to_string()))?;
    told.print(args.json)
}

/// Waits for the broker.
fn connected(mut carrier: Carrier, woken: &Receiver<()>) -> Result<Carrier, Failure> {
    while woken.recv().is_ok() {
        match carrier.news().into_iter().next() {
            Some(News::Lost(why)) => return Err(Failure::work(why.to_string())),
            Some(_) => return Ok(carrier),
            None => {}
        }
    }
    Err(Failure::work("the broker was not reached"))
}
