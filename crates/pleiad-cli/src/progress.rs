//! Bars for work that takes longer than a second.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pleiad::{Amount, Progress};

use crate::terminal::Terminal;

/// Work that ends sooner shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(100);

/// Draws the progress of one task at a time on standard error.
#[derive(Debug)]
pub(crate) struct Bars {
    is_watched: bool,
    task: Mutex<Option<Task>>,
}

/// A task that has begun.
#[derive(Debug)]
struct Task {
    bar: ProgressBar,
    /// Dropped when the task ends, which wakes `appears`.
    ended: Sender<()>,
    appears: JoinHandle<()>,
}

impl Bars {
    /// Bars, if somebody watches.
    pub(crate) fn new(terminal: &Terminal) -> Self {
        Self {
            is_watched: terminal.is_watched(),
            task: Mutex::new(None),
        }
    }

    fn replace(&self, task: Option<Task>) {
        let mut current = self.task.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Task {
            bar,
            ended,
            appears,
        }) = std::mem::replace(&mut *current, task)
        {
            drop(ended);
            // A bar that could not be drawn is not worth a word.
            let _ = appears.join();
            bar.finish_and_clear();
        }
    }
}

impl Progress for Bars {
    fn begin(&self, task: &str, total: u64, amount: Amount) {
        if !self.is_watched {
            return;
        }
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden())
            .with_style(style(total, amount))
            .with_message(task.to_owned());
        let (ended, end) = channel();
        let drawn = bar.clone();
        // A thread, because a slow task may not report anything for a long time.
        let appears = std::thread::spawn(move || {
            if end.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                drawn.set_draw_target(ProgressDrawTarget::stderr());
                drawn.enable_steady_tick(TICK);
            }
        });
        self.replace(Some(Task {
            bar,
            ended,
            appears,
        }));
    }

    fn advance(&self, by: u64) {
        let task = self.task.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(task) = &*task {
            task.bar.inc(by);
        }
    }

    fn end(&self) {
        self.replace(None);
    }
}

impl Drop for Bars {
    /// A task that fails does not end: its bar must not stay above the error.
    fn drop(&mut self) {
        self.replace(None);
    }
}

fn style(total: u64, amount: Amount) -> ProgressStyle {
    let done = match amount {
        _ if total == 0 => return template("{spinner} {msg}  {elapsed}"),
        Amount::Bytes => "{bytes} of {total_bytes}",
        Amount::Rows => "{human_pos} of {human_len} rows",
        Amount::Steps => "{pos} of {len}",
    };
    template(&format!(
        "{{spinner}} {{msg:<12}} {{bar:24}} {done}  {{elapsed}}"
    ))
}

fn template(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template)
        .expect("the templates above are well formed")
        .progress_chars("━╸─")
}
