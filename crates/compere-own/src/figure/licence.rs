//! What a VRM says about who may use it.

use serde_json::Value;

/// What a model's file says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Licence {
    /// One line for people: name, authors, licence, and what it says of use.
    pub(crate) told: String,
    /// What forbids to show it here, as it stands in the file.
    pub(crate) forbidden: Vec<String>,
}

/// A plain GLB says nothing, and forbids nothing.
pub(crate) fn licence(json: &Value) -> Licence {
    let (old, new) = (&json["extensions"]["VRM"]["meta"], &json["extensions"]["VRMC_vrm"]["meta"]);
    if new.is_object() { of_vrm_1(new) } else { of_vrm_0(old) }
}

fn of_vrm_0(meta: &Value) -> Licence {
    let is = |key: &str, values: &[&str]| meta[key].as_str().is_some_and(|said| values.contains(&said));
    let rules: [(&str, &[&str]); 3] = [
        ("allowedUserName", &["OnlyAuthor", "ExplicitlyLicensedPerson"]),
        // So it is spelled in the standard.
        ("commercialUssageName", &["Disallow"]),
        // Handing on the model itself is not what films do.
        ("licenseName", &["CC_BY_NC", "CC_BY_NC_SA", "CC_BY_NC_ND", "CC_BY_ND"]),
    ];
    let forbids = |(key, values): &(&str, &[&str])| is(key, values).then(|| format!("{key} is {}", text(&meta[*key])));
    Licence {
        told: told(
            &[&meta["title"], &meta["author"], &meta["licenseName"]],
            meta,
            &["allowedUserName", "commercialUssageName"],
        ),
        forbidden: rules.iter().filter_map(forbids).collect(),
    }
}

fn of_vrm_1(meta: &Value) -> Licence {
    let person = meta["avatarPermission"].as_str().unwrap_or("onlyAuthor");
    let trade = meta["commercialUsage"].as_str().unwrap_or("personalNonProfit");
    let mut forbidden = Vec::new();
    if person != "everyone" {
        forbidden.push(format!("avatarPermission is {person}"));
    }
    if trade != "corporation" {
        forbidden.push(format!("commercialUsage is {trade}"));
    }
    let authors = meta["authors"].as_array().map_or(&[][..], Vec::as_slice);
    let parts: Vec<&Value> = [&meta["name"]].into_iter().chain(authors).chain([&meta["licenseUrl"]]).collect();
    Licence { told: told(&parts, meta, &["avatarPermission", "commercialUsage"]), forbidden }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().chars().filter(|c| !c.is_control()).take(120).collect()
}

fn told(parts: &[&Value], meta: &Value, terms: &[&str]) -> String {
    let said = parts.iter().map(|part| text(part)).filter(|part| !part.is_empty());
    let terms = terms.iter().filter(|key| meta[**key].is_string()).map(|key| format!("{key} {}", text(&meta[*key])));
    said.chain(terms).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_forbids_is_named_as_it_stands_in_the_file() {
        let old = json!({"extensions": {"VRM": {"meta": {"title": "Mia", "author": "Ann", "allowedUserName": "OnlyAuthor",
                         "commercialUssageName": "Disallow", "licenseName": "CC_BY_NC"}}}});
        let found = licence(&old);
        assert_eq!(found.told, "Mia, Ann, CC_BY_NC, allowedUserName OnlyAuthor, commercialUssageName Disallow");
        assert_eq!(
            found.forbidden,
            ["allowedUserName is OnlyAuthor", "commercialUssageName is Disallow", "licenseName is CC_BY_NC"]
        );
        let new = json!({"extensions": {"VRMC_vrm": {"meta": {"name": "Mia", "authors": ["Ann"]}}}});
        let silent = ["avatarPermission is onlyAuthor", "commercialUsage is personalNonProfit"];
        assert_eq!(licence(&new).forbidden, silent, "the standard's defaults forbid");
    }

    #[test]
    fn what_allows_forbids_nothing() {
        let old = json!({"extensions": {"VRM": {"meta": {"allowedUserName": "Everyone", "commercialUssageName": "Allow",
                         "licenseName": "CC0"}}}});
        let new = json!({"extensions": {"VRMC_vrm": {"meta": {"avatarPermission": "everyone", "commercialUsage": "corporation"}}}});
        for json in [old, new, json!({})] {
            assert_eq!(licence(&json).forbidden, Vec::<String>::new(), "{json}");
        }
    }
}
