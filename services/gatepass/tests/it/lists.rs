//! Lists: newest first, by state, by words, page by page; and counts.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::site::{JPEG, Person, Site, on_both};

async fn make(site: &Site, name: &str, description: &str) -> String {
    let body = json!({"person_name": name, "description": description, "is_returnable": true});
    let pass = site
        .hr()
        .post("/hr/gatepass/create", &body)
        .await
        .of_schema("GatePassDetail");
    pass["pass_number"].as_str().unwrap().to_owned()
}

fn names(list: &Value) -> Vec<&str> {
    list["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|pass| pass["person_name"].as_str().unwrap())
        .collect()
}

async fn walk(person: &Person<'_>, path: &str, limit: usize, schema: &str) -> Vec<String> {
    let mut seen = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = person
            .get(&format!("{path}?limit={limit}{cursor}"))
            .await
            .of_schema(schema);
        let items = page["items"].as_array().unwrap();
        assert!(items.len() <= limit);
        seen.extend(
            items
                .iter()
                .map(|item| item["id"].as_str().unwrap().to_owned()),
        );
        if page["has_more"] == false {
            assert!(page["cursor"].is_null());
            return seen;
        }
        cursor = format!("&cursor={}", page["cursor"].as_str().unwrap());
    }
}

// design: 003 GET /admin/gatepass/list
#[tokio::test]
async fn pages_cover_everything_once_newest_first() {
    on_both(|site| async move {
        for index in 0..25 {
            make(&site, &format!("Person {index:02}"), "Bank").await;
        }
        let whole = site
            .admin()
            .get("/admin/gatepass/list?limit=100")
            .await
            .of_schema("GatePassList");
        let newest: Vec<String> = (0..25)
            .rev()
            .map(|index| format!("Person {index:02}"))
            .collect();
        assert_eq!(names(&whole), newest);
        let ids: Vec<String> = whole["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|p| p["id"].as_str().unwrap().to_owned())
            .collect();
        for limit in [1, 7, 25] {
            assert_eq!(
                walk(&site.admin(), "/admin/gatepass/list", limit, "GatePassList").await,
                ids,
                "{limit}"
            );
            assert_eq!(
                walk(&site.guard(), "/gate/gatepass/list", limit, "GatePassList").await,
                ids,
                "{limit}"
            );
        }
        let notices = walk(
            &site.admin(),
            "/notifications/admin",
            10,
            "NotificationList",
        )
        .await;
        assert_eq!(notices.len(), 25);
        assert_eq!(notices.iter().collect::<BTreeSet<_>>().len(), 25);
    })
    .await;
}

#[tokio::test]
async fn a_pass_made_while_paging_neither_hides_nor_repeats_others() {
    on_both(|site| async move {
        for index in 0..4 {
            make(&site, &format!("Person {index}"), "Bank").await;
        }
        let first = site.hr().get("/hr/gatepass/list?limit=2").await.json();
        make(&site, "Late", "Bank").await;
        let cursor = first["cursor"].as_str().unwrap();
        let second = site
            .hr()
            .get(&format!("/hr/gatepass/list?limit=2&cursor={cursor}"))
            .await
            .json();
        assert_eq!(
            (names(&first), names(&second)),
            (vec!["Person 3", "Person 2"], vec!["Person 1", "Person 0"])
        );
    })
    .await;
}

// design: 003 GET /hr/gatepass/list, GET /admin/gatepass/pending
#[tokio::test]
async fn lists_filter_by_status_and_counts_agree() {
    on_both(|site| async move {
        let admin = site.admin();
        let numbers = [
            site.new_pass(true).await,
            site.new_pass(true).await,
            site.new_pass(true).await,
            site.new_pass(false).await,
            site.new_pass(true).await,
        ];
        for number in &numbers[1..4] {
            admin
                .post(&format!("/admin/gatepass/{number}/approve"), &json!({}))
                .await;
        }
        admin
            .post(
                &format!("/admin/gatepass/{}/reject", numbers[4]),
                &json!({}),
            )
            .await;
        for number in &numbers[2..4] {
            assert_eq!(site.guard().scan("exit", number, JPEG).await.status, 201);
        }
        let expected = [
            ("pending", vec![0]),
            ("approved", vec![1]),
            ("rejected", vec![4]),
            ("exited", vec![3, 2]),
            ("returned", vec![]),
        ];
        let counts = site
            .hr()
            .get("/hr/gatepass/counts")
            .await
            .of_schema("Counts");
        for (status, indexes) in expected {
            let list = site
                .hr()
                .get(&format!("/hr/gatepass/list?status={status}"))
                .await
                .of_schema("GatePassList");
            let found: Vec<&str> = list["items"]
                .as_array()
                .unwrap()
                .iter()
                .map(|p| p["pass_number"].as_str().unwrap())
                .collect();
            let wanted: Vec<&str> = indexes
                .iter()
                .map(|index| numbers[*index].as_str())
                .collect();
            assert_eq!(found, wanted, "{status}");
            assert_eq!(counts[status], indexes.len());
        }
        assert_eq!(
            (&counts["total"], &counts["awaiting_return"]),
            (&json!(5), &json!(1))
        );
        assert_eq!(admin.get("/admin/gatepass/counts").await.json(), counts);
        assert_eq!(
            site.guard().get("/gate/gatepass/counts").await.json(),
            counts
        );
        let pending = admin.get("/admin/gatepass/pending").await.json();
        assert_eq!(pending["items"][0]["pass_number"], *numbers[0]);
        assert_eq!(
            pending["items"][0]["status_history"]
                .as_array()
                .unwrap()
                .len(),
            1
        );
    })
    .await;
}

#[tokio::test]
async fn search_finds_words_in_any_case_and_puts_names_first() {
    on_both(|site| async move {
        make(&site, "Bank Manager", "Visit").await;
        make(&site, "Ali Khan", "Bank visit").await;
        make(&site, "ÉLODIE Ünal", "Поездка в Банк").await;
        let number = make(&site, "Sara 100%", "under_score").await;
        let search = |words: &str| {
            let encoded: String = words.bytes().map(|byte| format!("%{byte:02X}")).collect();
            let hr = site.hr();
            async move {
                hr.get(&format!("/hr/gatepass/list?q={encoded}"))
                    .await
                    .of_schema("GatePassList")
            }
        };
        assert_eq!(
            names(&search("bank").await),
            ["Bank Manager", "Ali Khan"],
            "the name weighs more than its age"
        );
        assert_eq!(
            names(&search("KHAN bank").await),
            ["Ali Khan"],
            "every word counts"
        );
        assert_eq!(names(&search("élodie").await), ["ÉLODIE Ünal"]);
        assert_eq!(names(&search("банк").await), ["ÉLODIE Ünal"]);
        assert_eq!(names(&search("%").await), ["Sara 100%"], "no wildcard");
        assert_eq!(names(&search("r_s").await), ["Sara 100%"]);
        assert_eq!(names(&search(&number.to_lowercase()).await), ["Sara 100%"]);
        assert!(names(&search("' OR 1=1 --").await).is_empty());
        let first = site
            .hr()
            .get("/hr/gatepass/list?q=bank&limit=1")
            .await
            .json();
        let next = format!(
            "/hr/gatepass/list?q=bank&limit=1&cursor={}",
            first["cursor"].as_str().unwrap()
        );
        assert_eq!(
            names(&site.hr().get(&next).await.json()),
            ["Ali Khan"],
            "pages keep the order"
        );
    })
    .await;
}
