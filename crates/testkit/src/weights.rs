//! Where `scripts/setup test` put the weights of the local embedding model.
#![expect(clippy::panic, reason = "only tests use this; they fail by panicking")]

use std::path::PathBuf;

/// The folder with the local embedding model; a test without it fails with what to do.
pub fn folder() -> PathBuf {
    let Some(home) = std::env::home_dir() else {
        panic!("there is no home folder, so the embedding model cannot be found");
    };
    let folder = home.join(".cache/frontdesk/all-MiniLM-L6-v2");
    if !folder.join("model.safetensors").is_file() {
        panic!(
            "the embedding model is not in {}; `scripts/setup test` fetches it",
            folder.display()
        );
    }
    folder
}
