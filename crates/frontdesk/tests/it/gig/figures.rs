//! Every figure that a tool gives a model, compared with SQL over the same rows: counts, orders, averages and the
//! ranking itself, which the product computes in Rust.

use chrono::TimeDelta;
use frontdesk_core::access::Principal;
use frontdesk_db::{Claims, Db, DbError, Row};
use frontdesk_testkit::model_server::{call, say};
use serde_json::{Value, json};
use std::time::Duration;
use uuid::Uuid;

use super::{respond, scene};
use crate::harness::BOTH;
use crate::server::TestServer;

/// Candidates of the gig `$1` with a budget of 10,000–60,000 RUB, 20 days left and the required skills HTML and CSS:
/// scores of 100, the composite score and the place among those who are not rejected.
const CANDIDATES: &str = "WITH everyone AS (SELECT r.id, r.candidate_name AS name, r.proposed_price AS price, \
     r.proposed_currency AS currency, CASE WHEN r.proposed_currency = 'RUB' THEN r.proposed_price END AS roubles, \
     r.proposed_delivery_days AS days, r.status, r.hr_selection_status AS decision, CAST(r.skills AS text) AS skills, \
     r.experience AS career, r.experience_score AS experience, r.responded_at, \
     coalesce(s.detailed_score, s.score * 20) AS screening, coalesce(i.score, i.rating * 20) AS interview \
     FROM gig_responses r LEFT JOIN gig_response_screenings s ON s.response_id = r.id \
     LEFT JOIN interview_scorings i ON i.response_id = r.id WHERE r.gig_id = $1), \
 judged AS (SELECT * FROM everyone WHERE decision IS NULL OR decision <> 'REJECTED'), \
 parts AS (SELECT j.id, \
     CASE WHEN roubles IS NOT NULL THEN 0.7 * CASE WHEN roubles < 10000 THEN 100.0 \
         WHEN roubles <= 60000 THEN 100.0 - 50.0 * (roubles - 10000) / 50000 \
         WHEN roubles < 120000 THEN 100.0 - 100.0 * (roubles - 60000) / 60000 ELSE 0.0 END \
         + 30.0 * (1 - 1.0 * (SELECT count(*) FROM judged o WHERE o.roubles < j.roubles) \
             / (SELECT count(*) - 1 FROM judged o WHERE o.roubles IS NOT NULL)) END AS for_price, \
     CASE WHEN days IS NOT NULL THEN 0.7 * CASE WHEN days <= 20 THEN 100.0 ELSE 1000.0 / days END \
         + 30.0 * (1 - 1.0 * (SELECT count(*) FROM judged o WHERE o.days < j.days) \
             / (SELECT count(*) - 1 FROM judged o WHERE o.days IS NOT NULL)) END AS for_days, \
     CASE WHEN skills IS NOT NULL THEN CASE WHEN skills LIKE '%\"HTML\"%' THEN 50.0 ELSE 0.0 END \
         + CASE WHEN skills LIKE '%\"CSS\"%' THEN 50.0 ELSE 0.0 END END AS for_skills FROM judged j), \
 scored AS (SELECT e.*, CASE WHEN e.decision = 'REJECTED' THEN NULL ELSE (coalesce(0.25 * e.screening, 0) \
     + coalesce(0.25 * e.interview, 0) + coalesce(0.15 * p.for_price, 0) + coalesce(0.10 * p.for_days, 0) \
     + coalesce(0.15 * p.for_skills, 0) + coalesce(0.10 * e.experience, 0)) \
     / nullif(CASE WHEN e.screening IS NULL THEN 0 ELSE 0.25 END + CASE WHEN e.interview IS NULL THEN 0 ELSE 0.25 END \
     + CASE WHEN p.for_price IS NULL THEN 0 ELSE 0.15 END + CASE WHEN p.for_days IS NULL THEN 0 ELSE 0.10 END \
     + CASE WHEN p.for_skills IS NULL THEN 0 ELSE 0.15 END + CASE WHEN e.experience IS NULL THEN 0 ELSE 0.10 END, 0) \
     END AS composite FROM everyone e LEFT JOIN parts p ON p.id = e.id), \
 placed AS (SELECT s.*, CAST(round(CAST(s.composite AS numeric)) AS bigint) AS score, \
     CASE WHEN s.composite IS NULL THEN NULL ELSE row_number() OVER (ORDER BY CASE WHEN s.composite IS NULL \
         THEN 1 ELSE 0 END, s.composite DESC, s.responded_at) END AS place FROM scored s) ";
const BY_PLACE: &str = "CASE WHEN place IS NULL THEN 1 ELSE 0 END, place, responded_at";

