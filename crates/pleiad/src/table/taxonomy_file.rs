//! Reading taxonomies in the form that ARX users have: one line per leaf, `leaf;…;root`.
//!
//! Equal neighbours on a line are one node (short branches are padded by repeating a label). A label stands for one
//! node of the tree, so it has one parent; every line ends at the same root.

use std::path::Path;

use rustc_hash::FxHashMap;

use super::taxonomy::{Draft, ROOT_LABEL, Taxonomy};
use crate::error::{Error, Place, Result};

/// Reads a taxonomy file.
pub fn read_taxonomy(path: &Path) -> Result<Taxonomy> {
    let bytes = std::fs::read(path).map_err(|source| Error::system("read", path, source))?;
    parse_taxonomy(&bytes, path)
}

struct Seen {
    node: usize,
    parent: Option<usize>,
    line: u64,
}

/// Parses the text of a taxonomy; `path` is for messages.
pub fn parse_taxonomy(bytes: &[u8], path: &Path) -> Result<Taxonomy> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(b';')
        .has_headers(false)
        .flexible(true)
        .from_reader(bytes);
    let mut draft = Draft::default();
    let mut seen: FxHashMap<String, Seen> = FxHashMap::default();
    let mut root: Option<usize> = None;
    let mut leaf_lines: FxHashMap<usize, u64> = FxHashMap::default();
    let mut record = csv::StringRecord::new();
    loop {
        let line = reader.position().line();
        match reader.read_record(&mut record) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                let line = error.position().map_or(line, csv::Position::line);
                return Err(Error::spec("the taxonomy is not UTF-8 text")
                    .at(Place::line(path, line)));
            }
        }
        let line = record.position().map_or(line, csv::Position::line);
        let at = || Place::line(path, line);
        let mut labels: Vec<&str> = record.iter().map(str::trim).collect();
        labels.dedup();
        if labels.len() < 2 {
            return Err(Error::spec("a taxonomy line needs a leaf and a root")
                .at(at())
                .hint("write one line per leaf: `leaf;parent;…;root`"));
        }
        if let Some(empty) = labels.iter().position(|label| label.is_empty()) {
            return Err(Error::spec(format!("label {} of the line is empty", empty + 1)).at(at()));
        }
        let mut above: Option<usize> = None;
        for &label in labels.iter().rev() {
            let node = match seen.get(label) {
                Some(known) if known.parent == above => known.node,
                Some(known) => {
                    return Err(conflicting_parents(label, known, above, &draft).at(at()));
                }
                None => {
                    let node = draft.add(label);
                    if let Some(parent) = above {
                        draft.children[parent].push(node);
                    }
                    let entry = Seen {
                        node,
                        parent: above,
                        line,
                    };
                    seen.insert(label.to_owned(), entry);
                    node
                }
            };
            if above.is_none() {
                let first = *root.get_or_insert(node);
                if first != node {
                    return Err(Error::spec(format!(
                        "the taxonomy has several roots: `{}` and `{label}`",
                        draft.labels[first]
                    ))
                    .at(at())
                    .hint("end every line with the same label, for example `*`"));
                }
            }
            above = Some(node);
        }
        let leaf = above.expect("a line has at least two labels");
        if let Some(first) = leaf_lines.insert(leaf, line) {
            return Err(Error::spec(format!(
                "the value `{}` is listed twice, first on line {first}",
                labels[0]
            ))
            .at(at()));
        }
    }
    let Some(root) = root else {
        return Err(Error::spec("the taxonomy is empty").at(Place::file(path)));
    };
    if let Some((&leaf, &line)) = leaf_lines
        .iter()
        .filter(|(leaf, _)| !draft.children[**leaf].is_empty())
        .min_by_key(|(_, line)| **line)
    {
        return Err(Error::spec(format!(
            "`{}` is a value and has other values below it",
            draft.labels[leaf]
        ))
        .at(Place::line(path, line))
        .hint("give the inner node another label, for example with a trailing `*`"));
    }
    // Whatever its author called the root, it prints as `*`, as everything wholly hidden does.
    if seen.contains_key(ROOT_LABEL) && draft.labels[root] != ROOT_LABEL {
        return Err(Error::spec("`*` is the text of the root; no other node may have it")
            .at(Place::line(path, seen[ROOT_LABEL].line)));
    }
    ROOT_LABEL.clone_into(&mut draft.labels[root]);
    Taxonomy::number(&draft, root).map_err(|error| error.at(Place::file(path)))
}

fn conflicting_parents(
    label: &str,
    known: &Seen,
    above: Option<usize>,
    draft: &Draft,
) -> Error {
    let name = |node: Option<usize>| match node {
        Some(node) => format!("`{}`", draft.labels[node]),
        None => "none (it is a root)".to_owned(),
    };
    Error::spec(format!(
        "`{label}` has two parents: {} on line {}, and {} here",
        name(known.parent),
        known.line,
        name(above)
    ))
    .hint("a label stands for one node: give one of the two another label")
}
