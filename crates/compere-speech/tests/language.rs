//! Which language a text is heard as, and when a voice refuses it.

use compere_speech::{Hearing, check_language, heard, language_of, language_sample};

#[test]
fn plain_texts_are_told_apart() {
    for (text, language) in [
        ("Welcome to the show, we are happy that you are here.", Some("en")),
        ("Hola, hoy vamos a hablar de los resultados del año.", Some("es")),
        ("Bonjour, nous allons parler des résultats de l'année dans une minute.", Some("fr")),
        ("Guten Tag, wir sprechen heute über die Ergebnisse und das Jahr.", Some("de")),
        ("Oggi parliamo dei risultati e della crescita che non si ferma.", Some("it")),
        ("Hoje vamos falar sobre os resultados do ano e não é pouco.", Some("pt")),
        ("안녕하세요, 여러분", Some("ko")),
        ("今日は東京で会議があります。", Some("ja")),
        ("我们今天在北京开会。", Some("zh")),
        ("KDiamond는 KDE의 돌 세 개 맞추기 게임입니다.", Some("ko")),
        ("用 KDiamond 下三消游戏", Some("zh")),
        ("Привет, как дела?", Some("ru")),
        ("Привіт, як твої справи?", Some("uk")),
        ("مرحبا بالعالم", Some("ar")),
        ("नमस्ते दुनिया", Some("hi")),
        ("Quarterly results", None),
        ("Compere 3000", None),
        ("OK", None),
        ("", None),
        ("42", None),
    ] {
        assert_eq!(language_of(text), language, "{text}");
    }
}

#[test]
fn nobody_is_refused_for_names_and_technical_terms() {
    for (text, language) in [
        ("Both teeth are worth more than a thousand healthy baths a month.", "en-US"),
        ("Generic connection pool for a small service", "en"),
        ("Neue Programme der Reihe Common Unix Printing System und Seven Kingdoms", "de"),
        ("Er ist konform zu R5RS (Revised5 Report on the Algorithmic Language Scheme) und einigen SRFIs.", "de"),
        ("Editor de textos para GNUstep", "es"),
        ("Jest to wieloplatformowy program OCR (Optical Character Recognition).", "pl"),
    ] {
        assert!(check_language(text, language, None).is_ok(), "{text}: {:?}", language_of(text));
    }
}

#[test]
fn a_few_words_in_other_letters_refuse_nobody() {
    for (text, language) in [
        ("SCM은 R5RS (Revised^5 Report on the Algorithmic Language Scheme) 및 IEEE P1178", "ko"),
        ("Blocks of the Undead はパズルゲームです。", "ja"),
        ("它有一个面板界面，和 Norton Commander 及 Midnight Commander 的经典界面一样。", "zh-CN"),
        ("Share to Twitter Share to Facebook Share to Pinterest हां कुछ हुआ ऐसा कि.", "hi"),
        ("Цей бонус обмежений за часом.", "uk"),
        ("Ово је збирка од преко осамдесет различитих карташких игара.", "sr"),
        ("گنجشک روی درخت نشست و آواز خواند.", "fa"),
        ("نام هر دو ابن فهد است.", "fa"),
        ("Bom dia!", "en"),
        // Nobody here knows this language when they see it.
        ("Txertatu karaktere bereziak dokumentuetan", "eu"),
        ("Sistema honek ez du inolako arazorik izan azken hilabeteetan", "eu-ES"),
    ] {
        assert!(check_language(text, language, None).is_ok(), "{text}: {:?}", language_of(text));
    }
    for (text, language) in [
        ("Мы сегодня говорим о результатах этого года.", "uk"),
        ("Сьогодні ми говоримо про її результати.", "ru"),
        ("گنجشک روی درخت نشست و پرنده‌های دیگر آواز خواندند.", "ar"),
    ] {
        assert!(check_language(text, language, None).is_err(), "{text}");
    }
}

#[test]
fn samples_are_in_the_language_they_are_for() {
    for (tag, looks) in [("zh", "zh"), ("ja", "ja"), ("ko", "ko"), ("hi", "hi"), ("ru", "ru"), ("he", "he")] {
        assert_eq!(language_of(language_sample(tag)), Some(looks));
    }
    assert_eq!(language_sample("pt-BR"), "Bom dia, que bom ver você.");
    assert!(language_sample("en-GB").starts_with("Good morning"));
}

#[test]
fn the_problem_reads_well_and_regions_do_not_matter() {
    let problem = check_language("안녕하세요, 여러분", "en-US", None).unwrap_err();
    assert_eq!(problem.to_string(), "the text looks Korean, the voice speaks English");
    assert!(check_language("The colour of the sea is blue.", "en-GB", None).is_ok());
    assert!(check_language("Compere", "fr", None).is_ok(), "too short to tell");
    assert!(
        check_language("Knihovna je výkonný vykreslovač pro obrázky ve formátu SVG.", "sk", None).is_ok(),
        "neighbours"
    );
    assert!(check_language("The word “안녕” is Korean and it is used in greetings.", "en-US", None).is_ok());
}

