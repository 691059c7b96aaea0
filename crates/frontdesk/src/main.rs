//! The `frontdesk` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    frontdesk::cli::main()
}
