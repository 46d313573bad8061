//! The way of a table to a private release: check the spec, book, look, publish, compare.
//!
//! Everything that can be refused is refused by the spec and the names of the columns alone, before anything is booked.
//! Whatever fails after the first look at rows stays booked.

use std::path::{Path, PathBuf};

use super::OUTPUTS_FILE;
use super::evaluation::{Compared, TakenIn, compare};
use super::manifest::PrivateManifest;
use super::publish::PrivatePublication;
use super::verify::verify_private;
use crate::error::{Error, Place, Result};
use crate::mask::mosaic::{Mosaic, Outputs, TunedMosaic};
use crate::mask::private::PrivateMethod as _;
use crate::privacy::budget::{AddRemove, Cost, Purse, SealedTable, one_row_per_person};
use crate::privacy::ledger::{Act, Booking, Fingerprint, Ledger};
use crate::privacy::noise::PrivateRandom;
use crate::progress::Progress;
use crate::release::evaluation::{Evaluation, InputEntry};
use crate::release::folder::{Target, Workplace, write_file};
use crate::release::manifest::{ClusterEntry, FORMAT, UnitEntry};
use crate::release::pipeline::{Evidence, Reporter};
use crate::release::publish::made_by;
use crate::release::verify::describe_file;
use crate::release::{EVALUATION_FILE, MANIFEST_FILE, REPORT_FILE};
use crate::spec::{MosaicSpec, ProtectSpec, Spec};
use crate::table::{AnyRows, Field, Format, Table, check_columns, public_fields, read_any_rows};

/// The method as the ledger knows it.
const METHOD: &str = "mosaic";

/// Where a private release goes and how it is written.
#[derive(Debug, Clone)]
pub struct PrivateOptions {
    /// The public folder; the owner's is beside it.
    pub folder: PathBuf,
    /// The format of the rows: CSV or Parquet.
    pub format: Format,
    /// Whether the release is compared with the raw table. What the owner sees there is no part of what the guarantee
    /// covers, so it is logged in the ledger, and later manifests say that somebody may have chosen by it.
    pub compare: bool,
}

/// A private release that was written.
#[derive(Debug, Clone)]
pub struct PrivatelyReleased {
    /// What is handed over.
    pub folder: PathBuf,
    /// What stays with the owner.
    pub owner_folder: PathBuf,
    /// What the release says of itself.
    pub manifest: PrivateManifest,
    /// What it comes to, if that was asked for; or why that cannot be said.
    pub evaluation: Option<std::result::Result<Evaluation, String>>,
    /// How many cells were not of their column's domain, of columns that have such.
    pub taken_in: Vec<TakenIn>,
    /// Rows that were left out: incomplete ones, where the spec says so, and those about nobody knows whom.
    pub rows_left_out: u64,
    /// Other populations that the same file was used for.
    pub other_populations: Vec<String>,
}

