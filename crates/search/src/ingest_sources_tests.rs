//! Clashing addresses, vanished documents and metadata.

use super::*;

#[tokio::test]
async fn two_folders_with_the_same_paths_keep_both_documents() {
    let bench = bench(&[]);
    let top = folder(&[
        ("one/README.md", "zebra stripes"),
        ("two/README.md", "walrus tusks"),
        ("deep/two/README.md", "falcon wings"),
    ]);
    for (name, counts) in [
        ("one", (1, 0)),
        ("two", (1, 0)),
        ("one", (0, 1)),
        ("two", (0, 1)),
    ] {
        let report = bench.path(&top.path().join(name), &options()).await;
        assert_eq!((report.success, report.unchanged), counts, "{name}");
    }
    let sources = "http://desk.example/sources/handbook/";
    assert_eq!(bench.found("zebra").await[0], format!("{sources}README.md"));
    assert_eq!(
        bench.found("walrus").await[0],
        format!("{sources}two/README.md")
    );
    let clash = bench.path(&top.path().join("deep/two"), &options()).await;
    assert_eq!((clash.success, clash.failed.len()), (0, 1));
    assert!(
        clash.failed[0].message.contains("use another collection"),
        "{clash:?}"
    );
}

#[tokio::test]
async fn vanished_documents_are_removed_only_on_request() {
    let bench = bench(&[]);
    let docs = folder(&[("a.md", "zebra stripes"), ("b.md", "walrus tusks")]);
    bench.path(docs.path(), &options()).await;
    std::fs::remove_file(docs.path().join("a.md")).unwrap();
    let kept = Options {
        prune: false,
        ..options()
    };
    let report = bench.path(docs.path(), &kept).await;
    assert_eq!((report.removed, report.vanished), (0, 1));
    assert_eq!(
        bench.found("zebra").await[0],
        "http://desk.example/sources/handbook/a.md"
    );
    let report = bench.path(docs.path(), &options()).await;
    assert_eq!((report.removed, report.vanished), (1, 0));
}

#[tokio::test]
async fn metadata_comes_from_the_run_the_front_matter_and_the_folder() {
    let bench = bench(&[]);
    let docs = folder(&[
        (
            "hr/leave.md",
            "---\nstate: draft\nteam: people\n---\nzebra stripes",
        ),
        ("it/mail.md", "zebra tusks"),
    ]);
    let run = Options {
        metadata: BTreeMap::from([("state".to_owned(), "final".to_owned())]),
        ..options()
    };
    bench.path(docs.path(), &run).await;
    for (key, value, expected) in [
        ("folder", "hr", vec!["hr/leave.md"]),
        ("state", "final", vec!["hr/leave.md", "it/mail.md"]),
        ("team", "people", vec!["hr/leave.md"]),
        ("state", "draft", vec![]),
    ] {
        let query = Query {
            metadata: vec![(key.to_owned(), value.to_owned())],
            ..Query::new("zebra", "handbook", Scopes::everyone())
        };
        let hits = bench.index.find(&query, None).await.unwrap();
        let mut found: Vec<&str> = hits
            .iter()
            .map(|hit| hit.url.trim_start_matches("/sources/handbook/"))
            .collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{key}={value}");
    }
    let wrong = Options {
        metadata: BTreeMap::from([("a b".to_owned(), "x".to_owned())]),
        ..options()
    };
    let refused = bench
        .ingest
        .run(
            &Source::Path(docs.path().to_owned()),
            &wrong,
            &ProgressLog(Mutex::default()),
        )
        .await;
    assert!(matches!(refused, Err(SearchError::Invalid(why)) if why.contains("metadata key")));
}
