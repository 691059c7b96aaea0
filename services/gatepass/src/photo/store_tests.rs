//! Photos in a folder: atomic writes, cleanup of leftovers, and the error of an unwritable
//! folder.

use bytes::Bytes;

use super::Photos;

#[tokio::test]
async fn a_folder_keeps_reads_and_removes_photos() {
    let folder = tempfile::tempdir().unwrap();
    let photos = Photos::folder(folder.path().join("photos")).unwrap();
    assert_eq!(photos.get("a.jpg").await.unwrap(), None);
    photos
        .put("a.jpg", Bytes::from_static(b"one"))
        .await
        .unwrap();
    photos
        .put("a.jpg", Bytes::from_static(b"two"))
        .await
        .unwrap();
    assert_eq!(
        photos.get("a.jpg").await.unwrap().as_deref(),
        Some(&b"two"[..])
    );
    photos.delete("a.jpg").await.unwrap();
    photos.delete("a.jpg").await.unwrap();
    assert_eq!(photos.get("a.jpg").await.unwrap(), None);
    let left: Vec<_> = std::fs::read_dir(folder.path().join("photos"))
        .unwrap()
        .collect();
    assert!(left.is_empty(), "no temporary file stays behind");
}

#[tokio::test]
async fn abandoned_writes_are_swept_and_running_ones_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (folder.path().join("old.tmp"), folder.path().join("new.tmp"));
    std::fs::write(&old, b"half").unwrap();
    std::fs::write(&new, b"half").unwrap();
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(7200);
    std::fs::File::options()
        .write(true)
        .open(&old)
        .unwrap()
        .set_modified(long_ago)
        .unwrap();
    Photos::folder(folder.path()).unwrap();
    assert!(!old.exists());
    assert!(new.exists());
}

#[tokio::test]
async fn a_folder_that_cannot_be_written_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, b"").unwrap();
    let error = Photos::folder(&file).err().unwrap().to_string();
    assert!(
        error.contains("the photo folder") && error.contains("check that it exists"),
        "{error}"
    );
}
