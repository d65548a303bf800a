//! The texts themselves. Lines are in `prompts/`, one file a language.
//!
//! A consent says the same in every language, in two or three short sentences, and what the films are for stands where no grammar
//! hangs on it: people write it as they like.

use super::Tongue;

pub(super) static ENGLISH: Tongue = Tongue {
    tag: "en",
    name: "English",
    prompts: include_str!("../../prompts/en.txt"),
    consent: [
        "My name is ",
        ". Today is ",
        ". I agree that a presenter is made from recordings of me, which says what I never said, for ",
        ". I can take this back at any time. My words are: ",
        ".",
    ],
    words: "amber anchor apple basket beacon bottle butter candle carpet cherry copper dragon eagle engine feather \
        forest garden ginger hammer harbour island jacket kettle ladder lemon magnet maple marble meadow mirror napkin \
        needle ocean orange paper pepper pillow pocket rabbit river saddle silver spider sugar temple tiger velvet \
        window",
    months: "January February March April May June July August September October November December",
    date: |day, month, year| format!("{day} {month} {year}"),
};

pub(super) static GERMAN: Tongue = Tongue {
    tag: "de",
    name: "German",
    prompts: include_str!("../../prompts/de.txt"),
    consent: [
        "Mein Name ist ",
        ". Heute ist der ",
        ". Ich bin damit einverstanden, dass aus Aufnahmen von mir eine digitale Figur entsteht, die sagt, was ich \
         nie gesagt habe. Der Zweck ist: ",
        ". Mein Einverständnis kann ich jederzeit zurücknehmen. Meine Wörter sind: ",
        ".",
    ],
    words: "Adler Ananas Apfel Bahnhof Becher Biene Daumen Fahrrad Fenster Flasche Frühling Gemüse Gitarre Gürtel \
        Handschuh Hase Kamel Knochen Koffer Kompass Lampe Laterne Leiter Melone Möwe Musik Nebel Ofen Orange Papier \
        Pfütze Pinguin Pullover Quelle Radio Rakete Ruder Säge Sofa Stiefel Teppich Tomate Traube Umschlag Vulkan \
        Wohnung Zebra Zucker",
    months: "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    date: |day, month, year| format!("{day}. {month} {year}"),
};

pub(super) static FRENCH: Tongue = Tongue {
    tag: "fr",
    name: "French",
    prompts: include_str!("../../prompts/fr.txt"),
    consent: [
        "Je m'appelle ",
        ". Nous sommes le ",
        ". J'accepte qu'un présentateur virtuel soit créé à partir d'enregistrements de moi et qu'il dise ce que je \
         n'ai jamais dit. Le but est : ",
        ". Je peux retirer mon accord à tout moment. Mes mots sont : ",
        ".",
    ],
    words: "abeille ananas avion berger bougie carotte cerise chemin cheval citron collier coussin crayon cuisine \
        dauphin drapeau échelle écureuil éléphant étoile fenêtre flacon fourmi fromage girouette grenouille hérisson \
        horloge journal lapin légume lumière melon montagne noisette olive piano pinceau raisin ruban salade savon \
        tambour tortue trompette tulipe violon voiture",
    months: "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    date: |day, month, year| match day {
        1 => format!("1er {month} {year}"),
        _ => format!("{day} {month} {year}"),
    },
};

/// Words that are at home on both sides of the ocean.
pub(super) static SPANISH: Tongue = Tongue {
    tag: "es",
    name: "Spanish",
    prompts: include_str!("../../prompts/es.txt"),
    consent: [
        "Me llamo ",
        ". Hoy es ",
        ". Acepto que con grabaciones mías se cree un presentador virtual que diga lo que yo nunca he dicho. El fin \
         es: ",
        ". Puedo retirar este permiso en cualquier momento. Mis palabras son: ",
        ".",
    ],
    words: "arena avión azúcar águila barco bosque botella caballo carta cebolla delfín espejo farol flauta fuego \
        globo gorra helado hormiga isla jardín jirafa lápiz libro limón lluvia luna muñeca nube palma pastel peine \
        piano piedra puente queso radio reloj sandía silla sobre tambor taza tigre tomate trigo vidrio violín",
    months: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    date: |day, month, year| format!("{day} de {month} de {year}"),
};

pub(super) static ITALIAN: Tongue = Tongue {
    tag: "it",
    name: "Italian",
    prompts: include_str!("../../prompts/it.txt"),
    consent: [
        "Mi chiamo ",
        ". Oggi è il ",
        ". Accetto che dalle mie registrazioni venga creato un presentatore virtuale, che dice ciò che non ho mai \
         detto. Lo scopo è: ",
        ". Posso ritirare questo consenso in qualsiasi momento. Le mie parole sono: ",
        ".",
    ],
    words: "albero ananas anello aquila barile bottiglia burro caffè cesto chiave corona cuscino fiume fungo gabbia \
        gallo isola leone lettera libro luna miele nuvola oliva orso penna pettine piatto pigna pioggia ponte radio \
        riccio rosa sapone scarpa sedia specchio stella strada tazza tigre torta treno tromba volpe zaino zebra",
    months: "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    date: |day, month, year| match day {
        1 => format!("primo {month} {year}"),
        _ => format!("{day} {month} {year}"),
    },
};

/// Words and grammar that are at home in Brazil and in Portugal.
pub(super) static PORTUGUESE: Tongue = Tongue {
    tag: "pt",
    name: "Portuguese",
    prompts: include_str!("../../prompts/pt.txt"),
    consent: [
        "O meu nome é ",
        ". Hoje é dia ",
        ". Concordo que, a partir de gravações minhas, seja criado um apresentador virtual que diga o que eu nunca \
         disse. A finalidade é: ",
        ". Posso retirar este consentimento a qualquer momento. As minhas palavras são: ",
        ".",
    ],
    words: "agulha anel areia avião balde barco bolsa burro café cavalo chave colher coroa escada farinha flauta fogão \
        gelo guitarra ilha janela lápis leite livro lobo luva maçã mesa moeda nuvem piano pincel ponte porta prato \
        queijo raposa rádio roda sabão salada tambor tigre toalha trigo urso vaca zebra",
    months: "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    date: |day, month, year| match day {
        1 => format!("primeiro de {month} de {year}"),
        _ => format!("{day} de {month} de {year}"),
    },
};
