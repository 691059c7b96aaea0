//! Photo stores: a failing folder, and an S3-compatible bucket over HTTP.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::get;
use frontdesk_service_gatepass::{Bucket, GatePass, Photos, Settings, router};

use crate::site::{JPEG, Kind, SECRET, Site};

#[tokio::test]
async fn a_missing_photo_folder_is_an_error_and_changes_nothing() {
    let site = Site::start(Kind::Sqlite).await;
    let number = site.approved_pass(true).await;
    std::fs::remove_dir_all(site.folder.path().join("photos")).unwrap();
    let answer = site.guard().scan("exit", &number, JPEG).await;
    let (code, message) = answer.refused(503);
    assert_eq!(code, "UNAVAILABLE");
    assert!(
        !message.contains('/'),
        "no path is told to callers: {message}"
    );
    assert_eq!(
        site.hr()
            .get(&format!("/hr/gatepass/{number}"))
            .await
            .json()["status"],
        "approved"
    );
    std::fs::create_dir(site.folder.path().join("photos")).unwrap();
    assert_eq!(
        site.guard().scan("exit", &number, JPEG).await.status,
        201,
        "and works again afterwards"
    );
}

type Objects = Arc<Mutex<HashMap<String, Bytes>>>;

/// A minimal S3: signed PUT, GET and DELETE of an object.
async fn bucket_server() -> (String, Objects) {
    fn signed(headers: &HeaderMap) -> Result<(), StatusCode> {
        let text = |name: &str| {
            headers
                .get(name)
                .and_then(|value| value.to_str().ok())
                .unwrap_or("")
        };
        let signed = text("authorization").starts_with("AWS4-HMAC-SHA256 Credential=key-id/")
            && !text("x-amz-date").is_empty();
        if signed {
            Ok(())
        } else {
            Err(StatusCode::FORBIDDEN)
        }
    }
    let objects = Objects::default();
    let app =
        Router::new()
            .route(
                "/photos/{*key}",
                get(
                    |State(objects): State<Objects>,
                     Path(key): Path<String>,
                     headers: HeaderMap| async move {
                        signed(&headers)?;
                        let found = objects
                            .lock()
                            .unwrap()
                            .get(&key)
                            .cloned()
                            .ok_or(StatusCode::NOT_FOUND)?;
                        Ok::<_, StatusCode>((
                            [
                                ("etag", "\"1\""),
                                ("last-modified", "Sun, 15 Nov 2026 10:00:00 GMT"),
                            ],
                            found,
                        ))
                    },
                )
                .put(
                    |State(objects): State<Objects>,
                     Path(key): Path<String>,
                     headers: HeaderMap,
                     body: Bytes| async move {
                        signed(&headers)?;
                        objects.lock().unwrap().insert(key, body);
                        Ok::<_, StatusCode>([("etag", "\"1\"")])
                    },
                )
                .delete(
                    |State(objects): State<Objects>,
                     Path(key): Path<String>,
                     headers: HeaderMap| async move {
                        signed(&headers)?;
                        objects.lock().unwrap().remove(&key);
                        Ok::<_, StatusCode>(StatusCode::NO_CONTENT)
                    },
                ),
            )
            .with_state(objects.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    (endpoint, objects)
}

#[tokio::test]
async fn photos_can_live_in_an_s3_compatible_bucket() {
    let mut site = Site::start(Kind::Sqlite).await;
    let (endpoint, objects) = bucket_server().await;
    let photos = Photos::bucket(&Bucket {
        endpoint,
        region: "eu-central-1".to_owned(),
        name: "photos".to_owned(),
        access_key_id: "key-id".to_owned(),
        secret_access_key: "secret".to_owned().into(),
        allow_http: true,
    })
    .unwrap();
    let settings = Settings::new(SECRET.to_owned().into(), "https://desk.example.com");
    let service = GatePass::new(
        site.db.clone(),
        settings,
        photos,
        Arc::new(chrono::Utc::now),
    )
    .unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    site.base = format!("http://{}", listener.local_addr().unwrap());
    let app = router(service);
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });

    let number = site.approved_pass(true).await;
    let pass = site
        .guard()
        .scan("exit", &number, JPEG)
        .await
        .of_schema("GatePassDetail");
    assert_eq!(objects.lock().unwrap().len(), 1);
    let photo = site
        .guard()
        .get(pass["photos"][0]["file_url"].as_str().unwrap())
        .await;
    assert_eq!(
        photo.bytes,
        *objects.lock().unwrap().values().next().unwrap()
    );
    assert_eq!(
        site.guard()
            .scan("exit", &number, JPEG)
            .await
            .refused(403)
            .0,
        "INVALID_STATE"
    );
    assert_eq!(
        objects.lock().unwrap().len(),
        1,
        "the refused scan's picture was removed again"
    );
    objects.lock().unwrap().clear();
    let lost = site
        .guard()
        .get(pass["photos"][0]["file_url"].as_str().unwrap())
        .await;
    assert_eq!(lost.refused(503).0, "UNAVAILABLE");
}