#[test]
fn a_text_has_the_last_word_against_its_film_only_beyond_doubt() {
    use Hearing::{Film, Presenter, Text};
    for (text, film, presenter, taken) in [
        // Nothing that tells: the film, else the presenter.
        ("Compere 3000", Some("de"), Some("en-US"), Some(Film)),
        ("Compere 3000", None, Some("en-US"), Some(Presenter)),
        ("Compere 3000", None, None, None),
        // Plain, and as expected or against nothing but the presenter.
        ("Hola, hoy vamos a hablar de los resultados del año.", None, Some("en-US"), Some(Text("es"))),
        ("Hola, hoy vamos a hablar de los resultados del año.", Some("es-MX"), Some("en-US"), Some(Text("es"))),
        ("Welcome to the show, we are happy that you are here.", Some("de"), Some("en-US"), Some(Text("en"))),
        // Against the film a text must be long enough, and have small words of its own and few of the film's.
        ("A festa é hoje e não é só do ano.", Some("en"), Some("en-GB"), Some(Film)),
        (
            "Hoje vamos falar sobre os resultados do ano e não é pouco para quem está aqui.",
            Some("en"),
            None,
            Some(Text("pt")),
        ),
        // Other letters are beyond doubt, but not between neighbours, and not a few characters that two languages have.
        ("안녕하세요, 여러분", Some("en"), Some("en-US"), Some(Text("ko"))),
        ("We are here for you, and that is the best of it.", Some("ko"), None, Some(Text("en"))),
        ("东京都", Some("ja"), None, Some(Film)),
        ("东京都", None, Some("ja"), Some(Presenter)),
        ("我们今天在北京开会，明天再回上海去看大家。", Some("ja"), None, Some(Text("zh"))),
        ("Мы сегодня были дома.", Some("uk"), None, Some(Text("ru"))),
        ("Вода тут добра.", Some("uk"), None, Some(Film)),
        // A film in another writing cannot be what the text is in.
        ("Сегодня хорошая погода.", Some("en"), Some("ru-RU"), Some(Text("ru"))),
    ] {
        let speaks: Vec<&str> = presenter.into_iter().collect();
        assert_eq!(heard(text, film, &speaks), taken, "{text} in a film in {film:?} by {presenter:?}");
    }
}

#[test]
fn what_is_expected_of_a_text_refuses_less() {
    // Plainly Spanish by itself, too short to be beyond doubt, and a voice for English.
    let texts = [
        "Los niños están muy contentos hoy.",
        "El servidor de correo y la lista.",
        "Hola, hoy es un día muy bueno.",
        "Gracias por estar hoy con los niños.",
    ];
    let text = texts.into_iter().find(|text| language_of(text) == Some("es")).expect("one of them is plain");
    assert!(check_language(text, "en-US", None).is_err());
    assert!(check_language(text, "en-US", Some("es")).is_err(), "expected in the language that it looks");
    assert!(check_language(text, "en-US", Some("en-GB")).is_ok(), "expected in the voice's, and not beyond doubt");
    let text = "Hola, hoy vamos a hablar de los resultados del año y de lo que viene para todos.";
    assert!(check_language(text, "en-US", Some("en-GB")).is_err(), "beyond doubt");
    assert!(check_language("안녕하세요, 여러분", "en-US", Some("en-GB")).is_err());
    assert!(check_language("東京都", "ja", None).is_ok(), "characters that both have");
}

/// A text that is not plain is not spoken in a language of which it has not a word, where another one is near.
#[test]
fn a_presenter_does_not_take_everything_for_their_own_language() {
    for (text, taken) in [
        ("Ejercicio de descomponer en factores: programa educativo para niños y niñas", Hearing::Text("es")),
        // Too little to be plain, and not a word of English in it.
        ("Me gusta la música brasileña.", Hearing::Text("es")),
        ("Hola a todos y bienvenidos al curso.", Hearing::Text("es")),
        ("Legen Sie den Artikel in den Warenkorb.", Hearing::Text("de")),
        ("Interfaz gráfica de usuario para git", Hearing::Text("es")),
        ("Réglez les couleurs de votre écran", Hearing::Text("fr")),
        ("Modern hospital: animal doctor, dental care, optical centre.", Hearing::Presenter),
        ("A fast, cross-platform, OpenGL terminal emulator", Hearing::Presenter),
        ("classic shoot 'em up scroller game", Hearing::Presenter),
        ("Compere 3000 Quarterly Results", Hearing::Presenter),
        ("Generic connection pool for a small service", Hearing::Presenter),
    ] {
        let heard = heard(text, None, &["en-US", "en-GB", "fr-FR", "es-ES"]);
        assert!(
            heard == Some(taken) || (taken == Hearing::Presenter && heard == Some(Hearing::Text("en"))),
            "{text}: {heard:?}"
        );
    }
}

