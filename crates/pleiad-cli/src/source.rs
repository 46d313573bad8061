//! Where a table and the words about its columns come from: a spec, the manifest of a release, or guesses.

use std::path::{Path, PathBuf};

use pleiad::release::{
    ClusterEntry, MANIFEST_FILE, Manifest, PrivateManifest, open_private, open_release,
};
use pleiad::spec::{Algorithm, ClusterSpec, Spec};
use pleiad::table::{ColumnSpread, Kind, Plan, Reading, Unit, infer_plan, read_table};
use pleiad::{Error, Place, Progress};

use crate::failure::{Failure, Outcome};
use crate::terminal::{Terminal, shown, visible};

/// The name under which a spec is found without being named.
pub(crate) const SPEC_FILE: &str = "pleiad.toml";

/// Runs of which the best is taken, where nobody says how many.
pub(crate) const DEFAULT_RESTARTS: usize = 10;

/// Names that a note lists before it only counts.
const MOST_NAMES: usize = 5;

/// A table and what is known about it before it is read.
#[derive(Debug)]
pub(crate) struct Source {
    /// The table.
    pub(crate) data: PathBuf,
    description: Description,
}

/// What says how to read a table.
#[derive(Debug)]
enum Description {
    Spec(PathBuf, Box<Spec>),
    /// The folder of a release, and how its manifest says that it is clustered.
    Release(PathBuf, ClusterEntry),
    /// The same, of people who do not exist.
    PrivateRelease(PathBuf, ClusterEntry),
    Nothing,
}

/// A table that was read.
#[derive(Debug)]
pub(crate) struct Opened {
    /// The table, and the rows that lacked a value and were left out.
    pub(crate) reading: Reading,
    /// Where masked values lie, column by column; nothing where none are masked.
    pub(crate) spreads: Vec<Option<ColumnSpread>>,
    /// Columns that were not read.
    pub(crate) left_out: Vec<String>,
}

impl Source {
    /// The table and the spec that were named, or those that are found where one looks first.
    pub(crate) fn find(
        data: Option<&Path>,
        spec: Option<&Path>,
        terminal: &Terminal,
    ) -> Outcome<Self> {
        if let Some(folder) = data.filter(|path| path.is_dir()) {
            return Self::release(folder, spec, terminal);
        }
        if let Some(path) = spec {
            let spec = read_spec(path)?;
            return Ok(Self {
                data: data.map_or_else(|| spec.data_path.clone(), Path::to_owned),
                description: Description::Spec(path.to_owned(), Box::new(spec)),
            });
        }
        let Some(data) = data else {
            return Self::in_current_folder(terminal);
        };
        Ok(Self {
            data: data.to_owned(),
            description: match spec_beside(data, terminal)? {
                Some((path, spec)) => Description::Spec(path, Box::new(spec)),
                None => Description::Nothing,
            },
        })
    }

    fn in_current_folder(terminal: &Terminal) -> Outcome<Self> {
        let Some((path, spec)) = spec_here()? else {
            return Err(Failure::usage(format!(
                "there is no table: none was named, and no `{SPEC_FILE}` is here"
            ))
            .hint("name a table: `pleiad cluster patients.csv -k 6`")
            .hint("or a spec: `pleiad cluster -c folder/pleiad.toml`"));
        };
        say_found(&spec.data_path, &path, terminal);
        Ok(Self {
            data: spec.data_path.clone(),
            description: Description::Spec(path, Box::new(spec)),
        })
    }

    fn release(folder: &Path, spec: Option<&Path>, terminal: &Terminal) -> Outcome<Self> {
        refuse_other_folders(folder)?;
        refuse_spec_for_release(folder, spec)?;
        let manifest_path = folder.join(MANIFEST_FILE);
        let folder = folder.to_owned();
        let (data, description) = if PrivateManifest::is_at(&manifest_path) {
            let manifest = PrivateManifest::read(&manifest_path)?;
            let description = Description::PrivateRelease(folder.clone(), manifest.cluster);
            (manifest.data.file, description)
        } else {
            let manifest = Manifest::read(&manifest_path)?;
            let description = Description::Release(folder.clone(), manifest.cluster);
            (manifest.data.file, description)
        };
        let data = folder.join(data);
        say_found(&data, &manifest_path, terminal);
        Ok(Self { data, description })
    }

    /// The table of a spec that was read already.
    pub(crate) fn of_spec(path: &Path, spec: Spec) -> Self {
        Self {
            data: spec.data_path.clone(),
            description: Description::Spec(path.to_owned(), Box::new(spec)),
        }
    }

    /// How the table is clustered, if a spec or a manifest says so.
    pub(crate) fn cluster_spec(&self) -> Option<ClusterSpec> {
        match &self.description {
            Description::Spec(_, spec) => Some(spec.cluster.clone()),
            Description::Release(_, cluster) | Description::PrivateRelease(_, cluster) => {
                Some(ClusterSpec {
                    algorithm: cluster.algorithm,
                    clusters: cluster.clusters,
                    restarts: DEFAULT_RESTARTS,
                    seed: 0,
                    encoding: cluster.encoding,
                    tuning: cluster.tuning,
                })
            }
            Description::Nothing => None,
        }
    }

