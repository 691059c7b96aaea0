//! Files over HTTP: what is hostile is refused or made inert, what is kept follows the
//! conversation. The names say which attack each test is.

use std::io::Write;

use frontdesk_testkit::model_server::say;
use futures_util::future::join_all;
use reqwest::multipart::{Form, Part};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::harness::BOTH;
use crate::server::{Answer, Person, TestServer, answer};

const JPEG: &[u8] = include_bytes!("../../../../files/fixtures/gps.jpg");
const PNG: &[u8] = include_bytes!("../../../../files/fixtures/gps.png");
const HEIC: &[u8] = include_bytes!("../../../../files/fixtures/gps.heic");
const PDF: &[u8] = b"%PDF-1.7\n1 0 obj << >> endobj\ntrailer << >>\n%%EOF\n";
const LIMIT: usize = 10 * 1024 * 1024;

struct Scene {
    server: TestServer,
    who: Person,
    conversation: String,
}

impl Scene {
    async fn on_both() -> Vec<Scene> {
        let mut scenes = Vec::new();
        for server in TestServer::on_both().await {
            let who = server.sign_in("reader");
            let conversation = server.conversation(&who).await;
            scenes.push(Scene {
                server,
                who,
                conversation,
            });
        }
        scenes
    }

    async fn upload(&self, name: &str, kind: &str, bytes: &[u8]) -> Answer {
        let file = Part::bytes(bytes.to_vec())
            .file_name(name.to_owned())
            .mime_str(kind)
            .unwrap();
        let form = Form::new()
            .text("conversation_id", self.conversation.clone())
            .part("file", file);
        answer(self.request().multipart(form)).await
    }

    fn request(&self) -> reqwest::RequestBuilder {
        self.server
            .request(Method::POST, "/attachments", Some(&self.who))
    }

    async fn download(&self, attached: &Value) -> reqwest::Response {
        let path = format!("/attachments/{}", attached["id"].as_str().unwrap());
        let request = self.server.request(Method::GET, &path, Some(&self.who));
        request.send().await.unwrap()
    }

    /// Sends these bytes as a form body.
    async fn raw(&self, kind: &str, body: Vec<u8>) -> Answer {
        answer(self.request().header("content-type", kind).body(body)).await
    }
}

