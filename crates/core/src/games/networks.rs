//! What the engines' networks have in common: how they are loaded, and what the processor can do.

use crate::message::Message;
use crate::storage::{crc32, read_file};
use crate::table::Evaluation;
use std::sync::{Arc, LazyLock};

/// A network that is part of the program, or why it cannot be read; `None` in the window of a page, which does not search.
pub type Shipped<N> = LazyLock<Result<Option<Arc<N>>, String>>;

/// Reads the network that is part of the program.
///
/// # Errors
/// What is wrong with its file.
pub fn shipped<N>(file: Option<&[u8]>, read: fn(&[u8]) -> Result<N, String>) -> Result<Option<Arc<N>>, String> {
    Ok(file.map(read).transpose()?.map(Arc::new))
}

/// The network of an evaluation: from its file, or the one of the program; `None` for the hand-written evaluation.
///
/// # Errors
/// There is no such file, or it is no network or damaged: a line that names it.
pub fn load<N>(wanted: &Evaluation, own: &Shipped<N>, read: fn(&[u8]) -> Result<N, String>) -> Result<Option<Arc<N>>, String> {
    match wanted {
        Evaluation::Hand => Ok(None),
        Evaluation::Own | Evaluation::Network(None) => {
            (**own).clone().map_err(|why| format!("the network of this program: {why}"))
        }
        Evaluation::Network(Some(path)) => {
            let fail = |why: String| format!("{}: {why}", path.display());
            let bytes = read_file(path).map_err(|error| fail(Message::from(&error).to_string()))?;
            read(&bytes).map(|network| Some(Arc::new(network))).map_err(fail)
        }
    }
}

/// The file of a network: a line with the game, the version, words about the layers and a checksum (CRC-32), and then the numbers.
pub fn sealed(game: &str, version: u32, words: &str, body: &[u8]) -> Vec<u8> {
    let line = format!("qiju {game} network {version} {words}");
    let sum = crc32([line.as_bytes(), body]);
    [format!("{line} {sum:08x}\n").as_bytes(), body].concat()
}

/// The words about the layers and the numbers of a network's file.
///
/// # Errors
/// It is something else, has another version, or is damaged.
pub fn opened<'a>(file: &'a [u8], game: &str, version: u32) -> Result<(&'a str, &'a [u8]), String> {
    let foreign = || format!("this is no network for {game}");
    let end = file.iter().take(200).position(|byte| *byte == b'\n').ok_or_else(foreign)?;
    let line = std::str::from_utf8(&file[..end]).map_err(|_| foreign())?;
    let rest = line.strip_prefix(&format!("qiju {game} network ")).ok_or_else(foreign)?;
    let Some((_, rest)) = rest.split_once(' ').filter(|(number, _)| *number == version.to_string()) else {
        return Err("this version of the network's file is not known".to_owned());
    };
    let (words, sum) = rest.rsplit_once(' ').ok_or_else(foreign)?;
    let (told, body) = (&line[..line.len() - sum.len() - 1], &file[end + 1..]);
    if sum != format!("{:08x}", crc32([told.as_bytes(), body])) {
        return Err("the file does not match its checksum".to_owned());
    }
    Ok((words, body))
}

/// True if the processor has AVX2.
pub fn has_avx2() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    false
}
