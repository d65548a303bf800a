//! What a child may see and use.

#![allow(clippy::disallowed_methods, reason = "tests watch the clock, write files and start programs")]

mod common;

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use compere_codec::sandbox::{Errand, Left, Limits};
use compere_codec::{MediaErrorKind, Sandbox, SandboxKind, SandboxWish};

fn kinds() -> Vec<Sandbox> {
    let best = common::sandbox();
    assert!(best.is_confined(), "this machine has {}; the tests of the sandbox need more", best.describe());
    let landlock = Sandbox::of_kind(SandboxKind::Landlock, common::helper());
    landlock
        .run(&Errand::new("/usr/bin/true", Limits::SMALL))
        .expect("a kernel with Landlock, which Linux has since 5.13");
    vec![best, landlock]
}

fn shell(script: &str) -> Errand {
    Errand::new("sh", Limits::SMALL).arg("-c").arg(script)
}

#[test]
fn a_child_sees_its_input_and_no_other_file() {
    let dir = tempfile::tempdir().unwrap();
    let (given, secret) = (dir.path().join("given"), dir.path().join("secret"));
    std::fs::write(&given, "given").unwrap();
    std::fs::write(&secret, "secret").unwrap();
    for sandbox in kinds() {
        let output = sandbox.run(&Errand::new("cat", Limits::SMALL).input(&given)).unwrap();
        assert_eq!(output.stdout, b"given");
        for hidden in [secret.as_path(), Path::new("/etc/passwd"), Path::new("/proc/1/environ")] {
            let refused = sandbox.run(&Errand::new("cat", Limits::SMALL).arg(hidden));
            assert!(refused.is_err(), "{} was read under {}", hidden.display(), sandbox.describe());
        }
    }
}

#[test]
fn a_child_cannot_write_to_what_it_is_given() {
    let dir = tempfile::tempdir().unwrap();
    let given = dir.path().join("given");
    std::fs::write(&given, "given").unwrap();
    for sandbox in kinds() {
        let errand = shell("echo changed > \"$0\"").input(&given);
        assert!(sandbox.run(&errand).is_err(), "{}", sandbox.describe());
        assert_eq!(std::fs::read(&given).unwrap(), b"given");
    }
}

#[test]
fn a_child_writes_to_its_scratch_folder_and_nowhere_else() {
    let dir = tempfile::tempdir().unwrap();
    let (scratch, other) = (dir.path().join("scratch"), dir.path().join("other"));
    std::fs::create_dir(&scratch).unwrap();
    std::fs::create_dir(&other).unwrap();
    for sandbox in kinds() {
        let write = |to: &Path, bytes: u64| {
            let script = format!("printf '%{bytes}d' 0 > '{}/made'", to.display());
            sandbox.run(&shell(&script).scratch(&scratch, 1000))
        };
        write(&scratch, 1000).unwrap();
        assert_eq!(std::fs::metadata(scratch.join("made")).unwrap().len(), 1000, "{}", sandbox.describe());
        assert!(write(&scratch, 1001).is_err(), "larger than it may be under {}", sandbox.describe());
        assert!(write(&other, 1).is_err(), "{}", sandbox.describe());
        assert!(!other.join("made").exists());
    }
}

#[test]
fn a_child_can_be_looked_at_while_it_runs() {
    let sandbox = common::sandbox();
    let mut running = sandbox.start(&shell("sleep 0.5; echo done")).unwrap();
    assert!(!running.is_ready(10).unwrap());
    let looks = (0..500).find(|_| running.is_ready(20).unwrap());
    assert!(looks.is_some_and(|looks| looks > 1), "{looks:?}");
    let mut said = [0; 5];
    assert_eq!((running.fill(&mut said).unwrap(), &said), (5, b"done\n"));
    running.finish().unwrap();
}

/// Under Landlock a child has the user of the service, which may be root, whom no rights of files stop.
#[test]
fn a_child_of_root_is_no_more_than_others() {
    let dir = tempfile::tempdir().unwrap();
    let shut = dir.path().join("shut");
    std::fs::write(&shut, "shut").unwrap();
    std::fs::set_permissions(&shut, std::fs::Permissions::from_mode(0o000)).unwrap();
    for sandbox in kinds() {
        let read = sandbox.run(&Errand::new("cat", Limits::SMALL).input(&shut));
        assert!(read.is_err(), "read under {}", sandbox.describe());
    }
}

