"""Speaks fixed sentences with voices, lets a recogniser write down what it hears, and prints how much was wrong.

Called by intelligibility.sh, which sees to the program, the recogniser and its weights. Prints one line per voice as it
is measured, then a Markdown table; --report names a JSON file that gets every sentence as it was heard.

An error is a word (in Chinese a syllable, in Japanese a character) that was inserted, left out or misheard, and may be the
voice's, the phonemes' or the recogniser's: whisper-base is a small model. So compare voices with each other and runs
with earlier ones; the number by itself says little, least of all in Hindi, which this model hardly writes.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import unicodedata
import wave

import numpy as np

RATE = 48_000
SPACELESS = ("zh", "ja")
# Shows the recogniser which of two scripts is wanted.
PROMPTS = {"hi": "नमस्ते, ये हिन्दी के वाक्य हैं।", "zh": "以下是普通话的句子。", "ja": "次は日本語の文です。"}


def sentences(path):
    """Language -> the sentences of it."""
    found = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            language, text = line.rstrip("\n").split("\t")
            found.setdefault(language, []).append(text)
    return found


def readings():
    """Chinese character -> how it sounds, so that its traditional form and homophones are no errors."""
    path = os.path.join(os.environ.get("COMPERE_ASSETS", "assets"), "voices/kokoro/zh/characters.json")
    try:
        with open(path, encoding="utf-8") as file:
            return {chr(int(code)): sounds.split(",")[0] for code, sounds in json.load(file).items()}
    except OSError:
        return {}


READINGS = readings()


def units(text, language):
    """What errors are counted in: words, in Chinese syllables, in Japanese characters. No case, no punctuation."""
    text = unicodedata.normalize("NFKC", text).lower().replace("’", "'")
    kept = "".join(c if unicodedata.category(c)[0] in "LMN" or c == "'" else " " for c in text)
    words = kept.replace("'", "" if language == "en" else " ").split()
    if language == "zh":
        return [READINGS.get(character, character) for character in "".join(words)]
    return list("".join(words)) if language in SPACELESS else words


def alignment(said, heard):
    """The pairs of the cheapest alignment that differ, and how many there are."""
    rows = np.zeros((len(said) + 1, len(heard) + 1), dtype=int)
    rows[:, 0], rows[0, :] = range(len(said) + 1), range(len(heard) + 1)
    for i, one in enumerate(said, 1):
        for j, other in enumerate(heard, 1):
            change = rows[i - 1, j - 1] + (one != other)
            rows[i, j] = min(change, rows[i - 1, j] + 1, rows[i, j - 1] + 1)
    i, j, pairs = len(said), len(heard), []
    while i or j:
        if i and j and rows[i, j] == rows[i - 1, j - 1] + (said[i - 1] != heard[j - 1]):
            i, j = i - 1, j - 1
            if said[i] != heard[j]:
                pairs.append((said[i], heard[j]))
        elif i and rows[i, j] == rows[i - 1, j] + 1:
            i -= 1
            pairs.append((said[i], ""))
        else:
            j -= 1
            pairs.append(("", heard[j]))
    return pairs[::-1]


def speak(program, voice, texts, folder):
    """One WAV of all the sentences and its words: (samples, words, warnings)."""
    sound, marks = os.path.join(folder, "speech.wav"), os.path.join(folder, "marks.json")
    command = [program, "say", "\n".join(texts), "--voice", voice, "-o", sound, "--marks", marks]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit(f"intelligibility: {voice}: {run.stderr.strip()}")
    with wave.open(sound) as file:
        assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (RATE, 1, 2)
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(np.float32) / 32768
    with open(marks, encoding="utf-8") as file:
        return samples, json.load(file)["words"], run.stderr.strip()


def bare(text):
    return re.sub(r"\s", "", text)


# Seconds that the recogniser takes in at once. Short clips make it invent and repeat.
WINDOW = 27


def cut(samples, words, texts, window):
    """Stretches of whole sentences, as long as the recogniser can take: text, sound, its start, its words.

    Where sentences lie is found by the letters that the words are written with."""
    pieces, at = [], 0
    for text in texts:
        first, letters = at, ""
        while at < len(words) and len(letters) < len(bare(text)):
            letters += bare(words[at]["word"])
            at += 1
        assert letters == bare(text), (letters, text)
        if pieces and words[at - 1]["end"] - pieces[-1][1][0]["start"] < window:
            pieces[-1] = (pieces[-1][0] + " " + text, pieces[-1][1] + words[first:at])
        else:
            pieces.append((text, words[first:at]))
    for text, marked in pieces:
        start, end = max(0.0, marked[0]["start"] - 0.1), marked[-1]["end"] + 0.15
        yield text, samples[int(start * RATE) : int(end * RATE)], start, marked


def for_recogniser(samples):
    """16 kHz, filtered so that nothing folds back."""
    taps = np.sinc(np.arange(-48, 49) / 3.2) * np.hanning(97)
    return np.convolve(samples, taps / taps.sum(), "same")[::3].astype(np.float32)


def biquad(samples, b, a):
    from scipy.signal import lfilter

    return lfilter(b, a, samples)


def loudness(samples):
    """LUFS, after ITU-R BS.1770-4, for one channel of 48 kHz."""
    shelf = ([1.53512485958697, -2.69169618940638, 1.19839281085285], [1, -1.69065929318241, 0.73248077421585])
    highpass = ([1.0, -2.0, 1.0], [1, -1.99004745483398, 0.99007225036621])
    weighted = biquad(biquad(samples, *shelf), *highpass)
    size, step = int(0.4 * RATE), int(0.1 * RATE)
    blocks = np.array([np.mean(weighted[at : at + size] ** 2) for at in range(0, len(weighted) - size + 1, step)])
    level = lambda power: -0.691 + 10 * np.log10(np.maximum(power, 1e-12))
    loud = blocks[level(blocks) > -70]
    return float(level(np.mean(loud[level(loud) > level(np.mean(loud)) - 10])))


def pitches(samples):
    """Fundamental of each voiced window of 40 ms, by normalised autocorrelation, in hertz."""
    low = samples[: len(samples) // 6 * 6].reshape(-1, 6).mean(axis=1)
    rate, size, step = RATE // 6, 320, 160
    shortest, longest = rate // 500, rate // 60
    found = []
    loudest = np.sqrt(np.mean(low**2))
    for at in range(0, len(low) - size - longest, step):
        window = low[at : at + size] - low[at : at + size].mean()
        if np.sqrt(np.mean(window**2)) < 0.3 * loudest:
            continue
        whole = low[at : at + size + longest]
        products = np.correlate(whole, window, "valid")[: longest + 1]
        energies = np.convolve(whole**2, np.ones(size), "valid")[: longest + 1]
        likeness = products / np.sqrt(np.maximum(energies * np.sum(window**2), 1e-12))
        best = likeness[shortest : longest + 1].max()
        if best < 0.6:
            continue
        # The shortest period that is nearly as good: longer ones are multiples of it.
        good = np.flatnonzero(likeness[shortest : longest + 1] > 0.92 * best)[0] + shortest
        while good < longest and likeness[good + 1] > likeness[good]:
            good += 1
        found.append(rate / good)
    return np.array(found)


def by_numbers(samples):
    windows = samples[: len(samples) // 480 * 480].reshape(-1, 480)
    levels = np.sqrt(np.mean(windows**2, axis=1))
    pitch = pitches(samples)
    low, median, high = np.percentile(pitch, [5, 50, 95]) if len(pitch) else (0, 0, 0)
    return {
        "seconds": len(samples) / RATE,
        "silence": float(np.mean(levels < levels.max() * 0.005)),
        "peak": float(20 * np.log10(np.abs(samples).max())),
        "lufs": loudness(samples),
        "pitch": [float(low), float(median), float(high)],
    }


def listen(recogniser, samples, language):
    """What was heard, and when each word began."""
    heard, _ = recogniser.transcribe(
        for_recogniser(samples),
        language=language,
        beam_size=5,
        # Higher ones only where it began to repeat itself.
        temperature=[0.0, 0.3],
        condition_on_previous_text=False,
        initial_prompt=PROMPTS.get(language),
        max_new_tokens=180,
        word_timestamps=True,
    )
    heard = list(heard)
    words = [word for segment in heard for word in segment.words or []]
    return " ".join(segment.text.strip() for segment in heard), words


def start_errors(heard, start, words, language):
    """By how much the recogniser hears words begin later than their marks say, for words it heard right, in ms."""
    marked = [(units(word["word"], language), word["start"] - start) for word in words]
    errors = []
    for word in heard:
        same = [at for text, at in marked if text == units(word.word, language) and abs(at - word.start) < 0.5]
        if same:
            errors.append(1000 * (word.start - min(same, key=lambda at: abs(at - word.start))))
    return errors


# So many words in a row are not misheard but skipped: the recogniser leaves out whole sentences of a longer sound now
# and then, whoever speaks.
SKIPPED = 4


def skips(pairs):
    run = longest = 0
    for said, heard in pairs:
        run = run + 1 if said and not heard else 0
        longest = max(longest, run)
    return longest >= SKIPPED


def compared(recogniser, said, piece, start, marked, language):
    """The text as it was heard, the pairs that differ, and by how much the words' marks do."""
    heard, heard_words = listen(recogniser, piece, language)
    pairs = alignment(units(said, language), units(heard, language))
    # "tomorrow" for "to morrow" is spelling, not hearing.
    if "".join(units(said, language)) == "".join(units(heard, language)):
        pairs = []
    starts = start_errors(heard_words, start, marked, language) if language not in SPACELESS else []
    return heard, pairs, starts


