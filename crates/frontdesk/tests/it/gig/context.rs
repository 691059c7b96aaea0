//! The gig's context in requests to the model: current after every change, present once in each
//! request, and with figures that the database confirms.

use frontdesk_core::message::Message;
use frontdesk_db::{Claims, DbError};
use frontdesk_testkit::model_server::{Request, say};
use reqwest::StatusCode;
use serde_json::json;

use super::{gig, people, respond, scene};
use crate::harness::{BOTH, Backing};

/// The gig's context in a request, and how often it occurs.
fn gig_context(request: &Request) -> (String, usize) {
    let system = request
        .messages()
        .into_iter()
        .filter_map(|message| match message {
            Message::System { content } => Some(content),
            Message::User { .. } | Message::Assistant { .. } | Message::Tool { .. } => None,
        });
    let contexts: Vec<String> = system.filter(|text| text.contains("## Задание")).collect();
    (contexts.last().cloned().unwrap_or_default(), contexts.len())
}

// design: 004 GigContext.budgetMin
#[tokio::test(flavor = "multi_thread")]
async fn a_change_by_anyone_is_in_the_next_request() {
    for backing in BOTH {
        let scene = scene(backing, 2).await;
        let (gig, who, db) = (scene.gig, scene.who.clone(), scene.test.app.db.clone());
        let (server, _) = scene.serve(&[]).await;
        let rita = server.sign_in("rita");
        server.model.otherwise(say("Да"));
        let path = format!("/gigs/{gig}/chat");
        let ask = async |text: &str| {
            let answer = server.post(&rita, &path, json!({ "message": text })).await;
            assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
            gig_context(server.model.requests().last().unwrap())
        };
        assert!(ask("раз").await.0.contains("Всего откликов: 2"));
        // Written directly to the database, as another program would.
        let changes = [
            (
                "UPDATE gigs SET title = 'Новое название' WHERE id = $1",
                "Название: Новое название",
            ),
            (
                "UPDATE gigs SET budget_currency = 'USD' WHERE id = $1",
                " USD",
            ),
            (
                "UPDATE gig_responses SET status = 'NEGOTIATION' WHERE gig_id = $1",
                "Переговоры: 2",
            ),
            (
                "UPDATE gig_response_screenings SET score = 1 WHERE response_id IN (SELECT id FROM gig_responses WHERE gig_id = $1)",
                "Средний скрининг из 100: 20",
            ),
            (
                "DELETE FROM gig_responses WHERE gig_id = $1",
                "Всего откликов: 0",
            ),
        ];
        for (sql, part) in changes {
            db.write::<_, DbError, _>(&Claims::subject(who.subject()), move |tx| {
                Box::pin(async move { tx.execute(sql, &[gig.into()]).await })
            })
            .await
            .unwrap();
            let (text, times) = ask(part).await;
            assert!(text.contains(part), "{backing:?} {sql}: {text}");
            assert_eq!(times, 1, "earlier contexts are not repeated");
        }
        server.stop().await;
    }
}

