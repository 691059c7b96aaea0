//! The crash harness: starts the real server as a process, sends load, kills it at seeded moments,
//! restarts it on the same data, and runs one checker over acknowledgements, stored rows and
//! effects.

mod boundaries;
mod check;
#[cfg(test)]
mod check_tests;
mod clients;
mod databases;
mod effects;
mod facts;
// Failpoints exist only in builds with debug assertions.
#[cfg(debug_assertions)]
mod failpoints;
mod faults;
#[cfg(debug_assertions)]
mod inside;
mod kills;
mod limits;
mod load;
mod model;
mod nodes;
mod place;
mod progress;
mod seed;
mod shutdown;
mod storms;
