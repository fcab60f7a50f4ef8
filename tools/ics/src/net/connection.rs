//! TCP connection with its threads.

use super::splitter::{LineSplitter, Received};
use super::writer::{Order, Shared, Writer};
use crate::text::LoginPrompt;
use crossbeam_channel::{Receiver, Sender, bounded};
use std::io::{self, ErrorKind, Read};
use std::net::{Shutdown, SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

/// Number of commands that may wait to be sent.
const QUEUE: usize = 256;

/// Time without a byte after which a line has no continuation, and a text at its end is a prompt.
const PAUSE: Duration = Duration::from_millis(50);

/// Longest wait for a byte before the reader looks whether the connection is to be closed.
const IDLE: Duration = Duration::from_secs(1);

/// Longest time for the system to take a command, before the connection counts as broken.
const WRITE_TIMEOUT: Duration = Duration::from_secs(60);

/// Number of intervals of `keep_alive` without any answer after which the connection counts as broken.
const SILENT_INTERVALS: u32 = 3;

/// Size of the buffer of the reader, in bytes.
const BUFFER: usize = 16384;

/// An event of the connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerEvent {
    /// A line with its time of arrival. Prompts at its beginning are removed and wrapped lines are joined.
    Line(String, Instant),
    /// The server waits for an answer, or for the next command.
    Prompt(LoginPrompt),
    /// The connection has ended; the text names the cause. No event follows.
    Closed(String),
}

/// Address of a server and properties of the connection.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// Name or address of the host.
    pub host: String,
    /// TCP port.
    pub port: u16,
    /// Set to use timeseal: the server subtracts the delay of the network from the times of the moves.
    pub timeseal: bool,
    /// Longest time to find the addresses of the host, and again for each address to accept the connection.
    pub connect_timeout: Duration,
    /// Time in which nothing is sent, after which an empty line keeps the connection open; zero switches this off.
    ///
    /// The connection is closed if nothing arrives from the server for three such intervals.
    pub keep_alive: Duration,
}

/// Failure to connect.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The name of the host is unknown.
    #[error("the address of {host} cannot be found: {cause}; check `host` and the network")]
    Resolve {
        /// Name of the host.
        host: String,
        /// Message of the system.
        cause: io::Error,
    },
    /// No address of the host accepts a connection.
    #[error(
        "{host} does not accept a connection on port {port}: {cause}; check `port`, or wait for the server"
    )]
    Connect {
        /// Name of the host.
        host: String,
        /// TCP port.
        port: u16,
        /// Message of the system.
        cause: io::Error,
    },
    /// The threads of the connection cannot be started.
    #[error("the connection cannot be served ({0}); check the limits of threads and open files")]
    Start(#[from] io::Error),
}

/// A command could not be queued: the connection is closed, or the server has accepted nothing for too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the server does not accept commands any more")]
pub struct SendError;

/// An open connection. It is closed when this value is dropped.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    orders: Sender<Order>,
    writer_done: Receiver<()>,
    shared: Arc<Shared>,
}

impl Connection {
    /// Connects to a server. `sink` receives the events, on a thread of the connection; it must not block for long.
    pub fn open(
        endpoint: &Endpoint,
        sink: impl Fn(ServerEvent) + Send + 'static,
    ) -> Result<Connection, ConnectError> {
        let addresses = resolve(endpoint)?;
        let stream = connect(endpoint, &addresses)?;
        let begin = Instant::now();
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
        let shared = Arc::new(Shared::default());
        let (orders, queue) = bounded(QUEUE);
        let (done, writer_done) = bounded(0);
        let writer = Writer {
            stream: stream.try_clone()?,
            orders: queue,
            shared: Arc::clone(&shared),
            timeseal: endpoint.timeseal,
            keep_alive: endpoint.keep_alive,
            begin,
            done,
        };
        let reader = Reader {
            stream: stream.try_clone()?,
            orders: orders.clone(),
            shared: Arc::clone(&shared),
            splitter: LineSplitter::new(endpoint.timeseal),
            silence: endpoint.keep_alive.saturating_mul(SILENT_INTERVALS),
            sink,
        };
        thread::Builder::new()
            .name("ics-writer".into())
            .spawn(|| writer.run())?;
        thread::Builder::new()
            .name("ics-reader".into())
            .spawn(|| reader.run())?;
        Ok(Connection {
            stream,
            orders,
            writer_done,
            shared,
        })
    }

    /// Queues a command. Control characters in it are replaced, so that it stays one line. Returns without waiting.
    ///
    /// Other characters than those of ASCII are replaced by question marks: servers do not accept them.
    pub fn send(&self, line: &str) -> Result<(), SendError> {
        self.orders
            .try_send(Order::Command(line.to_string()))
            .map_err(|_| SendError)
    }

