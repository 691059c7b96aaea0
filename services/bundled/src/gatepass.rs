//! The Gate Pass API as a bundled service.

use std::sync::Arc;

use frontdesk_service_gatepass::{GatePass, MIGRATIONS, Photos, Settings, router, seed_demo};

use super::{Built, Service, Surroundings};

pub(super) fn service() -> Service {
    Service {
        name: "gatepass",
        migrations: MIGRATIONS,
        build,
    }
}

fn build(around: &Surroundings) -> anyhow::Result<Built> {
    let settings = Settings {
        token_issuer: around.token_issuer.clone(),
        ..Settings::new(around.token_secret.clone(), around.public_url.clone())
    };
    let photos = Photos::folder(around.folder.join("photos"))?;
    let world = Arc::clone(&around.world);
    let clock = Arc::new(move || world.now());
    let service = GatePass::new(around.db.clone(), settings, photos, clock)?;
    let seeded = service.clone();
    Ok(Built {
        router: router(service),
        seed: Box::new(move || {
            Box::pin(async move {
                seed_demo(&seeded).await?;
                Ok(())
            })
        }),
    })
}
