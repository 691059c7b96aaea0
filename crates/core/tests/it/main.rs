//! The engine as those see it who use it: scenarios, crashes at every step, and a
//! simulation over thousands of seeds. Time is virtual and nothing opens a socket.

mod answers;
mod approvals;
mod calls;
mod crashes;
mod kit;
mod rules;
mod sim;
mod simulation;
mod stops;