/// Nobody here can tell them from each other, or only by a letter: a voice that was named speaks its own language.
#[test]
fn voices_are_not_refused_their_own_language_because_others_write_alike() {
    for (voice, text) in [
        ("mr", "आज हवामान छान आहे, पण उद्या पाऊस पडेल आणि आपण घरी राहू."),
        ("ne", "आज मौसम राम्रो छ, तर भोलि पानी पर्नेछ र हामी घरमा बस्नेछौं।"),
        ("kok", "आज हवामान बरें आसा, पूण फाल्यां पावस पडटलो."),
        ("kk", "Бүгін ауа райы жақсы, бірақ ертең жаңбыр жауады, біз үйде боламыз."),
        ("ky", "Бүгүн аба ырайы жакшы, бирок эртең жамгыр жаайт, биз үйдө болобуз."),
        ("tt", "Бүген һава торышы яхшы, ләкин иртәгә яңгыр явачак, без өйдә булачакбыз."),
        ("ba", "Бөгөн һауа торошо яҡшы, әммә иртәгә ямғыр яуасаҡ, беҙ өйҙә буласаҡбыҙ."),
        ("cv", "Паян ҫанталӑк лайӑх, анчах ыран ҫумӑр ҫӑвать, эпир килте пулатпӑр."),
        ("bg", "Днес времето е хубаво, но утре ще вали и ще останем вкъщи."),
        ("mk", "Денес времето е убаво, но утре ќе врне и ќе останеме дома."),
        ("as", "আজি বতৰ ভাল, কিন্তু কাইলৈ বৰষুণ হ'ব আৰু আমি ঘৰত থাকিম।"),
        ("sd", "اڄ موسم سٺو آهي، پر سڀاڻي مينهن پوندو ۽ اسان گهر ۾ رهنداسين."),
        ("ug", "بۈگۈن ھاۋا ياخشى، لېكىن ئەتە يامغۇر ياغىدۇ، بىز ئۆيدە بولىمىز."),
        ("yue", "今日天氣好好，但係聽日會落雨，我哋會留喺屋企。"),
        ("hak", "今晡日天氣當好，毋過天光日會落水，我等會在屋下。"),
        ("grc", "Ἐν ἀρχῇ ἦν ὁ λόγος, καὶ ὁ λόγος ἦν πρὸς τὸν θεόν."),
    ] {
        assert!(check_language(text, voice, None).is_ok(), "{voice}: {:?}", language_of(text));
    }
    // A voice of other letters is refused them all the same.
    assert!(check_language("Днес времето е хубаво, но утре ще вали.", "en-US", None).is_err());
    assert!(check_language("Сегодня хорошая погода, но завтра будет дождь.", "hi", None).is_err());
}

#[test]
fn near_relations_are_told_apart_where_something_tells() {
    for (text, language) in [
        ("Днес времето е хубаво, но утре ще вали и ще останем вкъщи.", "bg"),
        ("Това е новата система за управление на задачи.", "bg"),
        ("Сегодня хорошая погода, но завтра пойдёт дождь.", "ru"),
        ("Это новая система управления задачами.", "ru"),
        ("Сьогодні гарна погода, але завтра піде дощ.", "uk"),
        ("Денес времето е убаво, но утре ќе врне и ќе останеме дома.", "mk"),
        ("Данас је лепо време, али сутра ће падати киша.", "sr"),
        ("आज हवामान छान आहे, पण उद्या पाऊस पडेल आणि आपण घरी राहू.", "mr"),
        ("आज मौसम अच्छा है, लेकिन कल बारिश होगी और हम घर पर रहेंगे।", "hi"),
        ("I dag er vejret godt, men i morgen bliver det regn, og vi bliver hjemme.", "da"),
        ("I dag er været fint, men i morgen blir det regn, og vi blir hjemme.", "nb"),
        ("Dnes je hezké počasí, ale zítra bude pršet a zůstaneme doma.", "cs"),
        ("Dnes je pekné počasie, ale zajtra bude pršať a zostaneme doma.", "sk"),
        ("I dag är vädret fint, men i morgon blir det regn och vi stannar hemma.", "sv"),
    ] {
        assert_eq!(language_of(text), Some(language), "{text}");
    }
}

/// Groups of letters of a whole sentence weigh more than small words that it shares with a language of the presenter.
#[test]
fn a_sentence_is_not_spoken_in_a_language_that_it_only_shares_words_with() {
    let speaks = ["en-US", "fr-FR", "es-ES"];
    for (text, language) in [
        ("Onze klanten kunnen de goederen online bestellen en zelf ophalen.", "nl"),
        ("Virksomheden åbnede et nyt kontor i Aarhus sidste efterår.", "da"),
    ] {
        assert_eq!(heard(text, None, &speaks), Some(Hearing::Text(language)), "{text}");
    }
}