/// Makes a private release as a spec says; where it is compared, with a report in the owner's folder, if a reporter is
/// given.
///
/// # Errors
/// The spec promises something else, or is not what a private method needs; the population is not declared, or has less
/// left; the file has other columns; something is in the way. Nothing is booked then. Once it is booked: the file cannot
/// be read, the disk is full.
pub fn release_privately(
    spec: &Spec,
    options: &PrivateOptions,
    reporter: Option<Reporter<'_, PrivateManifest>>,
    progress: &dyn Progress,
) -> Result<PrivatelyReleased> {
    let at_spec = |error: Error| match &spec.plan.source {
        Some(source) if error.place().is_none() => error.at(Place::file(source)),
        _ => error,
    };
    let Some(ProtectSpec::Mosaic(protect)) = &spec.protect else {
        return Err(at_spec(Error::spec(
            "the spec does not ask for a private release",
        )));
    };
    let inputs: Vec<&Path> = [spec.data_path.as_path(), protect.ledger.as_path()]
        .into_iter()
        .chain(spec.plan.source.as_deref())
        .collect();
    let target = Target::check(&options.folder, &inputs)?;
    let fields = public_fields(&spec.plan).map_err(at_spec)?;
    let method = Method::new(&fields, protect).map_err(at_spec)?;
    check_columns(&spec.data_path, &spec.plan)?;

    let ledger = open_ledger(protect)?;
    let fingerprint = Fingerprint::of_file(&spec.data_path)?;
    let note = options.folder.display().to_string();
    let act = Act {
        method: METHOD,
        note: &note,
        data: Some(&fingerprint),
    };
    let cost: Cost<AddRemove> = Cost::Pure(protect.epsilon.clone());
    let booking = ledger.book(&protect.population, &cost, &act)?;
    let other_populations = booking.other_populations().to_vec();

    let AnyRows { reading, taken_in } = read_any_rows(&spec.data_path, &spec.plan, progress)?;
    let named = fields.iter().zip(taken_in);
    let taken_in: Vec<TakenIn> = named
        .filter(|(_, cells)| *cells > 0)
        .map(|(field, cells)| TakenIn {
            column: field.name.clone(),
            cells,
        })
        .collect();
    let release = PrivateRelease {
        spec,
        protect,
        options,
        method: &method,
        table: &reading.table,
        rows_left_out: reading.dropped_rows.len() as u64,
        taken_in: &taken_in,
        ledger: &ledger,
        act: &act,
        reporter,
    };
    let (manifest, evaluation) = release.make(booking, target.clone(), progress)?;
    Ok(PrivatelyReleased {
        folder: target.public,
        owner_folder: target.owner,
        manifest,
        evaluation,
        rows_left_out: release.rows_left_out,
        taken_in,
        other_populations,
    })
}

/// Mosaic as the spec asks for it.
enum Method {
    ByRule(Mosaic),
    Tuned(TunedMosaic),
}

impl Method {
    fn new(fields: &[Field], protect: &MosaicSpec) -> Result<Self> {
        Ok(if protect.tune {
            let tuned = TunedMosaic::new(fields, &protect.epsilon)?;
            Self::Tuned(match protect.rows {
                Some(rows) => tuned.synthetic_rows(rows),
                None => tuned,
            })
        } else {
            let mosaic = Mosaic::new(fields, &protect.epsilon)?;
            Self::ByRule(match protect.rows {
                Some(rows) => mosaic.synthetic_rows(rows),
                None => mosaic,
            })
        })
    }

    /// What was measured, and the method that it is published by.
    fn measure(
        &self,
        table: &SealedTable<'_>,
        purse: &mut Purse<AddRemove>,
        random: &mut PrivateRandom,
    ) -> Result<(&Mosaic, Outputs)> {
        match self {
            Self::ByRule(mosaic) => Ok((mosaic, mosaic.measure(table, purse, random)?)),
            Self::Tuned(tuned) => {
                let measured = tuned.measure(table, purse, random)?;
                Ok((tuned.chosen(&measured), measured.outputs))
            }
        }
    }
}

fn open_ledger(protect: &MosaicSpec) -> Result<Ledger> {
    let declare = format!(
        "declare how much may ever be spent, once: `pleiad ledger declare {} --epsilon 2 --file {}`",
        protect.population,
        protect.ledger.display()
    );
    let ledger = Ledger::open(&protect.ledger).map_err(|error| error.hint(declare.clone()))?;
    ledger
        .statement(&protect.population)
        .map_err(|error| error.hint(declare))?;
    Ok(ledger)
}

/// A private release once its table was read.
struct PrivateRelease<'a> {
    spec: &'a Spec,
    protect: &'a MosaicSpec,
    options: &'a PrivateOptions,
    method: &'a Method,
    table: &'a Table,
    rows_left_out: u64,
    taken_in: &'a [TakenIn],
    ledger: &'a Ledger,
    act: &'a Act<'a>,
    reporter: Option<Reporter<'a, PrivateManifest>>,
}

