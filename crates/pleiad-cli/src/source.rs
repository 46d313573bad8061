//! Where a table and the words about its columns come from: a spec, or guesses.

use std::path::{Path, PathBuf};

use pleiad::spec::{ClusterSpec, Spec};
use pleiad::table::{Kind, Plan, Unit, infer_plan};
use pleiad::{Error, Progress};

use crate::failure::{Failure, Outcome};
use crate::terminal::{Terminal, shown, visible};

/// The name under which a spec is found without being named.
const SPEC_FILE: &str = "pleiad.toml";

/// Names that a note lists before it only counts.
const MOST_NAMES: usize = 5;

/// A table and what is known about it before it is read.
#[derive(Debug)]
pub(crate) struct Source {
    /// The table.
    pub(crate) data: PathBuf,
    /// The spec, if there is one.
    pub(crate) spec: Option<(PathBuf, Spec)>,
}

impl Source {
    /// The table and the spec that were named, or those that are found where one looks first.
    pub(crate) fn find(
        data: Option<&Path>,
        spec: Option<&Path>,
        terminal: &Terminal,
    ) -> Outcome<Self> {
        if let Some(path) = spec {
            let spec = read_spec(path)?;
            return Ok(Self {
                data: data.map_or_else(|| spec.data_path.clone(), Path::to_owned),
                spec: Some((path.to_owned(), spec)),
            });
        }
        let Some(data) = data else {
            return Self::in_current_folder(terminal);
        };
        Ok(Self {
            data: data.to_owned(),
            spec: spec_beside(data, terminal)?,
        })
    }

    fn in_current_folder(terminal: &Terminal) -> Outcome<Self> {
        let path = PathBuf::from(SPEC_FILE);
        if !path.exists() {
            return Err(Failure::usage(format!(
                "there is no table: none was named, and no `{SPEC_FILE}` is here"
            ))
            .hint("name a table: `pleiad cluster patients.csv -k 6`")
            .hint("or a spec: `pleiad cluster -c folder/pleiad.toml`"));
        }
        let spec = read_spec(&path)?;
        say_found(&spec.data_path, &path, terminal);
        Ok(Self {
            data: spec.data_path.clone(),
            spec: Some((path, spec)),
        })
    }

    /// How the table is clustered, if a spec says so.
    pub(crate) fn cluster_spec(&self) -> Option<&ClusterSpec> {
        self.spec.as_ref().map(|(_, spec)| &spec.cluster)
    }

    /// How to read the table; what has to be guessed is said.
    pub(crate) fn plan(&self, progress: &dyn Progress, terminal: &Terminal) -> Outcome<Plan> {
        if let Some((_, spec)) = &self.spec {
            return Ok(spec.plan.clone());
        }
        let plan = infer_plan(&self.data, progress)?;
        if plan.columns.iter().all(|column| column.kind.is_none()) {
            let error =
                Error::data("every column seems to name people: nothing is left to cluster");
            let error = error.at(pleiad::Place::file(&self.data));
            return Err(Failure::from(error).hint(format!(
                "describe the columns in a `{SPEC_FILE}` beside the table"
            )));
        }
        for note in guesses(&plan) {
            terminal.say(&note);
        }
        Ok(plan)
    }
}

fn read_spec(path: &Path) -> Outcome<Spec> {
    Spec::read(path).map_err(Failure::in_spec)
}

/// The spec in the folder of a table, if it is about this table.
fn spec_beside(data: &Path, terminal: &Terminal) -> Outcome<Option<(PathBuf, Spec)>> {
    let path = data.with_file_name(SPEC_FILE);
    if !path.exists() {
        return Ok(None);
    }
    let spec = read_spec(&path)?;
    if is_same_file(data, &spec.data_path) {
        say_found(data, &path, terminal);
        return Ok(Some((path, spec)));
    }
    terminal.say(&format!(
        "`{0}` is about {1}, not about this table; `-c {0}` would use it.",
        shown(&path),
        shown(&spec.data_path)
    ));
    Ok(None)
}

fn say_found(data: &Path, spec: &Path, terminal: &Terminal) {
    terminal.say(&format!("Reading {} as {} says.", shown(data), shown(spec)));
}

/// Whether two paths lead to one file.
pub(crate) fn is_same_file(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// What was guessed, in words.
fn guesses(plan: &Plan) -> Vec<String> {
    let (mut numeric, mut date, mut categorical, mut set) = (0, 0, 0, 0);
    let mut left_out = Vec::new();
    for column in &plan.columns {
        match &column.kind {
            Some(Kind::Numbers {
                unit: Unit::Number, ..
            }) => numeric += 1,
            Some(Kind::Numbers {
                unit: Unit::Day, ..
            }) => date += 1,
            Some(Kind::Values { .. }) => categorical += 1,
            Some(Kind::Sets { .. }) => set += 1,
            None => left_out.push(format!("`{}`", visible(&column.name))),
        }
    }
    let kinds: Vec<String> = [
        (numeric, "numeric"),
        (date, "date"),
        (categorical, "categorical"),
        (set, "set"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, kind)| format!("{count} {kind}"))
    .collect();
    let mut notes = vec![format!(
        "No spec: guessed the kinds of columns ({}); bounds and values come from the data.",
        kinds.join(", ")
    )];
    if plan.columns.len() == 1 {
        notes.push(
            "Only one column was found: is the delimiter one of comma, semicolon, tab and bar?"
                .to_owned(),
        );
    }
    if !left_out.is_empty() {
        let rest = left_out.len().saturating_sub(MOST_NAMES);
        left_out.truncate(MOST_NAMES);
        let more = if rest > 0 {
            format!(" and {rest} more")
        } else {
            String::new()
        };
        notes.push(format!(
            "Left out because they seem to name people: {}{more}.",
            left_out.join(", ")
        ));
    }
    notes
}
