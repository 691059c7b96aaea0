//! Invitations and notes about the inbox by mail, to an SMTP server on the loopback interface.

use std::time::Duration;

use frontdesk_core::env::Env;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

use super::{claims, company, signed, somebody};
use crate::harness::Backing;
use crate::server::{Answer, Person, TestServer};

/// A message as the mail server received it.
#[derive(Debug, Default)]
struct Letter {
    from: String,
    to: String,
    data: String,
}

/// Accepts messages, or refuses every recipient.
async fn mail_server(refuses: bool) -> (String, mpsc::UnboundedReceiver<Letter>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("smtp://{}", listener.local_addr().unwrap());
    let (letters, taken) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            if let Some(letter) = serve(stream, refuses).await {
                letters.send(letter).unwrap();
            }
        }
    });
    (url, taken)
}

async fn serve(stream: TcpStream, refuses: bool) -> Option<Letter> {
    let (read, mut write) = stream.into_split();
    let mut lines = BufReader::new(read).lines();
    let mut letter = Letter::default();
    write.write_all(b"220 mail.test ESMTP\r\n").await.ok()?;
    while let Some(line) = lines.next_line().await.ok()? {
        let (verb, rest) = line.split_at(line.len().min(4));
        let answer = match verb.to_ascii_uppercase().as_str() {
            "EHLO" => "250-mail.test\r\n250 8BITMIME\r\n",
            "MAIL" => {
                letter.from = rest.to_owned();
                "250 ok\r\n"
            }
            "RCPT" if refuses => "550 no such person\r\n",
            "RCPT" => {
                letter.to = rest.to_owned();
                "250 ok\r\n"
            }
            "DATA" => {
                write.write_all(b"354 go ahead\r\n").await.ok()?;
                while let Some(line) = lines.next_line().await.ok()? {
                    if line == "." {
                        break;
                    }
                    letter.data.push_str(&line);
                    letter.data.push('\n');
                }
                write.write_all(b"250 taken\r\n").await.ok()?;
                return Some(letter);
            }
            "QUIT" => return None,
            _ => "250 ok\r\n",
        };
        write.write_all(answer.as_bytes()).await.ok()?;
    }
    None
}

