//! The file of a ledger: making it, opening it, and transactions that survive whatever happens.
//!
//! `SQLite` keeps a rollback journal. A commit is done when the journal is gone and the folder says so on disk
//! (`synchronous = EXTRA`; with `FULL` a power cut right after a commit could bring the journal back, and with it the
//! time before the booking). Whoever writes holds the lock of the whole file from the first statement on
//! (`BEGIN IMMEDIATE`), so that nothing changes between reading what is left and booking.

use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension, Row, Transaction, TransactionBehavior,
};

use crate::error::{Error, Result};

/// Marks the file as a ledger: the letters `Pled`.
const APPLICATION: i32 = 0x506c_6564;
/// Raised with every change of the tables.
const VERSION: i32 = 1;
const SCHEMA: &str = include_str!("schema.sql");
/// How long to wait for another process; a booking takes it some milliseconds.
const PATIENCE: Duration = Duration::from_mins(1);
/// How long to wait between two attempts. `SQLite` itself would wait longer and longer, up to a tenth of a second, and
/// whoever comes late to a busy ledger might never have a turn.
const BETWEEN_ATTEMPTS: Duration = Duration::from_millis(2);

/// An open ledger file.
#[derive(Debug)]
pub(super) struct LedgerFile {
    path: PathBuf,
    connection: Connection,
}

