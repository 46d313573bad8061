//! Measured pieces of our own work, each in a process of its own that prints one line of JSON.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Subcommand;
use cpu_time::ProcessTime;
use pleiad::Silent;
use pleiad::cluster::{Clusterer, Encoding, KMeans, KPrototypes, Points};
use pleiad::evaluate::{Pairs, USUAL_THRESHOLD, loss_and_risk};
use pleiad::mask::mosaic::Mosaic;
use pleiad::mask::private::PrivateMethod;
use pleiad::mask::refine::{RefineParams, refine};
use pleiad::privacy::budget::{Cost, Purse, SealedTable};
use pleiad::privacy::noise::PrivateRandom;
use pleiad::privacy::{QuasiIdentifier, Requirement};
use pleiad::release::{JudgeOptions, judge};
use pleiad::spec::Spec;
use pleiad::table::{
    Codes, Column, Domain, Field, Interval, Role, Table, Unit, read_table, write_table,
};
use serde_json::{Value, json};

use super::random::Words;
use crate::experiment::public_tables::{self, PublicTable};

#[derive(Subcommand, Clone, Debug)]
#[command(rename_all = "kebab-case")]
enum Work {
    /// k-means from given centres on a file of numbers.
    KMeans {
        points: PathBuf,
        start: PathBuf,
        columns: usize,
        rounds: usize,
    },
    /// k-means from given rows on a table with a spec, one fit for each list of rows.
    Starts {
        spec: PathBuf,
        starts: PathBuf,
        rounds: usize,
        encoding: String,
    },
    /// k-prototypes from given rows on a table with a spec.
    KPrototypes {
        spec: PathBuf,
        start: PathBuf,
        rounds: usize,
    },
    /// Reading a table, then k-means with one restart.
    ReadAndCluster { spec: PathBuf, rounds: usize },
    /// Reading a table.
    Read { spec: PathBuf },
    /// Masking an expanded table, which is written to a file for the peer.
    Mask {
        spec: PathBuf,
        copies: usize,
        at_least: u32,
        csv: PathBuf,
    },
    /// Clustering a table once, then judging it masked; the masked table is written to a file.
    Evaluate { spec: PathBuf, csv: PathBuf },
    /// A private release of a table whose rows are repeated until there are enough.
    Mosaic { table: PublicTable, rows: usize },
    /// Masking an expanded table under random requirements of several quasi-identifiers.
    MaskSeveral {
        spec: PathBuf,
        copies: usize,
        at_least: u32,
        requirements: usize,
    },
}

/// A piece of work to measure.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Job {
    #[command(subcommand)]
    work: Work,
}

/// Seconds of a piece of work.
struct Seconds {
    cpu: f64,
    wall: f64,
}

fn measured<T>(work: impl FnOnce() -> T) -> (T, Seconds) {
    let (cpu, wall) = (ProcessTime::now(), Instant::now());
    let result = work();
    let seconds = Seconds {
        cpu: cpu.elapsed().as_secs_f64(),
        wall: wall.elapsed().as_secs_f64(),
    };
    (result, seconds)
}

/// The most memory this process has had, where the system tells.
fn own_peak_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes / 1024.0)
}

/// Does the work and prints what it took.
pub(crate) fn run(job: &Job) -> Result<()> {
    let mut report = match &job.work {
        Work::KMeans {
            points,
            start,
            columns,
            rounds,
        } => kmeans(points, start, *columns, *rounds)?,
        Work::Starts {
            spec,
            starts,
            rounds,
            encoding,
        } => from_starts(spec, starts, *rounds, encoding)?,
        Work::KPrototypes {
            spec,
            start,
            rounds,
        } => kprototypes(spec, start, *rounds)?,
        Work::ReadAndCluster { spec, rounds } => read_and_cluster(spec, *rounds)?,
        Work::Read { spec } => read(spec)?,
        Work::Mask {
            spec,
            copies,
            at_least,
            csv,
        } => mask(spec, *copies, *at_least, csv)?,
        Work::Evaluate { spec, csv } => evaluate(spec, csv)?,
        Work::Mosaic { table, rows } => mosaic(*table, *rows)?,
        Work::MaskSeveral {
            spec,
            copies,
            at_least,
            requirements,
        } => mask_several(spec, *copies, *at_least, *requirements)?,
    };
    report["own_peak_mb"] = json!(own_peak_mb());
    writeln!(std::io::stdout(), "{report}")?;
    Ok(())
}

