//! How amounts and words stand in the file: as text, read again by the same rules as anywhere else.

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};

use super::State;
use crate::privacy::budget::{Delta, MOST_CHARACTERS, Measure, Neighbours, Rational};

/// Decimals of an amount whose exact text would be too long to be read again.
const LONG_DECIMALS: usize = 30;

/// The amount, or the next larger one whose text is short enough to be read again.
pub(super) fn writable(amount: &Rational) -> Rational {
    if amount.to_string().len() <= MOST_CHARACTERS {
        amount.clone()
    } else {
        amount.rounded_up(LONG_DECIMALS)
    }
}

macro_rules! stored_as_text {
    ($type:ty, $read:expr, $write:expr) => {
        impl FromSql for $type {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                let read: fn(&str) -> Option<Self> = $read;
                read(value.as_str()?).ok_or(FromSqlError::InvalidType)
            }
        }

        impl ToSql for $type {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                let write: fn(&Self) -> String = $write;
                Ok(write(self).into())
            }
        }
    };
}

stored_as_text!(Rational, |text| text.parse().ok(), ToString::to_string);
stored_as_text!(Delta, |text| text.parse().ok(), ToString::to_string);
stored_as_text!(Measure, Self::from_name, |measure| measure
    .name()
    .to_owned());
stored_as_text!(State, Self::from_name, |state| state.name().to_owned());
stored_as_text!(Neighbours, Self::from_name, |neighbours| neighbours
    .name()
    .to_owned());