#[test]
fn a_child_reaches_no_network() {
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    server.set_nonblocking(true).unwrap();
    let port = server.local_addr().unwrap().port();
    for sandbox in kinds() {
        let errand =
            Errand::new("bash", Limits::SMALL).arg("-c").arg(format!("echo hello > /dev/tcp/127.0.0.1/{port}"));
        assert!(sandbox.run(&errand).is_err(), "{}", sandbox.describe());
        assert!(server.accept().is_err(), "something called under {}", sandbox.describe());
    }
}

#[test]
fn every_limit_ends_a_child() {
    const MIB: u64 = 1 << 20;
    for sandbox in kinds() {
        let kind = |errand: &Errand| sandbox.run(errand).unwrap_err().kind;
        let quick = Limits { wall: 1, stall: 20, ..Limits::SMALL };
        assert_eq!(kind(&Errand::new("sleep", quick).arg("60")), MediaErrorKind::TooSlow, "wall");
        let stall = Limits { stall: 1, ..Limits::SMALL };
        assert_eq!(kind(&Errand::new("sleep", stall).arg("60")), MediaErrorKind::TooSlow, "stall");
        let busy = Limits { cpu: 1, ..Limits::SMALL };
        assert_eq!(
            kind(&Errand::new("sh", busy).words("-c").arg("while :; do :; done")),
            MediaErrorKind::TooSlow,
            "cpu"
        );
        let chatty = Limits::SMALL.with_output(MIB);
        assert_eq!(kind(&Errand::new("yes", chatty)), MediaErrorKind::TooLarge, "output");
        let small = Limits { memory: 64 * MIB, ..Limits::SMALL };
        assert!(
            sandbox.run(&Errand::new("perl", small).words("-e").arg("$a = 'x' x 100000000; print length $a")).is_err()
        );
    }
}

#[test]
fn who_gets_no_processor_is_waited_for() {
    let crowd = 4 * std::thread::available_parallelism().unwrap().get();
    // Each works longer than half a stall, and all together for several.
    let limits = Limits { stall: 2, ..Limits::SMALL };
    let errand = Errand::new("perl", limits).arg("-e").arg("while ((times)[0] + (times)[1] < 1.2) {} print 'done'");
    for sandbox in kinds() {
        let mut running: Vec<_> = (0..crowd).map(|_| sandbox.start(&errand).unwrap()).collect();
        for one in &mut running {
            let mut said = [0; 4];
            assert_eq!(one.fill(&mut said).unwrap(), 4, "{}", sandbox.describe());
            assert_eq!(&said, b"done");
        }
    }
}

#[test]
fn who_works_for_nothing_is_ended_however_long_it_may_last() {
    let limits = Limits { stall: 1, ..Limits::SMALL };
    for sandbox in kinds() {
        let errand = Errand::new("sh", limits).words("-c").arg("while :; do :; done");
        let started = Instant::now();
        assert_eq!(sandbox.run(&errand).unwrap_err().kind, MediaErrorKind::TooSlow);
        assert!(started.elapsed() < Duration::from_secs(20), "{}", sandbox.describe());
    }
}

#[test]
fn a_dropped_child_is_gone() {
    let sandbox = common::sandbox();
    let mut running = sandbox.start(&Errand::new("yes", Limits::FOOTAGE).arg("compere-dropped-child")).unwrap();
    assert_eq!(running.read(&mut [0; 16]).unwrap(), 16);
    drop(running);
    let alive = || {
        std::fs::read_dir("/proc").unwrap().filter_map(Result::ok).any(|entry| {
            let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
            line.starts_with(b"yes\0compere-dropped-child")
        })
    };
    // The kernel ends the inner namespace a moment after the outer process.
    let gone = (0..50).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        !alive()
    });
    assert!(gone);
}

