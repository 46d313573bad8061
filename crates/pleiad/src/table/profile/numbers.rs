//! The numbers among the cells of a column.

use super::super::interval::parse_number;

/// More decimals than this are those of a measurement whose grid nobody could state.
const MOST_DECIMALS: usize = 6;

/// The numbers among the cells of a column.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Numbers {
    pub(crate) count: u64,
    /// Digits that are a name, not an amount: a zero before other digits, as in `00712`.
    pub(crate) n_codes: u64,
    /// All of them are whole.
    pub(crate) are_whole: bool,
    /// The most decimals that one has; nothing if they are too many to be a grid.
    pub(crate) decimals: Option<usize>,
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// How long the texts are.
    pub(crate) shortest: usize,
    pub(crate) longest: usize,
}

impl Default for Numbers {
    fn default() -> Self {
        Self {
            count: 0,
            n_codes: 0,
            are_whole: true,
            decimals: Some(0),
            low: f64::INFINITY,
            high: f64::NEG_INFINITY,
            shortest: usize::MAX,
            longest: 0,
        }
    }
}

impl Numbers {
    /// Takes a cell; whether it is a number.
    pub(super) fn see(&mut self, field: &[u8]) -> bool {
        let Some(number) = parse_number(field) else {
            return false;
        };
        self.count += 1;
        self.n_codes += u64::from(is_code(field));
        self.are_whole &= number.fract() == 0.0;
        self.low = self.low.min(number);
        self.high = self.high.max(number);
        self.shortest = self.shortest.min(field.len());
        self.longest = self.longest.max(field.len());
        self.decimals = match (self.decimals, decimals(field)) {
            (Some(most), Some(own)) => Some(most.max(own)),
            _ => None,
        };
        true
    }
}

/// The decimals of a number up to the last that is not 0.
fn decimals(field: &[u8]) -> Option<usize> {
    if field.iter().any(|byte| matches!(byte, b'e' | b'E')) {
        return None;
    }
    let Some(point) = field.iter().position(|&byte| byte == b'.') else {
        return Some(0);
    };
    let decimals = field[point + 1..]
        .iter()
        .rposition(|&byte| byte != b'0')
        .map_or(0, |last| last + 1);
    (decimals <= MOST_DECIMALS).then_some(decimals)
}

fn is_code(field: &[u8]) -> bool {
    field.len() > 1 && field[0] == b'0' && field[1].is_ascii_digit()
}