fn read_numbers(path: &Path) -> Result<Vec<f64>> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let (words, _) = bytes.as_chunks::<8>();
    Ok(words.iter().map(|&word| f64::from_le_bytes(word)).collect())
}

fn kmeans(points: &Path, start: &Path, n_columns: usize, rounds: usize) -> Result<Value> {
    let numbers = read_numbers(points)?;
    let start = read_numbers(start)?;
    let interval = Interval::new(0.0, 1.0, None, Unit::Number, true)?;
    let n_rows = numbers.len() / n_columns;
    let (fields, columns) = (0..n_columns)
        .map(|column| {
            let places = (0..n_rows).map(|row| {
                let number = numbers[row * n_columns + column];
                interval.place(number).unwrap_or_default()
            });
            let field = Field {
                name: format!("x{column}"),
                role: Role::Plain,
                domain: Domain::Numbers {
                    interval: interval.clone(),
                    may_be_missing: false,
                },
                weight: 1.0,
            };
            (field, Column::Numbers(Codes::U32(places.collect())))
        })
        .unzip();
    drop(numbers);
    let table = Table::new(fields, columns, None);
    let points = Points::new(&table, Encoding::OneHot);
    // Each number has a coordinate, and one for "missing" behind it.
    let centres: Vec<Vec<f64>> = start
        .chunks(n_columns)
        .map(|centre| centre.iter().flat_map(|&number| [number, 0.0]).collect())
        .collect();
    let clusterer = KMeans::new(centres.len()).most_rounds(rounds);
    let (fit, seconds) = measured(|| clusterer.from_centres(&points, centres));
    let fit = fit?;
    Ok(json!({
        "cpu_seconds": seconds.cpu, "wall_seconds": seconds.wall,
        "cost": fit.cost, "rounds": fit.rounds,
    }))
}

fn from_starts(spec: &Path, starts: &Path, rounds: usize, encoding: &str) -> Result<Value> {
    let spec = Spec::read(spec)?;
    let table = read_table(&spec.data_path, &spec.plan, &Silent)?.table;
    let encoding = if encoding == "one-hot" {
        Encoding::OneHot
    } else {
        Encoding::Semantic
    };
    let starts: Vec<Vec<usize>> = serde_json::from_slice(&std::fs::read(starts)?)?;
    let (fits, seconds) = measured(|| {
        let points = Points::new(&table, encoding);
        starts
            .iter()
            .map(|rows| {
                let centres = rows.iter().map(|&row| points.position(row)).collect();
                KMeans::new(rows.len())
                    .most_rounds(rounds)
                    .from_centres(&points, centres)
            })
            .collect::<pleiad::Result<Vec<_>>>()
    });
    let fits = fits?;
    Ok(json!({
        "cpu_seconds": seconds.cpu, "wall_seconds": seconds.wall,
        "costs": fits.iter().map(|fit| fit.cost).collect::<Vec<_>>(),
        "rounds": fits.iter().map(|fit| fit.rounds).collect::<Vec<_>>(),
    }))
}

fn kprototypes(spec: &Path, start: &Path, rounds: usize) -> Result<Value> {
    let spec = Spec::read(spec)?;
    let table = read_table(&spec.data_path, &spec.plan, &Silent)?.table;
    let start: Vec<usize> = serde_json::from_slice(&std::fs::read(start)?)?;
    let (fit, seconds) = measured(|| {
        KPrototypes::new(start.len())
            .most_rounds(rounds)
            .from_rows(&Points::new(&table, Encoding::Semantic), &start)
    });
    let fit = fit?;
    Ok(json!({
        "cpu_seconds": seconds.cpu, "wall_seconds": seconds.wall,
        "cost": fit.cost, "gamma": fit.gamma, "rounds": fit.rounds,
    }))
}