// design: 004 prompt 1, prompt 2, prompt 3, prompt 6, prompt 7, unit prompt
// design: 004 unit prompt without history
#[tokio::test(flavor = "multi_thread")]
async fn a_request_has_role_form_history_context_and_question() {
    let (server, gig) = scene(Backing::Sqlite, 2).await.serve(&[]).await;
    let rita = server.sign_in("rita");
    server.model.otherwise(say("Да"));
    let path = format!("/gigs/{gig}/chat");
    for question in ["Кто лучший?", "Кто быстрее?"] {
        let body = json!({ "message": question });
        assert_eq!(server.post(&rita, &path, body).await.status, StatusCode::OK);
    }
    let [first, second] = [0, 1].map(|at| server.model.request(at).messages());
    let Message::System { content: role } = &first[0] else {
        panic!("{first:?}");
    };
    for part in ["помощник рекрутера", "quickReplies", "candidatesMentioned"] {
        assert!(role.contains(part), "{part}: {role}");
    }
    let Message::System { content: context } = &first[1] else {
        panic!("{first:?}");
    };
    for part in ["## Задание", "## Сводка", "## Кандидаты"] {
        assert!(context.contains(part), "{part}: {context}");
    }
    assert_eq!(first[2..], [Message::user("Кто лучший?")], "and no history");
    assert_eq!(
        second[1..3],
        [Message::user("Кто лучший?"), Message::assistant("Да")]
    );
    assert_eq!(second.last(), Some(&Message::user("Кто быстрее?")));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn past_ten_messages_the_older_questions_are_listed() {
    let (server, gig) = scene(Backing::Sqlite, 1).await.serve(&[]).await;
    let rita = server.sign_in("rita");
    server.model.otherwise(say("Да"));
    let path = format!("/gigs/{gig}/chat");
    for number in 0..28 {
        if number % 19 == 18 {
            server.clock.advance(std::time::Duration::from_secs(61));
        }
        let answer = server
            .post(
                &rita,
                &path,
                json!({ "message": format!("Вопрос номер {number}.") }),
            )
            .await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    }
    let requests = server.model.requests();
    let (text, _) = gig_context(requests.last().unwrap());
    assert!(
        text.contains("## Раньше спрашивали")
            && text.contains("«Вопрос номер 5.»")
            && !text.contains("«Вопрос номер 23.»"),
        "{text}"
    );
    assert!(!gig_context(&requests[5]).0.contains("Раньше"));
    let recent = requests.last().unwrap().messages();
    let said = |number: i32| {
        recent.iter().any(|one| matches!(one, Message::User { content, .. } if content.contains(&format!("номер {number}."))))
    };
    assert!(
        (22..28).all(said) && !said(21),
        "the last ten messages and the question"
    );
    // The history shows at most 50 messages.
    let history = server.get(&rita, &path).await.body;
    assert_eq!(
        (
            history["messages"].as_array().unwrap().len(),
            &history["hasMore"]
        ),
        (50, &json!(true))
    );
    server.stop().await;
}

// design: 004 CandidatesContext.stats.total
#[tokio::test(flavor = "multi_thread")]
async fn figures_are_those_of_the_database_for_any_size() {
    const SIZES: [usize; 7] = [0, 1, 20, 21, 50, 51, 120];
    for backing in BOTH {
        let scene = scene(backing, 0).await;
        let (who, db) = (scene.who.clone(), scene.test.app.db.clone());
        let mut gigs = Vec::new();
        for size in SIZES {
            let title = format!("Задание {size}");
            let id = gig(&scene.test.app, &who, scene.workspace, &title).await;
            if size > 0 {
                respond(&scene.test.app, &who, id, &people("Числ", size)).await;
            }
            gigs.push((id, size));
        }
        let (server, _) = scene.serve(&[]).await;
        let rita = server.sign_in("rita");
        for (gig, size) in gigs {
            let row = db
                .read::<_, DbError, _>(&Claims::subject(who.subject()), move |tx| {
                    Box::pin(async move {
                        tx.row(
                            "SELECT count(*) AS total, CAST(round(avg(proposed_price)) AS double precision) AS price, \
                                 sum(CASE WHEN status = 'NEW' THEN 1 ELSE 0 END) AS fresh FROM gig_responses WHERE gig_id = $1",
                            &[gig.into()],
                        )
                        .await
                    })
                })
                .await
                .unwrap()
                .unwrap();
            let stats = server.get(&rita, &format!("/gigs/{gig}")).await.body["stats"].clone();
            assert_eq!(stats["total"], json!(row.get::<i64>("total").unwrap()));
            assert_eq!(stats["total"], json!(size));
            if size > 0 {
                let fresh = row.get::<i64>("fresh").unwrap();
                assert_eq!(stats["byStatus"]["NEW"], json!(fresh));
                let price = row.get::<f64>("price").unwrap();
                let shown = stats["avgPrice"].as_f64().unwrap();
                assert!((shown - price).abs() < 0.51, "{stats}");
            }
        }
        server.stop().await;
    }
}
