//! Operators of a graph.

use super::wire::{Damaged, fields, put_bytes, put_number, put_varint, varint};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    pub inputs: Vec<String>,
    pub outputs: Vec<String>,
    pub name: String,
    pub op: String,
    pub domain: String,
    attributes: Vec<Vec<u8>>,
}

/// `AttributeProto.type`.
const TYPE_FLOAT: u64 = 1;
const TYPE_INT: u64 = 2;
const TYPE_STRING: u64 = 3;
const TYPE_INTS: u64 = 7;

impl Node {
    pub fn new(op: &str, inputs: &[&str], output: &str) -> Self {
        Self {
            inputs: inputs.iter().map(|&name| name.to_owned()).collect(),
            outputs: vec![output.to_owned()],
            name: format!("{output}_node"),
            op: op.to_owned(),
            ..Self::default()
        }
    }

    pub fn with_ints(mut self, name: &str, values: &[u64]) -> Self {
        self.set_ints(name, values);
        self
    }

    pub fn with_text(mut self, name: &str, value: &str) -> Self {
        let mut attribute = Vec::new();
        put_bytes(&mut attribute, 1, name.as_bytes());
        put_bytes(&mut attribute, 4, value.as_bytes());
        put_number(&mut attribute, 20, TYPE_STRING);
        self.attributes.push(attribute);
        self
    }

    pub fn with_int(mut self, name: &str, value: u64) -> Self {
        let mut attribute = Vec::new();
        put_bytes(&mut attribute, 1, name.as_bytes());
        put_number(&mut attribute, 3, value);
        put_number(&mut attribute, 20, TYPE_INT);
        self.attributes.push(attribute);
        self
    }

    pub fn with_float(mut self, name: &str, value: f32) -> Self {
        let mut attribute = Vec::new();
        put_bytes(&mut attribute, 1, name.as_bytes());
        put_varint(&mut attribute, 2 << 3 | 5);
        attribute.extend_from_slice(&value.to_le_bytes());
        put_number(&mut attribute, 20, TYPE_FLOAT);
        self.attributes.push(attribute);
        self
    }

    pub fn set_ints(&mut self, name: &str, values: &[u64]) {
        let mut attribute = Vec::new();
        put_bytes(&mut attribute, 1, name.as_bytes());
        for value in values {
            put_number(&mut attribute, 8, *value);
        }
        put_number(&mut attribute, 20, TYPE_INTS);
        self.attributes.retain(|attribute| !is_named(attribute, name));
        self.attributes.push(attribute);
    }

    /// The values of a list attribute; none if it is absent.
    pub fn ints(&self, name: &str) -> Result<Vec<u64>, Damaged> {
        let mut values = Vec::new();
        for attribute in self.attributes.iter().filter(|attribute| is_named(attribute, name)) {
            for field in fields(attribute) {
                let field = field?;
                if field.number != 8 {
                    continue;
                }
                let mut packed = field.payload;
                if packed.is_empty() {
                    values.push(field.value);
                }
                while !packed.is_empty() {
                    values.push(varint(&mut packed)?);
                }
            }
        }
        Ok(values)
    }

    pub fn int(&self, name: &str) -> Result<Option<u64>, Damaged> {
        for attribute in self.attributes.iter().filter(|attribute| is_named(attribute, name)) {
            for field in fields(attribute) {
                let field = field?;
                if field.number == 3 {
                    return Ok(Some(field.value));
                }
            }
        }
        Ok(None)
    }

    pub fn parse(bytes: &[u8]) -> Result<Self, Damaged> {
        let mut node = Self::default();
        for field in fields(bytes) {
            let field = field?;
            match field.number {
                1 => node.inputs.push(text(field.payload)?),
                2 => node.outputs.push(text(field.payload)?),
                3 => node.name = text(field.payload)?,
                4 => node.op = text(field.payload)?,
                5 => node.attributes.push(field.payload.to_vec()),
                7 => node.domain = text(field.payload)?,
                _ => {}
            }
        }
        Ok(node)
    }

    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for input in &self.inputs {
            put_bytes(&mut out, 1, input.as_bytes());
        }
        for output in &self.outputs {
            put_bytes(&mut out, 2, output.as_bytes());
        }
        put_bytes(&mut out, 3, self.name.as_bytes());
        put_bytes(&mut out, 4, self.op.as_bytes());
        for attribute in &self.attributes {
            put_bytes(&mut out, 5, attribute);
        }
        if !self.domain.is_empty() {
            put_bytes(&mut out, 7, self.domain.as_bytes());
        }
        out
    }
}

fn is_named(attribute: &[u8], name: &str) -> bool {
    fields(attribute).flatten().any(|field| field.number == 1 && field.payload == name.as_bytes())
}

fn text(bytes: &[u8]) -> Result<String, Damaged> {
    String::from_utf8(bytes.to_vec()).map_err(|_| Damaged("a name is not UTF-8"))
}

/// The name in a `ValueInfoProto`.
pub fn name_of(bytes: &[u8]) -> Result<String, Damaged> {
    for field in fields(bytes) {
        let field = field?;
        if field.number == 1 {
            return text(field.payload);
        }
    }
    Err(Damaged("an output has no name"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_survives_being_written() {
        let node = Node::new("Pad", &["x", "", "zero"], "y").with_text("mode", "constant").with_ints("pads", &[3, 300]);
        let read = Node::parse(&node.encode()).unwrap();
        assert_eq!(read, node);
        assert_eq!(read.ints("pads").unwrap(), [3, 300]);
        assert!(read.ints("strides").unwrap().is_empty());
    }

    #[test]
    fn setting_replaces() {
        let mut node = Node::new("Conv", &[], "y").with_ints("pads", &[1, 1]);
        node.set_ints("pads", &[0, 0]);
        assert_eq!(node.ints("pads").unwrap(), [0, 0]);
    }
}
