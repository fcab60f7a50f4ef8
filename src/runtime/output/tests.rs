//! The output with writers of the test, and with real pipes.

use super::*;

const TIMEOUT: Duration = Duration::from_secs(20);

/// A writer that a test examines while the output thread writes to it.
#[derive(Clone, Default)]
struct Writer(Arc<Mutex<WriterState>>);

#[derive(Default)]
struct WriterState {
    sent: String,
    waiting: String,
    closed: bool,
    busy: usize,
}

impl Writer {
    fn with_state<T>(&self, at: impl FnOnce(&mut WriterState) -> T) -> T {
        at(&mut self.0.lock().expect("no test panics inside"))
    }

    fn destination(&self) -> Destination {
        Destination::Stream(Box::new(self.clone()))
    }
}

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.with_state(|state| {
            if state.closed {
                return Err(ErrorKind::BrokenPipe.into());
            }
            if state.busy > 0 {
                state.busy -= 1;
                return Err(ErrorKind::WouldBlock.into());
            }
            let count = bytes.len().min(5);
            state
                .waiting
                .push_str(&String::from_utf8_lossy(&bytes[..count]));
            Ok(count)
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.with_state(|state| {
            let waiting = std::mem::take(&mut state.waiting);
            state.sent.push_str(&waiting);
        });
        Ok(())
    }
}

/// A log that a test examines: the lines, and the names of the threads that wrote them.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<(String, Vec<String>)>>);

impl Log {
    fn function(&self) -> impl Fn(&str) + Send + Sync + 'static {
        let log = self.clone();
        move |lines| {
            let mut log = log.0.lock().expect("no panic");
            log.0.push_str(lines);
            log.1
                .push(thread::current().name().unwrap_or_default().to_owned());
        }
    }

    fn lines(&self) -> String {
        self.0.lock().expect("no panic").0.clone()
    }

    fn threads(&self) -> Vec<String> {
        self.0.lock().expect("no panic").1.clone()
    }
}

#[test]
fn each_line_is_whole_and_sent() {
    let writer = Writer::default();
    writer.with_state(|state| state.busy = 3);
    let log = Log::default();
    let output = Output::start(writer.destination(), log.function()).expect("a thread");
    output.print("pong 1\n".to_owned());
    output.print("move e2e4".to_owned());
    output.print_thinking("1 2 3 4 e2e4".to_owned());
    output.finish(TIMEOUT);
    let all = "pong 1\nmove e2e4\n1 2 3 4 e2e4\n";
    assert_eq!(writer.with_state(|state| state.sent.clone()), all);
    assert_eq!(log.lines(), all);
    assert!(log.threads().iter().all(|name| name == "output"));
}

#[test]
fn a_closed_writer_is_detected() {
    let writer = Writer::default();
    writer.with_state(|state| state.closed = true);
    let output = Output::start(writer.destination(), |_| {}).expect("a thread");
    output.print("pong 1".to_owned());
    is_ended(&output);
    output.print("pong 2".to_owned());
    output.finish(TIMEOUT);
}

/// Asserts that the output reports its end.
fn is_ended(output: &Output) {
    let ended = output.ended().recv_timeout(TIMEOUT);
    let disconnected = crossbeam_channel::RecvTimeoutError::Disconnected;
    assert_eq!(ended, Err(disconnected));
    assert!(!output.is_full());
}

#[test]
fn waiting_bytes_are_counted_until_they_are_written() {
    let writer = Writer::default();
    let guard = writer.0.lock().expect("no panic");
    let output = Output::start(writer.destination(), |_| {}).expect("a thread");
    assert!(!output.is_full());
    output.print("x".repeat(PAUSE_INPUT_BYTES));
    output.print_thinking("1 2 3 4 e2e4".to_owned());
    assert!(output.is_full());
    assert_eq!(output.wait_for_space(Duration::ZERO), 0);
    output.print("pong 1".to_owned());
    drop(guard);
    assert!(output.wait_for_space(TIMEOUT) > PAUSE_INPUT_BYTES as u64);
    assert!(!output.is_full());
    output.finish(TIMEOUT);
    assert!(writer.with_state(|state| state.sent.ends_with("x\npong 1\n")));
}

#[test]
fn thinking_lines_that_the_output_thread_has_not_yet_written_precede_the_move() {
    let writer = Writer::default();
    let guard = writer.0.lock().expect("no panic");
    let output = Output::start(writer.destination(), |_| {}).expect("a thread");
    let mut expected = String::new();
    for depth in 1..=40 {
        let line = format!("{depth} 2 3 4 {}\n", "e2e4 e7e5 ".repeat(20));
        output.print_thinking(line.clone());
        expected += &line;
    }
    output.print("move e2e4".to_owned());
    drop(guard);
    output.finish(TIMEOUT);
    expected += "move e2e4\n";
    assert_eq!(writer.with_state(|state| state.sent.clone()), expected);
}

