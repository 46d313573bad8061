//! Dense codes: one small integer per row, as narrow as the number of different values allows.

/// Codes of a column, one per row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Codes {
    /// Up to 256 different values.
    U8(Vec<u8>),
    /// Up to 65,536 different values.
    U16(Vec<u16>),
    /// Everything else.
    U32(Vec<u32>),
}

/// Runs the same expression on the slice of codes, whatever its width.
macro_rules! with_codes {
    ($codes:expr, $slice:ident => $body:expr) => {
        match $codes {
            $crate::table::Codes::U8($slice) => $body,
            $crate::table::Codes::U16($slice) => $body,
            $crate::table::Codes::U32($slice) => $body,
        }
    };
}
pub(crate) use with_codes;

impl Codes {
    /// No codes yet, with room for values below `n_values`.
    pub fn for_values(n_values: usize) -> Self {
        match n_values {
            0..=0x100 => Self::U8(Vec::new()),
            0x101..=0x1_0000 => Self::U16(Vec::new()),
            _ => Self::U32(Vec::new()),
        }
    }

    /// Packs codes that are all below `n_values`.
    pub fn pack(codes: impl IntoIterator<Item = u32>, n_values: usize) -> Self {
        let codes = codes.into_iter();
        match Self::for_values(n_values) {
            Self::U8(_) => Self::U8(codes.map(|code| code as u8).collect()),
            Self::U16(_) => Self::U16(codes.map(|code| code as u16).collect()),
            Self::U32(_) => Self::U32(codes.collect()),
        }
    }

    /// Appends a code that is below the number of values given when these codes were made.
    pub fn push(&mut self, code: u32) {
        match self {
            Self::U8(codes) => codes.push(code as u8),
            Self::U16(codes) => codes.push(code as u16),
            Self::U32(codes) => codes.push(code),
        }
    }

    /// Takes the last code back.
    pub fn pop(&mut self) {
        with_codes!(self, codes => {
            codes.pop();
        });
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        with_codes!(self, codes => codes.len())
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The code of a row.
    #[expect(clippy::useless_conversion, reason = "one body for three widths")]
    pub fn get(&self, row: usize) -> u32 {
        with_codes!(self, codes => u32::from(codes[row]))
    }

    /// All codes in row order.
    #[expect(clippy::useless_conversion, reason = "one body for three widths")]
    pub fn iter(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        with_codes!(self, codes => Box::new(codes.iter().map(|&code| u32::from(code))))
    }

    /// The codes of some rows, in the order given.
    pub fn select(&self, rows: &[u32]) -> Self {
        match self {
            Self::U8(codes) => Self::U8(pick(codes, rows)),
            Self::U16(codes) => Self::U16(pick(codes, rows)),
            Self::U32(codes) => Self::U32(pick(codes, rows)),
        }
    }

    /// Mixes each row's code into that row's running hash.
    pub(crate) fn mix_into(&self, hashes: &mut [u64]) {
        with_codes!(self, codes => {
            for (hash, &code) in hashes.iter_mut().zip(codes) {
                *hash = mix(*hash ^ u64::from(code));
            }
        });
    }
}

impl<'c> IntoIterator for &'c Codes {
    type Item = u32;
    type IntoIter = Box<dyn Iterator<Item = u32> + 'c>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

fn pick<T: Copy>(codes: &[T], rows: &[u32]) -> Vec<T> {
    rows.iter().map(|&row| codes[row as usize]).collect()
}

/// One round of a multiply-and-fold hash: a bijection that spreads every input bit.
pub(crate) fn mix(value: u64) -> u64 {
    let product = (value ^ (value >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (product ^ (product >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_as_narrow_as_the_values_allow() {
        assert!(matches!(Codes::for_values(256), Codes::U8(_)));
        assert!(matches!(Codes::for_values(257), Codes::U16(_)));
        assert!(matches!(Codes::for_values(65_536), Codes::U16(_)));
        assert!(matches!(Codes::for_values(65_537), Codes::U32(_)));
        for n_values in [2_usize, 300, 70_000] {
            let codes = Codes::pack([0, 1, n_values as u32 - 1], n_values);
            assert_eq!(codes.get(2), n_values as u32 - 1);
            assert_eq!(
                codes.select(&[2, 0]).iter().collect::<Vec<_>>(),
                [n_values as u32 - 1, 0]
            );
        }
    }
}
