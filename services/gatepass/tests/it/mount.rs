//! The router works under a prefix, as the product mounts it.

use axum::Router;
use frontdesk_service_gatepass::router;

use crate::site::{Answer, Kind, Site};

#[tokio::test]
async fn the_api_can_be_mounted_under_a_prefix() {
    let mut site = Site::start(Kind::Sqlite).await;
    let app = Router::new().nest("/services/gatepass", router(site.service.clone()));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    site.base = format!(
        "http://{}/services/gatepass",
        listener.local_addr().unwrap()
    );
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });

    let number = site.new_pass(true).await;
    let pass = site
        .admin()
        .get(&format!("/admin/gatepass/{number}"))
        .await
        .of_schema("GatePassDetail");
    assert_eq!(
        site.hr()
            .get(pass["qr_code_url"].as_str().unwrap())
            .await
            .header("content-type"),
        "image/png"
    );
    assert_eq!(site.hr().get("/nowhere").await.refused(404).0, "NOT_FOUND");
    let document = Answer::of(site.client.get(format!("{}/openapi.json", site.base)))
        .await
        .json();
    assert_eq!(document["servers"][0]["url"], "./");
}
