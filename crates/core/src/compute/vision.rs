//! Pictures of boards that are read in the background.

use super::Computation;
use crate::games::{self, Entry};
use crate::message;
use crate::message::Message;
use crate::paint::Picture;
use crate::search::StopToken;
use crate::vision::{self, Recognised};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

/// A picture of a board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Shot {
    /// As the bytes of a file; see [`vision::decode`].
    File(ByteBuf),
    /// As it lies in the clipboard.
    Pixels(Picture),
}

/// The position in a picture; see [`vision::recognise`].
#[derive(Serialize, Deserialize)]
pub struct ReadPicture {
    /// The picture.
    pub shot: Shot,
    /// The keys of the games that may be seen in it, the likeliest first, and the variant where it is known.
    pub games: Vec<(String, Option<String>)>,
}

/// A position that was seen in a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sighting {
    /// The game's key.
    pub game: String,
    /// The position.
    pub seen: Recognised,
}

impl Computation for ReadPicture {
    const KEY: &'static str = "read-picture";
    type News = ();
    /// The first game of which a board is seen; otherwise why the first game is not seen.
    type Answer = Result<Sighting, Message>;

    fn run(self, stop: &StopToken, _: &mut dyn FnMut(())) -> Self::Answer {
        let picture = match self.shot {
            Shot::File(bytes) => vision::decode(&bytes)?,
            Shot::Pixels(picture) => picture,
        };
        let read = |entry: &Entry, variant: Option<&str>| -> Result<Recognised, Message> {
            vision::recognise(&picture, entry, &entry.sheet()?, variant)
        };
        let mut first = None;
        for (game, variant) in self.games.iter().take_while(|_| !stop.is_stopped()) {
            match read(games::find(game)?, variant.as_deref()) {
                Ok(seen) => return Ok(Sighting { game: game.clone(), seen }),
                Err(why) => first = first.or(Some(why)),
            }
        }
        Err(first.unwrap_or_else(|| message!("pictures are not read here")))
    }
}