def measure(arguments, recogniser, voice, language, texts):
    with tempfile.TemporaryDirectory() as folder:
        samples, words, warnings = speak(arguments.compere, voice, texts, folder)
    wrong = total = 0
    row = {"voice": voice, "language": language, "warnings": warnings, "sentences": [], **by_numbers(samples)}
    starts = []
    for stretch, piece, start, marked in cut(samples, words, texts, WINDOW):
        found = [(stretch, *compared(recogniser, stretch, piece, start, marked, language))]
        if skips(found[0][2]):
            within = [text for text in texts if text in stretch]
            again = [
                (text, *compared(recogniser, text, piece, start, marked, language))
                for text, piece, start, marked in cut(samples, words, texts, 0)
                if text in within
            ]
            if sum(len(pairs) for _, _, pairs, _ in again) < len(found[0][2]):
                found, row["skipped"] = again, True
        for text, heard, pairs, differences in found:
            wrong, total = wrong + len(pairs), total + len(units(text, language))
            row["sentences"].append({"said": text, "heard": heard, "wrong": pairs})
            starts += differences
    row["error"] = wrong / total
    row["starts"] = [float(np.median(starts)), float(np.percentile(np.abs(starts - np.median(starts)), 95))] if starts else None
    return row


def table(rows):
    yield "| voice | errors | heard after the mark, ms (median ± 95 %) | silence | peak dBFS | LUFS | pitch Hz (5 % / median / 95 %) |"
    yield "|---|---|---|---|---|---|---|"
    for row in rows:
        starts = "{:+.0f} ± {:.0f}".format(*row["starts"]) if row["starts"] else "–"
        yield "| `{}` | {:.1f} % | {} | {:.0f} % | {:.1f} | {:.1f} | {:.0f} / {:.0f} / {:.0f} |".format(
            row["voice"], 100 * row["error"], starts, 100 * row["silence"], row["peak"], row["lufs"], *row["pitch"]
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("voices", nargs="*", help="ids; all neural voices when none is named")
    parser.add_argument("--language", help="only voices of this language, such as en or zh")
    parser.add_argument("--sentences", type=int, default=12, help="how many a voice speaks (default: 12, all)")
    parser.add_argument("--report", help="a JSON file for everything that was heard")
    parser.add_argument("--compere", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--weights", required=True, help=argparse.SUPPRESS)
    arguments = parser.parse_args()

    import ctranslate2
    from faster_whisper import WhisperModel

    ctranslate2.set_random_seed(1)

    recogniser = WhisperModel(arguments.weights, device="cpu", compute_type="int8", cpu_threads=os.cpu_count() or 1)
    known = json.loads(subprocess.check_output([arguments.compere, "voices", "--json"], text=True))
    texts = sentences(os.path.join(os.path.dirname(os.path.abspath(__file__)), "intelligibility.tsv"))
    if arguments.voices:
        chosen = [voice for voice in known if voice["id"] in arguments.voices]
    else:
        chosen = [voice for voice in known if voice["kind"] in ("kokoro", "piper") and not voice["missing"]]
    rows = []
    for voice in chosen:
        language = voice["language"].split("-")[0]
        if language not in texts or (arguments.language and arguments.language != language):
            continue
        row = measure(arguments, recogniser, voice["id"], language, texts[language][: arguments.sentences])
        rows.append(row)
        wrong = [f"{said or '·'}→{heard or '·'}" for piece in row["sentences"] for said, heard in piece["wrong"]]
        print(f"{row['voice']:<16} {100 * row['error']:5.1f} %   {' '.join(wrong)}", flush=True)
        if arguments.report:
            with open(arguments.report, "w", encoding="utf-8") as file:
                json.dump(rows, file, ensure_ascii=False, indent=1)
    print()
    print("\n".join(table(rows)))


if __name__ == "__main__":
    main()