#[test]
fn a_missing_helper_is_the_machines_fault() {
    let sandbox = Sandbox::of_kind(SandboxKind::LimitsOnly, "/nonexistent/compere".into());
    let error = sandbox.run(&Errand::helper("__decode-image", Limits::SMALL)).unwrap_err();
    assert_eq!(error.kind, MediaErrorKind::Machine);
    assert!(!error.kind.is_authors());
}

#[test]
fn a_child_cannot_open_the_kernels_other_doors() {
    let datagrams = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    datagrams.set_nonblocking(true).unwrap();
    let port = datagrams.local_addr().unwrap().port();
    for sandbox in kinds() {
        let refused = [
            "unshare --user true".to_owned(),
            "unshare --mount true".to_owned(),
            "nsenter --target 1 --user true".to_owned(),
            "mount -t tmpfs none /tmp".to_owned(),
            format!("exec 3<>/dev/udp/127.0.0.1/{port} && echo hello >&3"),
        ];
        for script in refused {
            let errand = Errand::new("bash", Limits::SMALL).arg("-c").arg(&script);
            assert!(sandbox.run(&errand).is_err(), "`{script}` went through under {}", sandbox.describe());
        }
        assert!(datagrams.recv(&mut [0; 8]).is_err(), "something was sent under {}", sandbox.describe());
        // What every program does stays possible.
        sandbox.run(&shell("cat /dev/null | (sleep 0 & wait)")).unwrap();
    }
}

#[test]
fn a_child_knows_nothing_of_our_environment() {
    for sandbox in kinds() {
        let output = sandbox.run(&shell("export -p")).unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        let names = said.lines().filter_map(|line| line.strip_prefix("export ")?.split('=').next());
        let known = ["PATH", "LC_ALL", "HOME", "TMPDIR", "PWD", "OLDPWD", "SHLVL", "_"];
        let foreign: Vec<&str> = names.filter(|name| !known.contains(name)).collect();
        assert_eq!(foreign, [""; 0], "under {}", sandbox.describe());
    }
}

#[test]
fn nothing_foreign_is_decoded_where_nothing_confines() {
    let refused = Sandbox::of_kind(SandboxKind::Refused, common::helper());
    assert!(!refused.is_confined() && refused.describe().contains("COMPERE_SANDBOX=limits"));
    let errand = Errand::new("true", Limits::SMALL);
    let error = refused.run(&errand).unwrap_err();
    assert_eq!(error.kind, MediaErrorKind::Machine);
    assert!(error.what.contains("nothing confines") && error.what.contains("bubblewrap"), "{}", error.what);
    // What we made ourselves may be looked at all the same.
    refused.run(&errand.of_ours()).unwrap();
}

#[test]
fn limits_alone_have_to_be_asked_for_by_name() {
    let missing = std::path::PathBuf::from("/nowhere/helper");
    // Landlock goes through our own binary, so it cannot work without one.
    let landlock = Sandbox::wished("landlock".parse().unwrap(), missing.clone());
    assert_eq!(landlock.kind(), &SandboxKind::Refused);
    let strongest = Sandbox::wished("auto".parse().unwrap(), missing.clone());
    assert_eq!(strongest.kind(), &SandboxKind::Refused);
    let limits = Sandbox::wished("limits".parse().unwrap(), missing);
    assert_eq!(limits.kind(), &SandboxKind::LimitsOnly);
    assert!("none".parse::<SandboxWish>().unwrap_err().contains("limits"));
}

#[test]
fn a_child_that_nobody_waits_for_is_ended() {
    for sandbox in kinds() {
        let flag = Arc::new(AtomicBool::new(false));
        let sandbox = sandbox.until(Left::when(Arc::clone(&flag)));
        let leaves = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(400));
            flag.store(true, Ordering::Relaxed);
        });
        let started = Instant::now();
        let error = sandbox.run(&shell("sleep 8; echo late")).unwrap_err();
        assert!(started.elapsed() < Duration::from_secs(3), "{:?} under {}", started.elapsed(), sandbox.describe());
        assert_eq!(error.kind, MediaErrorKind::Machine, "{error}");
        leaves.join().unwrap();
        // Nobody left: the same runs to its end.
        assert_eq!(sandbox.until(Left::default()).run(&shell("echo there")).unwrap().stdout, b"there\n");
    }
}