#[test]
fn many_thinking_lines_do_not_precede_the_move() {
    let writer = Writer::default();
    let guard = writer.0.lock().expect("no panic");
    let output = Output::start(writer.destination(), |_| {}).expect("a thread");
    let first = "x".repeat(KEPT_THINKING_BYTES) + "\n";
    output.print(first.clone());
    output.print_thinking("1 2 3 4 e2e4".to_owned());
    output.print("move e2e4".to_owned());
    drop(guard);
    output.finish(TIMEOUT);
    let expected = first + "move e2e4\n";
    assert_eq!(writer.with_state(|state| state.sent.clone()), expected);
}

#[cfg(unix)]
mod pipes {
    use std::fs::File;
    use std::io::{PipeReader, PipeWriter, Read};
    use std::os::fd::AsFd;
    use std::os::unix::net::UnixStream;

    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

    use super::*;

    /// A line of 64 bytes.
    fn answer(number: usize) -> String {
        format!("{number:063}\n")
    }

    /// Starts an output to a pipe; the writing end that is returned keeps it open.
    fn start(log: &Log) -> (Output, PipeReader, PipeWriter) {
        let (reader, writer) = io::pipe().expect("a pipe");
        let output = output_to(&writer, log);
        (output, reader, writer)
    }

    fn output_to(stream: &impl AsFd, log: &Log) -> Output {
        let pipe = Pipe::new(stream).expect("a pipe or socket");
        Output::start(Destination::Pipe(pipe), log.function()).expect("a thread")
    }

    /// Prints until the pipe is full, and returns the text.
    fn fill(output: &Output) -> String {
        let mut text = String::new();
        while output.shared.lock().queue.len() < 3 {
            let line = answer(text.len());
            output.print(line.clone());
            text += &line;
        }
        text
    }

    /// Reads to the end in pieces of one byte.
    fn read_slowly(mut reader: impl Read) -> String {
        let mut text = Vec::new();
        let mut byte = [0];
        while reader.read(&mut byte).expect("readable") > 0 {
            text.push(byte[0]);
        }
        String::from_utf8(text).expect("text")
    }

    #[test]
    fn a_pipe_that_accepts_a_line_is_written_by_the_caller() {
        let log = Log::default();
        let (output, mut reader, _writer) = start(&log);
        let caller = thread::current().name().unwrap_or_default().to_owned();
        output.print_thinking("1 2 3 4 e2e4".to_owned());
        output.print("move e2e4".to_owned());
        assert_eq!(log.threads(), [caller.clone(), caller]);
        let mut text = [0; 23];
        reader.read_exact(&mut text).expect("readable");
        assert_eq!(&text, b"1 2 3 4 e2e4\nmove e2e4\n");
    }

    #[test]
    fn a_pipe_that_nobody_reads_delays_no_caller_and_keeps_the_order() {
        let log = Log::default();
        let (output, reader, writer) = start(&log);
        let mut expected = String::new();
        while !output.is_full() {
            let line = answer(expected.len());
            output.print(line.clone());
            expected += &line;
        }
        assert!(expected.len() > PAUSE_INPUT_BYTES);
        let before = Instant::now();
        output.finish(Duration::from_millis(10));
        assert!(before.elapsed() < TIMEOUT, "the output is not read");
        drop(writer);
        let reader = thread::spawn(move || read_slowly(reader));
        output.finish(TIMEOUT);
        drop(output);
        // The output thread holds the last writing end.
        assert_eq!(reader.join().expect("read"), expected);
        assert_eq!(log.lines(), expected);
    }

    #[test]
    fn a_slow_reader_gets_every_byte_in_order() {
        let (output, reader, writer) = start(&Log::default());
        drop(writer);
        let reader = thread::spawn(move || read_slowly(reader));
        let mut expected = String::new();
        for number in 0..6000 {
            let line = "x".repeat(number % 700) + &answer(number);
            output.print(line.clone());
            expected += &line;
            while output.is_full() {
                output.wait_for_space(TIMEOUT);
            }
        }
        // The output was full for a while.
        assert!(expected.len() > 2 * PAUSE_INPUT_BYTES);
        output.finish(TIMEOUT);
        drop(output);
        assert!(reader.join().expect("read") == expected);
    }