/// Removes quoted-printable soft line breaks.
fn readable(data: &str) -> String {
    data.replace("=\n", "").replace("=3D", "=")
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_is_mailed_with_its_link() {
    for backing in [Backing::Sqlite, Backing::Postgres] {
        let (url, mut letters) = mail_server(false).await;
        let settings = [
            ("mail.smtp_url", url.as_str()),
            ("mail.from", "Desk <desk@example.com>"),
            ("server.public_url", "https://desk.example.com"),
        ];
        let server = TestServer::start_with(backing, &settings).await;
        let ann = somebody(&server, "ann");
        let acme = company(&server, &ann).await;
        let made = server
            .post(
                &ann,
                &format!("/companies/{acme}/invitations"),
                json!({ "email": "bob@example.com" }),
            )
            .await;
        assert_eq!(made.status, StatusCode::CREATED, "{made:?}");
        assert_eq!(made.body["mailed"], true, "{made:?}");
        let link = made.body["link"].as_str().unwrap();
        let token = made.body["token"].as_str().unwrap();
        assert_eq!(
            link,
            format!("https://desk.example.com/invitations#{token}")
        );
        let letter = letters.recv().await.unwrap();
        assert!(letter.from.contains("<desk@example.com>"), "{letter:?}");
        assert!(letter.to.contains("<bob@example.com>"), "{letter:?}");
        let text = readable(&letter.data);
        assert!(
            text.contains(link) && text.contains("Subject: ann invites you to Acme"),
            "{text}"
        );
        assert!(text.contains("valid until 2026-11-23 09:00 UTC"), "{text}");
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_that_cannot_be_sent_loses_nothing() {
    let (url, _letters) = mail_server(true).await;
    let server = TestServer::start_with(Backing::Sqlite, &[("mail.smtp_url", &url)]).await;
    let ann = somebody(&server, "ann");
    let acme = company(&server, &ann).await;
    let path = format!("/companies/{acme}/invitations");
    let made = server
        .post(&ann, &path, json!({ "email": "bob@example.com" }))
        .await;
    assert_eq!(made.status, StatusCode::CREATED, "{made:?}");
    assert_eq!(made.body["mailed"], false, "{made:?}");
    let bob = somebody(&server, "bob");
    let body = json!({ "token": made.body["token"] });
    let accepted = server.post(&bob, "/invitations/accept", body).await;
    assert_eq!(accepted.status, StatusCode::OK, "{accepted:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_mail_server_there_is_a_link_to_copy() {
    let server = TestServer::start(Backing::Sqlite).await;
    let ann = somebody(&server, "ann");
    let acme = company(&server, &ann).await;
    let path = format!("/companies/{acme}/invitations");
    let made = server
        .post(&ann, &path, json!({ "email": "bob@example.com" }))
        .await;
    assert!(made.body.get("mailed").is_none(), "{made:?}");
    assert!(
        made.body["link"]
            .as_str()
            .unwrap()
            .contains("/invitations#")
    );
    // Addresses are visible only to those who may invite.
    let bob = super::join(&server, &ann, &acme, "bob").await;
    assert_eq!(server.get(&bob, &path).await.status, StatusCode::FORBIDDEN);
    server.stop().await;
}

/// An admin who decides passes, with this name.
fn admin(server: &TestServer, name: &str) -> Person {
    let mut claims = claims(server, name, &["Admin_User"]);
    claims["exp"] = json!(server.clock.now().timestamp() + 24 * 3600);
    signed(server, &claims)
}

async fn choose(server: &TestServer, who: &Person, body: Value) -> Answer {
    let path = "/me/mail";
    server.send(Method::PUT, path, Some(who), Some(body)).await
}

/// A pass that waits for a decision.
async fn ask_for_a_pass(server: &TestServer, person: &str) {
    let hr = server.sign_in("hr");
    let new = json!({ "assistant": "gatepass" });
    let made = server.post(&hr, "/conversations", new).await;
    let path = format!("/conversations/{}/forms", made.body["id"].as_str().unwrap());
    let arguments =
        json!({ "person_name": person, "description": "Errand", "is_returnable": true });
    let form = json!({ "tool": "create_gate_pass", "arguments": arguments });
    let asked = server.post(&hr, &path, form).await;
    assert_eq!(asked.status, StatusCode::CREATED, "{asked:?}");
}

/// The next mail, while time passes in steps of one look.
async fn next_letter(server: &TestServer, letters: &mut mpsc::UnboundedReceiver<Letter>) -> Letter {
    for _ in 0..120 {
        server.clock.advance(Duration::from_secs(30));
        let waited = tokio::time::timeout(Duration::from_millis(250), letters.recv()).await;
        if let Ok(letter) = waited {
            return letter.unwrap();
        }
    }
    panic!("no mail came");
}

async fn waiting(server: &TestServer, who: &Person) -> String {
    server.get(who, "/inbox").await.body["count"].to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn people_who_asked_are_mailed_once_about_all_that_waits() {
    for backing in [Backing::Sqlite, Backing::Postgres] {
        let (url, mut letters) = mail_server(false).await;
        let settings = [
            ("mail.smtp_url", url.as_str()),
            ("server.public_url", "https://desk.example.com"),
        ];
        let server = TestServer::start_with(backing, &settings).await;
        let (ann, bob) = (admin(&server, "ann"), admin(&server, "bob"));
        let on = json!({ "on": true, "language": "de" });
        let set = choose(&server, &ann, on).await;
        assert_eq!(set.status, StatusCode::OK, "{set:?}");
        let expected = json!({ "available": true, "on": true, "address": "ann@example.com" });
        assert_eq!(set.body, expected);
        assert_eq!(server.get(&ann, "/me/mail").await.body, expected);
        assert_eq!(server.get(&bob, "/me/mail").await.body["on"], false);

        let first = next_letter(&server, &mut letters).await;
        assert!(first.to.contains("<ann@example.com>"), "{first:?}");
        let text = readable(&first.data);
        let count = waiting(&server, &ann).await;
        assert!(
            text.contains(&format!("Frontdesk wartet auf Sie: {count}"))
                && text.contains("https://desk.example.com/approvals")
                && text.contains("https://desk.example.com/settings"),
            "{text}"
        );
        // Nothing about what waits.
        assert!(!text.contains("GP-"), "{text}");

        server.clock.advance(Duration::from_secs(40 * 60));
        let again = tokio::time::timeout(Duration::from_secs(1), letters.recv()).await;
        assert!(
            again.is_err(),
            "a second mail about the same things: {again:?}"
        );
        ask_for_a_pass(&server, "Mallory Black").await;
        let second = next_letter(&server, &mut letters).await;
        let more = waiting(&server, &ann).await;
        assert_ne!(more, count);
        let text = readable(&second.data);
        assert!(text.contains(&format!("wartet auf Sie: {more}")), "{text}");
        assert!(!text.contains("Mallory"), "{text}");

        let off = choose(&server, &ann, json!({ "on": false })).await;
        assert_eq!(off.body["on"], false, "{off:?}");
        let set = choose(&server, &bob, json!({ "on": true })).await;
        assert_eq!(set.status, StatusCode::OK, "{set:?}");
        ask_for_a_pass(&server, "Trent Gray").await;
        let third = next_letter(&server, &mut letters).await;
        assert!(third.to.contains("<bob@example.com>"), "{third:?}");
        assert!(readable(&third.data).contains("Waiting for you on Frontdesk"));
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_mail_server_nobody_can_ask_for_mails() {
    let server = TestServer::start(Backing::Sqlite).await;
    let ann = somebody(&server, "ann");
    let status = server.get(&ann, "/me/mail").await.body;
    assert_eq!(
        (&status["available"], &status["on"]),
        (&json!(false), &json!(false))
    );
    let refused = choose(&server, &ann, json!({ "on": true })).await;
    assert_eq!(refused.status, StatusCode::CONFLICT, "{refused:?}");
    assert_eq!(refused.body["error"]["code"], "NO_MAIL_SERVER");
    server.stop().await;
}
