//! One process owns a data folder; other processes find its address.

use super::*;

#[test]
fn a_folder_has_one_server_and_holds_its_address() {
    let folder = tempfile::TempDir::new().unwrap();
    let data = folder.path().join("data");
    assert_eq!(owner(&data).unwrap(), None);
    let FolderOwner::Ours(lock) = take(&data, "http://127.0.0.1:1").unwrap() else {
        panic!("nobody has it");
    };
    assert_eq!(owner(&data).unwrap().as_deref(), Some("http://127.0.0.1:1"));
    let FolderOwner::By(url) = take(&data, "http://127.0.0.1:2").unwrap() else {
        panic!("it is taken");
    };
    assert_eq!(url, "http://127.0.0.1:1");
    drop(lock);
    assert_eq!(owner(&data).unwrap(), None);
    // The new, shorter address must not keep a tail of the old one.
    let FolderOwner::Ours(_lock) = take(&data, "http://x").unwrap() else {
        panic!("it is free again");
    };
    assert_eq!(owner(&data).unwrap().as_deref(), Some("http://x"));
}
