//! A client that plays with an xboard engine on a chess server like FICS.
//!
//! | module | content |
//! |---|---|
//! | `text` | lines of the server, parsed |

pub mod text;
