//! The document's lists of words, made from where each is spelled.

use compere_media::{Activity, Format, Orientation, Resolution};
use compere_office::ToldBy;
use compere_scene::{AnimationKind, ShapeName, TransitionKind};
use compere_store::{DeliveryState, HookMethod, Movement, Occasion, ProjectState};
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

macro_rules! word {
    ($(#[$meta:meta])* $name:ident, $called:literal, $says:literal, $words:expr) => {
        $(#[$meta])*
        #[derive(Debug)]
        pub struct $name;

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                let words: Vec<&'static str> = $words;
                let kind = SchemaType::Type(Type::String);
                ObjectBuilder::new().schema_type(kind).enum_values(Some(words)).description(Some($says)).build().into()
            }
        }

        impl ToSchema for $name {
            fn name() -> std::borrow::Cow<'static, str> {
                $called.into()
            }
        }
    };
}

fn all<const N: usize, T>(words: [T; N], spelled: fn(T) -> &'static str) -> Vec<&'static str> {
    words.map(spelled).to_vec()
}

word!(OrientationWord, "Orientation", "Which side is longer.", all(Orientation::ALL, Orientation::as_str));
word!(ResolutionWord, "Resolution", "Lines of the landscape form.", all(Resolution::ALL, Resolution::as_str));
word!(FormatWord, "Format", "What the film comes out as.", all(Format::ALL, Format::as_str));
word!(StepWord, "Step", "What is being done.", all(Activity::ALL, Activity::as_str));
word!(HookMethodWord, "WebhookMethod", "How the webhook is called.", all(HookMethod::ALL, HookMethod::as_str));
word!(
    StateWord,
    "State",
    "Where a project is; `exported` when its film can be downloaded.",
    all(ProjectState::ALL, ProjectState::as_str)
);
word!(ShapeWord, "ShapeName", "What is drawn.", ShapeName::ALL.map(|(_, word)| word).to_vec());
word!(
    AnimationWord,
    "AnimationType",
    "How something comes or goes; the word names the side.",
    [vec!["none"], AnimationKind::ALL.map(|(_, word)| word).to_vec()].concat()
);
word!(
    TransitionWord,
    "TransitionType",
    "How a scene takes the picture from the one before it; the word names the side that it comes from.",
    [vec!["none"], TransitionKind::ALL.map(|(_, word)| word).to_vec()].concat()
);
word!(MovementWord, "CreditMovementKind", "Why credits moved.", all(Movement::ALL, Movement::as_str));
word!(DeliveryWord, "DeliveryState", "Whether a webhook arrived.", all(DeliveryState::ALL, DeliveryState::as_str));
word!(
    HookEventWord,
    "WebhookEventChoice",
    "What an endpoint can be told of.",
    Occasion::CHOICE.iter().map(|event| event.as_str()).collect()
);
word!(SentEventWord, "WebhookEvent", "What a webhook tells.", all(Occasion::ALL, Occasion::as_str));
word!(
    ToldByWord,
    "LanguageToldBy",
    "What decides which language a line is spoken in.",
    all(ToldBy::ALL, ToldBy::as_str)
);
