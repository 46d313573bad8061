//! Telling somebody how far a long piece of work has come.

/// What the amounts of a task count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    /// Bytes of a file.
    Bytes,
    /// Rows of a table.
    Rows,
    /// Steps of a search, restarts of a clustering.
    Steps,
}

/// Somebody who wants to know. The library calls; a command draws bars, a test listens, [`Silent`] does nothing.
pub trait Progress: Sync {
    /// A task begins; `total` is how much there is to do.
    fn begin(&self, task: &str, total: u64, amount: Amount);
    /// So much more is done.
    fn advance(&self, by: u64);
    /// The task has ended.
    fn end(&self);
}

/// Nobody listens.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _task: &str, _total: u64, _amount: Amount) {}
    fn advance(&self, _by: u64) {}
    fn end(&self) {}
}
