//! A chat from its first message to its end, and every error on the way.

use frontdesk_testkit::model_server::{Gate, call, say, status};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use std::time::Duration;

use super::scene;
use crate::harness::{BOTH, Backing};
use crate::server::{Answer, TestServer, read_until, text_of};

fn path(gig: uuid::Uuid) -> String {
    format!("/gigs/{gig}/chat")
}

async fn ask(server: &TestServer, gig: uuid::Uuid, text: &str) -> Answer {
    let who = server.sign_in("rita");
    server
        .post(&who, &path(gig), json!({ "message": text }))
        .await
}

async fn history(server: &TestServer, gig: uuid::Uuid, query: &str) -> Value {
    let who = server.sign_in("rita");
    let answer = server.get(&who, &format!("{}{query}", path(gig))).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    answer.body
}

fn contents(history: &Value) -> Vec<String> {
    let messages = history["messages"].as_array().unwrap();
    messages
        .iter()
        .map(|one| one["content"].as_str().unwrap().to_owned())
        .collect()
}

// design: 004 success, flow send, flow history, flow clear
#[tokio::test(flavor = "multi_thread")]
async fn send_receive_read_again_and_clear() {
    for backing in BOTH {
        let scene = scene(backing, 3).await;
        let (server, gig) = scene.serve(&[]).await;
        let who = server.sign_in("rita");
        assert_eq!(history(&server, gig, "").await["messages"], json!([]));
        // Clearing an empty chat succeeds.
        let cleared = server
            .send(Method::DELETE, &path(gig), Some(&who), None)
            .await;
        assert_eq!(cleared.body, json!({ "success": true }));

        server
            .model
            .script([say("Первый ответ").usage(120, 30), say("Второй ответ")]);
        let first = ask(&server, gig, "Первый вопрос").await;
        assert_eq!(first.status, StatusCode::OK, "{first:?}");
        assert_eq!(first.body["message"], "Первый ответ");
        assert!(first.body["quickReplies"].as_array().unwrap().len() <= 4);
        assert_eq!(first.body["metadata"]["tokensUsed"], 150);
        assert!(first.body["metadata"]["latencyMs"].is_number());
        ask(&server, gig, "Второй вопрос").await;

        let all = history(&server, gig, "").await;
        assert_eq!(
            contents(&all),
            [
                "Первый вопрос",
                "Первый ответ",
                "Второй вопрос",
                "Второй ответ"
            ]
        );
        assert_eq!(
            (&all["hasMore"], &all["messages"][1]["role"]),
            (&json!(false), &json!("assistant"))
        );
        let newest = history(&server, gig, "?limit=2").await;
        assert_eq!(contents(&newest), ["Второй вопрос", "Второй ответ"]);
        assert_eq!(newest["hasMore"], true);

        for _ in 0..2 {
            let cleared = server
                .send(Method::DELETE, &path(gig), Some(&who), None)
                .await;
            assert_eq!(cleared.body, json!({ "success": true }));
        }
        let empty = history(&server, gig, "").await;
        assert_eq!(empty["messages"], json!([]));
        assert_eq!(empty["sessionId"], all["sessionId"]);
        server.stop().await;
    }
}

// design: 004 sendMessage.message, error 400
#[tokio::test(flavor = "multi_thread")]
async fn bad_input_is_refused_in_the_persons_language() {
    let (server, gig) = scene(Backing::Sqlite, 0).await.serve(&[]).await;
    let who = server.sign_in("rita");
    let long = "😀".repeat(1_000);
    server.model.otherwise(say("Хорошо"));
    assert_eq!(
        ask(&server, gig, &long).await.status,
        StatusCode::OK,
        "2000 units fit"
    );
    for (message, told) in [
        (
            format!("{long}!"),
            "Сообщение слишком длинное (макс. 2000 символов)",
        ),
        ("  ".to_owned(), "Сообщение не может быть пустым"),
    ] {
        let answer = ask(&server, gig, &message).await;
        assert_eq!(
            (
                answer.status.as_u16(),
                answer.body["error"]["message"].as_str()
            ),
            (400, Some(told))
        );
    }
    let english = server
        .request(Method::POST, &path(gig), Some(&who))
        .header("accept-language", "en-GB,en;q=0.9,ru;q=0.5")
        .json(&json!({ "message": "x".repeat(2_001) }));
    let english = crate::server::answer(english).await;
    assert_eq!(
        english.body["error"]["message"],
        "The message is too long (2000 characters at most)"
    );
    for path in [
        path(gig) + "?limit=0",
        path(gig) + "?limit=51",
        path(gig) + "?limit=ten",
        "/gigs/42/chat".to_owned(),
    ] {
        let answer = server.get(&who, &path).await;
        assert_eq!(
            (answer.status.as_u16(), &answer.body["error"]["code"]),
            (400, &json!("BAD_REQUEST")),
            "{path}"
        );
    }
    let no_json = server
        .request(Method::POST, &path(gig), Some(&who))
        .body("message=hello");
    assert_eq!(
        crate::server::answer(no_json).await.status,
        StatusCode::BAD_REQUEST
    );
    server.stop().await;
}

