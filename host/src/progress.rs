//! [`Progress`]: a bar on standard error for work that takes long.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How long work goes on before it gets a bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// A bar that appears where work takes longer than half a second, on a terminal only, and goes
/// with the work.
pub(crate) struct Progress {
    bar: ProgressBar,
    since: Instant,
}

impl Progress {
    /// A bar over bytes; without an end where that is not known.
    pub(crate) fn bytes(label: &str, total: Option<u64>) -> Self {
        Self::new(
            label,
            total,
            "{msg} [{bar:40}] {bytes}/{total_bytes} {eta}",
            "{msg} {spinner} {bytes}",
        )
    }

    /// A bar over steps, whose number comes with [`reach_of`](Self::reach_of).
    pub(crate) fn steps(label: &str) -> Self {
        Self::new(label, Some(0), "{msg} [{bar:40}] {percent}% {eta}", "")
    }

    fn new(label: &str, total: Option<u64>, with_end: &str, endless: &str) -> Self {
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        let template = if total.is_some() { with_end } else { endless };
        // A template of this file that did not parse would leave the default style.
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(label.to_owned());
        Self { bar, since: Instant::now() }
    }

    /// So much is done.
    pub(crate) fn reach(&self, done: u64) {
        if self.bar.is_hidden() && self.since.elapsed() > PATIENCE {
            // Off a terminal this target stays hidden.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_position(done);
    }

    /// So much of `total` is done.
    pub(crate) fn reach_of(&self, done: u64, total: u64) {
        self.bar.set_length(total);
        self.reach(done);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