/// Arguments of `filter_candidates`, the rows that fit, and the column of the order with its direction.
fn queries() -> Vec<(Value, &'static str, &'static str)> {
    vec![
        (
            json!({ "hr_status": "REJECTED" }),
            "decision = 'REJECTED'",
            "",
        ),
        (
            json!({ "max_price": 40_000, "max_days": 10 }),
            "roubles <= 40000 AND days <= 10",
            "",
        ),
        (
            json!({ "min_price": 70_001, "sort": "price", "direction": "desc" }),
            "roubles > 70000",
            "roubles DESC",
        ),
        (json!({ "sort": "price" }), "1 = 1", "roubles"),
        (
            json!({ "sort": "delivery", "direction": "desc" }),
            "1 = 1",
            "days DESC",
        ),
        (
            json!({ "within_budget": true, "sort": "price" }),
            "roubles <= 60000",
            "roubles",
        ),
        (json!({ "within_budget": false }), "roubles > 60000", ""),
        (json!({ "before_deadline": true }), "days <= 20", ""),
        (
            json!({ "status": "INTERVIEW", "sort": "interview" }),
            "status = 'INTERVIEW'",
            "interview DESC",
        ),
        (json!({ "has_price": false }), "price IS NULL", ""),
        (
            json!({ "has_interview": false, "has_screening": true }),
            "interview IS NULL AND screening IS NOT NULL",
            "",
        ),
        (
            json!({ "has_decision": false, "has_experience": true }),
            "decision IS NULL AND career IS NOT NULL",
            "",
        ),
        (
            json!({ "min_screening": 60, "max_interview": 50 }),
            "round(CAST(screening AS numeric)) >= 60 AND round(CAST(interview AS numeric)) <= 50",
            "",
        ),
        (
            json!({ "min_score": 60, "sort": "score" }),
            "score >= 60",
            "score DESC",
        ),
        (
            json!({ "recommendation": "NEUTRAL" }),
            "composite >= 40 AND composite < 60",
            "",
        ),
        (
            json!({ "with_skills": ["HTML", "React"] }),
            "skills LIKE '%\"HTML\"%' AND skills LIKE '%\"React\"%'",
            "",
        ),
        (
            json!({ "any_skills": ["SEO", "Figma"], "without_skills": ["CSS"] }),
            "(skills LIKE '%\"SEO\"%' OR skills LIKE '%\"Figma\"%') AND skills NOT LIKE '%\"CSS\"%'",
            "",
        ),
        (
            json!({ "currency": "USD", "max_price": 900 }),
            "currency = 'USD' AND price <= 900",
            "",
        ),
    ]
}

/// Sixty people, of whom each field is known of some only.
fn people() -> Value {
    let mut state = 27_u64;
    let mut below = move |most: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most
    };
    let each = (0..60).map(|number| {
        let mut one = json!({
            "candidate_id": format!("c-{number}"), "candidate_name": format!("Имя{number} Фамильев{number}"),
            "responded_at": format!("2026-11-{:02}T10:{number:02}:00Z", 1 + number % 14),
            "status": (["NEW", "EVALUATED", "INTERVIEW", "NEGOTIATION", "COMPLETED", "SKIPPED"][below(6) as usize]),
            "skills": (["HTML", "CSS", "React", "SEO", "Figma"].into_iter().filter(|_| below(2) == 0).collect::<Vec<_>>()),
        });
        let mut maybe = |field: &str, value: Value, known: bool| {
            if known {
                one[field] = value;
            }
        };
        // Different prices, so that no two candidates are equal in everything.
        let usd = below(12) == 0;
        let price = if usd { 500 + 10 * number } else { 5_000 + 37 * number + 500 * below(180) };
        maybe("proposed_price", json!(price), below(6) > 0);
        maybe("proposed_currency", json!("USD"), usd);
        maybe("proposed_delivery_days", json!(1 + below(40)), below(6) > 0);
        maybe("screening_score", json!(below(50) as f64 / 10.0), below(2) == 0);
        maybe("screening_detailed_score", json!(below(101)), below(4) == 0);
        maybe("interview_score", json!(below(101)), below(2) == 0);
        maybe("interview_rating", json!(below(50) as f64 / 10.0), below(4) == 0);
        maybe("experience_score", json!(below(101)), below(2) == 0);
        maybe("experience", json!("5 лет"), below(2) == 0);
        let decision = ["REJECTED", "INVITE", "RECOMMENDED"][below(3) as usize];
        maybe("hr_selection_status", json!(decision), below(2) == 0);
        one
    });
    each.collect()
}

struct Figures {
    server: TestServer,
    db: Db,
    who: Principal,
    gig: Uuid,
    asked: usize,
}

