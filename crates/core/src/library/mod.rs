//! The library: all games of a player in one store, and the search for games and positions in it.
//!
//! [`Library`] is the store: it adds records, reads them back, deletes and compacts. [`Library::search`] finds games by their names, results and
//! positions, [`Library::explore`] counts the moves that were played from a position.
//! [`Import`] adds the games of files. [`engine_games`] are games that come with the program.
//!
//! There is no index of positions. A move takes a byte, and a game is replayed from its bytes alone, without the rules: going through all games takes a few
//! nanoseconds a move, and most games are left early, because a board on which pieces only disappear (or only appear) cannot come back to an earlier number of
//! pieces. So nothing has to be kept up to date, and a position is found wherever it occurs.

mod batch;
mod folding;
mod head;
mod import;
mod moves;
mod search;
mod store;

pub use folding::folded;
pub use import::{Import, Imported, files_of};
pub use search::{Explored, Hit, LISTED, MoveCount, PositionQuery, Query, year_of};
pub use store::{Added, GameId, Library, Listed, Order, Size, engine_games, has_engine_games};