// design: 004 error 429, rate 20, rate 21, rate later
#[tokio::test(flavor = "multi_thread")]
async fn twenty_messages_in_a_minute_and_no_more() {
    let (server, gig) = scene(Backing::Sqlite, 1).await.serve(&[]).await;
    server.model.otherwise(say("Да"));
    for number in 0..20 {
        let answer = ask(&server, gig, &format!("Вопрос {number}")).await;
        assert_eq!(answer.status, StatusCode::OK, "{number}: {answer:?}");
    }
    let refused = ask(&server, gig, "Ещё один").await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(
        refused.body["error"]["message"],
        "Слишком много запросов. Подождите минуту"
    );
    let wait: u64 = refused.headers["retry-after"]
        .to_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    // Reading is not limited, and refused messages are not stored.
    assert_eq!(contents(&history(&server, gig, "").await).len(), 40);
    server.clock.advance(Duration::from_secs(61));
    assert_eq!(ask(&server, gig, "Ещё один").await.status, StatusCode::OK);
    server.stop().await;
}

// design: 004 error 500
#[tokio::test(flavor = "multi_thread")]
async fn a_failed_answer_keeps_the_question_and_asking_again_does_not_repeat_it() {
    for backing in BOTH {
        let (server, gig) = scene(backing, 1).await.serve(&[]).await;
        server.model.script([status(400), say("Теперь да")]);
        let failed = ask(&server, gig, "Кто лучший?").await;
        assert_eq!(
            failed.status,
            StatusCode::INTERNAL_SERVER_ERROR,
            "{failed:?}"
        );
        assert_eq!(
            failed.body["error"]["message"],
            "Не удалось получить ответ. Попробуйте ещё раз"
        );
        assert_eq!(contents(&history(&server, gig, "").await), ["Кто лучший?"]);
        let again = ask(&server, gig, "Кто лучший?").await;
        assert_eq!(again.body["message"], "Теперь да", "{again:?}");
        assert_eq!(
            contents(&history(&server, gig, "").await),
            ["Кто лучший?", "Теперь да"]
        );
        server.stop().await;
    }
}

