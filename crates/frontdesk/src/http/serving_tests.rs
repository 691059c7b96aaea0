//! A slow reader is served; a reader that has stopped is disconnected.

use std::io::ErrorKind;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::Instant;

use super::{TimedStream, with_write_timeout};

const TIMEOUT: Duration = Duration::from_secs(20);

async fn pair() -> (TimedStream, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let reader = TcpStream::connect(listener.local_addr().unwrap());
    let (accepted, reader) = tokio::join!(listener.accept(), reader);
    (
        with_write_timeout(accepted.unwrap().0, TIMEOUT),
        reader.unwrap(),
    )
}

// design: promises H3
#[tokio::test(start_paused = true)]
async fn a_reader_that_stops_reading_is_disconnected() {
    let (mut writer, _reader) = pair().await;
    let since = Instant::now();
    let block = vec![0; 1 << 20];
    let error = loop {
        if let Err(error) = writer.write_all(&block).await {
            break error;
        }
    };
    assert_eq!(error.kind(), ErrorKind::TimedOut);
    assert!(since.elapsed() >= TIMEOUT);
}

#[tokio::test]
async fn a_slow_reader_stays_connected() {
    let (mut writer, mut reader) = pair().await;
    let sent = tokio::spawn(async move {
        writer.write_all(&vec![7; 4 << 20]).await.unwrap();
        writer.shutdown().await.unwrap();
    });
    let mut read = Vec::new();
    reader.read_to_end(&mut read).await.unwrap();
    sent.await.unwrap();
    assert_eq!(read.len(), 4 << 20);
}
