//! Codes by what they begin with.

use super::Path;

const LONGEST_CODE: usize = 12;

/// Whether values are codes whose beginning says something: `I50.1`, `250.83`, `8057`, not `1` to `25`.
pub(super) fn are_codes(values: &[String]) -> bool {
    let is_code = |value: &String| {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'/');
        (3..=LONGEST_CODE).contains(&value.len())
            && value.bytes().all(is_part)
            && value.bytes().any(|byte| byte.is_ascii_digit())
            && value.bytes().filter(u8::is_ascii_alphabetic).count() <= 3
    };
    let is_digits = |value: &String| value.bytes().all(|byte| byte.is_ascii_digit());
    let has_one_length = values.iter().all(|value| value.len() == values[0].len());
    values.iter().all(is_code) && (has_one_length || !values.iter().all(is_digits))
}

/// The path of each of several sorted values.
pub(super) fn paths(values: &[String]) -> Vec<Path> {
    let letters: Vec<Vec<char>> = values.iter().map(|value| value.chars().collect()).collect();
    let mut paths: Vec<Path> = values.iter().map(|value| vec![value.clone()]).collect();
    group(&letters, &mut paths, 0);
    paths
}

/// Adds the groups above values that agree in their first `n_shared` letters, the smallest groups first.
fn group(values: &[Vec<char>], paths: &mut [Path], n_shared: usize) {
    let mut start = 0;
    while start < values.len() {
        let next = values[start].get(n_shared);
        let alike = values[start..]
            .iter()
            .take_while(|value| value.get(n_shared) == next)
            .count();
        let end = start + alike;
        if next.is_some() && alike > 1 {
            let n_shared = shared(&values[start..end], n_shared + 1);
            group(&values[start..end], &mut paths[start..end], n_shared);
            let covers_all = alike == values.len();
            if let Some(label) = label(&values[start][..n_shared]).filter(|_| !covers_all) {
                for path in &mut paths[start..end] {
                    path.push(label.clone());
                }
            }
        }
        start = end;
    }
}

/// How many letters all of these have in common, which are so many at least.
fn shared(values: &[Vec<char>], at_least: usize) -> usize {
    let (first, last) = (&values[0], &values[values.len() - 1]);
    let rest = first[at_least..].iter().zip(&last[at_least..]);
    at_least + rest.take_while(|(a, b)| a == b).count()
}

/// The name of a group: a sign that parts a code is no end of one.
fn label(shared: &[char]) -> Option<String> {
    let n_letters = shared.iter().rposition(|letter| letter.is_alphanumeric())? + 1;
    let letters: String = shared[..n_letters].iter().collect();
    Some(format!("{letters}*"))
}
