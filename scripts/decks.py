"""Imports decks and measures how much of their slides the presenter hides. Called by decks.sh; needs nothing but ffmpeg.

It looks at the project that came out and at the slides' pictures, not at what the import thought of them.
"""
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

# Pixels that are looked at, and by how much neighbours differ across an edge.
WIDTH, EDGE = 640, 12
# Share of a slide's edges that may be hidden, and of the slides that have to keep to it.
HIDDEN, SLIDES = 0.01, 0.95


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


def held(deck):
    """Text boxes, pictures and animated slides of the slides that are shown."""
    texts = pictures = animated = 0
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
                    texts += any((run.text or "").strip() for run in node.iter() if local(run) == "t")
                pictures += local(node) == "pic" and id(node) not in framed and is_picture(node)
    return texts, pictures, animated


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


def editable(compere, decks):
    """How many text boxes and pictures become clips, what keeps the others, and how long it takes."""
    boxes, clips, reasons, steps, slow = Counter(), Counter(), Counter(), Counter(), []
    for deck in map(Path, decks):
        with tempfile.TemporaryDirectory() as folder:
            started = time.monotonic()
            found = imported(compere, "voice", deck, Path(folder), "--editable")
        if found is None:
            continue
        project, warnings = found
        slow.append((time.monotonic() - started) / max(1, len(project["scenes"])))
        texts, pictures, animated = held(deck)
        boxes.update(texts=texts, pictures=pictures)
        shown = sum(any("fromStep" in clip for clip in scene["clips"]) for scene in project["scenes"])
        steps.update(slides=animated, shown=shown)
        own = [[clip for clip in scene["clips"] if clip["id"].startswith("slide-") and "fromStep" not in clip] for scene in project["scenes"]]
        became = (
            sum(len({clip["name"] for clip in scene if clip["type"] == "textImage"}) for scene in own),
            sum(clip["type"] == "image" for scene in own for clip in scene),
        )
        clips.update(texts=became[0], pictures=became[1])
        why = reasons_in(warnings)
        reasons.update(why)
        if became != (texts, pictures):
            told = ", ".join(f"{count} {reason}" for reason, count in why.most_common(4))
            print(f"{deck.name[:36]:36} texts {became[0]:3} of {texts:3}, pictures {became[1]:3} of {pictures:3}   {told}", flush=True)
    for kind in ("texts", "pictures"):
        print(f"{kind} that become clips: {clips[kind]} of {boxes[kind]} ({clips[kind] / max(1, boxes[kind]):.0%})")
    print(f"slides with clicks: {steps['slides']}, in steps in the film: {steps['shown']}")
    print(f"seconds a slide: {sorted(slow)[len(slow) // 2]:.1f} in the middle, {max(slow):.1f} at most")
    for why, count in reasons.most_common(16):
        print(f"  {count:4} {why}")


def main(compere, layout, decks):
    shares, kinds, refused = [], Counter(), 0
    print(f"{'deck':44} {'slides':>6} {'hidden at most':>15}  presenter")
    for deck in map(Path, decks):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            project, _ = imported(compere, layout, deck, folder) or (None, None)
            if project is None:
                refused += 1
                continue
            found = []
            for scene in project["scenes"]:
                source = next((clip["source_url"] for clip in scene["clips"] if clip["id"] == "slide"), None) or scene["background"]["source_url"]
                found.append(hidden(scene, folder / source.lstrip("/"), project["orientation"] == "landscape"))
        shares += [share for share, _ in found]
        kinds.update(kind for _, kind in found)
        told = ", ".join(f"{count} {kind}" for kind, count in Counter(kind for _, kind in found).most_common())
        print(f"{deck.name[:44]:44} {len(found):6} {max(share for share, _ in found):14.2%}   {told}", flush=True)
    kept = sum(share <= HIDDEN for share in shares) / max(1, len(shares))
    print(f"\n{len(decks) - refused} decks, {len(shares)} slides, layout {layout}; {refused} files without slides were refused")
    print(f"content hidden: at most {HIDDEN:.0%} on {kept:.1%} of the slides (goal {SLIDES:.0%}), {max(shares):.2%} at worst, {sum(shares) / len(shares):.3%} on average")
    print(", ".join(f"{kind}: {count}" for kind, count in kinds.most_common()))
    print()
    editable(compere, decks)
    return 0 if kept >= SLIDES else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
