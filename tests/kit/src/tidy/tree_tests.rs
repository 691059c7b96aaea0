//! Reading a tree, with and without git.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::*;

fn write(root: &Path, path: &str, bytes: &[u8]) {
    let full = root.join(path);
    fs::create_dir_all(full.parent().unwrap()).unwrap();
    fs::write(full, bytes).unwrap();
}

fn paths(tree: &Tree) -> Vec<&str> {
    tree.files().map(|(path, _)| path).collect()
}

#[test]
fn a_source_archive_is_walked_without_build_folders() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "src/lib.rs", b"//! x\n");
    write(folder.path(), "target/debug/out.txt", b"built");
    write(folder.path(), "logo.png", b"\x89PNG\0\xff");
    let tree = Tree::read(folder.path()).unwrap();
    assert_eq!(paths(&tree), ["src/lib.rs"]);
}

#[test]
fn in_a_checkout_git_lists_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let init = Command::new("git")
        .args(["init", "--quiet"])
        .current_dir(folder.path())
        .status();
    assert!(init.unwrap().success());
    write(folder.path(), ".gitignore", b"/secret.toml\n");
    write(folder.path(), "secret.toml", b"key");
    write(folder.path(), "new.rs", b"//! not yet committed\n");
    let tree = Tree::read(folder.path()).unwrap();
    assert_eq!(paths(&tree), [".gitignore", "new.rs"]);
}

#[test]
fn test_files_are_recognised() {
    assert!(is_test("crates/core/src/grant_tests.rs"));
    assert!(is_test("crates/frontdesk/tests/it/main.rs"));
    assert!(is_test("tests/kit/src/lib.rs"));
    assert!(!is_test("crates/core/src/latest.rs"));
    assert!(!is_test("crates/core/src/contests/a.rs"));
}
