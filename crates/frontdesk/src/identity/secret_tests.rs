//! The secret of a data folder.

use secrecy::ExposeSecret;

use super::*;

#[test]
fn the_local_secret_is_created_once_and_private() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::TempDir::new().unwrap();
    let first = local_secret(folder.path()).unwrap();
    let second = local_secret(folder.path()).unwrap();
    assert_eq!(first.expose_secret(), second.expose_secret());
    assert!(first.expose_secret().len() >= 32);
    let mode = std::fs::metadata(folder.path().join(SECRET_FILE))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}
