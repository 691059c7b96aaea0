//! The design's procedures over tRPC: the same functions as the routes, in tRPC's shapes.

use frontdesk_testkit::model_server::{call as model_call, say, status};
use reqwest::StatusCode;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{recruiter, scene};
use crate::harness::{BOTH, Backing};
use crate::server::{Answer, Person, TestServer, answer};

async fn call(server: &TestServer, who: Option<&str>, name: &str, input: Value) -> Answer {
    let url = format!("{}/api/trpc/gig.aiChat.{name}", server.url);
    let mut request = if name == "getHistory" {
        let mut url = reqwest::Url::parse(&url).unwrap();
        url.query_pairs_mut()
            .append_pair("input", &input.to_string());
        server.client.get(url)
    } else {
        server.client.post(url).json(&input)
    };
    if let Some(who) = who {
        request = request.bearer_auth(server.sign_in(who).token);
    }
    answer(request).await
}

/// All events of the subscription to an answer.
pub(super) async fn events_of(server: &TestServer, who: &Person, input: &Value) -> String {
    let mut url = format!("{}/api/trpc/gig.aiChat.onAnswer", server.url)
        .parse::<reqwest::Url>()
        .unwrap();
    url.query_pairs_mut()
        .append_pair("input", &input.to_string());
    let request = server.client.get(url).bearer_auth(&who.token);
    request.send().await.unwrap().text().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_streamed_answer_ends_with_its_failure_or_its_approval() {
    for backing in BOTH {
        let (server, gig) = scene(backing, 2).await.serve(&[]).await;
        let rita = server.sign_in("rita");
        let reject = json!({ "candidate": "Студийнов Иван0", "status": "REJECTED" });
        server
            .model
            .script([status(400), model_call("set_hr_status", reject)]);
        for (message, last) in [
            ("Кто лучший?", r#""type":"failed""#),
            ("Отклони Студийнова Ивана0", r#""awaitingApproval":[{"#),
        ] {
            let input = json!({ "gigId": gig, "message": message });
            let started = call(&server, Some("rita"), "startMessage", input).await;
            let turn = &started.body["result"]["data"]["turnId"];
            let input = json!({ "gigId": gig, "turnId": turn });
            let events = events_of(&server, &rita, &input).await;
            assert!(
                events.starts_with("event: connected\ndata: {}\n\n"),
                "{events}"
            );
            assert!(events.contains(last), "{events}");
            // Without the event that ends it, a client would ask again.
            assert!(events.ends_with("event: return\ndata: \n\n"), "{events}");
        }
        server.stop().await;
    }
}

// design: 004 sendMessage.gigId, sendMessage result, getHistory result, clearHistory
// design: 004 unit parser optional
#[tokio::test(flavor = "multi_thread")]
async fn the_three_procedures_do_what_the_routes_do() {
    for backing in BOTH {
        let (server, gig) = scene(backing, 2).await.serve(&[]).await;
        server.model.script([say(
            r#"{"message":"Ответ","quickReplies":["1","2","3","4","5"]}"#,
        )]);
        let sent = call(
            &server,
            Some("rita"),
            "sendMessage",
            json!({ "gigId": gig, "message": "Вопрос" }),
        )
        .await;
        assert_eq!(sent.status, StatusCode::OK, "{sent:?}");
        let data = &sent.body["result"]["data"];
        assert_eq!(data["message"], "Ответ");
        assert_eq!(data["quickReplies"].as_array().unwrap().len(), 4);
        assert!(data["metadata"].is_object());
        let history = call(
            &server,
            Some("rita"),
            "getHistory",
            json!({ "gigId": gig, "limit": 1 }),
        )
        .await;
        let data = &history.body["result"]["data"];
        assert_eq!(
            (&data["messages"][0]["content"], &data["hasMore"]),
            (&json!("Ответ"), &json!(true)),
            "{history:?}"
        );
        for _ in 0..2 {
            let cleared = call(
                &server,
                Some("rita"),
                "clearHistory",
                json!({ "gigId": gig }),
            )
            .await;
            assert_eq!(cleared.body["result"]["data"], json!({ "success": true }));
        }
        let empty = call(&server, Some("rita"), "getHistory", json!({ "gigId": gig })).await;
        assert_eq!(empty.body["result"]["data"]["messages"], json!([]));
        server.stop().await;
    }
}

// design: 004 sendMessage.message, getHistory input, protected, error 401
#[tokio::test(flavor = "multi_thread")]
async fn failures_have_trpc_codes() {
    let scene = scene(Backing::Sqlite, 1).await;
    let stranger = recruiter(&scene.test.app, "stranger").await;
    let (server, gig) = scene.serve(&[("stranger", &stranger)]).await;
    let send = |message: &str| json!({ "gigId": gig, "message": message });
    let cases = [
        // Input is validated before authentication.
        (
            None,
            "sendMessage",
            json!({ "gigId": gig, "message": "x".repeat(2_001) }),
            400,
            -32600,
            "Сообщение слишком длинное (макс. 2000 символов)",
        ),
        (
            None,
            "sendMessage",
            send("Кто?"),
            401,
            -32001,
            "Необходима авторизация",
        ),
        (
            Some("stranger"),
            "sendMessage",
            send("Кто?"),
            403,
            -32003,
            "Нет доступа к этому заданию",
        ),
        (
            Some("rita"),
            "sendMessage",
            json!({ "gigId": Uuid::now_v7(), "message": "Кто?" }),
            404,
            -32004,
            "Задание не найдено",
        ),
        (
            Some("rita"),
            "getHistory",
            json!({ "gigId": gig, "limit": 51 }),
            400,
            -32600,
            "limit должен быть числом от 1 до 50",
        ),
        (
            Some("rita"),
            "clearHistory",
            json!({ "gigId": "42" }),
            400,
            -32600,
            "Идентификатор задания должен быть UUID",
        ),
    ];
    for (who, name, input, expected, code, words) in cases {
        let refused = call(&server, who, name, input).await;
        assert_eq!(refused.status.as_u16(), expected, "{refused:?}");
        let error = &refused.body["error"];
        assert_eq!(
            (&error["code"], &error["message"]),
            (&json!(code), &json!(words))
        );
        assert_eq!(error["data"]["httpStatus"], expected);
        assert_eq!(error["data"]["path"], format!("gig.aiChat.{name}"));
    }
    server.stop().await;
}

// design: 004 order of checks
#[tokio::test(flavor = "multi_thread")]
async fn a_failing_model_and_too_many_messages_have_codes_too() {
    let (server, gig) = scene(Backing::Sqlite, 1).await.serve(&[]).await;
    let send = |message: &str| json!({ "gigId": gig, "message": message });
    server.model.script([status(400)]);
    let failed = call(&server, Some("rita"), "sendMessage", send("Кто лучший?")).await;
    assert_eq!(
        (
            failed.status.as_u16(),
            &failed.body["error"]["data"]["code"]
        ),
        (500, &json!("INTERNAL_SERVER_ERROR"))
    );
    assert_eq!(
        failed.body["error"]["message"],
        "Не удалось получить ответ. Попробуйте ещё раз"
    );
    server.model.otherwise(say("Да"));
    for number in 0..19 {
        assert_eq!(
            call(
                &server,
                Some("rita"),
                "sendMessage",
                send(&format!("Вопрос {number}"))
            )
            .await
            .status,
            StatusCode::OK
        );
    }
    let limited = call(&server, Some("rita"), "sendMessage", send("Ещё")).await;
    assert_eq!(
        (limited.status.as_u16(), &limited.body["error"]["code"]),
        (429, &json!(-32029)),
        "{limited:?}"
    );
    assert!(limited.headers.contains_key("retry-after"));
    // The design's order: input, authorization, rate limit, gig.
    let too_long = send(&"x".repeat(2_001));
    for (who, input, status) in [
        (None, too_long.clone(), 400),
        (Some("rita"), too_long, 400),
        (None, send("Ещё"), 401),
    ] {
        let refused = call(&server, who, "sendMessage", input).await;
        assert_eq!(refused.status.as_u16(), status, "{refused:?}");
    }
    let unknown = json!({ "gigId": Uuid::now_v7(), "message": "Ещё" });
    let unknown = call(&server, Some("rita"), "sendMessage", unknown).await;
    assert_eq!(unknown.status.as_u16(), 429, "{unknown:?}");
    assert!(unknown.headers.contains_key("retry-after"));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_approval_is_decided_over_trpc() {
    for backing in BOTH {
        let (server, gig) = scene(backing, 2).await.serve(&[]).await;
        let reject = json!({ "candidate": "Студийнов Иван0", "status": "REJECTED" });
        server.model.script([
            model_call("set_hr_status", reject),
            say(r#"{"message":"Записано"}"#),
        ]);
        let input = json!({ "gigId": gig, "message": "Отклони Студийнова Ивана0" });
        let sent = call(&server, Some("rita"), "sendMessage", input).await;
        let data = &sent.body["result"]["data"];
        let waiting = data["message"].as_str().unwrap();
        assert!(
            waiting.starts_with("Ждёт вашего решения: Решение по кандидату"),
            "{waiting}"
        );
        let decide = |decision: &str| {
            json!({
                "gigId": gig, "turnId": data["metadata"]["turnId"], "decision": decision,
                "callId": data["metadata"]["awaitingApproval"][0]["call_id"],
            })
        };
        let wrong = call(&server, Some("rita"), "decide", decide("maybe")).await;
        assert_eq!(wrong.status.as_u16(), 400, "{wrong:?}");
        let decided = call(&server, Some("rita"), "decide", decide("approve")).await;
        assert_eq!(
            decided.body["result"]["data"]["message"], "Записано",
            "{decided:?}"
        );
        let again = call(&server, Some("rita"), "decide", decide("approve")).await;
        assert_eq!(again.status.as_u16(), 409, "{again:?}");
        let rejected = format!("/gigs/{gig}/candidates?hr_status=REJECTED");
        let rejected = server.get(&server.sign_in("rita"), &rejected).await.body;
        assert_eq!(rejected["total"], 1);
        server.stop().await;
    }
}
