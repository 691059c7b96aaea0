//! The engine through its public interface: scenarios, crashes at every step, and a simulation over
//! thousands of seeds. Time is virtual and nothing opens a socket.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "what goes wrong in the kit fails the test that uses it"
)]

mod answers;
mod approval_stories;
mod approvals;
mod calls;
mod cards;
mod crashes;
mod drafts;
mod hostile;
mod kit;
mod proposals;
mod refused;
mod replies;
mod rules;
mod sim;
mod simulation;
mod stops;
mod targets;
mod texts;
