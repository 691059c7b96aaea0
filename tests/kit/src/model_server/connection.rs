//! Reads requests from a socket and performs the steps of their answers.

use std::io;
use std::sync::Arc;

use bytes::{Buf, Bytes, BytesMut};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::Shared;
use super::request::{self, Request};
use super::wire::Step;

/// Serves until the listener fails or the task is aborted.
pub(super) async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    while let Ok((socket, _)) = listener.accept().await {
        shared.count(|counts| counts.connections += 1);
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            // The client may disconnect at any time; some tests rely on it.
            let _ = serve(socket, &shared).await;
        });
    }
}

async fn serve(mut socket: TcpStream, shared: &Shared) -> io::Result<()> {
    socket.set_nodelay(true)?;
    let mut buffer = BytesMut::with_capacity(64 * 1024);
    while let Some(request) = read_request(&mut socket, &mut buffer).await? {
        let (steps, latency) = shared.answer(&request);
        if !latency.is_zero() {
            tokio::time::sleep(latency).await;
        }
        for step in steps {
            match step {
                Step::Send(bytes) => socket.write_all(&bytes).await?,
                Step::Flood { bytes } => flood(&mut socket, bytes).await?,
                Step::Wait(gate) => tokio::select! {
                    () = gate.passed() => {}
                    () = hung_up(&mut socket) => {
                        shared.count(|counts| counts.abandoned += 1);
                        return Ok(());
                    }
                },
                Step::Silence => {
                    shared.count(|counts| counts.silent += 1);
                    hung_up(&mut socket).await;
                    shared.count(|counts| {
                        counts.silent -= 1;
                        counts.abandoned += 1;
                    });
                    return Ok(());
                }
                Step::Reset => return socket.set_zero_linger(),
                Step::Close => return socket.shutdown().await,
            }
        }
    }
    Ok(())
}

/// The next request, or `None` when the client has no more.
async fn read_request(
    socket: &mut TcpStream,
    buffer: &mut BytesMut,
) -> io::Result<Option<Request>> {
    let head = loop {
        if let Some(end) = buffer.windows(4).position(|w| w == b"\r\n\r\n") {
            let head = buffer.split_to(end).freeze();
            buffer.advance(4);
            break head;
        }
        // TLS, or other input that will never send a head.
        if buffer
            .first()
            .is_some_and(|byte| !byte.is_ascii_uppercase())
        {
            socket
                .write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
                .await?;
            return Ok(None);
        }
        if socket.read_buf(buffer).await? == 0 {
            return Ok(None);
        }
    };
    let length = std::str::from_utf8(&head)
        .ok()
        .and_then(|head| request::header(head, "content-length"))
        .and_then(|value| value.parse().ok())
        .unwrap_or(0);
    while buffer.len() < length {
        buffer.reserve(length - buffer.len());
        if socket.read_buf(buffer).await? == 0 {
            return Ok(None);
        }
    }
    let body = buffer.split_to(length).freeze();
    Ok(Some(Request::new(head, body)))
}

/// Resolves when the client closes its side.
async fn hung_up(socket: &mut TcpStream) {
    let mut ignored = [0; 256];
    while let Ok(1..) = socket.read(&mut ignored).await {}
}

/// Sends one endless line as one chunk, without buffering it.
async fn flood(socket: &mut TcpStream, bytes: usize) -> io::Result<()> {
    const BLOCK: usize = 64 * 1024;
    let block = Bytes::from(vec![b'x'; BLOCK]);
    let mut left = bytes;
    while left > 0 {
        let size = left.min(BLOCK);
        socket.write_all(format!("{size:x}\r\n").as_bytes()).await?;
        socket.write_all(&block[..size]).await?;
        socket.write_all(b"\r\n").await?;
        left -= size;
    }
    Ok(())
}