impl LedgerFile {
    /// Opens a ledger that exists.
    pub(super) fn open(path: &Path) -> Result<Self> {
        match path.metadata() {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(no_ledger(path, "there is no ledger"));
            }
            Err(error) => return Err(Error::system("open", path, error)),
        }
        let file = Self::connect(path)?;
        file.read(|_| {
            if file.is_blank()? {
                return Err(no_ledger(path, "nothing is in"));
            }
            file.check()
        })?;
        Ok(file)
    }

    /// Opens a ledger, or makes one that only its owner can read.
    pub(super) fn create(path: &Path) -> Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        match options.open(path) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(Error::system("make", path, error)),
        }
        let file = Self::connect(path)?;
        if file.read(|_| file.is_blank())? {
            file.write("make the tables of", |transaction| {
                // Another process may have been faster.
                if !file.is_blank()? {
                    return Ok(());
                }
                transaction
                    .execute_batch(SCHEMA)
                    .and_then(|()| transaction.pragma_update(None, "user_version", VERSION))
                    .and_then(|()| transaction.pragma_update(None, "application_id", APPLICATION))
                    .map_err(|error| file.failed("make the tables of", error))
            })?;
        }
        file.read(|_| file.check())?;
        Ok(file)
    }

    fn connect(path: &Path) -> Result<Self> {
        // An absolute path is never one of the names that mean something else to SQLite, like `:memory:`.
        let absolute =
            std::path::absolute(path).map_err(|error| Error::system("open", path, error))?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(absolute, flags)
            .map_err(|error| failed("open", path, error))?;
        let mut file = Self {
            path: path.to_owned(),
            connection,
        };
        file.set_up().map_err(|error| failed("open", path, error))?;
        Ok(file)
    }

    fn set_up(&mut self) -> rusqlite::Result<()> {
        let connection = &mut self.connection;
        connection.busy_handler(Some(wait_for_others))?;
        connection.pragma_update(None, "synchronous", "EXTRA")?;
        // Asks the disk itself, where the operating system knows the difference.
        connection.pragma_update(None, "fullfsync", true)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.pragma_update(None, "trusted_schema", false)
    }

    fn number(&self, pragma: &str) -> Result<i32> {
        self.connection
            .pragma_query_value(None, pragma, |row| row.get(0))
            .map_err(|error| self.failed("read", error))
    }

    /// Whether nobody has written to the file yet: it is new, or whoever made it was stopped at once.
    fn is_blank(&self) -> Result<bool> {
        Ok(self.number("application_id")? == 0
            && self.number("user_version")? == 0
            && self.number("schema_version")? == 0)
    }

    /// Refuses what is no ledger, a ledger of another version, and a damaged one.
    fn check(&self) -> Result<()> {
        let shown = self.path.display();
        if self.number("application_id")? != APPLICATION {
            return Err(Error::refused(format!("{shown} is no ledger of Pleiad")));
        }
        let version = self.number("user_version")?;
        if version != VERSION {
            return Err(Error::refused(format!(
                "{shown} is a ledger of version {version}, and this Pleiad knows version {VERSION}"
            ))
            .hint("use the Pleiad that wrote it, or a newer one"));
        }
        let verdict: String = self
            .connection
            .pragma_query_value(None, "quick_check", |row| row.get(0))
            .map_err(|error| self.failed("read", error))?;
        if verdict != "ok" {
            return Err(self.damaged());
        }
        Ok(())
    }

    /// Runs a transaction that nobody can come between. An error leaves the ledger as it was.
    pub(super) fn write<T>(
        &self,
        doing: &str,
        act: impl FnOnce(&Transaction<'_>) -> Result<T>,
    ) -> Result<T> {
        self.transaction(TransactionBehavior::Immediate, doing, act)
    }

    /// Reads several things as of one moment.
    pub(super) fn read<T>(&self, act: impl FnOnce(&Transaction<'_>) -> Result<T>) -> Result<T> {
        self.transaction(TransactionBehavior::Deferred, "read", act)
    }

    fn transaction<T>(
        &self,
        behaviour: TransactionBehavior,
        doing: &str,
        act: impl FnOnce(&Transaction<'_>) -> Result<T>,
    ) -> Result<T> {
        let transaction = Transaction::new_unchecked(&self.connection, behaviour)
            .map_err(|error| self.failed(doing, error))?;
        let result = act(&transaction)?;
        transaction
            .commit()
            .map_err(|error| self.failed(doing, error))?;
        Ok(result)
    }

    /// The first row of a query, if there is one.
    pub(super) fn first<T>(
        &self,
        transaction: &Transaction<'_>,
        query: &str,
        parameters: impl rusqlite::Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>> {
        transaction
            .query_row(query, parameters, read)
            .optional()
            .map_err(|error| self.failed("read", error))
    }

    /// All rows of a query.
    pub(super) fn all<T>(
        &self,
        transaction: &Transaction<'_>,
        query: &str,
        parameters: impl rusqlite::Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        transaction
            .prepare(query)
            .and_then(|mut statement| {
                statement
                    .query_map(parameters, read)?
                    .collect::<rusqlite::Result<Vec<T>>>()
            })
            .map_err(|error| self.failed("read", error))
    }

    pub(super) fn failed(&self, doing: &str, error: rusqlite::Error) -> Error {
        failed(doing, &self.path, error)
    }

    pub(super) fn damaged(&self) -> Error {
        damaged(&self.path)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    #[cfg(test)]
    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }
}

/// Whether to try once more after so many attempts.
fn wait_for_others(n_attempts: i32) -> bool {
    std::thread::sleep(BETWEEN_ATTEMPTS);
    BETWEEN_ATTEMPTS * n_attempts.unsigned_abs() < PATIENCE
}

fn no_ledger(path: &Path, words: &str) -> Error {
    Error::refused(format!("{words}: {}", path.display()))
        .hint("declare a population first: `pleiad ledger declare NAME --epsilon 1`")
}

fn damaged(path: &Path) -> Error {
    Error::refused(format!("{} is damaged", path.display())).hint(
        "what was spent on its populations is not certain any more: spend nothing until it is",
    )
}

fn failed(doing: &str, path: &Path, error: rusqlite::Error) -> Error {
    if matches!(
        error,
        rusqlite::Error::FromSqlConversionFailure(..) | rusqlite::Error::InvalidColumnType(..)
    ) {
        return damaged(path);
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => Error::refused(format!(
            "{} is no ledger of Pleiad, or it is damaged",
            path.display()
        )),
        Some(ErrorCode::ConstraintViolation) => {
            Error::refused(format!("the ledger {} refuses: {error}", path.display()))
        }
        _ => Error::system(doing, path, io::Error::other(error)),
    }
}
