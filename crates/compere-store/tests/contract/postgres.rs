//! A PostgreSQL of our own, from Debian's package, for as long as the tests run.

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command, Stdio};

pub struct Server {
    dir: tempfile::TempDir,
    bin: PathBuf,
    port: u16,
}

impl Server {
    pub fn start() -> Self {
        let bin = newest().expect("PostgreSQL's server programs; ./test installs Debian's package `postgresql`");
        let dir = tempfile::tempdir().expect("a folder");
        let port = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port();
        if is_root() {
            // The server refuses to be root.
            let owned = Command::new("chown").arg("postgres").arg(dir.path()).status().expect("chown runs");
            assert!(owned.success(), "the user `postgres` comes with the package");
        }
        let server = Self { dir, bin, port };
        let data = server.data();
        server.run(
            "initdb",
            &["-D", &data, "-A", "trust", "-U", "postgres", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8"],
        );
        // Losing this database in a power failure would be no loss.
        let options = format!(
            "-p {port} -k {} -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=200",
            server.dir.path().display()
        );
        server.run("pg_ctl", &["-D", &data, "-o", &options, "-l", &format!("{data}/log"), "-w", "start"]);
        server
    }

    /// A new database.
    pub fn database(&self, name: &str) -> String {
        let port = self.port.to_string();
        self.run("createdb", &["-h", "127.0.0.1", "-p", &port, "-U", "postgres", name]);
        format!("postgres://postgres@127.0.0.1:{port}/{name}")
    }

    fn data(&self) -> String {
        self.dir.path().join("data").display().to_string()
    }

    fn run(&self, program: &str, args: &[&str]) {
        let path = self.bin.join(program);
        let mut command = if is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(&path);
            command
        } else {
            Command::new(&path)
        };
        let output =
            command.args(args).current_dir("/").stdin(Stdio::null()).stdout(Stdio::null()).output().expect("it runs");
        assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // A second panic here would hide the first.
            let _ = Command::new("pkill").args(["-f", &self.data()]).status();
            return;
        }
        self.run("pg_ctl", &["-D", &self.data(), "-m", "immediate", "-w", "stop"]);
    }
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.starts_with(b"0"))
}

fn newest() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    let bins = versions.filter_map(|entry| Some(entry.ok()?.path().join("bin")));
    bins.filter(|bin| bin.join("initdb").is_file()).max()
}
