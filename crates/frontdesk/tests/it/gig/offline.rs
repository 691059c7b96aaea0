//! The demo's two gigs with the offline model, in Russian and English. Answers are compared with
//! the candidates route.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::harness::{BOTH, Backing};
use crate::server::{Person, TestServer};

const OFFLINE: &[(&str, &str)] = &[("model.provider", "offline")];

struct Demo {
    server: TestServer,
    who: Person,
    small: String,
    large: String,
}

impl Demo {
    async fn start(backing: Backing) -> Self {
        let server = TestServer::start_with(backing, OFFLINE).await;
        let who = server.sign_in("recruiter");
        let gigs = server.get(&who, "/gigs").await.body["items"]
            .as_array()
            .unwrap()
            .clone();
        let with = |responses: i64| {
            let gig = gigs
                .iter()
                .find(|gig| gig["responses"] == responses)
                .unwrap();
            gig["id"].as_str().unwrap().to_owned()
        };
        Self {
            small: with(12),
            large: with(300),
            server,
            who,
        }
    }

    async fn ask(&self, gig: &str, text: &str) -> String {
        let path = format!("/gigs/{gig}/chat");
        let answer = self
            .server
            .post(&self.who, &path, json!({ "message": text }))
            .await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        answer.body["message"].as_str().unwrap().to_owned()
    }

    async fn candidates(&self, gig: &str) -> Vec<Value> {
        let mut all = Vec::new();
        let mut cursor = String::new();
        loop {
            let page = self
                .server
                .get(
                    &self.who,
                    &format!("/gigs/{gig}/candidates?limit=200{cursor}"),
                )
                .await
                .body;
            all.extend(page["items"].as_array().unwrap().clone());
            match page["cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return all,
            }
        }
    }

    async fn stats(&self, gig: &str) -> Value {
        self.server
            .get(&self.who, &format!("/gigs/{gig}"))
            .await
            .body
    }
}

fn name(candidate: &Value) -> &str {
    candidate["candidateName"].as_str().unwrap()
}

