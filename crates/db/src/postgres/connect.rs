//! Opens connections: address, timeouts, session settings, and the task that drives each.

use std::{collections::HashMap, time::Duration};

use secrecy::{ExposeSecret, SecretString};
use tokio::{sync::mpsc, task::JoinHandle};
use tokio_postgres::{
    AsyncMessage, Client, Config, NoTls, Notification, Statement,
    config::{Host, SslMode},
};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::{PostgresOptions, error, tls};
use crate::DbError;

/// Prepared statements per connection. Statement texts are constants of the program, so the
/// limit only guards against a defect.
const STATEMENTS: usize = 1024;

/// An open connection with its prepared statements. Dropping it closes the socket.
pub(crate) struct Connection {
    pub(super) client: Client,
    statements: HashMap<String, Statement>,
    task: JoinHandle<()>,
}

impl Connection {
    pub(super) fn statement(&self, sql: &str) -> Option<&Statement> {
        self.statements.get(sql)
    }

    pub(super) fn remember(&mut self, sql: &str, statement: Statement) {
        if self.statements.len() >= STATEMENTS {
            self.statements.clear();
        }
        self.statements.insert(sql.to_owned(), statement);
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The connection settings. The password exists only inside `Config`.
pub(super) struct Connector {
    config: Config,
    tls: Option<MakeRustlsConnect>,
    place: String,
    timeout: Duration,
}

impl Connector {
    pub(super) fn new(url: &SecretString, options: &PostgresOptions) -> Result<Self, DbError> {
        let (url, tls) = tls::split(url.expose_secret());
        let mut config: Config = url.parse().map_err(|_| unreadable())?;
        if config.get_hosts().is_empty() {
            return Err(unreadable());
        }
        let place = place(&config);
        let ask = tls.required || config.get_ssl_mode() == SslMode::Require;
        let tls = ask.then(|| tls::connector(&tls, &place)).transpose()?;
        if ask {
            config.ssl_mode(SslMode::Require);
        }
        session_settings(&mut config, options);
        Ok(Connector {
            config,
            tls,
            place,
            timeout: options.connect_timeout,
        })
    }

    /// The database's name in error messages; contains no user name or password.
    pub(super) fn place(&self) -> &str {
        &self.place
    }

    pub(super) async fn connect(&self) -> Result<Connection, DbError> {
        let (notifications, _) = mpsc::unbounded_channel();
        self.connect_listening(notifications).await
    }

    /// Connects and forwards the server's notifications. The channel closes with the
    /// connection.
    pub(super) async fn connect_listening(
        &self,
        notifications: mpsc::UnboundedSender<Notification>,
    ) -> Result<Connection, DbError> {
        let connecting = async {
            match &self.tls {
                None => {
                    let (client, connection) = self.config.connect(NoTls).await?;
                    Ok((client, tokio::spawn(serve(connection, notifications))))
                }
                Some(tls) => {
                    let (client, connection) = self.config.connect(tls.clone()).await?;
                    Ok((client, tokio::spawn(serve(connection, notifications))))
                }
            }
        };
        let (client, task) = tokio::time::timeout(self.timeout, connecting)
            .await
            .map_err(|_| DbError::Unavailable {
                place: self.place.clone(),
                reason: format!(
                    "it did not answer within {:?}; check the address and the network",
                    self.timeout
                ),
            })?
            .map_err(|error| error::connecting(&error, &self.place))?;
        Ok(Connection {
            client,
            statements: HashMap::new(),
            task,
        })
    }
}

/// Drives a connection until it ends. Its errors reach the pending requests.
async fn serve<S, T>(
    mut connection: tokio_postgres::Connection<S, T>,
    notifications: mpsc::UnboundedSender<Notification>,
) where
    S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
    T: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
{
    while let Some(Ok(message)) =
        std::future::poll_fn(|context| connection.poll_message(context)).await
    {
        if let AsyncMessage::Notification(notification) = message {
            // Pooled connections have no notification receiver.
            notifications.send(notification).ok();
        }
    }
}

/// Comes first, so that `options` in the URL can override it. Statements are prepared and
/// look up rows by id, so re-planning them per value costs more than it saves.
fn session_settings(config: &mut Config, options: &PostgresOptions) {
    let ours = format!(
        "-c statement_timeout={} -c lock_timeout={} -c idle_in_transaction_session_timeout={} \
         -c timezone=UTC -c standard_conforming_strings=on -c plan_cache_mode=force_generic_plan",
        options.statement_timeout.as_millis(),
        options.lock_timeout.as_millis(),
        options.idle_in_transaction_timeout.as_millis(),
    );
    let all = match config.get_options() {
        Some(theirs) => format!("{ours} {theirs}"),
        None => ours,
    };
    config.options(all);
    if config.get_application_name().is_none() {
        config.application_name("frontdesk");
    }
    config.connect_timeout(options.connect_timeout);
    // Detects a dead network within seconds instead of hours.
    config.keepalives_idle(Duration::from_secs(30));
    config.tcp_user_timeout(Duration::from_secs(20));
}

fn place(config: &Config) -> String {
    let port = config.get_ports().first().copied().unwrap_or(5432);
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(name)) => format!("{name}:{port}"),
        #[cfg(unix)]
        Some(Host::Unix(folder)) => format!("{}:{port}", folder.display()),
        None => "an unknown host".to_owned(),
    };
    match config.get_dbname() {
        Some(name) => format!("the Postgres database {name} at {host}"),
        None => format!("the Postgres server at {host}"),
    }
}

/// The parser's own message may quote the URL, so it is not shown.
fn unreadable() -> DbError {
    DbError::Unavailable {
        place: "the Postgres database".to_owned(),
        reason:
            "its address cannot be read; write it as postgres://user:password@host:5432/database"
                .to_owned(),
    }
}