    /// How a raw table is read, as its spec says or as it is guessed.
    pub(crate) fn plan(&self, progress: &dyn Progress, terminal: &Terminal) -> Outcome<Plan> {
        match &self.description {
            Description::Spec(_, spec) => Ok(spec.plan.clone()),
            Description::Nothing => self.guess(progress, terminal),
            Description::Release(folder, _) | Description::PrivateRelease(folder, _) => {
                Err(Failure::usage(format!(
                    "{} is a release, not the raw table that it was made of",
                    folder.display()
                ))
                .hint("name the raw table first, then the masked one"))
            }
        }
    }

    /// How the recipient clusters, if a spec says so.
    pub(crate) fn recipient(&self) -> Option<Algorithm> {
        match &self.description {
            Description::Spec(_, spec) => Some(spec.recipient),
            Description::Release(..) | Description::PrivateRelease(..) | Description::Nothing => {
                None
            }
        }
    }

    /// The spec, if there is one.
    pub(crate) fn spec_path(&self) -> Option<&Path> {
        match &self.description {
            Description::Spec(path, _) => Some(path),
            Description::Release(..) | Description::PrivateRelease(..) | Description::Nothing => {
                None
            }
        }
    }

    /// The folder, where the table is that of a release.
    pub(crate) fn release_folder(&self) -> Option<&Path> {
        match &self.description {
            Description::Release(folder, _) | Description::PrivateRelease(folder, _) => {
                Some(folder)
            }
            Description::Spec(..) | Description::Nothing => None,
        }
    }

    /// Reads the table; what has to be guessed is said.
    pub(crate) fn open(&self, progress: &dyn Progress, terminal: &Terminal) -> Outcome<Opened> {
        let plan = match &self.description {
            Description::Release(folder, _) => {
                let release = open_release(folder, progress)?;
                return Ok(Opened {
                    reading: Reading {
                        table: release.table,
                        dropped_rows: Vec::new(),
                    },
                    spreads: release.spreads,
                    left_out: Vec::new(),
                });
            }
            Description::PrivateRelease(folder, _) => {
                let release = open_private(folder, progress)?;
                return Ok(Opened {
                    reading: Reading {
                        table: release.rows,
                        dropped_rows: Vec::new(),
                    },
                    spreads: Vec::new(),
                    left_out: Vec::new(),
                });
            }
            Description::Spec(_, spec) => spec.plan.clone(),
            Description::Nothing => self.guess(progress, terminal)?,
        };
        Ok(Opened {
            reading: read_table(&self.data, &plan, progress)?,
            spreads: Vec::new(),
            left_out: left_out(&plan),
        })
    }

    fn guess(&self, progress: &dyn Progress, terminal: &Terminal) -> Outcome<Plan> {
        let plan = infer_plan(&self.data, progress)?;
        if plan.columns.iter().all(|column| column.kind.is_none()) {
            let error =
                Error::data("every column seems to name people: nothing is left to cluster");
            return Err(
                Failure::from(error.at(Place::file(&self.data))).hint(format!(
                    "describe the columns in a `{SPEC_FILE}` beside the table"
                )),
            );
        }
        for note in guesses(&plan) {
            terminal.say(&note);
        }
        Ok(plan)
    }
}

fn left_out(plan: &Plan) -> Vec<String> {
    let not_read = plan.columns.iter().filter(|column| column.kind.is_none());
    not_read.map(|column| column.name.clone()).collect()
}

/// Refuses a folder that is no release, and names the release that may be meant.
pub(crate) fn refuse_other_folders(folder: &Path) -> Outcome<()> {
    let is_release = |folder: &Path| folder.join(MANIFEST_FILE).exists();
    if is_release(folder) {
        return Ok(());
    }
    let failure = Failure::from(Error::data(format!(
        "{} is no release: it has no `{MANIFEST_FILE}`",
        folder.display()
    )));
    let public = folder.with_extension("");
    if folder.extension().is_some_and(|end| end == "owner") && is_release(&public) {
        let public = shown(&public);
        return Err(failure.hint(format!("this is the owner's part; the release is {public}")));
    }
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut within: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    within.retain(|path| is_release(path));
    within.sort();
    Err(match within.first() {
        Some(release) => failure.hint(format!("did you mean {}?", shown(release))),
        None => failure,
    })
}

/// A release is read by its own manifest; two descriptions could contradict each other.
pub(crate) fn refuse_spec_for_release(folder: &Path, spec: Option<&Path>) -> Outcome<()> {
    match spec {
        None => Ok(()),
        Some(_) => Err(Failure::usage(format!(
            "{} is a release, which describes itself: a spec is not used",
            folder.display()
        ))
        .hint("leave `-c` out")),
    }
}

/// The spec that was named.
pub(crate) fn read_spec(path: &Path) -> Outcome<Spec> {
    Spec::read(path).map_err(Failure::in_spec)
}

/// The spec in the current folder, if there is one.
pub(crate) fn spec_here() -> Outcome<Option<(PathBuf, Spec)>> {
    let path = PathBuf::from(SPEC_FILE);
    if !path.exists() {
        return Ok(None);
    }
    Ok(Some((path.clone(), read_spec(&path)?)))
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

/// Says which description was found without being named.
pub(crate) fn say_found(data: &Path, spec: &Path, terminal: &Terminal) {
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
        "No spec: guessed the kinds of columns ({}); bounds and values come from the data. `pleiad init` writes a \
         spec to correct.",
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