impl Figures {
    /// The tool's result, as the model gets it.
    async fn tool(&mut self, name: &str, arguments: Value) -> Value {
        if self.asked.is_multiple_of(20) {
            self.server.clock.advance(Duration::from_secs(61));
        }
        self.asked += 1;
        let model = &self.server.model;
        let id = format!("figure-{}", self.asked);
        let from = model.request_count();
        model.script([
            call(name, arguments).id(&id),
            say(r#"{"message":"Готово"}"#),
        ]);
        let path = format!("/gigs/{}/chat", self.gig);
        let message = json!({ "message": "Кто?" });
        let sent = self
            .server
            .post(&self.server.sign_in("rita"), &path, message)
            .await;
        assert_eq!(sent.status, 200, "{name}: {sent:?}");
        let told = model.request(from + 1).tool_result(&id).unwrap();
        serde_json::from_str(&told).unwrap_or_else(|error| panic!("{error}: {told}"))
    }

    async fn sql(&self, end: &str) -> Vec<Row> {
        let (sql, gig) = (format!("{CANDIDATES}{end}"), self.gig);
        let claims = Claims::subject(self.who.subject());
        let rows = self.db.read::<_, DbError, _>(&claims, move |tx| {
            Box::pin(async move { tx.rows(&sql, &[gig.into()]).await })
        });
        rows.await.unwrap()
    }

    async fn ids(&self, end: &str) -> Vec<String> {
        let rows = self.sql(&format!("SELECT id FROM placed {end}")).await;
        rows.iter()
            .map(|row| row.get::<Uuid>("id").unwrap().to_string())
            .collect()
    }

    async fn number(&self, expression: &str) -> Value {
        let rows = self
            .sql(&format!(
                "SELECT CAST({expression} AS bigint) AS n FROM placed"
            ))
            .await;
        json!(rows[0].get::<Option<i64>>("n").unwrap())
    }
}

fn ids(found: &Value) -> Vec<&str> {
    let all = found["candidates"].as_array().unwrap().iter();
    all.map(|one| one["id"].as_str().unwrap()).collect()
}

async fn figures(backing: crate::harness::Backing) -> Figures {
    let scene = scene(backing, 0).await;
    let app = &scene.test.app;
    let deadline = app.env.now() + TimeDelta::hours(20 * 24 + 12);
    let gig = json!({ "gig": {
        "title": "Сравнение", "budgetMin": 10_000, "budgetMax": 60_000, "deadline": deadline,
        "requirements": { "required_skills": ["HTML", "CSS"] },
    }});
    let bytes = gig.to_string();
    let import = app.imports["gig"].import(&scene.who, None, "gig.json", bytes.as_bytes());
    import.await.unwrap();
    let (db, who) = (app.db.clone(), scene.who.clone());
    let claims = Claims::subject(who.subject());
    let sql = "SELECT id FROM gigs WHERE title = 'Сравнение'";
    let found = db.read::<_, DbError, _>(&claims, move |tx| {
        Box::pin(async move { tx.rows(sql, &[]).await })
    });
    let gig = found.await.unwrap()[0].get("id").unwrap();
    assert_eq!(respond(app, &who, gig, &people()).await, (60, 0));
    let (server, _) = scene.serve(&[]).await;
    Figures {
        server,
        db,
        who,
        gig,
        asked: 0,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn queries_and_the_ranking_equal_sql() {
    for backing in BOTH {
        let mut figures = figures(backing).await;
        let mut told = 0;
        for (arguments, fits, order) in queries() {
            let mut asked = arguments.clone();
            asked["limit"] = json!(50);
            let found = figures.tool("filter_candidates", asked).await;
            let column = order.trim_end_matches(" DESC");
            let by = match order {
                "" => BY_PLACE.to_owned(),
                _ => format!("CASE WHEN {column} IS NULL THEN 1 ELSE 0 END, {order}, {BY_PLACE}"),
            };
            let expected = figures.ids(&format!("WHERE {fits} ORDER BY {by}")).await;
            assert_eq!(
                found["matching"],
                json!(expected.len()),
                "{backing:?} {arguments}"
            );
            let shown = &expected[..expected.len().min(50)];
            assert_eq!(ids(&found), shown, "{backing:?} {arguments}");
            told += usize::from(!expected.is_empty());
            let average = figures
                .number(&format!(
                    "round(CAST(avg(CASE WHEN {fits} THEN 1.0 * roubles END) AS numeric))"
                ))
                .await;
            assert_eq!(
                found["figuresOfMatching"]["avgPrice"], average,
                "{backing:?} {arguments}"
            );
        }
        assert!(told >= 12, "only {told} queries find somebody");
        for (arguments, direction) in [
            (json!({ "limit": 20 }), "place"),
            (json!({ "limit": 20, "weakest": true }), "place DESC"),
        ] {
            let found = figures.tool("best_candidates", arguments).await;
            let end = format!("WHERE place IS NOT NULL ORDER BY {direction} LIMIT 20");
            assert_eq!(
                ids(&found),
                figures.ids(&end).await,
                "{backing:?} {direction}"
            );
            let rows = figures
                .sql(&format!("SELECT score, place FROM placed {end}"))
                .await;
            for (one, row) in found["candidates"].as_array().unwrap().iter().zip(&rows) {
                let score: i64 = row.get("score").unwrap();
                assert_eq!(one["compositeScore"], format!("{score}/100"), "{one}");
                assert_eq!(
                    one["place"],
                    json!(row.get::<i64>("place").unwrap()),
                    "{one}"
                );
            }
        }
        figures.server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn statistics_and_profiles_equal_sql() {
    for backing in BOTH {
        let mut figures = figures(backing).await;
        let told = figures.tool("pool_statistics", json!({})).await;
        let count = |condition: &str| format!("count(CASE WHEN {condition} THEN 1 END)");
        let rounded = |column: &str| format!("round(CAST(avg(1.0 * {column}) AS numeric))");
        let middle = "(SELECT CAST(sum(roubles) AS bigint) / count(*) FROM (SELECT roubles, row_number() OVER (ORDER BY roubles) AS n, \
             count(*) OVER () AS total FROM placed WHERE roubles IS NOT NULL) m WHERE n * 2 BETWEEN total AND total + 2)";
        for (pointer, expression) in [
            ("/total", "count(*)".to_owned()),
            ("/byStatus/NEW", count("status = 'NEW'")),
            ("/byStatus/INTERVIEW", count("status = 'INTERVIEW'")),
            ("/byStatus/SKIPPED", count("status = 'SKIPPED'")),
            ("/byDecision/REJECTED", count("decision = 'REJECTED'")),
            ("/byDecision/INVITE", count("decision = 'INVITE'")),
            ("/undecided", count("decision IS NULL")),
            (
                "/byRecommendation/HIGHLY_RECOMMENDED",
                count("composite >= 80"),
            ),
            (
                "/byRecommendation/RECOMMENDED",
                count("composite >= 60 AND composite < 80"),
            ),
            (
                "/byRecommendation/NEUTRAL",
                count("composite >= 40 AND composite < 60"),
            ),
            ("/byRecommendation/NOT_RECOMMENDED", count("composite < 40")),
            ("/avgPrice", rounded("roubles")),
            ("/minPrice", "min(roubles)".to_owned()),
            ("/maxPrice", "max(roubles)".to_owned()),
            ("/medianPrice", middle.to_owned()),
            ("/withoutPrice", count("price IS NULL")),
            ("/withinBudget", count("roubles <= 60000")),
            (
                "/otherCurrencies/0/people",
                count("currency = 'USD' AND price IS NOT NULL"),
            ),
            (
                "/otherCurrencies/0/maxPrice",
                "max(CASE WHEN currency = 'USD' THEN price END)".to_owned(),
            ),
            ("/avgDeliveryDays", rounded("days")),
            ("/avgScreeningScore", rounded("screening")),
            ("/avgInterviewScore", rounded("interview")),
            ("/screeningsHeld", count("screening IS NOT NULL")),
            ("/interviewsHeld", count("interview IS NOT NULL")),
            (
                "/requiredSkills/0/people",
                count("skills LIKE '%\"HTML\"%'"),
            ),
            ("/requiredSkills/1/people", count("skills LIKE '%\"CSS\"%'")),
        ] {
            let expected = figures.number(&expression).await;
            assert_eq!(
                told.pointer(pointer),
                Some(&expected),
                "{backing:?} {pointer}"
            );
        }
        profiles(&mut figures).await;
        figures.server.stop().await;
    }
}

/// Two candidates side by side, and one of them alone.
async fn profiles(figures: &mut Figures) {
    let two = figures.sql("SELECT id, name, price, days, place FROM placed WHERE price IS NOT NULL AND days IS NOT NULL \
             AND place IN (1, 2, 3, 4, 5, 6, 7, 8) ORDER BY place DESC LIMIT 2").await;
    let names: Vec<String> = two.iter().map(|row| row.get("name").unwrap()).collect();
    let compared = figures
        .tool("compare_candidates", json!({ "names": names }))
        .await;
    assert_eq!(compared["ahead"], json!(names[1]));
    let alone = figures
        .tool("find_candidate", json!({ "name": names[0] }))
        .await;
    for (row, one) in [
        (&two[0], &compared["candidates"][0]),
        (&two[1], &compared["candidates"][1]),
        (&two[0], &alone),
    ] {
        assert_eq!(one["id"], json!(row.get::<Uuid>("id").unwrap()));
        for (field, column) in [
            ("proposedPrice", "price"),
            ("proposedDeliveryDays", "days"),
            ("place", "place"),
        ] {
            assert_eq!(
                one[field],
                json!(row.get::<i64>(column).unwrap()),
                "{field}"
            );
        }
    }
}
