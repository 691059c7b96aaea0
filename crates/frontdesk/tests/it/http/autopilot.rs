//! The procurement assistant over HTTP, on both databases: its routes, its journey with a colleague, and bad input.

use frontdesk_testkit::model_server::{call, say};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::identity::{claims, signed, somebody};
use crate::harness::Backing;
use crate::server::{Person, TestServer};

async fn talk(server: &TestServer, who: &Person, body: Value) -> String {
    let made = server.post(who, "/conversations", body).await;
    assert_eq!(made.status, StatusCode::CREATED, "{made:?}");
    made.body["id"].as_str().unwrap().to_owned()
}

async fn send_words(server: &TestServer, who: &Person, id: &str, words: &str) -> Value {
    let said = server
        .post(
            who,
            &format!("/conversations/{id}/messages"),
            json!({ "content": words }),
        )
        .await;
    assert_eq!(said.status, StatusCode::CREATED, "{said:?}");
    said.body
}

async fn delete(server: &TestServer, who: &Person, path: &str) -> StatusCode {
    server
        .send(Method::DELETE, path, Some(who), None)
        .await
        .status
}

fn robot(sku: &str) -> Value {
    json!({
        "sku": sku, "name": format!("Acme {sku}"), "manufacturer": "Acme", "category": "Compact Scrubber",
        "best_for": "Bowling alleys with polished lanes.", "modes": ["sweep", "mop"], "surfaces": ["wood"],
        "area_m2_h": [300, 500], "runtime_h": [3.0, 4.0], "aisle_cm": 50, "monthly_lease": 400.0,
        "purchase_price": 8000.0, "time_efficiency": 0.5, "key_reasons": ["Made for lanes"],
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_without_an_assistant_starts_in_discovery() {
    for server in TestServer::on_both().await {
        let buyer = server.sign_in("buyer");
        let made = server.post(&buyer, "/conversations", json!({})).await.body;
        assert_eq!(
            (&made["assistant"], &made["phase"], &made["title"]),
            (
                &json!("autopilot"),
                &json!("discovery"),
                &json!("New Conversation")
            )
        );
        let id = made["id"].as_str().unwrap();
        let state = server.get(&buyer, &format!("/discovery/{id}")).await.body;
        assert_eq!(state["discovery_state"]["progress_percent"], 0);
        assert_eq!(state["next_questions"][0]["key"], "company_type");
        let all = server.get(&buyer, "/discovery/questions").await.body;
        assert_eq!(all["items"].as_array().unwrap().len(), 26);
        server.stop().await;
    }
}

async fn discover(server: &TestServer, buyer: &Person, id: &str) {
    server.model.script([
        call(
            "record_facts",
            json!({ "facts": [
                { "key": "company_type", "value": "Pickleball Club", "quote": "pickleball club" },
                { "key": "courts_count", "value": "6", "quote": "6-court" },
                { "key": "method", "value": "Vacuum", "quote": "we vacuum" },
                { "key": "duration", "value": "2 hours a day", "quote": "2 hours a day" },
                { "key": "monthly_spend", "value": "$3,500", "quote": "$3,500 a month" },
            ]}),
        ),
        say("Noted. Shall we look at the figures?"),
    ]);
    let about_us =
        "We run a 6-court pickleball club, we vacuum 2 hours a day and spend $3,500 a month.";
    send_words(server, buyer, id, about_us).await;
}

/// Moves the phase by its old name; the audit names the person who moved it.
async fn moves_to_selection(server: &TestServer, colleague: &Person, path: &str) {
    let body = json!({ "phase": "greenlight" });
    let moved = server
        .send(Method::PATCH, path, Some(colleague), Some(body))
        .await;
    assert_eq!(moved.body["phase"], "selection", "{moved:?}");
    let history = &moved.body["metadata"]["phase_history"][0];
    let colleague_id = server.get(colleague, "/me").await.body["id"].clone();
    assert_eq!(
        (&history["from"], &history["to"], &history["by"]),
        (&json!("discovery"), &json!("selection"), &colleague_id)
    );
    assert!(history["at"].is_string() && history["reason"].is_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn facts_phases_and_figures_are_seen_by_the_company() {
    for server in TestServer::on_both().await {
        let (buyer, colleague) = (server.sign_in("buyer"), server.sign_in("colleague"));
        let me = server.get(&buyer, "/me").await.body;
        let company = me["companies"][0]["company"].clone();
        let id = talk(&server, &buyer, json!({ "company_id": company })).await;
        discover(&server, &buyer, &id).await;
        // The colleague reads, posts and moves the phase; only the owner deletes.
        let path = format!("/conversations/{id}");
        let seen = server
            .get(&colleague, &format!("/discovery/{id}"))
            .await
            .body;
        assert_eq!(seen["discovery_state"]["ready_for_roi"], true, "{seen}");
        let facts = seen["groups"].as_array().unwrap().iter();
        let quotes: Vec<String> = facts
            .flat_map(|group| group["facts"].as_array().unwrap().clone())
            .map(|fact| fact["quote"].as_str().unwrap().to_owned())
            .collect();
        assert!(quotes.contains(&"$3,500 a month".to_owned()), "{quotes:?}");
        for unknown in ["checkout", "completed", "ROI", ""] {
            let refused = server
                .send(
                    Method::PATCH,
                    &path,
                    Some(&colleague),
                    Some(json!({ "phase": unknown })),
                )
                .await;
            assert_eq!(
                refused.status,
                StatusCode::UNPROCESSABLE_ENTITY,
                "{unknown}: {refused:?}"
            );
        }
        moves_to_selection(&server, &colleague, &path).await;
        let found = server
            .post(
                &colleague,
                "/roi/calculate",
                json!({ "conversation_id": id, "robots": ["Pudu CC1"] }),
            )
            .await;
        assert_eq!(
            found.body["estimates"][0]["estimated_monthly_savings"],
            json!({ "low": 1645.0, "high": 1645.0 }),
            "{found:?}"
        );
        server.model.script([say("Hello.")]);
        send_words(&server, &colleague, &id, "Hello, I am the colleague.").await;
        assert_eq!(
            delete(&server, &colleague, &path).await,
            StatusCode::FORBIDDEN
        );
        let eve = somebody(&server, "eve");
        assert_eq!(
            server.get(&eve, &format!("/discovery/{id}")).await.status,
            StatusCode::FORBIDDEN
        );
        let refused = server
            .post(&eve, "/roi/calculate", json!({ "conversation_id": id }))
            .await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN);
        assert_eq!(delete(&server, &buyer, &path).await, StatusCode::NO_CONTENT);
        assert_eq!(
            server.get(&buyer, &format!("/discovery/{id}")).await.status,
            StatusCode::NOT_FOUND
        );
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_adds_products_and_everyone_finds_them() {
    for server in TestServer::on_both().await {
        let buyer = server.sign_in("buyer");
        let operator = signed(&server, &claims(&server, "op", &["Operator"]));
        let listed = server.get(&buyer, "/products").await.body;
        assert_eq!(
            (listed["items"].as_array().unwrap().len(), &listed["prices"]),
            (11, &json!("indicative"))
        );
        let refused = server.post(&buyer, "/products", robot("lane-1")).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{refused:?}");
        let added = server.post(&operator, "/products", robot("lane-1")).await;
        assert_eq!(added.status, StatusCode::CREATED, "{added:?}");
        for again in ["lane-1", "pudu-cc1"] {
            let refused = server.post(&operator, "/products", robot(again)).await;
            assert_eq!(refused.status, StatusCode::CONFLICT, "{refused:?}");
        }
        assert_eq!(
            server.get(&buyer, "/products/lane-1").await.body["built_in"],
            false
        );
        let found = server
            .post(
                &buyer,
                "/products/search",
                json!({ "query": "polished bowling lanes" }),
            )
            .await;
        assert_eq!(found.body["items"][0]["sku"], "lane-1", "{found:?}");
        let fits = server.post(&buyer, "/products/search", json!({ "query": "restaurant", "mode": "mop", "aisle_width_cm": 60, "category": "All-in-One" })).await;
        let skus: Vec<&Value> = fits.body["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| &item["sku"])
            .collect();
        assert!(
            skus.iter().all(|sku| **sku == "gausium-phantas"),
            "{fits:?}"
        );
        let roi = server
            .post(
                &buyer,
                "/roi/calculate",
                json!({ "robots": ["lane-1"], "assumptions": { "manual_monthly_spend": 1000 } }),
            )
            .await;
        // Without a conversation there are no facts to calculate with.
        assert_eq!(
            (&roi.body["estimates"], &roi.body["missing"]),
            (&json!([]), &json!(["sqft", "method"])),
            "{roi:?}"
        );
        assert_eq!(
            delete(&server, &buyer, "/products/lane-1").await,
            StatusCode::FORBIDDEN
        );
        assert_eq!(
            delete(&server, &operator, "/products/pudu-cc1").await,
            StatusCode::CONFLICT
        );
        assert_eq!(
            delete(&server, &operator, "/products/lane-1").await,
            StatusCode::NO_CONTENT
        );
        assert_eq!(
            delete(&server, &operator, "/products/lane-1").await,
            StatusCode::NOT_FOUND
        );
        let gone = server
            .post(
                &buyer,
                "/products/search",
                json!({ "query": "polished bowling lanes" }),
            )
            .await;
        assert!(!gone.body.to_string().contains("lane-1"), "{gone:?}");
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn figures_are_calculated_again_with_other_values() {
    let server = TestServer::start(Backing::Sqlite).await;
    let buyer = server.sign_in("buyer");
    let id = talk(&server, &buyer, json!({})).await;
    discover(&server, &buyer, &id).await;
    let calculate = async |robot: &str, values: Value| {
        let body = json!({ "conversation_id": id, "robots": [robot], "assumptions": values });
        server.post(&buyer, "/roi/calculate", body).await.body["estimates"][0].clone()
    };
    let plain = calculate("Pudu CC1", json!({})).await;
    assert_eq!(plain["estimated_monthly_savings"]["low"], 1645.0, "{plain}");
    let mut rates = Vec::new();
    for rate in [5, 25, 200] {
        let found = calculate("Pudu CC1", json!({ "labor_rate": rate })).await;
        rates.push(found["estimated_monthly_savings"]["low"].clone());
    }
    // 60 h × rate × 80 % − $1,155.
    assert_eq!(rates, [json!(-915.0), json!(45.0), json!(8445.0)]);
    let half = calculate("Pudu CC1", json!({ "utilization": 0.5 })).await;
    assert_eq!(half["estimated_monthly_savings"]["low"], 245.0);
    assert_eq!(half["chart"].as_array().unwrap().len(), 7);
    let large = calculate("Pudu CC1", json!({ "area_m2": 40_000 })).await;
    assert_eq!(large["robots_needed"], 12);
    let scrubber = calculate("Avidbots Neo 2W", json!({})).await;
    assert_eq!(
        (
            &scrubber["share"],
            &scrubber["cannot"],
            &scrubber["purchase"]["payback"]
        ),
        (
            &json!(0.0),
            &json!(["vacuum"]),
            &json!({ "soonest": null, "latest": null })
        )
    );
    let three = server
        .post(
            &buyer,
            "/roi/recommendations",
            json!({ "conversation_id": id }),
        )
        .await
        .body;
    assert_eq!(three["recommendations"].as_array().unwrap().len(), 3);
    assert!(three["recommendations"][0]["reasons"][0].is_string());
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_input_is_refused_in_a_sentence_and_nothing_is_stored() {
    for server in TestServer::on_both().await {
        let buyer = server.sign_in("buyer");
        let operator = signed(&server, &claims(&server, "op", &["Operator"]));
        for (path, body) in [
            (
                "/roi/calculate",
                json!({ "assumptions": { "labor_rate": -1 } }),
            ),
            (
                "/roi/calculate",
                json!({ "assumptions": { "manual_monthly_spend": 1e300 } }),
            ),
            (
                "/roi/calculate",
                json!({ "assumptions": { "shoe_size": 1 } }),
            ),
            ("/roi/calculate", json!({ "robots": ["Roomba"] })),
            ("/roi/recommendations", json!({ "top_k": 0 })),
            ("/roi/recommendations", json!({ "top_k": 51 })),
            ("/roi/recommendations", json!({ "monthly_budget": -5 })),
            ("/products/search", json!({ "query": "" })),
            (
                "/products/search",
                json!({ "query": "x", "surface": "lava" }),
            ),
            (
                "/products/search",
                json!({ "query": "x", "max_monthly_lease": -1 }),
            ),
        ] {
            let refused = server.post(&buyer, path, body.clone()).await;
            assert_eq!(
                refused.status,
                StatusCode::UNPROCESSABLE_ENTITY,
                "{path} {body}: {refused:?}"
            );
            let detail = &refused.body["error"]["details"][0];
            assert!(
                detail["field"].is_string() && detail["problem"].as_str().unwrap().len() > 10,
                "{refused:?}"
            );
        }
        let mut absurd = robot("absurd");
        absurd["monthly_lease"] = json!(-1);
        assert_eq!(
            server.post(&operator, "/products", absurd).await.status,
            StatusCode::UNPROCESSABLE_ENTITY
        );
        assert_eq!(
            server.get(&buyer, "/products").await.body["items"]
                .as_array()
                .unwrap()
                .len(),
            11
        );
        server.stop().await;
    }
}

/// A title that is too long, metadata that is too large, another company, a message that is too
/// long.
#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_conversation_is_not_created() {
    for server in TestServer::on_both().await {
        let buyer = server.sign_in("buyer");
        let before = server.get(&buyer, "/conversations").await.body["items"]
            .as_array()
            .unwrap()
            .len();
        let long = server
            .post(
                &buyer,
                "/conversations",
                json!({ "title": "x".repeat(300) }),
            )
            .await;
        assert_eq!(long.status, StatusCode::UNPROCESSABLE_ENTITY, "{long:?}");
        let large = server
            .post(
                &buyer,
                "/conversations",
                json!({ "metadata": { "x": "y".repeat(1 << 20) } }),
            )
            .await;
        assert!(large.status.is_client_error(), "{large:?}");
        let eve = somebody(&server, "eve");
        let acme = super::identity::company(&server, &eve).await;
        let foreign = server
            .post(&buyer, "/conversations", json!({ "company_id": acme }))
            .await;
        assert_eq!(
            (foreign.status, &foreign.body["error"]["message"]),
            (
                StatusCode::FORBIDDEN,
                &json!("You're not a member of this company")
            )
        );
        let after = server.get(&buyer, "/conversations").await.body["items"]
            .as_array()
            .unwrap()
            .len();
        assert_eq!(before, after);
        let id = talk(&server, &buyer, json!({})).await;
        for content in [String::new(), "x".repeat(4_001)] {
            let refused = server
                .post(
                    &buyer,
                    &format!("/conversations/{id}/messages"),
                    json!({ "content": content }),
                )
                .await;
            assert_eq!(
                refused.status,
                StatusCode::UNPROCESSABLE_ENTITY,
                "{refused:?}"
            );
        }
        server.model.script([say("ok")]);
        send_words(&server, &buyer, &id, &"x".repeat(4_000)).await;
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_business_case_is_exported_as_markdown_and_pdf() {
    for server in TestServer::on_both().await {
        let buyer = server.sign_in("buyer");
        let id = talk(&server, &buyer, json!({})).await;
        let path = format!("/conversations/{id}");
        discover(&server, &buyer, &id).await;
        server.model.script([
            call("make_business_case", json!({ "robot": "Pudu CC1" })),
            say("Here it is."),
        ]);
        send_words(
            &server,
            &buyer,
            &id,
            "Make the business case for the Pudu CC1",
        )
        .await;
        let list = server.list(&buyer, &format!("{path}/artifacts")).await;
        let artifact = list[0]["id"].as_str().unwrap().to_owned();
        for (ending, begins) in [("pdf", "%PDF-"), ("md", "# Business case: Pudu CC1")] {
            let request = server.request(
                Method::GET,
                &format!("{path}/artifacts/{artifact}.{ending}"),
                Some(&buyer),
            );
            let answer = request.send().await.unwrap();
            assert_eq!(answer.status(), StatusCode::OK);
            let bytes = answer.bytes().await.unwrap();
            assert!(bytes.starts_with(begins.as_bytes()), "{ending}");
        }
        server.stop().await;
    }
}

/// A whole decision, with requests of later phases and questions about the result.
const OFFLINE_MESSAGES: [&str; 17] = [
    "What is the ROI?",
    "back to discovery",
    "we run a 6-court pickleball club",
    "Vacuum",
    "2 hr",
    "$2,000 - $5,000",
    "Riverside Pickleball",
    "go to ROI",
    "recommend robots",
    "calculate the ROI",
    "Why 80 percent?",
    "shortlist the Pudu CC1",
    "go to selection",
    "show the shortlist",
    "Summarise the options",
    "What are the next steps?",
    "make the business case",
];

#[tokio::test(flavor = "multi_thread")]
async fn with_the_offline_model_from_the_first_sentence_to_the_business_case() {
    for backing in [Backing::Sqlite, Backing::Postgres] {
        let server = TestServer::start_with(backing, &[("model.provider", "offline")]).await;
        let (buyer, colleague) = (server.sign_in("buyer"), server.sign_in("colleague"));
        let company = server.get(&buyer, "/me").await.body["companies"][0]["company"].clone();
        let id = talk(&server, &buyer, json!({ "company_id": company })).await;
        let path = format!("/conversations/{id}");
        let mut answers = Vec::new();
        for words in OFFLINE_MESSAGES {
            let said = send_words(&server, &buyer, &id, words).await;
            let answer = said["agent_message"]["content"]
                .as_str()
                .unwrap()
                .to_owned();
            println!("> {words}\n{answer}\n");
            answers.push(answer);
        }
        for (place, words) in [
            (0, "This belongs to the ROI phase"),
            (0, "Missing: floor area and how it is cleaned."),
            (2, "Courts: 6"),
            (2, "How do you clean the floors today?"),
            (5, "go to ROI"),
            (6, "Company: Riverside Pickleball"),
            (8, "recommended"),
            (9, "would save $970 to $3,370 a month"),
            (
                10,
                "| Work taken over | 100 % × 100 % × 80 % × 100 % | 80 % |",
            ),
            (11, "On the shortlist: Pudu CC1."),
            (13, "On the shortlist, unchanged: Pudu CC1."),
            (14, "| Pudu CC1 |"),
            (15, "Next steps:"),
            (16, "Business case: Pudu CC1 for Riverside Pickleball"),
        ] {
            assert!(
                answers[place].contains(words),
                "{words}: {}",
                answers[place]
            );
        }
        let seen = server.get(&colleague, &path).await.body;
        assert_eq!(
            (&seen["phase"], &seen["title"]),
            (
                &json!("selection"),
                &json!("Riverside Pickleball: cleaning robots")
            )
        );
        assert_eq!(seen["metadata"]["shortlist"]["robots"], json!(["pudu-cc1"]));
        let steps: Vec<&Value> = seen["metadata"]["phase_history"]
            .as_array()
            .unwrap()
            .iter()
            .map(|step| &step["to"])
            .collect();
        assert_eq!(steps, ["roi", "discovery", "roi", "selection"]);
        let artifacts = server.get(&colleague, &format!("{path}/artifacts")).await;
        assert!(
            artifacts.body.to_string().contains("business_case"),
            "{artifacts:?}"
        );
        server.stop().await;
    }
}
