//! Full-text search finds what a person may see, on both databases alike, and nothing else.

use frontdesk_core::access::Principal;
use frontdesk_core::store::{ConversationPatch, SearchWords, TextKind};
use serde_json::Map;

use crate::support::{Ground, at, on_each};

/// The kind and the conversation's title of each match.
async fn find(ground: &Ground, who: &Principal, query: &str) -> Vec<(TextKind, String)> {
    let words = SearchWords::of(query).unwrap();
    let found = ground.store.find_texts(who, &words, 20).await.unwrap();
    found
        .into_iter()
        .map(|text| (text.kind, text.title))
        .collect()
}

async fn rename(
    ground: &Ground,
    who: &Principal,
    id: frontdesk_core::id::ConversationId,
    to: &str,
) {
    let patch = ConversationPatch {
        title: Some(to.to_owned()),
        owner: None,
        phase: None,
        metadata: Map::new(),
        now: at(2_000),
    };
    ground.store.update(who, id, patch).await.unwrap();
}

#[tokio::test]
async fn words_are_found_by_their_beginning_in_any_case_script_and_order() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        rename(&ground, &ann, id, "Pickups").await;
        let said =
            "Pass GP-2026-0014: Zoë collects it at the CUSTOMS office. Пропуск выдан в Карачи.";
        ground
            .talk(&ann, id, said, "It's *done*: 100% “approved”")
            .await;
        let message = || vec![(TextKind::Message, "Pickups".to_owned())];
        for query in [
            "customs office",
            "office customs",
            "custo",
            "gp-2026-0014",
            "0014",
            "zoe",
            "ZOË",
            "пропуск",
            "ПРОПУСК карачи",
            "approved 100",
            "\"customs\" OR",
            "done 100",
        ] {
            let expected = match query {
                "\"customs\" OR" => Vec::new(),
                _ => message(),
            };
            assert_eq!(find(&ground, &ann, query).await, expected, "{query}");
        }
        for query in ["ustoms", "customs airport", "2027"] {
            assert_eq!(find(&ground, &ann, query).await, [], "{query}");
        }
        let title = vec![(TextKind::Title, "Pickups".to_owned())];
        assert_eq!(find(&ground, &ann, "pick").await, title);
        rename(&ground, &ann, id, "Deliveries").await;
        assert_eq!(find(&ground, &ann, "pick").await, []);
        assert_eq!(find(&ground, &ann, "deliv").await[0].0, TextKind::Title);
    })
    .await;
}

#[tokio::test]
async fn nobody_finds_what_they_may_not_read() {
    on_each(|ground| async move {
        let (ann, bob) = (ground.person("ann").await, ground.person("bob").await);
        let eve = ground.person("eve").await;
        let company = ground.company(&ann, &[&bob]).await;
        ground.company(&eve, &[]).await;
        let own = ground.conversation(&ann).await.id;
        let shared = ground.conversation_in(&ann, Some(company)).await.id;
        rename(&ground, &ann, own, "Own needle").await;
        rename(&ground, &ann, shared, "Shared needle").await;
        ground.talk(&ann, own, "a needle in private", "yes").await;
        ground.talk(&bob, shared, "a needle for all", "yes").await;
        let titles = async |who: &Principal| {
            let found = find(&ground, who, "needle").await;
            let mut titles: Vec<_> = found.into_iter().map(|(_, title)| title).collect();
            titles.sort();
            titles
        };
        let all = ["Own needle", "Own needle", "Shared needle", "Shared needle"];
        assert_eq!(titles(&ann).await, all);
        assert_eq!(titles(&bob).await, all[2..]);
        assert!(titles(&eve).await.is_empty());
        // Not even the author of a message, once they have left.
        ground
            .store
            .remove_member(company, bob.profile())
            .await
            .unwrap();
        assert!(titles(&bob).await.is_empty());
        ground.store.reset(&ann, own).await.unwrap();
        assert_eq!(
            titles(&ann).await,
            ["Own needle", "Shared needle", "Shared needle"]
        );
        ground.store.delete(&ann, shared).await.unwrap();
        assert_eq!(titles(&ann).await, ["Own needle"]);
    })
    .await;
}
