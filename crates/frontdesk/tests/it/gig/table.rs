//! The page of a gig over HTTP: candidates sorted, filtered and searched, and the data of its
//! plots.

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::scene;
use crate::harness::BOTH;

fn prices(page: &Value) -> Vec<i64> {
    let items = page["items"].as_array().unwrap();
    let price = |one: &Value| one["proposedPrice"].as_i64().unwrap();
    items.iter().map(price).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn candidates_are_sorted_filtered_and_searched() {
    for backing in BOTH {
        let scene = scene(backing, 6).await;
        let (server, gig) = scene.serve(&[]).await;
        let who = server.sign_in("rita");
        let list = async |query: &str| {
            let answer = server
                .get(&who, &format!("/gigs/{gig}/candidates?{query}"))
                .await;
            assert_eq!(answer.status, StatusCode::OK, "{query}: {answer:?}");
            answer.body
        };
        let dear = list("sort=price&direction=desc&limit=2").await;
        assert_eq!(prices(&dear), [15_000, 14_000]);
        assert_eq!((&dear["total"], &dear["cursor"]), (&json!(6), &json!("2")));
        let new = list("status=NEW&sort=price").await;
        assert_eq!(prices(&new), [10_000, 13_000]);
        assert_eq!(list("without_skill=CSS").await["total"], 6);
        assert_eq!(list("with_skill=CSS").await["total"], 0);
        assert_eq!(list("within_budget=true&max_price=12000").await["total"], 3);
        let named = list("q=Иван5").await;
        assert_eq!(prices(&named), [15_000]);

        // The score is out of 100 whatever the scale, with its components.
        let one = &named["items"][0];
        assert_eq!(
            (&one["screening"], &one["interview"]),
            (&json!(80), &Value::Null)
        );
        assert_eq!(one["withinBudget"], true);
        assert_eq!(one["missingSkills"], json!(["CSS"]));
        assert_eq!(one["criteria"].as_array().unwrap().len(), 6);
        let id = one["id"].as_str().unwrap();
        assert_eq!(prices(&list(&format!("ids={id}")).await), [15_000]);
        for wrong in ["sort=beauty", "status=OLD", "ids=somebody", "color=red"] {
            let path = format!("/gigs/{gig}/candidates?{wrong}");
            let answer = server.get(&who, &path).await;
            assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{wrong}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn plots_count_everyone_once() {
    for backing in BOTH {
        let scene = scene(backing, 30).await;
        let (server, gig) = scene.serve(&[]).await;
        let who = server.sign_in("rita");
        let plots = server.get(&who, &format!("/gigs/{gig}")).await.body["plots"].clone();
        let sum = |bars: &Value| {
            let bars = bars.as_array().unwrap().iter();
            bars.map(|bar| bar["people"].as_u64().unwrap()).sum::<u64>()
        };
        assert_eq!((sum(&plots["prices"]), sum(&plots["scores"])), (30, 30));
        assert_eq!(plots["points"].as_array().unwrap().len(), 30);
        assert_eq!(plots["pointsLeftOut"], 0);
    }
}
