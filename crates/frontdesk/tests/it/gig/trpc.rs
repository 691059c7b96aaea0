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

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_belongs_to_another_message_is_refused() {
    let (server, gig) = scene(Backing::Sqlite, 1).await.serve(&[]).await;
    server.model.script([say("Да")]);
    let rita = server.sign_in("rita");
    let paths = [
        format!("{}/api/v1/gigs/{gig}/chat", server.url),
        format!("{}/api/trpc/gig.aiChat.sendMessage", server.url),
    ];
    let send = |path: &str, key: &str, message: &str| {
        let request = server.client.post(path).bearer_auth(&rita.token);
        let input = if path.contains("trpc") {
            json!({ "gigId": gig, "message": message })
        } else {
            json!({ "message": message })
        };
        answer(request.header("idempotency-key", key).json(&input))
    };
    for path in &paths {
        assert_eq!(send(path, "k", "Кто лучший?").await.status, 200);
        let other = send(path, "k", "Кто худший?").await;
        let error = &other.body["error"];
        assert_eq!(other.status, 422, "{other:?}");
        let words = "Этот Idempotency-Key уже использован для другого запроса";
        assert_eq!(error["message"], words);
        let long = send(path, &"k".repeat(256), "Кто?").await;
        assert_eq!(long.status, 400, "{long:?}");
    }
    server.stop().await;
}

/// The sender, the gig and the message; the status, and the words in Russian and English.
type RefusedMessage<'a> = (Option<&'a str>, Uuid, &'a str, u16, [&'a str; 2]);

/// The message is refused with these words, over REST and tRPC, in both languages.
async fn check_words(server: &TestServer, case: RefusedMessage<'_>) {
    let (who, gig, message, expected, words) = case;
    for (language, words) in ["ru", "en-GB,en;q=0.9"].into_iter().zip(words) {
        for (path, input) in [
            (
                format!("/api/v1/gigs/{gig}/chat"),
                json!({ "message": message }),
            ),
            (
                "/api/trpc/gig.aiChat.sendMessage".to_owned(),
                json!({ "gigId": gig, "message": message }),
            ),
        ] {
            let request = server.client.post(format!("{}{path}", server.url));
            let mut request = request.header("accept-language", language).json(&input);
            if let Some(who) = who {
                request = request.bearer_auth(server.sign_in(who).token);
            }
            let refused = answer(request).await;
            assert_eq!(refused.status.as_u16(), expected, "{path}: {refused:?}");
            assert_eq!(refused.body["error"]["message"], words, "{path}");
            let waits = refused.headers.contains_key("retry-after");
            assert_eq!(waits, expected == 429, "{path}");
        }
    }
}

// design: 004 error 400, error 401, error 403, error 404, error 429, error 500
#[tokio::test(flavor = "multi_thread")]
async fn failures_speak_the_readers_language_at_both_doors() {
    let scene = scene(Backing::Sqlite, 1).await;
    let stranger = recruiter(&scene.test.app, "stranger").await;
    let (server, gig) = scene.serve(&[("stranger", &stranger)]).await;
    let long = "x".repeat(2_001);
    let too_long = [
        "Сообщение слишком длинное (макс. 2000 символов)",
        "The message is too long (2000 characters at most)",
    ];
    let signed_out = ["Необходима авторизация", "Sign in to do this"];
    let foreign = [
        "Нет доступа к этому заданию",
        "You have no access to this gig",
    ];
    let unknown = ["Задание не найдено", "Gig not found"];
    for case in [
        (Some("rita"), gig, long.as_str(), 400, too_long),
        (None, gig, "Кто?", 401, signed_out),
        (Some("stranger"), gig, "Кто?", 403, foreign),
        (Some("rita"), Uuid::now_v7(), "Кто?", 404, unknown),
    ] {
        check_words(&server, case).await;
    }
    server.model.otherwise(status(400));
    let failed = [
        "Не удалось получить ответ. Попробуйте ещё раз",
        "The answer could not be generated. Please try again",
    ];
    check_words(&server, (Some("rita"), gig, "Кто?", 500, failed)).await;
    server.model.otherwise(say("Да"));
    for number in 0..20 {
        let input = json!({ "gigId": gig, "message": format!("Вопрос {number}") });
        call(&server, Some("rita"), "sendMessage", input).await;
    }
    let limited = [
        "Слишком много запросов. Подождите минуту",
        "Too many requests. Please wait a minute",
    ];
    check_words(&server, (Some("rita"), gig, "Ещё", 429, limited)).await;
    server.stop().await;
}
