//! Invitations by mail, to an SMTP server on the loopback interface.

use reqwest::StatusCode;
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

use super::{company, somebody};
use crate::harness::Backing;
use crate::server::TestServer;

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