fn contains(bytes: &[u8], needle: &[u8]) -> bool {
    bytes.windows(needle.len()).any(|window| window == needle)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_attached_fetched_and_named_in_a_message() {
    for scene in Scene::on_both().await {
        scene
            .server
            .model
            .script([frontdesk_testkit::model_server::say("I see it.")]);
        let attached = scene.upload("Größe.pdf", "application/pdf", PDF).await;
        assert_eq!(attached.status, StatusCode::CREATED, "{attached:?}");
        assert_eq!(attached.body["name"], "Größe.pdf");
        assert_eq!(attached.body["media_type"], "application/pdf");
        assert_eq!(attached.body["bytes"], PDF.len());
        assert_eq!(attached.body["conversation_id"], json!(scene.conversation));
        let fetched = scene.download(&attached.body).await;
        assert_eq!(fetched.headers()["content-type"], "application/pdf");
        assert_eq!(fetched.headers()["x-content-type-options"], "nosniff");
        assert_eq!(fetched.headers()["content-security-policy"], "sandbox");
        assert_eq!(
            fetched.headers()["content-disposition"],
            "attachment; filename=\"Gr__e.pdf\"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.pdf"
        );
        assert_eq!(fetched.bytes().await.unwrap(), PDF);
        let path = format!("/conversations/{}/messages", scene.conversation);
        let body = json!({ "content": "Look", "attachments": [attached.body["id"]] });
        let sent = scene.server.post(&scene.who, &path, body).await;
        assert_eq!(sent.status, StatusCode::CREATED, "{sent:?}");
        let told = scene.server.model.request(0).json()["messages"].to_string();
        assert!(told.contains("[file:1"), "{told}");
        scene.server.stop().await;
    }
}

// design: promises E1
#[tokio::test(flavor = "multi_thread")]
async fn what_is_none_of_ours_is_refused_by_content() {
    for scene in Scene::on_both().await {
        let foreign: [(&str, &str, &[u8]); 11] = [
            ("x.jpg", "image/jpeg", b"PK\x03\x04not a document"),
            (
                "setup.jpg",
                "image/jpeg",
                b"MZ\x90\x00\x03\x00this program cannot be run",
            ),
            ("elf.png", "image/png", b"\x7fELF\x02\x01\x01"),
            (
                "x.png",
                "image/png",
                b"<svg xmlns='http://www.w3.org/2000/svg' onload='x'/>",
            ),
            (
                "x.png",
                "image/png",
                b"<!doctype html><script>alert(1)</script>",
            ),
            ("x.webp", "image/webp", b"RIFF\x10\x00\x00\x00WEBPVP8 "),
            (
                "x.avif",
                "image/avif",
                b"\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avifmif1miaf",
            ),
            ("x.gif", "image/gif", b"GIF89a\x01\x00\x01\x00\x00"),
            ("x.tiff", "image/tiff", b"II*\x00\x08\x00\x00\x00"),
            ("x.bmp", "image/bmp", b"BM\x46\x00\x00\x00"),
            ("x.ps", "application/postscript", b"%!PS-Adobe-3.0"),
        ];
        for (name, kind, bytes) in foreign {
            let refused = scene.upload(name, kind, bytes).await;
            assert_eq!(refused.status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{name}");
            assert_eq!(refused.body["error"]["code"], "UNSUPPORTED_MEDIA_TYPE");
            assert_eq!(
                refused.body["error"]["details"]["accepted"][0],
                "image/jpeg"
            );
        }
        // A document of ours that is not whole is told so, whatever it is called.
        let mut torn = b"PK\x03\x04".to_vec();
        torn.resize(30, 0);
        torn.extend(b"[Content_Types].xml and no more");
        let torn = scene.upload("x.jpg", "image/jpeg", &torn).await;
        assert_eq!(torn.status, StatusCode::UNPROCESSABLE_ENTITY, "{torn:?}");
        scene.server.stop().await;
    }
}

// design: promises E3
#[tokio::test(flavor = "multi_thread")]
async fn what_is_served_is_our_own_picture() {
    for scene in Scene::on_both().await {
        for (name, kind, bytes) in [
            ("a.jpg", "image/jpeg", JPEG),
            ("a.png", "image/png", PNG),
            ("a.heic", "image/heic", HEIC),
        ] {
            assert!(contains(bytes, b"SECRETCAM"), "the fixture has its control");
            let with_tail = match kind {
                "image/heic" => bytes.to_vec(),
                _ => [bytes, b"<script>alert(1)</script>PK\x03\x04"].concat(),
            };
            let attached = scene.upload(name, kind, &with_tail).await;
            assert_eq!(attached.status, StatusCode::CREATED, "{attached:?}");
            assert_eq!(attached.body["media_type"], kind);
            let served = scene.download(&attached.body).await.bytes().await.unwrap();
            for gone in [
                &b"SECRETCAM"[..],
                b"<script>",
                b"PK\x03\x04",
                b"Exif\0\0MM",
                b"eXIf",
            ] {
                assert!(!contains(&served, gone), "{name}");
            }
        }
        scene.server.stop().await;
    }
}

// design: promises E4
#[tokio::test(flavor = "multi_thread")]
async fn pictures_that_would_cost_too_much_are_refused() {
    for scene in Scene::on_both().await {
        let mut huge = PNG.to_vec();
        huge[16..24].copy_from_slice(&[0, 0, 0xC3, 0x50, 0, 0, 0xC3, 0x50]);
        let mut heic = HEIC.to_vec();
        let at = heic.windows(4).position(|w| w == b"iinf").unwrap();
        heic[at + 8] = 0xFF;
        for (bytes, what) in [
            (huge, "50000 × 50000"),
            (JPEG[..JPEG.len() / 2].to_vec(), "damaged"),
            (HEIC[..200].to_vec(), "damaged"),
            (heic, "damaged"),
            (Vec::new(), "empty"),
        ] {
            let refused = scene.upload("x.png", "image/png", &bytes).await;
            assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{what}");
            assert_eq!(refused.body["error"]["details"][0]["field"], "file");
            let told = refused.body["error"]["message"].as_str().unwrap();
            assert!(told.contains(what), "{told}");
        }
        scene.server.stop().await;
    }
}

// design: promises E7
#[tokio::test(flavor = "multi_thread")]
async fn names_and_declared_types_do_not_count() {
    for scene in Scene::on_both().await {
        let long = "x".repeat(4_000);
        for (name, kind, shown) in [
            ("../../etc/passwd", "text/html", "passwd.jpg"),
            ("CON", "image/png", "CON.jpg"),
            ("a\u{202e}gpj.exe", "application/x-msdownload", "agpj.jpg"),
            (
                long.as_str(),
                "image/heic",
                &format!("{}.jpg", "x".repeat(80)),
            ),
        ] {
            let attached = scene.upload(name, kind, JPEG).await;
            assert_eq!(attached.status, StatusCode::CREATED, "{attached:?}");
            assert_eq!(attached.body["name"], shown);
            assert_eq!(attached.body["media_type"], "image/jpeg");
        }
        scene.server.stop().await;
    }
}

// design: promises E8
#[tokio::test(flavor = "multi_thread")]
async fn the_size_limit_is_exact() {
    for scene in Scene::on_both().await {
        for (length, status) in [
            (LIMIT - 1, StatusCode::CREATED),
            (LIMIT, StatusCode::CREATED),
            (LIMIT + 1, StatusCode::PAYLOAD_TOO_LARGE),
            (2 * LIMIT, StatusCode::PAYLOAD_TOO_LARGE),
        ] {
            let text = vec![b'x'; length];
            let answered = scene.upload("x.txt", "text/plain", &text).await;
            assert_eq!(answered.status, status, "{length} {:?}", answered.body);
        }
        scene.server.stop().await;
    }
}

// design: promises E9
#[tokio::test(flavor = "multi_thread")]
async fn forms_that_are_none_are_refused() {
    for scene in Scene::on_both().await {
        let part = |name: &str| {
            format!("--b\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\nx\r\n")
        };
        let mut many = Vec::new();
        for number in 0..10_000 {
            write!(many, "{}", part(&format!("f{number}"))).unwrap();
        }
        many.extend_from_slice(b"--b--\r\n");
        let wide = format!(
            "--b\r\ncontent-disposition: form-data; name=\"file\"\r\nx-long: {}\r\n\r\nx\r\n--b--\r\n",
            "y".repeat(1_000_000)
        );
        let long_boundary = format!("multipart/form-data; boundary={}", "b".repeat(20_000));
        let form = "multipart/form-data; boundary=b";
        for (kind, body, allowed) in [
            ("multipart/form-data", b"x".to_vec(), [400, 400]),
            (long_boundary.as_str(), b"x".to_vec(), [400, 431]),
            (form, many, [400, 413]),
            (form, wide.into_bytes(), [400, 413]),
            (form, b"--b\r\ncontent-disp".to_vec(), [400, 400]),
            (
                "application/json",
                br#"{"files":{"f":{"filepath":"/etc/passwd"}}}"#.to_vec(),
                [415, 415],
            ),
        ] {
            let refused = scene.raw(kind, body).await;
            let short: String = kind.chars().take(40).collect();
            assert!(
                allowed.contains(&refused.status.as_u16()),
                "{short}: {refused:?}"
            );
        }
        for (body, field) in [
            (format!("{}--b--\r\n", part("file")), "conversation_id"),
            (format!("{}--b--\r\n", part("conversation_id")), "file"),
            (
                format!("{}{}--b--\r\n", part("conversation_id"), part("file")),
                "conversation_id",
            ),
            (format!("{}--b--\r\n", part("role")), "role"),
            (format!("{}{}--b--\r\n", part("file"), part("file")), "file"),
        ] {
            let refused = scene.raw(form, body.clone().into_bytes()).await;
            assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
            assert_eq!(refused.body["error"]["details"][0]["field"], field);
        }
        let gzip = scene.request().header("content-encoding", "gzip");
        let gzip = gzip.header("content-type", form).body("x");
        assert_eq!(
            answer(gzip).await.status,
            StatusCode::UNSUPPORTED_MEDIA_TYPE
        );
        scene.server.stop().await;
    }
}

// design: promises E12
#[tokio::test(flavor = "multi_thread")]
async fn files_follow_their_conversation() {
    for scene in Scene::on_both().await {
        let server = &scene.server;
        let (paula, pete, quinn) = (
            server.sign_in("paula"),
            server.sign_in("pete"),
            server.sign_in("quinn"),
        );
        let company = server.get(&paula, "/me").await.body["companies"][0]["company"].clone();
        let body = json!({ "assistant": "planner", "company_id": company });
        let made = server.post(&paula, "/conversations", body).await;
        assert_eq!(made.status, StatusCode::CREATED, "{made:?}");
        let id = made.body["id"].as_str().unwrap().to_owned();
        let send = |who: &Person, conversation: &str| {
            let form = Form::new()
                .part("file", Part::bytes(JPEG.to_vec()).file_name("a.jpg"))
                .text("conversation_id", conversation.to_owned());
            answer(
                server
                    .request(Method::POST, "/attachments", Some(who))
                    .multipart(form),
            )
        };
        let attached = send(&pete, &id).await;
        assert_eq!(attached.status, StatusCode::CREATED, "members may attach");
        let path = format!("/attachments/{}", attached.body["id"].as_str().unwrap());
        for (who, status) in [
            (&paula, StatusCode::OK),
            (&pete, StatusCode::OK),
            (&quinn, StatusCode::FORBIDDEN),
        ] {
            assert_eq!(server.get(who, &path).await.status, status);
        }
        assert_eq!(send(&quinn, &id).await.status, StatusCode::FORBIDDEN);
        let nowhere = "00000000-0000-4000-8000-000000000000";
        assert_eq!(send(&quinn, nowhere).await.status, StatusCode::NOT_FOUND);
        let missing = server.get(&quinn, &format!("/attachments/{nowhere}")).await;
        assert_eq!(missing.status, StatusCode::NOT_FOUND);
        // A file of another conversation cannot be named in a message.
        let other = server.conversation(&scene.who).await;
        let body = json!({ "content": "x", "attachments": [attached.body["id"]] });
        let refused = server
            .post(
                &scene.who,
                &format!("/conversations/{other}/messages"),
                body,
            )
            .await;
        assert!(refused.status.is_client_error(), "{refused:?}");
        scene.server.stop().await;
    }
}

// design: promises E14
#[tokio::test(flavor = "multi_thread")]
async fn a_length_that_lies_and_an_endless_body_are_cut() {
    for scene in Scene::on_both().await {
        let address = scene.server.url.strip_prefix("http://").unwrap().to_owned();
        let head = format!(
            "POST /api/v1/attachments HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {}\r\ncontent-type: multipart/form-data; boundary=b\r\n",
            scene.who.token
        );
        let mut endless = TcpStream::connect(&address).await.unwrap();
        endless
            .write_all(format!("{head}transfer-encoding: chunked\r\n\r\n").as_bytes())
            .await
            .unwrap();
        let opening = "--b\r\ncontent-disposition: form-data; name=\"file\"\r\n\r\n";
        let chunk =
            |bytes: &[u8]| [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat();
        endless.write_all(&chunk(opening.as_bytes())).await.unwrap();
        let (mut reader, mut writer) = endless.into_split();
        // Sends until the server has had enough.
        let sending = tokio::spawn(async move {
            let block = chunk(&[b'x'; 65_536]);
            while writer.write_all(&block).await.is_ok() {}
        });
        let mut said = vec![0; 12];
        reader.read_exact(&mut said).await.unwrap();
        assert_eq!(&said, b"HTTP/1.1 413");
        drop(reader);
        sending.abort();

        let mut short = TcpStream::connect(&address).await.unwrap();
        short
            .write_all(format!("{head}content-length: 100000\r\n\r\n{opening}x").as_bytes())
            .await
            .unwrap();
        short.shutdown().await.unwrap();
        let mut said = Vec::new();
        // The connection may be dropped without a word: there is nobody to read it.
        let _ = short.read_to_end(&mut said).await;
        assert!(said.is_empty() || said.starts_with(b"HTTP/1.1 400"));
        assert_eq!(
            scene.upload("a.jpg", "image/jpeg", JPEG).await.status,
            StatusCode::CREATED
        );
        scene.server.stop().await;
    }
}

// design: promises E15
#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_uploads_at_once_are_bounded() {
    for scene in Scene::on_both().await {
        let text = vec![b'x'; 1_000_000];
        let sent = (0..100).map(|_| scene.upload("x.txt", "text/plain", &text));
        let answers = join_all(sent).await;
        let taken = answers.iter().filter(|a| a.status == StatusCode::CREATED);
        assert!(taken.count() >= 1);
        for refused in answers.iter().filter(|a| a.status != StatusCode::CREATED) {
            assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS, "{refused:?}");
            assert_eq!(refused.headers["retry-after"], "1");
        }
        assert_eq!(
            scene.upload("x.txt", "text/plain", b"x").await.status,
            StatusCode::CREATED
        );
        scene.server.stop().await;
    }
}

/// E15: what a person's files take together has a limit, and a company's have their own;
/// uploads at once do not get past it, and what is deleted makes room.
// design: promises E15
#[tokio::test(flavor = "multi_thread")]
async fn the_storage_of_a_person_and_of_a_company_is_bounded() {
    for backing in BOTH {
        let settings = [("limits.storage_megabytes", "1")];
        let server = TestServer::start_with(backing, &settings).await;
        let (paula, pete) = (server.sign_in("paula"), server.sign_in("pete"));
        let company = server.get(&paula, "/me").await.body["companies"][0]["company"].clone();
        let start = |who: &Person, company: Option<&Value>| {
            let body = json!({ "assistant": "planner", "company_id": company });
            let request = server.request(Method::POST, "/conversations", Some(who));
            let made = answer(request.json(&body));
            async { made.await.body["id"].as_str().unwrap().to_owned() }
        };
        let send = |who: &Person, conversation: &str, bytes: usize| {
            let form = Form::new()
                .text("conversation_id", conversation.to_owned())
                .part("file", Part::bytes(vec![b'x'; bytes]).file_name("a.txt"));
            let request = server.request(Method::POST, "/attachments", Some(who));
            answer(request.multipart(form))
        };
        let (first, second) = (start(&paula, None).await, start(&paula, None).await);
        // Of four at once, three find room.
        let sent = (0..4).map(|_| send(&paula, &first, 300_000));
        let mut statuses: Vec<u16> = join_all(sent)
            .await
            .iter()
            .map(|answer| answer.status.as_u16())
            .collect();
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 201, 201, 413]);
        let refused = send(&paula, &second, 200_000).await;
        assert_eq!(refused.status, StatusCode::PAYLOAD_TOO_LARGE, "{refused:?}");
        assert_eq!(refused.body["error"]["code"], "QUOTA_EXCEEDED");
        assert_eq!(
            refused.body["error"]["message"],
            "The file storage is full: the limit is 1 MB. Delete conversations that you no longer need"
        );
        // To the byte.
        let left = 1024 * 1024 - 3 * 300_000;
        assert_eq!(send(&paula, &second, left + 1).await.status, 413);
        assert_eq!(send(&paula, &second, left).await.status, 201);
        assert_eq!(send(&paula, &second, 1).await.status, 413);
        // Others have room of their own, and so has the company, whoever of it sends.
        let others = start(&pete, None).await;
        assert_eq!(send(&pete, &others, 300_000).await.status, 201);
        let shared = start(&paula, Some(&company)).await;
        assert_eq!(send(&paula, &shared, 600_000).await.status, 201);
        assert_eq!(send(&pete, &shared, 600_000).await.status, 413);
        assert_eq!(send(&pete, &shared, 400_000).await.status, 201);
        let path = format!("/conversations/{first}");
        let gone = server.send(Method::DELETE, &path, Some(&paula), None).await;
        assert_eq!(gone.status, StatusCode::NO_CONTENT);
        assert_eq!(send(&paula, &second, 300_000).await.status, 201);
        let page = server.client.get(format!("{}/metrics", server.url));
        let page = page.send().await.unwrap().text().await.unwrap();
        for line in [
            r#"frontdesk_limit_hits_total{limit="storage"} 5"#,
            r#"frontdesk_limit{limit="storage_bytes"} 1048576"#,
        ] {
            assert!(page.contains(line), "{line} is not in {page}");
        }
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_model_reads_the_text_of_a_file_and_tools_get_it_by_handle() {
    for scene in Scene::on_both().await {
        let page = b"<!doctype html><html><body><h1>Payroll</h1><p>We pay on the 25th of each month, always.</p></body></html>";
        for (name, kind, bytes) in [
            ("notes.txt", "text/plain", b"We pay on the 25th.".as_slice()),
            ("page.html", "text/html", page.as_slice()),
        ] {
            scene.server.model.script([say("Read.")]);
            let attached = scene.upload(name, kind, bytes).await;
            assert_eq!(attached.status, StatusCode::CREATED, "{attached:?}");
            let message =
                json!({ "content": "When do we pay?", "attachments": [attached.body["id"]] });
            let path = format!("/conversations/{}/messages", scene.conversation);
            let sent = scene.server.post(&scene.who, &path, message).await;
            assert_eq!(sent.status, StatusCode::CREATED, "{sent:?}");
            let requests = scene.server.model.requests();
            let request = requests.last().unwrap().json();
            let said: Vec<&str> = request["messages"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|message| message["role"] == "user")
                .filter_map(|message| message["content"].as_str())
                .collect();
            let [.., full, own] = said.as_slice() else {
                panic!("{said:?}")
            };
            assert!(
                full.contains("We pay on the 25th") && full.contains("<text handle=\"text:"),
                "{full}"
            );
            assert!(own.starts_with("When do we pay?\n[file:"), "{own}");
            assert!(own.contains("from file:"), "{own}");
            if kind == "text/html" {
                let served = scene.download(&attached.body).await;
                assert_eq!(
                    served.headers()["content-type"],
                    "text/plain; charset=utf-8"
                );
            }
        }
        scene.server.stop().await;
    }
}