fn first_line(answer: &str) -> &str {
    answer.lines().next().unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_demo_answers_exactly_in_both_languages() {
    for backing in BOTH {
        let demo = Demo::start(backing).await;
        for gig in [&demo.small, &demo.large] {
            best_and_cheapest(&demo, gig).await;
            counts_and_skills(&demo, gig).await;
            demo.server
                .clock
                .advance(std::time::Duration::from_secs(61));
        }
        by_name(&demo).await;
        demo.server.stop().await;
    }
}

async fn best_and_cheapest(demo: &Demo, gig: &str) {
    let all = demo.candidates(gig).await;
    let best = name(&all[0]);
    for (question, words) in [
        ("Кто лучший кандидат и почему?", "Лучший кандидат"),
        (
            "Who is the best candidate and why?",
            "The best candidate is",
        ),
    ] {
        let answer = demo.ask(gig, question).await;
        let first = first_line(&answer);
        assert!(
            first.contains(words) && first.contains(best) && first.contains("/100"),
            "{question}: {answer}"
        );
    }
    let stats = demo.stats(gig).await;
    let most = stats["budgetMax"].as_i64().unwrap();
    let fits = |one: &&Value| {
        one["proposedPrice"]
            .as_i64()
            .is_some_and(|price| price <= most)
    };
    let fitting = all.iter().filter(fits).count();
    let cheapest = all
        .iter()
        .filter(fits)
        .map(|one| one["proposedPrice"].as_i64().unwrap())
        .min()
        .unwrap();
    for question in [
        "Кто самый дешёвый в рамках бюджета?",
        "Who is the cheapest within budget?",
    ] {
        let answer = demo.ask(gig, question).await;
        assert!(
            answer.contains(&format!("{fitting} ")),
            "{question}: {answer}"
        );
        let line = answer.lines().find(|line| line.starts_with("- ")).unwrap();
        assert!(
            line.contains(&format!("{cheapest} RUB")),
            "{question}: {line}"
        );
    }
}

async fn counts_and_skills(demo: &Demo, gig: &str) {
    let all = demo.candidates(gig).await;
    let new = all.iter().filter(|one| one["status"] == "NEW").count();
    for (question, part) in [
        (
            "Сколько кандидатов в каждом статусе?",
            format!("Новый: {new}"),
        ),
        (
            "How many candidates are there by status?",
            format!("New: {new}"),
        ),
    ] {
        let answer = demo.ask(gig, question).await;
        assert!(
            answer.contains(&part) && answer.contains(&all.len().to_string()),
            "{question}: {answer}"
        );
    }
    let has = |one: &&Value| {
        one["skills"]
            .as_array()
            .unwrap()
            .iter()
            .any(|skill| skill == "SEO")
    };
    let without = all.len() - all.iter().filter(has).count();
    let answer = demo.ask(gig, "У кого нет навыка SEO?").await;
    let count = format!("{without} ");
    assert!(first_line(&answer).contains(&count), "{answer}");
}

/// Candidate 287 is found by name, two candidates are compared, and none is invented.
async fn by_name(demo: &Demo) {
    let all = demo.candidates(&demo.large).await;
    let (late, other) = (&all[286], &all[3]);
    let answer = demo
        .ask(
            &demo.large,
            &format!("Расскажи про кандидата {}", name(late)),
        )
        .await;
    assert!(first_line(&answer).contains(name(late)), "{answer}");
    let price = late["proposedPrice"]
        .as_i64()
        .map_or("не указана".to_owned(), |price| {
            format!("{price} RUB")
        });
    assert!(answer.contains(&price), "{answer}");
    for question in [
        format!("Сравни {} и {}", name(late), name(other)),
        format!("Compare {} and {}", name(late), name(other)),
    ] {
        let answer = demo.ask(&demo.large, &question).await;
        let heading = answer.lines().find(|line| line.starts_with('|')).unwrap();
        assert!(
            heading.contains(name(late)) && heading.contains(name(other)),
            "{answer}"
        );
        let ahead = answer.lines().last().unwrap();
        assert!(
            ahead.contains(name(other)),
            "place 4 is ahead of place 287: {ahead}"
        );
    }
    for (question, words) in [
        ("Расскажи про Анну Неизвестную", "в этом задании нет"),
        ("Tell me about Zigmund Unknownson", "There is no candidate"),
    ] {
        let answer = demo.ask(&demo.large, question).await;
        assert!(answer.contains(words), "{answer}");
    }
    // A similar name is suggested.
    let near = name(late).replacen(char::is_whitespace, "х ", 1);
    let answer = demo.ask(&demo.large, &format!("Найди {near}ко")).await;
    let surname = name(late).split(' ').nth(1).unwrap();
    let stem: String = surname.chars().take(4).collect();
    assert!(answer.contains(&stem), "{near}: {answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_of_its_own_is_not_limited_by_the_one_before() {
    let demo = Demo::start(Backing::Sqlite).await;
    let limited = demo.ask(&demo.large, "Кто укладывается в 90000 рублей?");
    assert!(limited.await.contains("(цена до 90000 RUB)"));
    let own = demo.ask(&demo.large, "Кто на интервью?").await;
    assert!(first_line(&own).contains("(статус: Интервью)"), "{own}");
    let narrowed = demo.ask(&demo.large, "А кто из них дешевле 100000?").await;
    let stated = first_line(&narrowed);
    assert!(
        stated.contains("статус: Интервью") && stated.contains("цена до 99999 RUB"),
        "{narrowed}"
    );
    let range = demo
        .ask(&demo.large, "Кто просит от 90 до 120 тысяч?")
        .await;
    assert!(
        first_line(&range).contains("(цена от 90000 до 120000 RUB)"),
        "{range}"
    );
    demo.server.stop().await;
}
