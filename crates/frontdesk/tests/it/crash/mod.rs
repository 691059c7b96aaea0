//! The crash harness: starts the real server as a process, drives load, kills it at seeded
//! moments, starts it again on the same data, and runs one checker over what clients were
//! told, what is stored and what was done.

mod boundaries;
mod check;
#[cfg(test)]
mod check_tests;
mod clients;
mod databases;
mod effects;
mod facts;
// What makes them fail is compiled with debug assertions alone.
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