impl PrivateRelease<'_> {
    /// Measures, writes both folders, verifies what was written, and puts them in place.
    fn make(
        &self,
        mut booking: Booking<'_, AddRemove>,
        target: Target,
        progress: &dyn Progress,
    ) -> Result<(
        PrivateManifest,
        Option<std::result::Result<Evaluation, String>>,
    )> {
        let mut purse = booking.purse()?;
        let mut random = PrivateRandom::new()?;
        let sealed = SealedTable::seal(self.table);
        let (method, outputs) = self.method.measure(&sealed, &mut purse, &mut random)?;
        let publication = PrivatePublication {
            method,
            is_tuned: self.protect.tune,
            outputs: &outputs,
            account: &purse.account(),
            unit: match self.spec.plan.person {
                Some(_) => UnitEntry::People,
                None => UnitEntry::Rows,
            },
            looks_before: booking.looks_before(),
            cluster: &ClusterEntry {
                algorithm: self.spec.recipient,
                clusters: self.spec.cluster.clusters,
                encoding: self.spec.cluster.encoding,
                tuning: self.spec.cluster.tuning,
            },
            format: self.options.format,
        };
        let workplace = target.claim()?;
        publication.write(workplace.public_folder())?;
        let recorded = serde_json::to_string(&outputs).expect("outputs are JSON");
        write_file(
            &workplace.owner_folder().join(OUTPUTS_FILE),
            recorded.as_bytes(),
        )?;
        let manifest = verify_private(workplace.public_folder(), progress)?;
        let evaluation = if self.options.compare {
            Some(self.evaluate((method, &outputs), &manifest, &workplace, progress)?)
        } else {
            None
        };
        booking.confirm()?;
        workplace.finish()?;
        booking.published()?;
        Ok((manifest, evaluation))
    }

    /// Compares with the raw table, for the owner. That it cannot be compared is no failure of the release.
    fn evaluate(
        &self,
        (method, outputs): (&Mosaic, &Outputs),
        manifest: &PrivateManifest,
        workplace: &Workplace,
        progress: &dyn Progress,
    ) -> Result<std::result::Result<Evaluation, String>> {
        self.ledger.look(&self.protect.population, self.act)?;
        let people = one_row_per_person(self.table);
        let publication = method.publish(outputs)?;
        let compared = compare(
            self.spec,
            &people,
            method,
            outputs,
            &publication,
            self.taken_in.to_vec(),
            progress,
        );
        let compared = match compared {
            Ok(compared) => compared,
            Err(error) => return Ok(Err(error.message().to_owned())),
        };
        let evaluation = self.evaluation(&compared, workplace, people.n_rows())?;
        let folder = workplace.owner_folder();
        write_file(&folder.join(EVALUATION_FILE), evaluation.text().as_bytes())?;
        if let Some(reporter) = self.reporter {
            let report = compared.with_sides(|sides| {
                reporter(&Evidence {
                    manifest,
                    evaluation: &evaluation,
                    sides,
                })
            })?;
            write_file(&folder.join(REPORT_FILE), report.as_bytes())?;
        }
        Ok(Ok(evaluation))
    }

    fn evaluation(
        &self,
        compared: &Compared<'_>,
        workplace: &Workplace,
        n_people: usize,
    ) -> Result<Evaluation> {
        let manifest = describe_file(&workplace.public_folder().join(MANIFEST_FILE))?;
        Ok(Evaluation {
            format: FORMAT,
            made_by: made_by(),
            input: InputEntry {
                file: self.spec.data_path.display().to_string(),
                sha256: describe_file(&self.spec.data_path)?.sha256,
                rows: self.table.n_rows() as u64,
                rows_left_out: self.rows_left_out,
                people: n_people as u64,
            },
            masked: None,
            manifest_sha256: Some(manifest.sha256),
            promises: Vec::new(),
            structure: compared.structure.clone(),
            loss: None,
            risk: None,
            refinements: Vec::new(),
            privacy: Some(compared.evidence.clone()),
        })
    }
}
