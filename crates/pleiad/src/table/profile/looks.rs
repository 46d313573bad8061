//! What words look like: how to reach a person, a date or a number in a form that is not read, prose.

/// How a word looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    /// `somebody@example.org`.
    Mail,
    /// `+41 44 123 45 67`.
    Phone,
    /// `https://…`, `192.168.0.1`.
    Internet,
    /// 32 hexadecimal digits in groups.
    Uuid,
    /// A date in another form than `YYYY-MM-DD`, or with a time.
    OtherDate,
    /// A number with a sign of money, per cent, blanks or commas.
    DressedNumber,
    /// Four words or more.
    Prose,
}

const ALL: [Look; 7] = [
    Look::Mail,
    Look::Phone,
    Look::Internet,
    Look::Uuid,
    Look::OtherDate,
    Look::DressedNumber,
    Look::Prose,
];

/// Most of the words, so that a few odd ones do not hide what the others are.
const MOST: f64 = 0.9;

/// How many different words look like what.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Looks {
    counts: [u64; ALL.len()],
    n_words: u64,
}

impl Looks {
    pub(super) fn see(&mut self, field: &[u8]) {
        self.n_words += 1;
        if let Some(look) = look(field) {
            self.counts[look as usize] += 1;
        }
    }

    /// What nearly all of so many different values look like.
    pub(crate) fn common(&self, n_different: u64) -> Option<Look> {
        let enough = MOST * self.n_words.max(n_different) as f64;
        ALL.into_iter()
            .find(|&look| self.n_words > 0 && self.counts[look as usize] as f64 >= enough)
    }
}

fn look(field: &[u8]) -> Option<Look> {
    let has = |byte: u8| field.contains(&byte);
    let n_digits = field.iter().filter(|byte| byte.is_ascii_digit()).count();
    let n_blanks = count(field, b' ');
    let n_letters = field
        .iter()
        .filter(|byte| byte.is_ascii_alphabetic())
        .count();
    if n_blanks == 0 && is_mail(field) {
        return Some(Look::Mail);
    }
    if field.starts_with(b"http://") || field.starts_with(b"https://") || is_ip_address(field) {
        return Some(Look::Internet);
    }
    if field.len() == 36 && count(field, b'-') == 4 {
        let rest_is_hexadecimal = field
            .iter()
            .all(|byte| *byte == b'-' || byte.is_ascii_hexdigit());
        return rest_is_hexadecimal.then_some(Look::Uuid);
    }
    if is_other_date(field) {
        return Some(Look::OtherDate);
    }
    // Blanks alone part the thousands of a number too.
    let phone_signs = |byte: &u8| byte.is_ascii_digit() || b"+-()/. ".contains(byte);
    let begins_so = matches!(field.first(), Some(b'+' | b'(' | b'0'));
    if (7..=15).contains(&n_digits)
        && field.iter().all(phone_signs)
        && (begins_so || has(b'-') || has(b'/'))
    {
        return Some(Look::Phone);
    }
    if n_letters == 0 && n_digits > 0 && is_dressed_number(field) {
        return Some(Look::DressedNumber);
    }
    (n_blanks >= 3).then_some(Look::Prose)
}

/// How often a byte occurs; a word is too short to be worth wide instructions.
fn count(field: &[u8], byte: u8) -> usize {
    field.split(|other| *other == byte).count() - 1
}

fn is_mail(field: &[u8]) -> bool {
    let mut parts = field.split(|byte| *byte == b'@');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(name), Some(host), None) => {
            let dot = host.iter().rposition(|byte| *byte == b'.');
            !name.is_empty() && dot.is_some_and(|dot| dot > 0 && dot + 1 < host.len())
        }
        _ => false,
    }
}

fn is_ip_address(field: &[u8]) -> bool {
    let is_byte =
        |part: &[u8]| (1..=3).contains(&part.len()) && part.iter().all(u8::is_ascii_digit);
    field.split(|byte| *byte == b'.').count() == 4 && field.split(|byte| *byte == b'.').all(is_byte)
}

/// `31.12.1999`, `12/31/99`, `1999/12/31`, `1999-12-31 23:59`, `1999-12-31T23:59:59Z`.
fn is_other_date(field: &[u8]) -> bool {
    if field.len() > 10 && count(&field[..10], b'-') == 2 && matches!(field[10], b' ' | b'T') {
        return super::parse_day(&field[..10]).is_some();
    }
    let separator = match field.iter().find(|byte| !byte.is_ascii_digit()) {
        Some(byte @ (b'.' | b'/' | b'-')) => *byte,
        _ => return false,
    };
    let parts: Vec<&[u8]> = field.split(|byte| *byte == separator).collect();
    let [first, second, third] = parts.as_slice() else {
        return false;
    };
    let digits = |part: &[u8], lengths: &[usize]| {
        lengths.contains(&part.len()) && part.iter().all(u8::is_ascii_digit)
    };
    let year_last = digits(first, &[1, 2]) && digits(second, &[1, 2]) && digits(third, &[2, 4]);
    let year_first = digits(first, &[4]) && digits(second, &[1, 2]) && digits(third, &[1, 2]);
    year_last || year_first
}

/// A number once blanks around it, a sign of money or per cent and the commas of thousands or decimals are gone.
fn is_dressed_number(field: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(field) else {
        return false;
    };
    let bare: String = text
        .trim()
        .trim_matches(['$', '€', '£', '%', '+', ' '])
        .chars()
        .filter(|letter| !matches!(letter, ',' | '\'' | ' '))
        .collect();
    let n_commas = text.matches([',', '\'', ' ']).count();
    let is_list = n_commas > 0 && text.split(',').any(|part| part.trim().is_empty());
    !is_list && bare.parse::<f64>().is_ok_and(f64::is_finite)
}