    #[test]
    fn a_pipe_that_another_process_has_made_non_blocking_loses_nothing() {
        let (output, reader, writer) = start(&Log::default());
        let flags = fcntl_getfl(&writer).expect("flags");
        fcntl_setfl(&writer, flags | OFlags::NONBLOCK).expect("flags");
        let mut expected = fill(&output);
        for number in 0..5000 {
            let line = answer(number);
            output.print(line.clone());
            expected += &line;
        }
        drop(writer);
        let reader = thread::spawn(move || read_slowly(reader));
        output.finish(TIMEOUT);
        drop(output);
        assert!(reader.join().expect("read") == expected);
    }

    #[test]
    fn a_socket_is_written_like_a_pipe() {
        for is_nonblocking in [false, true] {
            let (reader, writer) = UnixStream::pair().expect("sockets");
            writer.set_nonblocking(is_nonblocking).expect("a flag");
            let output = output_to(&writer, &Log::default());
            let mut expected = fill(&output);
            for number in 0..5000 {
                let line = answer(number);
                output.print(line.clone());
                expected += &line;
            }
            drop(writer);
            let reader = thread::spawn(move || read_slowly(reader));
            output.finish(TIMEOUT);
            drop(output);
            assert!(reader.join().expect("read") == expected);
        }
    }

    #[test]
    fn no_unwritten_thinking_line_precedes_an_answer() {
        let log = Log::default();
        let (output, reader, writer) = start(&log);
        let mut expected = String::new();
        // The first thinking line that the pipe does not accept completely is begun and must be completed.
        while output.shared.lock().waiting == 0 {
            let line = format!("1 2 3 4 {}", answer(expected.len()));
            output.print_thinking(line.clone());
            expected += &line;
        }
        let is_begun = output
            .shared
            .lock()
            .queue
            .front()
            .is_some_and(|text| text.is_begun);
        if !is_begun {
            expected.truncate(expected.len() - "1 2 3 4 ".len() - answer(0).len());
        }
        for _ in 0..3 {
            output.print_thinking("9 9 9 9 e2e4".to_owned());
        }
        output.print_in_order("stat01: 1 2 3 4 5".to_owned());
        assert!(output.shared.lock().waiting > 3 * 13);
        output.print("move e2e4".to_owned());
        output.print_thinking("5 5 5 5 e7e5".to_owned());
        expected += "stat01: 1 2 3 4 5\nmove e2e4\n5 5 5 5 e7e5\n";
        drop(writer);
        let reader = thread::spawn(move || read_slowly(reader));
        output.finish(TIMEOUT);
        drop(output);
        assert_eq!(reader.join().expect("read"), expected);
        assert_eq!(log.lines(), expected);
    }

    #[test]
    fn thinking_lines_are_dropped_while_many_bytes_wait() {
        let (output, _reader, _writer) = start(&Log::default());
        while output.shared.lock().waiting < DROP_THINKING_BYTES {
            output.print(answer(0));
        }
        let before = output.shared.lock().waiting;
        output.print_thinking("1 2 3 4 e2e4".to_owned());
        assert_eq!(output.shared.lock().waiting, before);
        output.print(answer(1));
        assert_eq!(output.shared.lock().waiting, before + answer(1).len());
    }

    #[test]
    fn a_closed_pipe_is_detected() {
        let (output, reader, _writer) = start(&Log::default());
        drop(reader);
        output.print("pong 1".to_owned());
        is_ended(&output);

        // The output thread notices it, too.
        let (output, reader, _writer) = start(&Log::default());
        fill(&output);
        drop(reader);
        is_ended(&output);
        output.finish(TIMEOUT);
    }

    #[test]
    fn a_full_disk_is_detected() {
        let full = File::options().write(true).open("/dev/full");
        // Only some systems have the device.
        let Ok(full) = full else { return };
        assert!(Pipe::new(&full).is_none());
        let output = Output::start(Destination::Stream(Box::new(full)), |_| {}).expect("a thread");
        output.print("pong 1".to_owned());
        is_ended(&output);
    }

    #[test]
    fn files_and_devices_are_not_written_by_the_caller() {
        let file = tempfile::tempfile().expect("a file");
        assert!(Pipe::new(&file).is_none());
        let device = File::options().write(true).open("/dev/null");
        assert!(Pipe::new(&device.expect("a device")).is_none());
        // A terminal, unless the system has none.
        if let Ok(terminal) = File::open("/dev/ptmx") {
            assert!(Pipe::new(&terminal).is_none());
        }
    }
}
