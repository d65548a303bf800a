//! A service of its own to measure, in a folder of its own.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

pub(super) struct Service {
    child: Child,
    address: SocketAddr,
    /// Its output is heard to the end.
    _out: BufReader<ChildStdout>,
}

impl Service {
    /// Starts `exe`, this program, with `settings` and whatever lies in `data`.
    pub(super) fn start(exe: &Path, assets: &Path, data: &Path, settings: &str) -> Result<Self, String> {
        std::fs::write(data.join("compere.toml"), settings).map_err(|error| error.to_string())?;
        let log = std::fs::File::create(data.join("log")).map_err(|error| error.to_string())?;
        let mut child = Command::new(exe)
            .arg("serve")
            .env("COMPERE_ASSETS", assets)
            .env("COMPERE_DATA", data)
            .env("COMPERE_LISTEN", "127.0.0.1:0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .map_err(|error| error.to_string())?;
        let mut out = BufReader::new(child.stdout.take().ok_or("a service without output")?);
        let mut line = String::new();
        out.read_line(&mut line).map_err(|error| error.to_string())?;
        let Some(address) = line.trim().rsplit("//").next().and_then(|address| address.parse().ok()) else {
            let _ = child.kill();
            let log = std::fs::read_to_string(data.join("log")).unwrap_or_default();
            return Err(format!("the service did not start: {log}"));
        };
        Ok(Self { child, address, _out: out })
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Asks it to end, as an operator would.
    pub(super) fn close(&mut self) -> Result<(), String> {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).map_err(|error| error.to_string())?;
        let status = self.child.wait().map_err(|error| error.to_string())?;
        if status.success() { Ok(()) } else { Err(format!("the service ended with {status}")) }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
