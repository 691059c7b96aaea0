//! The product's one integration test binary; each module is a subject.
//!
//! `cfg(test)` on a module lets its helpers unwrap as its tests do.

#[cfg(test)]
mod bench;
#[cfg(test)]
mod canaries;
#[cfg(test)]
mod cards;
#[cfg(test)]
mod cli;
#[cfg(test)]
mod crash;
#[cfg(test)]
mod dashboard;
#[cfg(test)]
mod design_map;
#[cfg(test)]
mod documents;
#[cfg(test)]
mod evals;
#[cfg(test)]
mod files;
#[cfg(test)]
mod gig;
#[cfg(test)]
mod golden;
#[cfg(test)]
mod harness;
#[cfg(test)]
mod house_rules;
#[cfg(test)]
mod http;
#[cfg(test)]
mod import;
#[cfg(test)]
mod ingest;
#[cfg(test)]
mod keyboard;
#[cfg(test)]
mod knowledge_base;
#[cfg(test)]
mod licences;
#[cfg(test)]
mod live;
mod local_model;
#[cfg(test)]
mod manifests;
#[cfg(test)]
mod nodes;
#[cfg(test)]
mod offline;
#[cfg(test)]
mod operating;
#[cfg(test)]
mod planner;
#[cfg(test)]
mod procedures;
#[cfg(test)]
mod process;
#[cfg(test)]
#[cfg(test)]
mod quick_start;
#[cfg(test)]
mod recruiting;
#[cfg(test)]
mod runtimes;
#[cfg(test)]
mod scout;
#[cfg(test)]
mod server;
#[cfg(test)]
mod takeover;
#[cfg(test)]
mod terminal;
#[cfg(test)]
mod traces;
