//! Row-level security on Postgres: the rules hold below the application, for every table, verb
//! and person, and every rule is needed.

mod catalogue;
mod deployments;
mod matrix;
mod mutations;
mod present;
mod scene;
mod steps;