fn read_and_cluster(spec: &Path, rounds: usize) -> Result<Value> {
    let spec = Spec::read(spec)?;
    let (reading, reading_seconds) = measured(|| read_table(&spec.data_path, &spec.plan, &Silent));
    let table = reading?.table;
    let clusterer = KMeans::new(spec.cluster.clusters)
        .restarts(1)
        .most_rounds(rounds);
    let (fit, seconds) =
        measured(|| clusterer.cluster(&Points::new(&table, Encoding::Semantic), &Silent));
    let fit = fit?;
    Ok(json!({
        "rows": table.n_rows(),
        "read_cpu_seconds": reading_seconds.cpu,
        "cpu_seconds": seconds.cpu, "wall_seconds": seconds.wall,
        "rounds": fit.rounds,
    }))
}

fn read(spec: &Path) -> Result<Value> {
    let spec = Spec::read(spec)?;
    let bytes = std::fs::metadata(&spec.data_path)?.len();
    let (reading, seconds) = measured(|| read_table(&spec.data_path, &spec.plan, &Silent));
    Ok(json!({
        "rows": reading?.table.n_rows(), "bytes": bytes,
        "cpu_seconds": seconds.cpu, "wall_seconds": seconds.wall,
    }))
}

/// The table with, for every row, `copies − 1` variations of it: some columns, at least one, take a value drawn from the
/// whole column (the paper's section 5.1.6).
fn expanded(table: &Table, copies: usize) -> Table {
    let mut words = Words::new(3);
    let n_rows = table.n_rows();
    let n_columns = table.columns().len();
    let mut sources: Vec<Vec<u32>> = vec![Vec::with_capacity(n_rows * copies); n_columns];
    for copy in 0..copies {
        for row in 0..n_rows {
            let changed = if copy == 0 {
                0
            } else {
                1 + words.below(n_columns)
            };
            let mut left = changed;
            for (column, sources) in sources.iter_mut().enumerate() {
                // Each of the remaining columns is among the changed ones with the chance that makes `changed` of them.
                let is_changed = words.below(n_columns - column) < left;
                left -= usize::from(is_changed);
                sources.push(if is_changed { words.below(n_rows) } else { row } as u32);
            }
        }
    }
    let columns = table
        .columns()
        .iter()
        .zip(&sources)
        .map(|(column, rows)| column.with_codes(column.codes().select(rows)))
        .collect();
    Table::new(table.fields().to_vec(), columns, None)
}

/// An expanded table with its labels by six-means.
fn expanded_and_labelled(spec: &Path, copies: usize) -> Result<(Table, Vec<u32>)> {
    let spec = Spec::read(spec)?;
    let table = expanded(
        &read_table(&spec.data_path, &spec.plan, &Silent)?.table,
        copies,
    );
    let points = Points::new(&table, Encoding::Semantic);
    let labels = KMeans::new(6).restarts(1).cluster(&points, &Silent)?.labels;
    drop(points);
    Ok((table, labels))
}

fn mask(spec: &Path, copies: usize, at_least: u32, csv: &Path) -> Result<Value> {
    let (table, labels) = expanded_and_labelled(spec, copies)?;
    let columns = (0..table.columns().len()).collect();
    let requirement = Requirement::new(&[QuasiIdentifier::new(columns, at_least)?])?;
    let (refined, seconds) = measured(|| {
        refine(
            &table,
            &labels,
            &requirement,
            &RefineParams::default(),
            &Silent,
        )
    });
    let refined = refined?;
    write_table(csv, &table, &[])?;
    Ok(json!({
        "rows": table.n_rows(), "refinements": refined.trace.len(),
        "cpu_seconds": seconds.cpu, "wall_seconds": seconds.wall,
    }))
}

