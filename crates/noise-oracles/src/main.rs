//! Compares Pleiad's noise with two other implementations: is it the same distribution, and how fast is it?

mod agreement;
mod samplers;
mod speed;

use std::error::Error;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    match std::env::args().nth(1).as_deref() {
        None => {
            agreement::run()?;
            speed::run()
        }
        Some("agree") => agreement::run(),
        Some("speed") => speed::run(),
        Some(other) => Err(format!("unknown command `{other}`: it is `agree` or `speed`").into()),
    }
}
