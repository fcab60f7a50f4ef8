//! Correct forms of commands, for the reply to a wrong one.

/// Returns a sentence with the correct forms of the command with this name, if `help` is not enough.
pub(super) fn usage(name: &str) -> Option<&'static str> {
    Some(match name {
        "new" => "Write new, new black, new 960 (Fischer Random chess) or new 960 black.",
        "setboard" => {
            "Write setboard and a position in FEN, such as setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1."
        }
        "option" => "Write option NAME=VALUE, such as option Variety=30; option alone lists all.",
        "variant" => {
            "Write variant normal or variant fischerandom; new 960 starts from a random position."
        }
        "words" => "Write words on or words off.",
        "post" => "Write post or nopost.",
        "memory" => "Write memory and a number of megabytes, such as memory 256.",
        "cores" => "Write cores and a number of threads, such as cores 2.",
        "sd" => "Write sd and a number of half-moves, such as sd 8; sd 0 removes the limit.",
        "st" => "Write st and a number of seconds per move, such as st 5.",
        "exclude" | "include" => "Write exclude or include and moves, such as exclude e4, or all.",
        "egtpath" => {
            "Write egtpath syzygy and a folder of tablebases; egtpath syzygy alone switches them off."
        }
        "usermove" => "Write a move such as e4.",
        _ => return None,
    })
}
