//! Where things are on this machine.

use std::path::{Path, PathBuf};

use compere_codec::{Sandbox, SandboxWish};

/// The two folders the product lives in. Everything in the first was put there by the set-up and can be fetched again;
/// everything in the second is the user's.
#[derive(Clone, Debug)]
pub struct Home {
    pub assets: PathBuf,
    pub data: PathBuf,
}

impl Home {
    /// Folders named by the caller or by `COMPERE_ASSETS` and `COMPERE_DATA`, else those beside the checkout or the
    /// binary.
    pub fn find(assets: Option<PathBuf>, data: Option<PathBuf>) -> Self {
        let base = base();
        Self { assets: assets.unwrap_or_else(|| base.join("assets")), data: data.unwrap_or_else(|| base.join("data")) }
    }

    pub fn cache(&self) -> PathBuf {
        self.data.join("cache")
    }
}

impl Home {
    /// A sentence for strangers: where things lie on this machine is left out of it.
    pub fn discreet(&self, sentence: &str) -> String {
        let temporary = std::env::temp_dir();
        let mut told = sentence.to_owned();
        for folder in [&self.data, &self.assets, &temporary] {
            for name in [Some(folder.clone()), folder.canonicalize().ok()].into_iter().flatten() {
                let name = name.display().to_string();
                // `.` and `data` are in every sentence and tell nothing.
                if name.starts_with('/') && name.len() > 1 {
                    told = told.replace(&name, "…");
                }
            }
        }
        told
    }
}

/// Folders that hold fonts on Debian, the user's own last.
pub fn font_dirs() -> Vec<PathBuf> {
    let mut dirs: Vec<PathBuf> = ["/usr/share/fonts", "/usr/local/share/fonts"].map(PathBuf::from).into();
    dirs.extend(std::env::var_os("COMPERE_FONTS").map(PathBuf::from));
    dirs.retain(|dir| dir.is_dir());
    dirs
}

/// Where this process decodes what strangers sent: the strongest way that works here, or the one that `COMPERE_SANDBOX`
/// names.
pub fn sandbox() -> Result<Sandbox, String> {
    let wish = match std::env::var("COMPERE_SANDBOX") {
        Ok(name) => name.parse().map_err(|error| format!("COMPERE_SANDBOX: {error}"))?,
        Err(_) => SandboxWish::default(),
    };
    let exe = std::env::current_exe().map_err(|error| format!("cannot find this program's own file: {error}"))?;
    Ok(Sandbox::wished(wish, exe))
}

/// The folder that a checkout or an installation is rooted in: the nearest one above the binary that has `assets`,
/// or else the current one.
fn base() -> PathBuf {
    let exe = std::env::current_exe().unwrap_or_default();
    let rooted = exe.ancestors().skip(1).find(|dir| dir.join("assets").is_dir() && dir.join("Cargo.toml").is_file());
    rooted.map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_are_not_told_where_things_lie() {
        let home = Home { assets: "/srv/compere/assets".into(), data: "data".into() };
        let told = |sentence: &str| home.discreet(sentence);
        assert_eq!(told("/srv/compere/assets/voices/a.bin: no such data"), "…/voices/a.bin: no such data");
        assert_eq!(told("data cannot be read"), "data cannot be read");
    }
}
