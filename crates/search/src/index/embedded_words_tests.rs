//! Words that weigh more in the keyword ranking: identifiers and headings.

use super::*;

#[tokio::test]
async fn an_identifier_is_found_before_its_parts() {
    let (_folder, index) = index();
    let texts = [
        "maintenance_work_mem limits the work of a vacuum; mem is memory",
        "work_mem limits each sort",
        "A page about sorting",
        "A page about vacuum",
        "A page about indexes",
        "A page about backups",
    ];
    for (n, text) in texts.iter().enumerate() {
        let url = format!("/sources/{COLLECTION}/{n}.md");
        index
            .put(document(None, &url, &[(*text, None)]))
            .await
            .unwrap();
    }
    let found = index.find(&ask("What is work_mem?"), None).await.unwrap();
    assert_eq!(found[0].text, texts[1]);
}

#[tokio::test]
async fn the_heading_of_a_passage_counts_more_than_its_text() {
    let (_folder, index) = index();
    for (n, section) in ["Guide › Backups", "Guide › Restores"].iter().enumerate() {
        let url = format!("/sources/{COLLECTION}/{n}.md");
        let mut one = document(None, &url, &[("Backups and restores are here", None)]);
        one.passages[0].section = (*section).to_owned();
        index.put(one).await.unwrap();
    }
    let found = index.find(&ask("restores"), None).await.unwrap();
    assert_eq!(found[0].section, "Guide › Restores");
}