// design: 004 streaming partial, streaming final
#[tokio::test(flavor = "multi_thread")]
async fn the_answer_streams_and_can_be_stopped() {
    let (server, gig) = scene(Backing::Sqlite, 2).await.serve(&[]).await;
    let who = server.sign_in("rita");
    let opened = server.send(Method::PUT, &path(gig), Some(&who), None).await;
    let again = server.send(Method::PUT, &path(gig), Some(&who), None).await;
    assert_eq!(opened.body, again.body, "one chat for each gig and person");
    let session = opened.body["sessionId"].as_str().unwrap();
    let messages = format!("/conversations/{session}/messages");

    let gate = Gate::shut();
    server
        .model
        .script([say("Начало").then_wait(&gate).then_say(" и конец")]);
    let request = server
        .request(Method::POST, &messages, Some(&who))
        .json(&json!({ "content": "Расскажи" }));
    let mut response = request
        .header("accept", "text/event-stream")
        .send()
        .await
        .unwrap();
    let partial = read_until(&mut response, "Начало").await;
    assert_eq!(text_of(&partial), "Начало");
    assert_eq!(
        contents(&history(&server, gig, "").await),
        ["Расскажи"],
        "not saved before its end"
    );
    let turn = partial[0].data["turn"].as_str().unwrap().to_owned();
    let cancel = format!("/conversations/{session}/turns/{turn}/cancel");
    server.post(&who, &cancel, json!({})).await;
    let rest = response.text().await.unwrap();
    assert!(rest.contains("turn.cancelled"), "{rest}");
    gate.open();

    let gate = Gate::shut();
    server
        .model
        .script([say("Полный").then_wait(&gate).then_say(" ответ")]);
    let request = server
        .request(Method::POST, &messages, Some(&who))
        .json(&json!({ "content": "Ещё" }));
    let mut response = request
        .header("accept", "text/event-stream")
        .send()
        .await
        .unwrap();
    read_until(&mut response, "Полный").await;
    gate.open();
    let rest = response.text().await.unwrap();
    assert!(rest.contains("turn.completed"), "{rest}");
    assert_eq!(
        contents(&history(&server, gig, "").await).last().unwrap(),
        "Полный ответ"
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_decision_waits_for_approval_and_changes_the_ranking() {
    for backing in BOTH {
        let (server, gig) = scene(backing, 3).await.serve(&[]).await;
        let who = server.sign_in("rita");
        server.model.script([
            call(
                "set_hr_status",
                json!({ "candidate": "Студийнов Иван0", "status": "REJECTED" }),
            ),
            say("Записано"),
        ]);
        let sent = ask(&server, gig, "Отклони Студийнова Ивана0").await;
        assert_eq!(sent.status, StatusCode::OK, "{sent:?}");
        let card = &sent.body["metadata"]["awaitingApproval"][0];
        assert_eq!(card["tool"], "set_hr_status");
        let candidates = format!("/gigs/{gig}/candidates");
        assert_eq!(
            server.get(&who, &candidates).await.body["items"][0]["hrSelectionStatus"],
            Value::Null
        );

        let (session, turn) = (
            &sent.body["metadata"]["sessionId"],
            &sent.body["metadata"]["turnId"],
        );
        let decide = format!(
            "/conversations/{}/turns/{}/approvals/{}",
            session.as_str().unwrap(),
            turn.as_str().unwrap(),
            card["call_id"].as_str().unwrap()
        );
        let decided = server
            .post(&who, &decide, json!({ "decision": "approve" }))
            .await;
        assert!(decided.status.is_success(), "{decided:?}");
        server.model.requested(2).await;
        // The approved call runs before the next request to the model.
        let after = server.get(&who, &candidates).await.body;
        let rejected = after["items"]
            .as_array()
            .unwrap()
            .iter()
            .find(|one| one["candidateName"] == "Студийнов Иван0")
            .unwrap();
        assert_eq!(rejected["hrSelectionStatus"], "REJECTED");
        assert_eq!(
            rejected["compositeScore"],
            Value::Null,
            "rejected people are not ranked"
        );
        server.stop().await;
    }
}

// design: 004 timeout
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_does_not_come_is_a_timeout() {
    let (server, gig) = scene(Backing::Sqlite, 1).await.serve(&[]).await;
    server.model.script([say("…").then_silence()]);
    let waiting = async {
        server.model.requested(1).await;
        server.clock.advance(Duration::from_secs(61));
    };
    let (answer, ()) = tokio::join!(ask(&server, gig, "Кто лучший?"), waiting);
    assert_eq!(answer.status, StatusCode::REQUEST_TIMEOUT, "{answer:?}");
    assert_eq!(
        answer.body["error"]["message"],
        "Ответ не пришёл вовремя. Попробуйте ещё раз"
    );
    server.stop().await;
}

// design: 004 session unique
#[tokio::test(flavor = "multi_thread")]
async fn concurrent_first_openings_create_one_chat() {
    for backing in BOTH {
        let (server, gig) = scene(backing, 0).await.serve(&[]).await;
        let who = server.sign_in("rita");
        let path = format!("/gigs/{gig}/chat");
        let open = || server.send(Method::PUT, &path, Some(&who), None);
        let all = tokio::join!(open(), open(), open(), open());
        let ids = [&all.0, &all.1, &all.2, &all.3].map(|answer| answer.body["sessionId"].clone());
        assert!(
            ids.iter().all(|id| id.is_string() && *id == ids[0]),
            "{ids:?}"
        );
        server.stop().await;
    }
}
