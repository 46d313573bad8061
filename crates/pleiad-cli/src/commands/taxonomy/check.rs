//! Everything that is wrong with a taxonomy, and what it lacks of a column.

use std::fmt::Write;

use pleiad::Error;
use pleiad::draft::column_values;
use pleiad::table::{Node, Taxonomy, Unit, check_taxonomy, number_doubts};

use super::{CheckOptions, bytes};
use crate::failure::{Exit, Failure, Outcome};
use crate::progress::Bars;
use crate::summary::text::{counted, grouped};
use crate::terminal::{self, Terminal, shown, visible};

/// Odd groups that are listed before they are only counted.
const MOST_DOUBTS: usize = 5;

pub(super) fn run(options: &CheckOptions, terminal: &Terminal) -> Outcome<()> {
    let path = &options.file;
    let check = check_taxonomy(&bytes(path)?, path);
    let Some(taxonomy) = check.taxonomy else {
        let mut text = String::new();
        for problem in &check.problems {
            let _ = writeln!(text, "{}", visible_lines(&problem.to_string()));
        }
        terminal::print(|out| out.write_all(text.as_bytes()))?;
        let count = counted(check.problems.len() as u64, "problem");
        return Err(Failure::usage(format!("{} has {count}", path.display())));
    };
    let mut text = description(&taxonomy, &shown(path));
    let doubts = number_doubts(&taxonomy);
    for doubt in doubts.iter().take(MOST_DOUBTS) {
        let _ = writeln!(text, "odd: {}", visible(doubt));
    }
    if let Some(more) = doubts
        .len()
        .checked_sub(MOST_DOUBTS)
        .filter(|more| *more > 0)
    {
        let _ = writeln!(
            text,
            "odd: {} like these",
            counted(more as u64, "other group")
        );
    }
    let lacking = match (&options.values, &options.column) {
        (Some(data), Some(column)) => {
            let bars = Bars::new(terminal);
            let values = column_values(data, column, &bars)?;
            drop(bars);
            Some(Lacking::of(&taxonomy, &values))
        }
        _ => None,
    };
    if let Some(lacking) = &lacking {
        lacking.write(&taxonomy, options.show_values, &mut text);
    }
    terminal::print(|out| out.write_all(text.as_bytes()))?;
    match lacking {
        Some(lacking) if !lacking.values.is_empty() => {
            let count = counted(lacking.values.len() as u64, "value");
            let error = Error::data(format!("{} lacks {count} of the column", path.display()));
            let failure = Failure::Error(error, Exit::Data);
            Err(if options.show_values {
                failure
            } else {
                failure.hint("`--show-values` lists them: they are cells of the table")
            })
        }
        _ => Ok(()),
    }
}

/// Values, nodes and levels.
fn description(taxonomy: &Taxonomy, path: &str) -> String {
    let n_levels = u64::from(taxonomy.height()) + 1;
    let mut text = format!(
        "{path}: {}, {}, {}\n",
        counted(taxonomy.n_leaves() as u64, "value"),
        counted(n_levels, "level"),
        counted(taxonomy.n_nodes() as u64, "node")
    );
    for depth in 1..=taxonomy.height() {
        let at_depth =
            || (1..taxonomy.n_nodes() as Node).filter(|&node| taxonomy.depth(node) == depth);
        let n_values = at_depth().filter(|&node| taxonomy.is_leaf(node)).count();
        let n_groups = at_depth().count() - n_values;
        let _ = writeln!(
            text,
            "  {depth} below the root: {}, {}",
            counted(n_groups as u64, "group"),
            counted(n_values as u64, "value")
        );
    }
    text
}

/// What a taxonomy lacks of a column.
struct Lacking {
    values: Vec<(String, u64)>,
    n_different: usize,
    n_unused: usize,
}

impl Lacking {
    fn of(taxonomy: &Taxonomy, values: &[(String, u64)]) -> Self {
        let number = |text: &str| Unit::Number.parse(text).map(|number| number.to_string());
        // A number may be written otherwise than in the taxonomy.
        let known: std::collections::HashSet<String> = taxonomy
            .value_labels()
            .flat_map(|label| [Some(label.to_owned()), number(label)])
            .flatten()
            .collect();
        let is_known = |value: &str| {
            known.contains(value) || number(value).is_some_and(|text| known.contains(&text))
        };
        let lacking: Vec<(String, u64)> = values
            .iter()
            .filter(|(value, _)| !is_known(value))
            .cloned()
            .collect();
        let n_used = values.len() - lacking.len();
        Self {
            n_different: values.len(),
            n_unused: taxonomy.n_leaves().saturating_sub(n_used),
            values: lacking,
        }
    }

    fn write(&self, taxonomy: &Taxonomy, show_values: bool, text: &mut String) {
        let all = counted(self.n_different as u64, "different value");
        let unused = match self.n_unused {
            0 => String::new(),
            count => format!("; {} of the taxonomy do not occur", grouped(count as u64)),
        };
        if self.values.is_empty() {
            let _ = writeln!(text, "It has all of the column's {all}{unused}.");
            return;
        }
        let cells = self.values.iter().map(|(_, cells)| cells).sum();
        let _ = writeln!(
            text,
            "It lacks {} of the column's {all}, in {}{unused}.",
            grouped(self.values.len() as u64),
            counted(cells, "cell")
        );
        let near = taxonomy.near_values(self.values.iter().map(|(value, _)| value.as_str()));
        if !near.is_empty() {
            let near: Vec<String> = near.iter().map(|name| visible(name)).collect();
            let _ = writeln!(
                text,
                "The nearest names that it has: `{}`.",
                near.join("`, `")
            );
        }
        if show_values {
            for (value, cells) in &self.values {
                let _ = writeln!(text, "  {}  {}", visible(value), counted(*cells, "cell"));
            }
        }
    }
}

fn visible_lines(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(visible).collect();
    lines.join("\n  ")
}
