//! JSON schemas: of `pleiad.toml`, for editors, and of the files of a release.

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, RestrictFormats};
use schemars::{JsonSchema, Schema};
use serde_json::Value;

use super::raw;

/// The JSON schema of `pleiad.toml`.
pub fn json_schema() -> String {
    schema_text::<raw::Spec>()
}

/// The JSON schema of a file that this library reads or writes.
pub(crate) fn schema_text<T: JsonSchema>() -> String {
    let settings = SchemaSettings::draft07()
        .with(|settings| settings.inline_subschemas = true)
        .with_transform(RestrictFormats::default())
        .with_transform(RecursiveTransform(tidy));
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut value = schema.to_value();
    // The order of keys would otherwise depend on a feature that any crate of the build may switch on.
    value.sort_all_objects();
    let mut text = serde_json::to_string_pretty(&value).expect("a schema is JSON");
    text.push('\n');
    text
}

/// Optional keys are left out, never null; and lines of a description flow as the editor likes.
fn tidy(schema: &mut Schema) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(choices)) = schema.get_mut("anyOf") {
        choices.retain(|choice| choice["type"] != "null");
        if let [Value::Object(only)] = choices.as_slice() {
            let only = only.clone();
            schema.remove("anyOf");
            for (key, value) in only {
                // What is said of the key is closer to the reader than what is said of its type.
                if schema.get(&key).is_none() {
                    schema.insert(key, value);
                }
            }
        }
    }
    if let Some(Value::String(description)) = schema.get_mut("description") {
        *description = description.replace('\n', " ");
    }
}
