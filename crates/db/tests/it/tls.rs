//! TLS to a real server with its own certificate.

use std::{path::Path, process::Command};

use frontdesk_db::{DbError, PostgresOptions};
use frontdesk_testkit::postgres::PrivateCluster;

use crate::support::{connect, rows};

fn sh(folder: &Path, script: &str) -> bool {
    Command::new("sh")
        .args(["-ec", script])
        .current_dir(folder)
        .output()
        .is_ok_and(|output| output.status.success())
}

const MAKE_CERTIFICATES: &str = "
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=test-ca -keyout ca.key -out ca.pem
    openssl req -newkey rsa:2048 -nodes -subj /CN=127.0.0.1 -keyout server.key -out server.csr
    printf 'subjectAltName=IP:127.0.0.1\\n' > san
    openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile san -out server.crt
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=other-ca -keyout other.key -out other.pem";

#[tokio::test]
async fn a_server_is_verified_when_tls_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    if !sh(folder.path(), MAKE_CERTIFICATES) {
        eprintln!("SKIPPED: openssl is needed to make certificates");
        return;
    }
    let cluster = PrivateCluster::start();
    let data = cluster.data_folder();
    let install = format!(
        "cp server.key server.crt {0} && chown --reference={0} {0}/server.key {0}/server.crt && chmod 600 {0}/server.key && echo 'ssl = on' >> {0}/postgresql.conf",
        data.display()
    );
    assert!(sh(folder.path(), &install));
    cluster.stop();
    cluster.restart();

    let certificate = |name: &str| folder.path().join(name).display().to_string();
    let url = |query: String| format!("{}?{query}", cluster.url);
    let encrypted = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
    for mode in ["require", "verify-ca", "verify-full"] {
        let url = url(format!(
            "sslmode={mode}&sslrootcert={}",
            certificate("ca.pem")
        ));
        let db = connect(&url, PostgresOptions::default()).await.unwrap();
        let found = rows(&db, encrypted, vec![]).await.unwrap();
        assert_eq!(found[0].get::<bool>("ssl"), Ok(true), "{mode}");
    }
    let plain = connect(&cluster.url, PostgresOptions::default())
        .await
        .unwrap();
    let found = rows(&plain, encrypted, vec![]).await.unwrap();
    assert_eq!(found[0].get::<bool>("ssl"), Ok(false));
    for query in [
        format!(
            "sslmode=verify-full&sslrootcert={}",
            certificate("other.pem")
        ),
        "sslmode=require".to_owned(),
    ] {
        let refused = connect(&url(query), PostgresOptions::default()).await.err();
        assert!(
            matches!(refused, Some(DbError::Unavailable { .. })),
            "{refused:?}"
        );
    }
}