    /// Sends what is queued, for at most this time, and closes the connection. `Closed` is the last event.
    pub fn close(self, wait: Duration) {
        self.shared.closing.store(true, Ordering::Relaxed);
        if self.orders.send_timeout(Order::Close, wait).is_ok() {
            // The writer drops its end of the channel when it is done.
            let _ = self.writer_done.recv_timeout(wait);
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.shared.closing.store(true, Ordering::Relaxed);
        let _ = self.orders.try_send(Order::Close);
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

/// Finds the addresses of the host. The system may take long, so another thread waits for it.
fn resolve(endpoint: &Endpoint) -> Result<Vec<SocketAddr>, ConnectError> {
    let failed = |cause| ConnectError::Resolve {
        host: endpoint.host.clone(),
        cause,
    };
    let target = (endpoint.host.clone(), endpoint.port);
    let (result, found) = bounded(1);
    thread::Builder::new()
        .name("ics-resolver".into())
        .spawn(move || {
            let _ = result.send(target.to_socket_addrs().map(Iterator::collect::<Vec<_>>));
        })?;
    let addresses = found
        .recv_timeout(endpoint.connect_timeout)
        .map_err(|_| failed(io::Error::new(ErrorKind::TimedOut, "no answer in time")))?
        .map_err(failed)?;
    if addresses.is_empty() {
        return Err(failed(io::Error::new(ErrorKind::NotFound, "no address")));
    }
    Ok(addresses)
}

/// Connects to the first address that accepts.
fn connect(endpoint: &Endpoint, addresses: &[SocketAddr]) -> Result<TcpStream, ConnectError> {
    // The system function does not accept a time of zero.
    let timeout = endpoint.connect_timeout.max(Duration::from_millis(1));
    let mut last = io::Error::new(ErrorKind::NotFound, "no address");
    for address in addresses {
        match TcpStream::connect_timeout(address, timeout) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(ConnectError::Connect {
        host: endpoint.host.clone(),
        port: endpoint.port,
        cause: last,
    })
}

/// The receiving side of a connection.
struct Reader<S> {
    stream: TcpStream,
    orders: Sender<Order>,
    shared: Arc<Shared>,
    splitter: LineSplitter,
    /// Time without a byte after which the connection counts as broken; zero for no limit.
    silence: Duration,
    sink: S,
}

impl<S: Fn(ServerEvent)> Reader<S> {
    fn run(mut self) {
        let end = self.read_all();
        self.report(|splitter, sink| splitter.pause(sink));
        // The writer ends, too.
        let _ = self.stream.shutdown(Shutdown::Both);
        let _ = self.orders.try_send(Order::Close);
        let cause = if self.shared.closing.load(Ordering::Relaxed) {
            "closed by this program".to_string()
        } else {
            self.shared.failure().unwrap_or(end)
        };
        (self.sink)(ServerEvent::Closed(cause));
    }

    /// Reads until the connection ends, and returns the cause.
    fn read_all(&mut self) -> String {
        let mut buffer = vec![0; BUFFER];
        let mut last = Instant::now();
        loop {
            let wait = if self.splitter.is_pending() {
                PAUSE
            } else {
                IDLE
            };
            if let Err(error) = self.stream.set_read_timeout(Some(wait)) {
                return format!("reading from the server failed: {error}");
            }
            match self.stream.read(&mut buffer) {
                Ok(0) => return "the server has closed the connection".to_string(),
                Ok(count) => {
                    last = Instant::now();
                    let bytes = buffer.get(..count).unwrap_or_default();
                    self.report(|splitter, sink| splitter.push(bytes, sink));
                }
                Err(error)
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) =>
                {
                    self.report(|splitter, sink| splitter.pause(sink));
                    let silent = !self.silence.is_zero() && self.splitter.is_logged_in();
                    if silent && last.elapsed() > self.silence {
                        return format!(
                            "the server has sent nothing for {} s",
                            self.silence.as_secs()
                        );
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return format!("reading from the server failed: {error}"),
            }
        }
    }

    /// Lets the splitter work, and reports what it finds.
    fn report(&mut self, work: impl FnOnce(&mut LineSplitter, &mut dyn FnMut(Received))) {
        let now = Instant::now();
        let (sink, orders) = (&self.sink, &self.orders);
        work(&mut self.splitter, &mut |received| match received {
            Received::Line(line) => sink(ServerEvent::Line(line, now)),
            Received::Prompt(prompt) => sink(ServerEvent::Prompt(prompt)),
            Received::Ping => {
                let _ = orders.try_send(Order::Pong);
            }
        });
        self.shared
            .logged_in
            .store(self.splitter.is_logged_in(), Ordering::Relaxed);
    }
}
