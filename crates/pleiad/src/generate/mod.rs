//! The synthetic hospital table for the demo, the tests and the benchmarks.
//!
//! One row is one stay in a hospital; a patient has one to three of them. Six kinds of patient are planted, so it is known which
//! clusters a clustering should find. Every row is computed from the seed and its own number alone: a table of any size streams, and
//! any part of it can be made anywhere.

mod calendar;
mod codes;
mod dice;
mod places;
mod profiles;
mod stay;
#[cfg(test)]
mod tests;
mod texts;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::Path;

use dice::{Dice, Topic};
use stay::{Patient, Place, Stay};

/// Rows are dealt to patients within blocks of this size, so that a row finds its patient in a bounded number of steps.
const BLOCK_ROWS: u32 = 24;
const MOST_STAYS: u32 = 3;

/// A hospital table that is made when it is written.
///
/// ```
/// use pleiad::generate::Hospital;
///
/// let mut table = Vec::new();
/// Hospital::new(100, 42).write_csv(&mut table)?;
/// assert_eq!(table.iter().filter(|&&byte| byte == b'\n').count(), 101);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Hospital {
    n_rows: u64,
    seed: u64,
    patients_per_block: u32,
}

impl Hospital {
    /// Name of the table in the folder that [`write_folder`](Self::write_folder) fills.
    pub const DATA_FILE: &str = "hospital.csv";

    /// Name of the spec in the folder that [`write_folder`](Self::write_folder) fills.
    pub const SPEC_FILE: &str = "pleiad.toml";

    /// The number of planted clusters.
    pub const CLUSTERS: usize = profiles::PROFILES.len();

    /// A table in which a patient has 1.6 stays on average.
    pub fn new(n_rows: u64, seed: u64) -> Self {
        Self {
            n_rows,
            seed,
            patients_per_block: 15,
        }
    }

    /// Sets how many stays a patient has on average, between 1 and 3, to the nearest mean that deals 24 rows to whole patients.
    pub fn stays_per_patient(mut self, mean: f64) -> Self {
        let patients = (f64::from(BLOCK_ROWS) / mean).round() as u32;
        self.patients_per_block = patients.clamp(BLOCK_ROWS / MOST_STAYS, BLOCK_ROWS);
        self
    }

    /// The number of rows, without the header.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// The names of the columns, without the line's end.
    pub fn header() -> &'static str {
        "patient_id,age,born,sex,postcode,insurance,admission,ward,diagnoses,length_of_stay,lab_score,drug_group,discharged"
    }

    /// Writes header and rows.
    pub fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}", Self::header())?;
        self.write_rows(0..self.n_rows, out)
    }

    /// Writes the rows of the range that the table has. Adjoining ranges give adjoining bytes.
    pub fn write_rows(&self, range: Range<u64>, out: &mut impl Write) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 16, out);
        for row in range.start..range.end.min(self.n_rows) {
            Stay::draw(self.seed, row, self.place(row)).write(&mut out)?;
        }
        out.flush()
    }

    /// The planted cluster of a row, below [`CLUSTERS`](Self::CLUSTERS).
    pub fn planted_cluster(&self, row: u64) -> usize {
        Patient::draw(self.seed, self.place(row)).cluster
    }

    /// The taxonomies of postcode, ward and diagnoses: file name, and a line `leaf;…;root` per leaf with the root `*`.
    pub fn taxonomies() -> Vec<(&'static str, String)> {
        vec![
            (texts::POSTCODE_FILE, texts::postcode_taxonomy()),
            (texts::WARD_FILE, texts::ward_taxonomy()),
            (texts::DIAGNOSES_FILE, texts::diagnoses_taxonomy()),
        ]
    }

    /// The spec of the table without a `[protect]` section, for a table at the given path.
    pub fn spec(data_path: &str) -> String {
        texts::spec(data_path)
    }

    /// Writes the table, its taxonomies and its spec into a folder, which is made if need be. Refuses to replace a file.
    pub fn write_folder(&self, folder: &Path) -> io::Result<()> {
        let mut texts = Self::taxonomies();
        texts.push((Self::SPEC_FILE, Self::spec(Self::DATA_FILE)));
        let names = texts.iter().map(|(name, _)| *name);
        for name in names.chain([Self::DATA_FILE]) {
            let path = folder.join(name);
            if path.try_exists()? {
                let message = format!("{} exists already", path.display());
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
            }
        }
        fs::create_dir_all(folder)?;
        for (name, text) in &texts {
            File::create_new(folder.join(name))?.write_all(text.as_bytes())?;
        }
        self.write_csv(&mut File::create_new(folder.join(Self::DATA_FILE))?)
    }

    /// Every patient of a block has one stay; the stays left over fall at random on what patients may have more.
    fn place(&self, row: u64) -> Place {
        let block = row / u64::from(BLOCK_ROWS);
        let mut rows_before = (row % u64::from(BLOCK_ROWS)) as u32;
        let mut patient = block * u64::from(self.patients_per_block);
        let mut further_stays = BLOCK_ROWS - self.patients_per_block;
        let mut openings = self.patients_per_block * (MOST_STAYS - 1);
        let mut dice = Dice::new(self.seed, Topic::Grouping, block);
        loop {
            let mut stays = 1;
            for _ in 1..MOST_STAYS {
                if dice.below(openings) < further_stays {
                    stays += 1;
                    further_stays -= 1;
                }
                openings -= 1;
            }
            if rows_before < stays {
                return Place {
                    patient,
                    stay: rows_before,
                    stays,
                };
            }
            rows_before -= stays;
            patient += 1;
        }
    }
}
