//! Demo data: passes in each state, deterministic, created once.

use frontdesk_service_gatepass::seed_demo;
use serde_json::json;

use crate::site::on_both;

#[tokio::test]
async fn demo_data_has_a_pass_in_every_state_and_is_made_once() {
    on_both(|site| async move {
        assert_eq!(seed_demo(&site.service).await.unwrap(), 12);
        assert_eq!(seed_demo(&site.service).await.unwrap(), 0, "a second start adds nothing");
        let counts = site.hr().get("/hr/gatepass/counts").await.of_schema("Counts");
        assert_eq!(
            counts,
            json!({"total": 12, "pending": 2, "approved": 2, "rejected": 1, "exited": 4, "returned": 3, "awaiting_return": 2})
        );
        let list = site.admin().get("/admin/gatepass/list").await.of_schema("GatePassList");
        assert_eq!(list["items"][0]["person_name"], "Ali Khan", "the newest");
        let inbox = site.hr().get("/notifications/hr").await.of_schema("NotificationList");
        let times: Vec<&str> = inbox["items"].as_array().unwrap().iter().map(|n| n["created_at"].as_str().unwrap()).collect();
        assert!(times.is_sorted_by(|a, b| a >= b), "newest first");
        assert!(site.admin().get("/notifications/admin").await.json()["unread"].as_i64().unwrap() == 12);
        let returned = site.hr().get("/hr/gatepass/list?status=returned&limit=1").await.json();
        let number = returned["items"][0]["pass_number"].as_str().unwrap();
        let photos = site.guard().get(&format!("/gate/photos/{number}")).await.of_schema("PhotoList");
        assert_eq!(photos["total"], 2);
        let url = photos["photos"][1]["file_url"].as_str().unwrap();
        assert_eq!(site.guard().get(url).await.header("content-type"), "image/jpeg");
        assert_eq!(site.hr().get(&format!("/hr/gatepass/{number}/print")).await.status, 200);
    })
    .await;
}
