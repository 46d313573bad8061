//! As much of the `WebDriver` protocol as the test needs: JSON over HTTP to a driver on this machine.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

/// The name under which `WebDriver` speaks of elements.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A browser without a window, and the driver that steers it; both end with this value.
pub(crate) struct Browser {
    driver: Child,
    /// Held, so that the driver can go on talking.
    _output: BufReader<ChildStdout>,
    port: u16,
    session: String,
}

impl Browser {
    /// Starts both, with everything they write in a folder.
    pub(crate) fn start(folder: &Path) -> Self {
        let program =
            std::env::var("PLEIAD_CHROMEDRIVER").unwrap_or_else(|_| "chromedriver".to_owned());
        let mut driver = Command::new(program)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is installed (Debian: chromium-driver)");
        let mut output = BufReader::new(driver.stdout.take().unwrap());
        let port = port_of(&mut output);
        let mut browser = Self {
            driver,
            _output: output,
            port,
            session: String::new(),
        };
        let profile = folder.join("profile");
        fs::create_dir(&profile).unwrap();
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            "--window-size=1280,1000",
        ]
        .map(str::to_owned);
        let profile = format!("--user-data-dir={}", profile.display());
        let arguments: Vec<String> = arguments.into_iter().chain([profile]).collect();
        let answer = browser.post(
            "/session",
            &json!({"capabilities": {"alwaysMatch": {
                "browserName": "chrome",
                "goog:chromeOptions": {"args": arguments},
                "goog:loggingPrefs": {"browser": "ALL"},
            }}}),
        );
        answer["sessionId"]
            .as_str()
            .unwrap()
            .clone_into(&mut browser.session);
        // A chart library of some megabytes takes its time on a busy machine.
        browser.command("timeouts", &json!({"script": 120_000, "pageLoad": 120_000}));
        browser.command(
            "goog/cdp/execute",
            &json!({"cmd": "Network.emulateNetworkConditions", "params": {
                "offline": true, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0,
            }}),
        );
        browser
    }

    /// Opens a file and waits until every chart is drawn.
    pub(crate) fn open(&self, file: &Path) {
        self.command("url", &json!({"url": format!("file://{}", file.display())}));
        let wait = "
            const done = arguments[0];
            const look = () => document.documentElement.dataset.drawn ? done(true) : setTimeout(look, 50);
            look();";
        self.command("execute/async", &json!({"script": wait, "args": []}));
    }

    /// Runs a script in the page.
    pub(crate) fn run(&self, script: &str, arguments: &Value) -> Value {
        self.command(
            "execute/sync",
            &json!({"script": script, "args": arguments}),
        )
    }

    /// Clicks an element as a person does.
    pub(crate) fn click(&self, selector: &str) {
        let element = self.command(
            "element",
            &json!({"using": "css selector", "value": selector}),
        );
        let element = element[ELEMENT].as_str().unwrap();
        self.command(&format!("element/{element}/click"), &json!({}));
    }

    /// Points at the topmost mark of a chart; says which cluster it is of.
    pub(crate) fn point_at_a_mark(&self, chart: &str) -> usize {
        let find = "
            const place = document.querySelector(`[data-chart=${arguments[0]}]`);
            place.scrollIntoView({block: 'center', behavior: 'instant'});
            const traces = [...place.querySelectorAll('.scatterlayer .trace')];
            const cluster = traces.findLastIndex((trace) => trace.querySelector('path.point'));
            const box = [...traces[cluster].querySelectorAll('path.point')].at(-1).getBoundingClientRect();
            return [cluster, Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];";
        let found = self.run(find, &json!([chart]));
        self.act(&json!([
            {"type": "pointerMove", "duration": 0, "x": 5, "y": 5},
            {"type": "pointerMove", "duration": 50, "x": found[1], "y": found[2]},
            {"type": "pause", "duration": 200},
        ]));
        found[0].as_u64().unwrap() as usize
    }

    /// Clicks the topmost mark of a chart; says which cluster it is of.
    pub(crate) fn click_a_mark(&self, chart: &str) -> usize {
        let cluster = self.point_at_a_mark(chart);
        self.act(&json!([{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}, {"type": "pause", "duration": 300}]));
        cluster
    }

    fn act(&self, actions: &Value) {
        self.command(
            "actions",
            &json!({"actions": [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}]}),
        );
    }

    /// Presses the escape key.
    pub(crate) fn press_escape(&self) {
        let keys = json!([{"type": "keyDown", "value": "\u{e00c}"}, {"type": "keyUp", "value": "\u{e00c}"}]);
        self.command(
            "actions",
            &json!({"actions": [{"type": "key", "id": "keys", "actions": keys}]}),
        );
    }

    /// Makes the page as large as this.
    pub(crate) fn resize(&self, width: u32, height: u32) {
        self.command(
            "goog/cdp/execute",
            &json!({"cmd": "Emulation.setDeviceMetricsOverride", "params": {
                "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false,
            }}),
        );
        let wait = "const done = arguments[0]; setTimeout(() => done(true), 600);";
        self.command("execute/async", &json!({"script": wait, "args": []}));
    }

    /// Prints the page on A4 and counts the sheets.
    pub(crate) fn print(&self) -> usize {
        let page = json!({"width": 21.0, "height": 29.7});
        let printed = self.command("print", &json!({"page": page, "shrinkToFit": false}));
        // A page is an object of this type; the text of the file is ASCII in Base64.
        let bytes = from_base64(printed.as_str().unwrap());
        let text = String::from_utf8_lossy(&bytes);
        text.matches("/Type /Page\n").count() + text.matches("/Type /Page ").count()
    }

    /// What the browser complained about.
    pub(crate) fn log(&self) -> Vec<Value> {
        let entries = self.command("se/log", &json!({"type": "browser"}));
        entries.as_array().unwrap().clone()
    }

    fn command(&self, name: &str, body: &Value) -> Value {
        self.post(&format!("/session/{}/{name}", self.session), body)
    }

    fn send(&self, method: &str, path: &str, body: &str) -> io::Result<TcpStream> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n{body}",
            self.port,
            body.len()
        )?;
        Ok(stream)
    }

    fn quit(&self) -> io::Result<()> {
        let mut stream = self.send("DELETE", &format!("/session/{}", self.session), "")?;
        stream.set_read_timeout(Some(Duration::from_secs(10)))?;
        stream.read_to_end(&mut Vec::new())?;
        Ok(())
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let stream = self.send("POST", path, &body.to_string()).unwrap();
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            let line = line.trim();
            if line.is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().unwrap();
            }
        }
        let mut bytes = vec![0; length];
        reader.read_exact(&mut bytes).unwrap();
        let mut answer: Value = serde_json::from_slice(&bytes).unwrap();
        let value = answer["value"].take();
        assert!(
            value.get("error").is_none_or(Value::is_null),
            "{path}: {value}"
        );
        value
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The browser first, or it would stay without its driver. Either may have ended by itself.
        let _ = self.quit();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// The port that the driver chose, which it says on one of its first lines.
fn port_of(output: &mut impl BufRead) -> u16 {
    let line = output
        .lines()
        .map(Result::unwrap)
        .find(|line| line.contains("started successfully on port"))
        .expect("the driver says where it listens");
    let number = line.trim_end_matches('.').rsplit(' ').next().unwrap();
    number.parse().unwrap()
}

/// The bytes of a text in Base64.
fn from_base64(text: &str) -> Vec<u8> {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD
        .decode(text)
        .unwrap()
}
