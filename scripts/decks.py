"""Imports decks and prints the tables of docs/slides.md. Called by decks.sh; needs nothing but ffmpeg.

It looks at the project that came out and at the slides' pictures, not at what the import thought of them. What was measured
with the same program and the same deck before is not measured again, so whoever breaks off goes on where it was.
"""
import hashlib
import json
import re
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import deck_speed

# Pixels that are looked at, and by how much neighbours differ across an edge.
WIDTH, EDGE = 640, 12
# Share of a slide's edges that may be hidden, and of the slides that have to keep to it.
HIDDEN, SLIDES = 0.01, 0.95
# Shares of text boxes and pictures that have to become clips.
CLIPS = {"texts": 0.75, "pictures": 0.8}
# A clip of a table's cell.
CELL = re.compile(r", row \d+, column \d+$")


def grey(path, wide):
    """Rows of a picture in shades of grey, its longer side WIDTH pixels."""
    size = (WIDTH, WIDTH * 9 // 16) if wide else (WIDTH * 9 // 16, WIDTH)
    scale = f"scale={size[0]}:{size[1]}:flags=area,format=gray"
    drawn = subprocess.run(["ffmpeg", "-v", "error", "-i", str(path), "-vf", scale, "-f", "rawvideo", "-"], check=True, capture_output=True)
    return [drawn.stdout[y * size[0]:(y + 1) * size[0]] for y in range(size[1])]


def hidden(scene, picture, wide):
    """Share of the slide's edge pixels behind the presenter, and how the presenter is shown."""
    clips = {clip["id"]: clip for clip in scene["clips"]}
    who, card = clips.get("presenter"), clips.get("slide")
    if not who or who.get("voiceOnly"):
        return 0.0, "nobody" if not who else "voice"
    kind = "disc" if who.get("mask") else "bust" if who.get("headOnly") else "standing"
    rows = grey(picture, wide)
    unit = (1920 if wide else 1080) / len(rows[0])
    left, top = 0, 0
    if card:
        left, top, unit = card["left"], card["top"], card["width"] / len(rows[0])
    x0, y0 = who["left"], who["top"]
    x1, y1 = x0 + who["width"], y0 + who["height"]
    every, behind = 0, 0
    for y in range(1, len(rows)):
        row, above = rows[y], rows[y - 1]
        for x in range(1, len(row)):
            if abs(row[x] - row[x - 1]) <= EDGE and abs(row[x] - above[x]) <= EDGE:
                continue
            every += 1
            at, down = left + x * unit, top + y * unit
            # Hands go out to both sides of somebody standing; beside a head there is nothing of head and shoulders.
            low = down > y0 + (0.45 if kind == "standing" else 0.6) * (y1 - y0)
            reach = {"standing": 0.66 if low else 0.5, "bust": 0.5 if low else 0.34, "disc": 0.5}[kind] * (x1 - x0)
            behind += y0 < down < y1 and abs(at - (x0 + x1) / 2) < reach
    return behind / max(1, every), kind + (" beside a smaller slide" if card else "")


def imported(compere, layout, deck, folder, *more):
    """The project of a deck and the import's warnings, or nothing when it is refused."""
    out = folder / "deck.json"
    done = subprocess.run([compere, "import", str(deck), "--layout", layout, "-o", str(out), "--json", *more], capture_output=True, text=True)
    return (json.loads(out.read_text()), json.loads(done.stdout).get("warnings", [])) if done.returncode == 0 else None


FURNITURE = {"sldNum", "dt", "ftr", "hdr"}


def local(node):
    return node.tag.rpartition("}")[2]


def is_picture(node):
    """Whether it is a picture that lies in the deck: not a film's first frame, nor the picture of an embedded table."""
    played = any(local(part) in ("videoFile", "audioFile", "quickTimeFile", "wavAudioFile") for part in node.iter())
    return not played and any(local(part) == "blip" and any(key.endswith("}embed") for key in part.keys()) for part in node.iter())


def says_something(node):
    return any((run.text or "").strip() for run in node.iter() if local(run) == "t")


def held(deck):
    """Text boxes, pictures, cells that say something and animated slides of the slides that are shown."""
    texts = pictures = cells = animated = 0
    with zipfile.ZipFile(deck) as package:
        for part in package.namelist():
            if not re.fullmatch(r"ppt/slides/[^/]+\.xml", part):
                continue
            root = ElementTree.fromstring(package.read(part))
            if root.get("show") in ("0", "false"):
                continue
            framed = {id(part) for frame in root.iter() if local(frame) == "graphicFrame" for part in frame.iter()}
            animated += any(node.get("presetClass") in ("entr", "exit") and node.get("nodeType") == "clickEffect" for node in root.iter())
            for node in root.iter():
                kind = next((ph.get("type") for ph in node.iter() if local(ph) == "ph"), None)
                if local(node) == "sp" and kind not in FURNITURE:
                    texts += says_something(node)
                cells += local(node) == "tc" and says_something(node)
                pictures += local(node) == "pic" and id(node) not in framed and is_picture(node)
    return texts, pictures, cells, animated


NOT_EDITABLE = "not editable: "


def reasons_in(warnings):
    """Why texts and pictures stayed part of slides' pictures, and how often."""
    reasons = Counter()
    for warning in warnings:
        if not warning["message"].startswith(NOT_EDITABLE):
            continue
        for why in warning["message"].removeprefix(NOT_EDITABLE).split("; "):
            many = re.fullmatch(r"(.*) \((\d+)\)", why)
            reasons[many[1] if many else why.split(" (by ")[0]] += int(many[2]) if many else 1
    return reasons


class Kept:
    """What was measured before, a line for each import."""

    def __init__(self, compere, folder):
        with open(compere, "rb") as program:
            self.file = folder / f"{hashlib.file_digest(program, 'sha256').hexdigest()[:16]}.jsonl"
        folder.mkdir(parents=True, exist_ok=True)
        lines = self.file.read_text().splitlines() if self.file.exists() else []
        # The last line of one that was broken off may be cut.
        self.known = dict(json.loads(line) for line in lines if line.endswith("]"))

    def of(self, what, deck, measure):
        key = f"{what} {deck.name} {hashlib.sha256(deck.read_bytes()).hexdigest()[:16]}"
        if key not in self.known:
            started = time.monotonic()
            with tempfile.TemporaryDirectory() as folder:
                self.known[key] = measure(deck, Path(folder))
            with self.file.open("a") as file:
                file.write(json.dumps([key, self.known[key]]) + "\n")
            print(f"{what:10} {deck.name[:60]:60} {time.monotonic() - started:6.1f} s", file=sys.stderr, flush=True)
        return self.known[key]


def layout_of(compere, layout):
    """Measures what the presenter hides: share and kind for each slide, nothing for a file that is refused."""

    def measure(deck, folder):
        project, _ = imported(compere, layout, deck, folder) or (None, None)
        if project is None:
            return None
        found = []
        for scene in project["scenes"]:
            source = next((clip["source_url"] for clip in scene["clips"] if clip["id"] == "slide"), None) or scene["background"]["source_url"]
            found.append(hidden(scene, folder / source.lstrip("/"), project["orientation"] == "landscape"))
        return found

    return measure


SHOWN = {"standing": "standing", "bust": "head and shoulders", "disc": "in a disc", "voice": "heard only", "nobody": "nobody"}


def layout_row(kept, compere, decks, whose, layout):
    """A line of the first table, and whether the goal is reached."""
    all_found = [kept.of(layout, deck, layout_of(compere, layout)) for deck in decks]
    found = [slide for deck in all_found if deck is not None for slide in deck]
    shares = [share for share, _ in found]
    right = sum(share <= HIDDEN for share in shares) / max(1, len(shares))
    kinds = Counter(kind.removesuffix(" beside a smaller slide") for _, kind in found)
    smaller = sum(kind.endswith(" beside a smaller slide") for _, kind in found)
    how = ", ".join(f"{count} {SHOWN[kind]}" for kind, count in kinds.most_common())
    how += f"; {smaller} of the slides smaller" if smaller else ""
    taken = sum(deck is not None for deck in all_found)
    print(f"| {whose}, {taken} | {len(found)} | `{layout}` | {right:.0%} | {max(shares, default=0):.1%} | {how} |", flush=True)
    return right >= SLIDES


def parts_of(compere):
    """Measures what becomes clips, nothing for a file that is refused."""

    def measure(deck, folder):
        started = time.monotonic()
        found = imported(compere, "voice", deck, folder, "--editable")
        if found is None:
            return None
        project, warnings = found
        texts, pictures, cells, animated = held(deck)
        drawn = re.compile(r"Step \d+")
        own = [[clip for clip in scene["clips"] if clip["id"].startswith("slide-") and not drawn.fullmatch(clip["name"])] for scene in project["scenes"]]
        return {
            "boxes": {"texts": texts, "pictures": pictures, "cells": cells},
            "clips": {
                "texts": sum(len({clip["name"] for clip in scene if clip["type"] == "textImage" and not CELL.search(clip["name"])}) for scene in own),
                "cells": sum(len({clip["name"] for clip in scene if CELL.search(clip["name"])}) for scene in own),
                "pictures": sum(clip["type"] == "image" for scene in own for clip in scene),
            },
            "clicked": animated,
            "in_steps": sum(any("fromStep" in clip for clip in scene["clips"]) for scene in project["scenes"]),
            "transitions": sum("transition" in scene for scene in project["scenes"]),
            "reasons": reasons_in(warnings),
            "seconds": (time.monotonic() - started) / max(1, len(project["scenes"])),
        }

    return measure


def editable_table(kept, compere, decks):
    """How many text boxes and pictures become clips, what keeps the others, and how long it takes."""
    found = [(deck, kept.of("editable", deck, parts_of(compere))) for deck in decks]
    found = [(deck, one) for deck, one in found if one is not None]
    print(f"\n| of {len(found)} decks | become clips | goal |\n|---|---|---|")
    right = True
    for kind, name in (("texts", "text boxes"), ("pictures", "pictures"), ("cells", "cells of tables")):
        clips, boxes = (sum(one[which][kind] for _, one in found) for which in ("clips", "boxes"))
        share, goal = clips / max(1, boxes), CLIPS.get(kind)
        right &= goal is None or share >= goal
        print(f"| {name} | {clips} of {boxes} ({share:.0%}) | {'' if goal is None else f'{goal:.0%}'} |")
    clicked, in_steps = (sum(one[which] for _, one in found) for which in ("clicked", "in_steps"))
    print(f"| slides with clicks | {in_steps} of {clicked} come in steps | |")
    print(f"| slides with a transition | {sum(one['transitions'] for _, one in found)} | |")
    slow = sorted(one["seconds"] for _, one in found)
    print(f"| seconds a slide | {slow[len(slow) // 2]:.1f} in the middle, {slow[-1]:.1f} at most | |")
    reasons = sum((Counter(one["reasons"]) for _, one in found), Counter())
    print("\nWhat keeps the others: " + ", ".join(f"{why} ({count})" for why, count in reasons.most_common()) + "\n")
    for deck, one in found:
        if one["clips"] != one["boxes"]:
            kinds = ", ".join(f"{kind} {one['clips'][kind]} of {one['boxes'][kind]}" for kind in one["boxes"])
            print(f"  {deck.name[:44]:44} {kinds}")
    return right


def main(compere, results, own, others):
    kept = Kept(compere, Path(results))
    own, every = [Path(deck) for deck in own], [Path(deck) for deck in own + others]
    print("| decks | slides | layout | hidden at most 1 % | at worst | how |\n|---|---|---|---|---|---|")
    right = True
    for whose, decks in (("all", every), ("ours", own)):
        for layout in ("auto", "beside", "corner", "circle"):
            right &= layout_row(kept, compere, decks, whose, layout)
    right &= editable_table(kept, compere, every)
    right &= deck_speed.table(compere, next(deck for deck in own if deck.name == "training.pptx"))
    return 0 if right else 1


if __name__ == "__main__":
    between = sys.argv.index("--")
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:between], sys.argv[between + 1:]))
