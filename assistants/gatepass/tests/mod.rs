//! The assistant as a whole: the design's correctness properties, the client against real
//! sockets, and conversations with the real Gate Pass API.

pub(super) mod bench;
mod client;
mod properties;
mod upstream;
pub(super) mod world;
