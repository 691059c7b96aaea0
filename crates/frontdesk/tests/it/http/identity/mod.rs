//! Identities and memberships over HTTP: sign-in attacks, companies, invitations, events, limits.
//! Each test runs on both databases.

mod attacks;
mod authors;
mod companies;
mod issuer;
mod limits;
mod mail;
pub(crate) mod news;
mod protocol;
mod races;
mod tenancy;
mod watching;

use frontdesk_core::env::Env;
use frontdesk_core::persona::demo_id;
use jsonwebtoken::{EncodingKey, Header, encode};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::server::{Person, TestServer};

/// Claims of a valid token for a person of this name.
pub fn claims(server: &TestServer, name: &str, roles: &[&str]) -> Value {
    json!({
        "iss": "frontdesk",
        "aud": "authenticated",
        "sub": demo_id("test", name),
        "email": format!("{name}@example.com"),
        "role": "authenticated",
        "exp": server.clock.now().timestamp() + 3600,
        "app_metadata": { "name": name, "roles": roles },
    })
}

/// A token with exactly these claims, signed with the server's secret.
pub fn signed(server: &TestServer, claims: &Value) -> Person {
    let key = EncodingKey::from_secret(server.secret.as_bytes());
    Person {
        token: encode(&Header::default(), claims, &key).unwrap(),
    }
}

/// A person who may use the notebook.
pub fn somebody(server: &TestServer, name: &str) -> Person {
    signed(server, &claims(server, name, &["Reader"]))
}

/// The id of somebody's profile.
pub async fn profile(server: &TestServer, who: &Person) -> String {
    let me = server.get(who, "/me").await;
    me.body["id"].as_str().unwrap().to_owned()
}

/// A company owned by this person.
pub async fn company(server: &TestServer, owner: &Person) -> String {
    let made = server
        .post(owner, "/companies", json!({ "name": "Acme" }))
        .await;
    assert_eq!(made.status, 201, "{made:?}");
    made.body["id"].as_str().unwrap().to_owned()
}

/// Adds a person to the company by invitation.
pub async fn join(server: &TestServer, owner: &Person, company: &str, name: &str) -> Person {
    let member = somebody(server, name);
    let path = format!("/companies/{company}/invitations");
    let body = json!({ "email": format!("{name}@example.com") });
    let invited = server.post(owner, &path, body).await;
    assert_eq!(invited.status, 201, "{invited:?}");
    let id = invited.body["id"].as_str().unwrap();
    let path = format!("/invitations/{id}/accept");
    let accepted = server.post(&member, &path, json!({})).await;
    assert_eq!(accepted.status, 200, "{accepted:?}");
    member
}

/// A notebook conversation in a company.
pub async fn shared_conversation(server: &TestServer, who: &Person, company: &str) -> String {
    let body = json!({ "assistant": "notes", "company_id": company });
    let made = server.post(who, "/conversations", body).await;
    assert_eq!(made.status, 201, "{made:?}");
    made.body["id"].as_str().unwrap().to_owned()
}

/// Sends raw bytes and returns the response until the server closes the connection. The server may
/// close it before it has read everything, which can discard its response.
pub async fn raw(address: &str, head: &str) -> String {
    let (mut read, mut write) = TcpStream::connect(address).await.unwrap().into_split();
    let head = head.to_owned();
    let writing = tokio::spawn(async move {
        let _ = write.write_all(head.as_bytes()).await;
        write
    });
    let mut answer = Vec::new();
    let _ = read.read_to_end(&mut answer).await;
    writing.abort();
    String::from_utf8_lossy(&answer).into_owned()
}
