//! The Grafana dashboard queries exactly the metrics that a server exports.

use std::collections::BTreeSet;
use std::path::Path;

use frontdesk_testkit::model_server::{call, say};
use serde_json::{Value, json};

use crate::harness::Backing;
use crate::server::TestServer;

/// Every metric that a query names.
fn queried_metrics(dashboard: &Value) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for panel in dashboard["panels"].as_array().unwrap() {
        for target in panel["targets"].as_array().unwrap() {
            let query = target["expr"].as_str().unwrap();
            let words = query.split(|c: char| !c.is_alphanumeric() && c != '_');
            names.extend(
                words
                    .filter(|word| word.starts_with("frontdesk_"))
                    .map(str::to_owned),
            );
        }
    }
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn the_dashboard_queries_every_metric_and_no_other() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/grafana/frontdesk.json");
    let dashboard: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let server = TestServer::start(Backing::Sqlite).await;
    let reader = server.sign_in("reader");
    let id = server.conversation(&reader).await;
    server
        .model
        .script([call("list_notes", json!({})), say("None.")]);
    let path = format!("/conversations/{id}/messages");
    let said = server
        .post(&reader, &path, json!({ "content": "Show my notes" }))
        .await;
    assert!(said.status.is_success(), "{said:?}");
    let page = server.client.get(format!("{}/metrics", server.url));
    let page = page.send().await.unwrap().text().await.unwrap();
    let exported: BTreeSet<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE "))
        .filter_map(|line| line.split(' ').next())
        .collect();
    // OpenMetrics names a metric without the suffix of its samples.
    let base = |name: &str| {
        let suffix = ["_bucket", "_total", "_info"]
            .into_iter()
            .find_map(|suffix| name.strip_suffix(suffix));
        suffix.unwrap_or(name).to_owned()
    };
    let asked: BTreeSet<String> = queried_metrics(&dashboard)
        .iter()
        .map(|name| base(name))
        .collect();
    // Without a collector there are no traces to count.
    let is_of_traces = |name: &str| name.starts_with("frontdesk_trace_");
    let asked: BTreeSet<&str> = asked
        .iter()
        .map(String::as_str)
        .filter(|name| !is_of_traces(name))
        .collect();
    assert_eq!(asked, exported);
    // A histogram is queried by its buckets, which must exist.
    let queried = queried_metrics(&dashboard);
    for name in queried.iter().filter(|name| !is_of_traces(name)) {
        assert!(page.contains(name.as_str()), "{name}\n{page}");
    }
    server.stop().await;
}
