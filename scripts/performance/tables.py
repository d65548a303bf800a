"""Tables of a page that stand between two marks, and films to measure."""

import json
import os
import pathlib


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def put(page, name, made):
    """Replaces what stands between the marks of this name."""
    start, end = f"<!-- {name} -->\n", f"\n<!-- /{name} -->"
    text = pathlib.Path(page).read_text()
    if start not in text or end not in text:
        raise SystemExit(f"performance: {page} has no place for the table `{name}`: {start.strip()} … {end.strip()}")
    head, rest = text.split(start, 1)
    pathlib.Path(page).write_text(head + start + made + end + rest.split(end, 1)[1])


def load():
    return os.getloadavg()[0]


def scene(number, words, seconds=None, title="Chapter"):
    """A slide with a presenter, as `compere bench film` has it."""
    tts = {"modelId": "nora", "clothId": "nora/blazer", "isTTS": False, "tts": None}
    made = {
        "sceneIdx": number,
        "background": {
            "id": "background",
            "type": "background",
            "source_color": f"rgb({200 + number % 40},220,{240 - number % 30})",
        },
        "scripts": [{"org": words, **tts}],
        "clips": [
            {"id": "presenter", "type": "aiModel", "layer": 3, "left": 1260, "top": 180, "width": 600, "height": 900,
             "model": {"ai_name": "nora", "emotion": "nora/blazer"}},
            {"id": "title", "type": "textImage", "layer": 2, "left": 120, "top": 160, "width": 1000, "height": 120,
             "text": f"{title} {number + 1}", "fill": "rgb(20,40,120)", "fontSize": 64},
        ],
    }
    if seconds:
        made["duration"] = seconds
    return made


def script(number):
    return (
        f"This is scene number {number} of twenty. It says two sentences, as such scenes do, and then it makes room "
        "for the next one."
    )


def write(path, scenes, **more):
    pathlib.Path(path).write_text(json.dumps({"name": "performance", "scenes": scenes, **more}))
    return str(path)
