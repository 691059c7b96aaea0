//! Exit codes for scripts, and one error message for people.

use std::process::ExitCode;

use super::pipe;
use super::remote::ServerRefusal;
use crate::config::ConfigError;
use crate::eval::suite::SuiteError;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Done,
    Failed,
    Usage,
    NotAllowed,
    ModelFailed,
}

impl Exit {
    pub(super) fn of(done: bool) -> Self {
        match done {
            true => Self::Done,
            false => Self::Failed,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(match exit {
            Exit::Done => 0,
            Exit::Failed => 1,
            Exit::Usage => 2,
            Exit::NotAllowed => 3,
            Exit::ModelFailed => 4,
        })
    }
}

/// Prints the error to standard error and returns its exit code.
pub(super) fn fail(error: &anyhow::Error) -> ExitCode {
    let closed = |error: &std::io::Error| error.kind() == std::io::ErrorKind::BrokenPipe;
    if error.downcast_ref().is_some_and(closed) {
        return pipe::CLOSED.into();
    }
    eprintln!("frontdesk: {error:#}");
    code(error).into()
}

fn code(error: &anyhow::Error) -> Exit {
    if error.downcast_ref::<ConfigError>().is_some() || error.downcast_ref::<SuiteError>().is_some()
    {
        return Exit::Usage;
    }
    if let Some(refused) = error.downcast_ref::<ServerRefusal>() {
        return match (refused.status.as_u16(), refused.code.as_str()) {
            (401 | 403, _) => Exit::NotAllowed,
            (400 | 413 | 415 | 422, _) => Exit::Usage,
            (_, "AGENT_ERROR") => Exit::ModelFailed,
            _ => Exit::Failed,
        };
    }
    Exit::Failed
}