fn evaluate(spec: &Path, csv: &Path) -> Result<Value> {
    let spec = Spec::read(spec)?;
    let (reading, read) = measured(|| read_table(&spec.data_path, &spec.plan, &Silent));
    let table = reading?.table;
    let points = Points::new(&table, spec.cluster.encoding);
    let (clustering, cluster) = measured(|| spec.cluster.clusterer().cluster(&points, &Silent));
    let labels = clustering?.labels;
    drop(points);
    let protect = spec.refinement().context("the spec promises anonymity")?;
    let columns: Vec<usize> = protect.anonymity[0]
        .columns
        .iter()
        .filter_map(|name| table.column_of(name))
        .collect();
    let requirement = Requirement::new(&[QuasiIdentifier::new(
        columns.clone(),
        protect.anonymity[0].at_least,
    )?])?;
    let masked = refine(
        &table,
        &labels,
        &requirement,
        &RefineParams::default(),
        &Silent,
    )?
    .table;
    write_table(csv, &masked, &[])?;
    let pairs = Pairs {
        raw: &table,
        masked: &masked,
        quasi: &columns,
        dropped: 0,
    };
    let (_, lost) = measured(|| loss_and_risk(&pairs, None, USUAL_THRESHOLD));
    drop((table, masked));
    let (evaluation, judged) = measured(|| {
        judge(
            &JudgeOptions {
                raw: &spec.data_path,
                plan: &spec.plan,
                cluster: &spec.cluster,
                recipient: spec.recipient,
                masked: csv,
                rows: None,
                population: None,
                threshold: USUAL_THRESHOLD,
                suppress_unknown: false,
            },
            None,
            &Silent,
        )
    });
    Ok(json!({
        "rows": evaluation?.input.rows,
        "read_cpu_seconds": read.cpu, "read_wall_seconds": read.wall,
        "cluster_cpu_seconds": cluster.cpu, "cluster_wall_seconds": cluster.wall,
        "loss_and_risk_cpu_seconds": lost.cpu, "loss_and_risk_wall_seconds": lost.wall,
        "evaluate_cpu_seconds": judged.cpu, "evaluate_wall_seconds": judged.wall,
        "cpu_seconds": judged.cpu,
    }))
}

fn mask_several(spec: &Path, copies: usize, at_least: u32, n_requirements: usize) -> Result<Value> {
    let (table, labels) = expanded_and_labelled(spec, copies)?;
    let mut words = Words::new(4);
    let n_columns = table.columns().len();
    let requirements = (0..n_requirements)
        .map(|_| {
            let n_qids = 3 + words.below(5);
            let length = 2 + words.below(8);
            let qids = (0..n_qids)
                .map(|_| {
                    let mut columns: Vec<usize> = (0..n_columns).collect();
                    for at in 0..length {
                        columns.swap(at, at + words.below(n_columns - at));
                    }
                    columns.truncate(length);
                    QuasiIdentifier::new(columns, at_least)
                })
                .collect::<pleiad::Result<Vec<_>>>()?;
            Requirement::new(&qids)
        })
        .collect::<pleiad::Result<Vec<_>>>()?;
    let (traces, seconds) = measured(|| {
        requirements
            .iter()
            .map(|requirement| {
                refine(
                    &table,
                    &labels,
                    requirement,
                    &RefineParams::default(),
                    &Silent,
                )
                .map(|refined| refined.trace.len())
            })
            .collect::<pleiad::Result<Vec<usize>>>()
    });
    Ok(json!({
        "rows": table.n_rows(), "refinements": traces?,
        "cpu_seconds": seconds.cpu, "wall_seconds": seconds.wall,
    }))
}

fn mosaic(table: PublicTable, n_rows: usize) -> Result<Value> {
    let table = public_tables::read(table)?;
    let n_different = table.n_rows() as u32;
    let repeated: Vec<u32> = (0..n_different).cycle().take(n_rows).collect();
    let table = table.select(&repeated);
    drop(repeated);
    let epsilon = "1".parse()?;
    let mosaic = Mosaic::new(table.fields(), &epsilon)?;
    let mut purse = Purse::new(&Cost::Pure(epsilon));
    let mut random = PrivateRandom::new()?;
    let (outputs, asking) =
        measured(|| mosaic.measure(&SealedTable::seal(&table), &mut purse, &mut random));
    let (publication, publishing) = measured(|| mosaic.publish(&outputs?));
    let publication = publication?;
    Ok(json!({
        "rows": table.n_rows(),
        "cells": publication.cells.table.n_rows(), "synthetic_rows": publication.rows.n_rows(),
        "measure_cpu_seconds": asking.cpu,
        "cpu_seconds": asking.cpu + publishing.cpu, "wall_seconds": asking.wall + publishing.wall,
    }))
}
