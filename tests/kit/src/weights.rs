//! Finds the weights of the local embedding models that `scripts/setup test` downloads.
#![expect(clippy::panic, reason = "only tests use this; they fail by panicking")]

use std::path::PathBuf;

/// The folder with the local embedding model. Panics with the fix if it is missing.
pub fn folder() -> PathBuf {
    folder_with("all-MiniLM-L6-v2", "model.safetensors")
}

/// The folder with the multilingual embedding model.
pub fn multilingual_folder() -> PathBuf {
    folder_with(
        "use-multilingual",
        "universal-sentence-encoder-multilingual.onnx",
    )
}

fn folder_with(name: &str, file: &str) -> PathBuf {
    #[expect(
        clippy::disallowed_methods,
        reason = "tests find it as the script does"
    )]
    let cache = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(".cache")));
    let Some(cache) = cache else {
        panic!("neither XDG_CACHE_HOME nor HOME is set, so the embedding model cannot be found");
    };
    let folder = cache.join("frontdesk").join(name);
    if !folder.join(file).is_file() {
        panic!(
            "the embedding model is not in {}; `scripts/setup test` fetches it",
            folder.display()
        );
    }
    folder
}
