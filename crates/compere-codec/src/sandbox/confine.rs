//! Our binary, making itself small before it becomes another program: shutting doors of the kernel, and hiding files
//! where namespaces are forbidden.

use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus,
    Scope, path_beneath_rules,
};

use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, capability_is_in_bounding_set, remove_capability_from_bounding_set,
    set_capabilities,
};

use super::filter;

/// The status that says so.
pub(super) const NOT_CONFINED: u8 = 125;

/// What every program needs to start.
const ALWAYS: [&str; 9] = [
    "/usr",
    "/bin",
    "/lib",
    "/lib64",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/dev/null",
    "/dev/urandom",
    "/sys/devices/system/cpu",
];

/// `READ... -- WRITE... -- PROGRAM ARGS...`: may read and write these paths, then becomes the program. Returns only on
/// failure.
pub(crate) fn confine_main(args: impl Iterator<Item = OsString>) -> ExitCode {
    let mut args = args;
    let readable: Vec<OsString> = args.by_ref().take_while(|arg| arg != "--").collect();
    let writable: Vec<OsString> = args.by_ref().take_while(|arg| arg != "--").collect();
    let Some(program) = args.next() else { return ExitCode::from(126) };
    if !matches!(confine(&readable, &writable), Ok(RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced)) {
        return ExitCode::from(NOT_CONFINED);
    }
    become_program(&program, args)
}

/// `PROGRAM ARGS...`: shuts doors of the kernel and becomes the program, for those who are confined already.
pub(crate) fn filter_main(args: impl Iterator<Item = OsString>) -> ExitCode {
    let mut args = args;
    let Some(program) = args.next() else { return ExitCode::from(126) };
    become_program(&program, args)
}

/// Returns only on failure; the parent tells it from the status.
fn become_program(program: &OsStr, args: impl Iterator<Item = OsString>) -> ExitCode {
    if disarm().is_err() || filter::shut().is_err() {
        return ExitCode::from(NOT_CONFINED);
    }
    #[expect(clippy::disallowed_methods, reason = "this is the inside of the sandbox")]
    let _error = Command::new(program).args(args).exec();
    ExitCode::from(127)
}

/// Lets go of what root may do besides other users. A program that root starts gets back whatever is in the bounding set, so
/// that is emptied first.
fn disarm() -> rustix::io::Result<()> {
    if capabilities(None)?.permitted.is_empty() {
        return Ok(());
    }
    for capability in (0..u64::BITS).map(|number| CapabilitySet::from_bits_retain(1 << number)) {
        match capability_is_in_bounding_set(capability) {
            Ok(true) => remove_capability_from_bounding_set(capability)?,
            // Younger than the kernel.
            Ok(false) | Err(rustix::io::Errno::INVAL) => {}
            Err(error) => return Err(error),
        }
    }
    let none = CapabilitySet::empty();
    set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })
}

/// LibreOffice puts the socket by which it would know itself again into `/tmp` and nowhere else, and ends when it cannot.
/// Programs with a folder to write to may make and remove entries there; they can read or change no file.
fn sockets(writable: &[OsString]) -> (BitFlags<AccessFs>, &'static [&'static str]) {
    let access = AccessFs::MakeSock | AccessFs::RemoveFile | AccessFs::ReadDir;
    (access, if writable.is_empty() { &[] } else { &["/tmp"] })
}

fn confine(readable: &[OsString], writable: &[OsString]) -> Result<RulesetStatus, RulesetError> {
    let abi = ABI::V6;
    let (socket_access, socket_folders) = sockets(writable);
    let status = Ruleset::default()
        .handle_access(AccessFs::from_all(abi))?
        .handle_access(AccessNet::from_all(abi))?
        .scope(Scope::AbstractUnixSocket)?
        .scope(Scope::Signal)?
        .create()?
        .add_rules(path_beneath_rules(ALWAYS, AccessFs::from_read(abi)))?
        // Shell scripts silence what they call.
        .add_rules(path_beneath_rules(["/dev/null"], AccessFs::WriteFile))?
        .add_rules(path_beneath_rules(readable, AccessFs::from_read(abi)))?
        .add_rules(path_beneath_rules(writable, AccessFs::from_all(abi)))?
        .add_rules(path_beneath_rules(socket_folders, socket_access))?
        .restrict_self()?;
    Ok(status.ruleset)
}
