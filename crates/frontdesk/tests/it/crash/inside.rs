//! The harness's server inside the test process, with a clock that the test advances and a hook on
//! its writes.

use std::sync::Arc;
use std::time::Duration;

use frontdesk::app::App;
use frontdesk::config::{Config, Sources};
use frontdesk::services::Reach;
use frontdesk_assistants::SETTINGS;
use frontdesk_bundle::{Bundle, SetupContext, SetupError};
use frontdesk_testkit::clock::FakeClock;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::place::Place;

#[path = "../../crash_target/effects.rs"]
mod bundle;

pub struct Inside {
    pub url: String,
    pub clock: FakeClock,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<()>,
}

impl Inside {
    pub async fn start(place: &Place) -> Self {
        let settings = [SETTINGS, &[bundle::SERVER]].concat();
        let sources = Sources {
            file: Some(place.config_file()),
            ..Sources::default()
        };
        let config = Config::load(sources, &settings, &[]).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let clock = FakeClock::starting(chrono::Utc::now());
        let env = Arc::new(clock.clone());
        let app = App::open_in(env, config, assistants, Reach::Server(address))
            .await
            .unwrap();
        let (stop, stopped) = oneshot::channel();
        let serving = tokio::spawn(async move {
            let stopped = async {
                let _ = stopped.await;
            };
            frontdesk::http::serve(app, listener, stopped)
                .await
                .unwrap();
        });
        Self {
            url: format!("http://{address}"),
            clock,
            stop,
            serving,
        }
    }

    /// Awaits a future that may depend on the clock, which advances meanwhile, slowly enough that
    /// running workers renew their leases.
    pub async fn meanwhile<T>(&self, what: impl Future<Output = T>) -> T {
        const LOOK: Duration = Duration::from_millis(100);
        const AHEAD: Duration = Duration::from_secs(1);
        let mut what = std::pin::pin!(what);
        loop {
            tokio::select! {
                done = &mut what => return done,
                () = tokio::time::sleep(LOOK) => self.clock.advance(AHEAD),
            }
        }
    }

    pub async fn stop(self) {
        self.stop.send(()).unwrap();
        self.serving.await.unwrap();
    }
}

fn assistants(ctx: &SetupContext) -> Result<Vec<Bundle>, SetupError> {
    Ok(vec![
        bundle::bundle(ctx)?,
        (frontdesk_assistant_notes::PACKAGE.set_up)(ctx)?,
    ])
}
