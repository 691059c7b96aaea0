//! Candidates without a decision in the inbox, counted as the list of gigs counts them.

use serde_json::{Value, json};

use super::{people, recruiter, respond, scene};
use crate::harness::BOTH;

#[tokio::test(flavor = "multi_thread")]
async fn undecided_candidates_are_counted_as_the_board_counts_them() {
    for backing in BOTH {
        let scene = scene(backing, 5).await;
        let app = &scene.test.app;
        let stranger = recruiter(app, "stranger").await;
        let mut decided = people("Решён", 2);
        for one in decided.as_array_mut().unwrap() {
            one["hr_selection_status"] = json!("REJECTED");
        }
        respond(app, &scene.who, scene.gig, &decided).await;
        let (server, gig) = scene.serve(&[("stranger", &stranger)]).await;
        let who = server.sign_in("rita");
        let board = server.get(&who, "/gigs").await.body;
        assert_eq!(board["items"][0]["responses"], 7);
        assert_eq!(board["items"][0]["undecided"], 5);
        let found = server.get(&who, "/inbox").await.body;
        let items = json!([{ "title": "Лендинг", "link": format!("/gigs/{gig}"), "count": 5 }]);
        assert_eq!(found["count"], 5);
        assert_eq!(found["work"][0]["assistant"], "gig");
        assert_eq!(found["work"][0]["items"], items);
        let foreign = server.get(&server.sign_in("stranger"), "/inbox").await.body;
        assert_eq!(
            (&foreign["count"], &foreign["work"]),
            (&json!(0), &Value::Array(vec![]))
        );
    }
}
