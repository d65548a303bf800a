/// A piece of what a presenter says, in the order it is said. Authors' words become these once, and voices speak them.
#[derive(Clone, Debug, PartialEq)]
pub enum ScriptPart {
    /// Plain text: no tags, no entities.
    Text(String),
    /// Written one way, said another.
    Say { written: String, said: String },
    /// Seconds of silence.
    Pause(f64),
}
