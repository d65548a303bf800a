//! Heads of requests, watched as they come: each line ends with CR and LF.
//!
//! The parser below takes a bare LF for the end of a line too. Programs in front of the service may not, and whoever
//! makes two programs see two different requests in the same bytes smuggles one past the first. So a connection that
//! sends such a head is closed before anybody reads it. The watcher follows requests from head to body to the next head,
//! by their own account of how long they are; it keeps the line it is in and nothing else.

/// Longest part of a line that is kept: lengths and encodings are short.
const KEPT: usize = 200;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    /// In a head, and whether a line of it has come.
    Head {
        begun: bool,
    },
    /// In a body, of which so much is left.
    Body(u64),
    /// In the line before a chunk.
    Size,
    /// In a chunk and the line end after it.
    Chunk(u64),
    Trailer,
}

/// Where a connection is in what it sends.
#[derive(Debug)]
pub(super) struct Heads {
    place: Place,
    line: Vec<u8>,
    length: u64,
    chunked: bool,
}

impl Default for Heads {
    fn default() -> Self {
        Self { place: Place::Head { begun: false }, line: Vec::new(), length: 0, chunked: false }
    }
}

impl Heads {
    /// Whether everything that came is as it should be, this included.
    pub(super) fn pass(&mut self, mut bytes: &[u8]) -> bool {
        while !bytes.is_empty() {
            if let Place::Body(left) | Place::Chunk(left) = self.place {
                let taken = left.min(bytes.len() as u64);
                bytes = &bytes[taken as usize..];
                self.place = match (self.place, left - taken) {
                    (Place::Body(_), 0) => Place::Head { begun: false },
                    (Place::Body(_), left) => Place::Body(left),
                    (_, 0) => Place::Size,
                    (_, left) => Place::Chunk(left),
                };
                continue;
            }
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let piece = &bytes[..end.unwrap_or(bytes.len())];
            self.keep(piece);
            bytes = &bytes[end.map_or(bytes.len(), |end| end + 1)..];
            if end.is_some() {
                if self.line.pop() != Some(b'\r') {
                    return false;
                }
                self.line_ended();
                self.line.clear();
            }
        }
        true
    }

    /// Keeps the beginning of the line and its last byte.
    fn keep(&mut self, piece: &[u8]) {
        let room = KEPT.saturating_sub(self.line.len());
        self.line.extend_from_slice(&piece[..room.min(piece.len())]);
        if let Some(last) = piece.last().filter(|_| piece.len() > room) {
            self.line.truncate(KEPT - 1);
            self.line.push(*last);
        }
    }

    fn line_ended(&mut self) {
        let line = String::from_utf8_lossy(&self.line).to_ascii_lowercase();
        self.place = match self.place {
            // Empty lines before a request are passed over.
            Place::Head { begun: false } if line.is_empty() => self.place,
            Place::Head { .. } if line.is_empty() => self.body(),
            Place::Head { .. } => {
                if let Some(length) = line.strip_prefix("content-length:") {
                    self.length = length.trim().parse().unwrap_or(0);
                }
                self.chunked |= line.strip_prefix("transfer-encoding:").is_some_and(|how| how.contains("chunked"));
                Place::Head { begun: true }
            }
            Place::Size => {
                let size = line.split(';').next().unwrap_or_default().trim();
                match u64::from_str_radix(size, 16) {
                    Ok(0) => Place::Trailer,
                    Ok(size) => Place::Chunk(size.saturating_add(2)),
                    // The parser will say what is wrong with it.
                    Err(_) => Place::Body(u64::MAX),
                }
            }
            Place::Trailer if line.is_empty() => Place::Head { begun: false },
            other => other,
        };
    }

    fn body(&mut self) -> Place {
        let (length, chunked) = (std::mem::take(&mut self.length), std::mem::take(&mut self.chunked));
        match (chunked, length) {
            (true, _) => Place::Size,
            (false, 0) => Place::Head { begun: false },
            (false, length) => Place::Body(length),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same whole and byte by byte.
    fn passes(text: &str) -> bool {
        let whole = Heads::default().pass(text.as_bytes());
        let mut heads = Heads::default();
        let slowly = text.as_bytes().chunks(1).all(|byte| heads.pass(byte));
        assert_eq!(whole, slowly, "{text:?}");
        whole
    }

    #[test]
    fn lines_of_heads_end_with_both() {
        assert!(passes("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
        assert!(passes("\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n"));
        assert!(!passes("GET / HTTP/1.1\nHost: x\r\n\r\n"));
        assert!(!passes("GET / HTTP/1.1\r\nHost: x\n\r\n"));
        assert!(!passes("GET / HTTP/1.1\r\nHost: x\r\n\n"));
        assert!(!passes(&format!("GET / HTTP/1.1\r\nX-Long: {}\nHost: x\r\n\r\n", "a".repeat(1000))));
        assert!(passes(&format!("GET / HTTP/1.1\r\nX-Long: {}\r\nHost: x\r\n\r\n", "a".repeat(1000))));
    }

    #[test]
    fn bodies_may_hold_what_they_like_and_the_next_head_may_not() {
        let post = "POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\na\nb\n";
        assert!(passes(post));
        assert!(passes(&format!("{post}GET / HTTP/1.1\r\n\r\n")));
        assert!(!passes(&format!("{post}GET / HTTP/1.1\nHost: x\r\n\r\n")));
        let chunks =
            "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, Chunked\r\n\r\n3;x=1\r\na\nb\r\n1\r\n\n\r\n0\r\nA: b\r\n\r\n";
        assert!(passes(chunks));
        assert!(passes(&format!("{chunks}{post}")));
        assert!(!passes(&format!("{chunks}GET / HTTP/1.1\n\r\n")));
        assert!(!passes("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\nabc\r\n0\r\n\r\n"));
    }
}
