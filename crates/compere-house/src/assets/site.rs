//! Paths like `/images/background/office.png`: files that ship with the product, under the assets folder.
//!
//! They look like paths of a web site because that is what scene authors copy from the editor. They may name any
//! visible file below the root and nothing else: no `..`, no hidden files, no way out through a symbolic link.

use std::path::{Path, PathBuf};

/// What is wrong with a site-relative path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SiteError {
    #[error("`{0}` is not a path inside the assets folder")]
    Outside(String),
    #[error("there is no file `{0}` in the assets folder")]
    Missing(String),
}

/// True for what [`file`] understands: one leading slash. (Two mean a link without scheme.)
pub fn is_site_path(source: &str) -> bool {
    source.starts_with('/') && !source.starts_with("//")
}

/// Finds the file that `source` means below `root`. A query (`?v=3`) is ignored, percent signs are decoded.
pub fn file(root: &Path, source: &str) -> Result<PathBuf, SiteError> {
    let outside = || SiteError::Outside(source.to_owned());
    let missing = || SiteError::Missing(source.to_owned());

    let path = source.split(['?', '#']).next().unwrap_or_default();
    let path = decoded(path).ok_or_else(outside)?;
    let relative: PathBuf = path.split('/').filter(|part| !part.is_empty()).collect();
    let visible = |part: &str| !part.starts_with('.') && !part.contains(['\\', '\0']);
    if !path.split('/').all(|part| part.is_empty() || visible(part)) || relative.is_absolute() {
        return Err(outside());
    }
    let root = root.canonicalize().map_err(|_| missing())?;
    let found = root.join(relative).canonicalize().map_err(|_| missing())?;
    if !found.starts_with(&root) {
        return Err(outside());
    }
    if found.is_file() { Ok(found) } else { Err(missing()) }
}

/// Files of the site as paths to link to; not more than anybody would read through.
pub fn pictures(root: &Path) -> Vec<String> {
    const MOST: usize = 500;
    let mut found = Vec::new();
    let mut folders = vec![root.join("images"), root.join("media")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() && folders.len() < MOST {
                folders.push(path);
            } else if let Ok(path) = path.strip_prefix(root)
                && found.len() < MOST
            {
                found.push(format!("/{}", path.display()));
            }
        }
    }
    found.sort();
    found
}

fn decoded(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        if first != b'%' {
            bytes.push(first);
            continue;
        }
        let digits = str::from_utf8(tail.get(..2)?).ok()?;
        // `from_str_radix` would take a sign.
        if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &tail[2..];
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn paths_stay_inside_the_root() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("assets");
        fs::create_dir_all(root.join("images/of day")).unwrap();
        fs::write(root.join("images/of day/ä.png"), "x").unwrap();
        fs::write(root.join(".secret"), "x").unwrap();
        fs::write(dir.path().join("outside.txt"), "x").unwrap();
        std::os::unix::fs::symlink(dir.path().join("outside.txt"), root.join("way-out.txt")).unwrap();

        let found = root.canonicalize().unwrap().join("images/of day/ä.png");
        for source in ["/images/of day/ä.png", "/images/of%20day/%C3%A4.png?v=3", "/images//of day/ä.png#x"] {
            assert_eq!(file(&root, source).as_ref(), Ok(&found), "{source}");
        }
        for source in [
            "/../outside.txt",
            "/images/../../outside.txt",
            "/%2e%2e/outside.txt",
            "/images/..%2f..%2foutside.txt",
            "/..\\outside.txt",
            "/.secret",
            "/way-out.txt",
            "/images/%",
            "/images/%+1",
            "/images/%00",
            "/%ff",
        ] {
            assert_eq!(file(&root, source), Err(SiteError::Outside(source.into())), "{source}");
        }
        for source in ["/images/none.png", "/images", "/", "//etc/passwd", "/etc/passwd"] {
            assert_eq!(file(&root, source), Err(SiteError::Missing(source.into())), "{source}");
        }
    }
}
