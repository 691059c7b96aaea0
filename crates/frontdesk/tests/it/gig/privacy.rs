//! A chat about a gig is its person's alone, and theirs only while they are in the gig's workspace: at every
//! route that names the chat, and in every list, search, export and stream that could.

use std::time::Duration;

use frontdesk_testkit::model_server::{Answer as ModelAnswer, Request, call, say};
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use uuid::Uuid;

use super::trpc::events_of;
use super::{Scene, join, recruiter, scene};
use crate::harness::{BOTH, Backing};
use crate::http::identity::news::Reader;
use crate::server::{Person, TestServer, answer};

const ORDER: &str = "Отклони: Студийнов Иван0, тайно";
const SECRET: &str = "Тай";

/// A chat with an answer, a file and a decision that waits.
struct Chat {
    session: String,
    turn: String,
    message: String,
    question: String,
    file: String,
    waiting_turn: String,
    call: String,
}

fn reply(request: &Request) -> ModelAnswer {
    match request.last_user().as_deref() {
        Some(ORDER) if !request.ends_with_tool_result() => call(
            "set_hr_status",
            json!({ "candidate": "Студийнов Иван0", "status": "REJECTED" }),
        ),
        _ => say(r#"{"message": "Тайна ответа"}"#),
    }
}

fn text(value: &Value) -> String {
    value
        .as_str()
        .unwrap_or_else(|| panic!("{value}"))
        .to_owned()
}

async fn chat(server: &TestServer, who: &Person, gig: Uuid) -> Chat {
    let path = format!("/gigs/{gig}/chat");
    let message = json!({ "message": "Тайный вопрос" });
    let sent = server.post(who, &path, message).await.body["metadata"].clone();
    let session = text(&sent["sessionId"]);
    let messages = format!("/conversations/{session}/messages");
    let question = text(&server.list(who, &messages).await[0]["id"]);
    let part = Part::bytes("Тайный файл".as_bytes().to_vec()).file_name("a.txt");
    let form = Form::new()
        .text("conversation_id", session.clone())
        .part("file", part);
    let request = server.request(Method::POST, "/attachments", Some(who));
    let file = answer(request.multipart(form)).await;
    let message = json!({ "message": ORDER });
    let waiting = server.post(who, &path, message).await.body["metadata"].clone();
    Chat {
        session,
        turn: text(&sent["turnId"]),
        message: text(&sent["messageId"]),
        question,
        file: text(&file.body["id"]),
        waiting_turn: text(&waiting["turnId"]),
        call: text(&waiting["awaitingApproval"][0]["call_id"]),
    }
}

/// The same in a conversation that names no gig: it reads the newest one.
async fn unnamed_chat(server: &TestServer, who: &Person) -> Chat {
    let new = json!({ "assistant": "gig" });
    let session = text(&server.post(who, "/conversations", new).await.body["id"]);
    let path = format!("/conversations/{session}/messages");
    let message = json!({ "content": "Тайный вопрос" });
    let sent = server.post(who, &path, message).await.body.clone();
    let part = Part::bytes("Тайный файл".as_bytes().to_vec()).file_name("a.txt");
    let form = Form::new()
        .text("conversation_id", session.clone())
        .part("file", part);
    let request = server.request(Method::POST, "/attachments", Some(who));
    let file = answer(request.multipart(form)).await;
    let message = json!({ "content": ORDER });
    let waiting = server.post(who, &path, message).await.body["turn"].clone();
    Chat {
        session,
        turn: text(&sent["agent_message"]["metadata"]["turn_id"]),
        message: text(&sent["agent_message"]["id"]),
        question: text(&sent["user_message"]["id"]),
        file: text(&file.body["id"]),
        waiting_turn: text(&waiting["id"]),
        call: text(&waiting["approvals"][0]["call_id"]),
    }
}

/// Every route that names the chat.
fn routes(chat: &Chat, company: &Value) -> Vec<(&'static str, String, Value)> {
    let base = format!("/conversations/{}", chat.session);
    let turn = format!("{base}/turns/{}", chat.turn);
    let question = format!("{base}/messages/{}", chat.question);
    let card = format!("{base}/turns/{}/approvals/{}", chat.waiting_turn, chat.call);
    let feedback = format!("/messages/{}/feedback", chat.message);
    let [none, content] = [Value::Null, json!({ "content": "x" })];
    let share = json!({ "audience": { "company": company } });
    let marks = json!({ "pinned": true, "archived": false });
    let form = json!({ "tool": "find_candidate", "arguments": { "name": "Студийнов Иван0" } });
    vec![
        ("GET", base.clone(), none.clone()),
        ("GET", format!("{base}/messages"), none.clone()),
        ("GET", format!("{base}/artifacts"), none.clone()),
        ("GET", format!("{base}/export?format=md"), none.clone()),
        ("GET", format!("{base}/export?format=pdf"), none.clone()),
        ("GET", format!("{base}/shares"), none.clone()),
        ("POST", format!("{base}/shares"), share),
        (
            "DELETE",
            format!("{base}/shares/{}", Uuid::nil()),
            none.clone(),
        ),
        ("PUT", format!("{base}/marks"), marks),
        ("GET", turn.clone(), none.clone()),
        ("GET", format!("{turn}/events"), none.clone()),
        ("POST", format!("{turn}/cancel"), none.clone()),
        ("POST", format!("{turn}/retry"), none.clone()),
        ("GET", format!("{card}/preview"), none.clone()),
        ("GET", format!("/attachments/{}", chat.file), none.clone()),
        ("POST", feedback.clone(), json!({ "rating": "up" })),
        ("GET", feedback.clone(), none.clone()),
        ("DELETE", feedback, none.clone()),
        ("POST", card, json!({ "decision": "reject" })),
        ("POST", format!("{base}/messages"), content.clone()),
        ("POST", format!("{base}/forms"), form),
        ("POST", format!("{question}/versions"), content),
        ("POST", format!("{question}/select"), none.clone()),
        ("PATCH", base.clone(), json!({ "title": "x" })),
        ("POST", format!("{base}/title"), json!({})),
        ("POST", format!("{base}/reset"), none.clone()),
        ("DELETE", base, none),
    ]
}

async fn ask(server: &TestServer, who: &Person, route: &(&str, String, Value)) -> (u16, String) {
    let (verb, path, body) = route;
    let body = Some(body.clone()).filter(|body| !body.is_null());
    let found = server
        .send(verb.parse().unwrap(), path, Some(who), body)
        .await;
    (found.status.as_u16(), found.body.to_string())
}

// design: 004 property 1, property 6
#[tokio::test(flavor = "multi_thread")]
async fn no_route_gives_a_chat_to_anybody_else() {
    for backing in BOTH {
        let (server, gig, workspace) = stage(backing).await;
        let rita = server.sign_in("rita");
        let former = server.sign_in("former");
        let chats = [
            chat(&server, &rita, gig).await,
            unnamed_chat(&server, &rita).await,
            chat(&server, &former, gig).await,
            unnamed_chat(&server, &former).await,
        ];
        let former = server.get(&server.sign_in("former"), "/me").await.body;
        let former = text(&former["id"]).parse().unwrap();
        let company = text(&workspace).parse().unwrap();
        server.store.remove_member(company, former).await.unwrap();
        // Nobody but Rita reads hers, and nobody reads that of the former member, they included.
        for (who, chats) in [
            ("colleague", &chats[..]),
            ("stranger", &chats[..]),
            ("former", &chats[..]),
            ("rita", &chats[2..]),
        ] {
            let person = server.sign_in(who);
            for chat in chats {
                for route in routes(chat, &workspace) {
                    let (status, told) = ask(&server, &person, &route).await;
                    let (verb, path, ..) = &route;
                    let cell = format!("{backing:?} {who} {verb} {path}: {status} {told}");
                    assert!(matches!(status, 403 | 404), "{cell}");
                    assert!(
                        !told.contains(SECRET) && !told.contains("Студийнов"),
                        "{cell}"
                    );
                }
                let input = json!({ "gigId": gig, "turnId": chat.turn });
                let streamed = events_of(&server, &person, &input).await;
                let is_refused = streamed.contains("serialized-error");
                assert!(
                    is_refused && !streamed.contains(SECRET),
                    "{who}: {streamed}"
                );
            }
            unlisted(&server, &person, chats).await;
        }
        // Control: no route refuses the person whose chat it is, but for sharing it.
        for chat in &chats[..2] {
            for route in routes(chat, &workspace) {
                let (status, told) = ask(&server, &rita, &route).await;
                let (verb, path, ..) = &route;
                let shares = *verb == "POST" && path.ends_with("/shares");
                let expected = if shares { status == 409 } else { status != 403 };
                assert!(expected, "{backing:?} {verb} {path}: {status} {told}");
            }
        }
        server.stop().await;
    }
}

/// No list, search or inbox of this person names one of the chats.
async fn unlisted(server: &TestServer, person: &Person, chats: &[Chat]) {
    for path in [
        "/conversations",
        "/search?q=Тайный",
        "/search?q=тайна",
        "/search?q=Лендинг",
        "/approvals",
        "/inbox",
    ] {
        let told = server.get(person, path).await.body.to_string();
        for chat in chats {
            for id in [&chat.session, &chat.turn, &chat.waiting_turn, &chat.call] {
                assert!(!told.contains(id.as_str()), "{path}: {told}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_that_names_no_gig_follows_the_newest_one() {
    for backing in BOTH {
        let (server, gig, workspace) = stage(backing).await;
        let rita = server.sign_in("rita");
        let begun = async |who: &Person| {
            let new = json!({ "assistant": "gig" });
            server.post(who, "/conversations", new).await.body
        };
        let [one, other] = [begun(&rita).await, begun(&rita).await];
        assert_ne!(one["id"], other["id"], "it is not the chat of the gig");
        assert_eq!(one["company_id"], workspace);
        let subject = text(&one["subject"]);
        assert!(subject.starts_with(&format!("{gig}/")), "{subject}");
        // Without a gig there is nothing to read.
        let stranger = begun(&server.sign_in("stranger")).await;
        assert_eq!(stranger["subject"], Value::Null);
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn its_person_finds_a_chat_and_the_cards_in_it() {
    for backing in BOTH {
        let (server, gig, _) = stage(backing).await;
        let rita = server.sign_in("rita");
        let own = chat(&server, &rita, gig).await;
        for path in ["/conversations", "/search?q=Тайный", "/approvals"] {
            let told = server.get(&rita, path).await.body.to_string();
            assert!(told.contains(&own.session), "{backing:?} {path}: {told}");
        }
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn events_of_a_chat_reach_its_person_only() {
    for backing in BOTH {
        let (server, gig, _) = stage(backing).await;
        let [rita, colleague] = ["rita", "colleague"].map(|name| server.sign_in(name));
        let own = chat(&server, &colleague, gig).await;
        let mut events = Reader::open(&server, &colleague).await;
        let foreign = chat(&server, &rita, gig).await;
        // The node listens when a change of one's own arrives.
        let mut told = 0;
        while told < 2 {
            let path = format!("/conversations/{}", own.session);
            let title = json!({ "title": format!("Моё {told}") });
            let renamed = server.send(Method::PATCH, &path, Some(&colleague), Some(title));
            assert_eq!(renamed.await.status, 200);
            let heard = async {
                loop {
                    let event = events.next().await.data.to_string();
                    assert!(!event.contains(&foreign.session), "{event}");
                    if event.contains(&own.session) {
                        return;
                    }
                }
            };
            let heard = tokio::time::timeout(Duration::from_secs(1), heard).await;
            if heard.is_ok() {
                told += 1;
                let path = format!("/conversations/{}", foreign.session);
                let title = json!({ "title": format!("Чужое {told}") });
                let renamed = server.send(Method::PATCH, &path, Some(&rita), Some(title));
                assert_eq!(renamed.await.status, 200);
            }
        }
        server.stop().await;
    }
}

async fn stage(backing: Backing) -> (TestServer, Uuid, Value) {
    let scene: Scene = scene(backing, 3).await;
    scene.model.otherwise_with(reply);
    let app = &scene.test.app;
    let workspace = json!(scene.workspace);
    let [colleague, former, stranger] = [
        recruiter(app, "colleague").await,
        recruiter(app, "former").await,
        recruiter(app, "stranger").await,
    ];
    join(app, scene.workspace, &colleague).await;
    join(app, scene.workspace, &former).await;
    let people = [
        ("colleague", &colleague),
        ("former", &former),
        ("stranger", &stranger),
    ];
    let (server, gig) = scene.serve(&people).await;
    (server, gig, workspace)
}
