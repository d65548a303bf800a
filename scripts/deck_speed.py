"""Makes two long documents and says how long each takes to import, and four at once. Part of decks.py, and by itself:

    python3 scripts/deck_speed.py target/release/compere crates/compere-import/tests/corpus/training.pptx

Times of a machine that has other things to do say nothing of the goals, which are those of two idle cores: then they are
printed and not judged.
"""
import os
import re
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

# Name, and seconds that it may take on two idle cores.
PAGES, PDF_GOAL = 300, 20
SLIDES, PPTX_GOAL = 150, 30
# Processes that wait for a core, of which the machine may have as many and still be called idle.
IDLE = 0.5


def long_pdf(path, pages=PAGES):
    """Pages of a heading, lines of text and a colour."""
    font, kids = 3, []
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    for page in range(pages):
        lines = [f"BT /F 60 Tf 0 g 100 760 Td (Page {page}) Tj ET"]
        lines += [f"BT /F 28 Tf 100 {660 - line * 48} Td (Point {line} of page {page}, about this and that) Tj ET" for line in range(12)]
        content = f"0.{page % 10} 0.9 0.95 rg 0 0 1600 900 re f\n" + "\n".join(lines)
        kids.append(len(objects) + 1)
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 1600 900] /Contents {len(objects) + 2} 0 R"
            f" /Resources << /Font << /F {font} 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(f'{kid} 0 R' for kid in kids)}] /Count {pages} >>"
    out, table = "%PDF-1.7\n", f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n"
    for at, body in enumerate(objects, 1):
        table += f"{len(out):010} 00000 n \n"
        out += f"{at} 0 obj\n{body}\nendobj\n"
    trailer = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
    path.write_text(out + table + trailer)


def long_pptx(deck, path):
    """A deck with its slides, and their notes, over and over."""
    with zipfile.ZipFile(deck) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    text = lambda name: parts[name].decode()
    types, shown, relations = (text(name) for name in ("[Content_Types].xml", "ppt/presentation.xml", "ppt/_rels/presentation.xml.rels"))
    slides = sorted((int(number) for number in re.findall(r"ppt/slides/slide(\d+)\.xml\b(?!\.rels)", " ".join(parts))))
    listed = re.findall(r"<p:sldId [^>]*/>", shown)
    first_id = max(int(number) for number in re.findall(r'<p:sldId [^>]*?\bid="(\d+)"', shown)) + 1
    kinds, ids, ways = "", "", ""
    for copy in range(SLIDES - len(listed)):
        old, new = slides[copy % len(slides)], 1000 + copy
        notes = re.search(r"notesSlide(\d+)\.xml", text(f"ppt/slides/_rels/slide{old}.xml.rels"))
        moved = lambda content: content.replace(f"slide{old}.xml", f"slide{new}.xml")
        parts[f"ppt/slides/slide{new}.xml"] = parts[f"ppt/slides/slide{old}.xml"]
        way = text(f"ppt/slides/_rels/slide{old}.xml.rels")
        kinds += f'<Override PartName="/ppt/slides/slide{new}.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.slide+xml"/>'
        if notes:
            way = way.replace(notes[0], f"notesSlide{new}.xml")
            parts[f"ppt/notesSlides/notesSlide{new}.xml"] = parts[f"ppt/notesSlides/{notes[0]}"]
            parts[f"ppt/notesSlides/_rels/notesSlide{new}.xml.rels"] = moved(text(f"ppt/notesSlides/_rels/{notes[0]}.rels")).encode()
            kinds += f'<Override PartName="/ppt/notesSlides/notesSlide{new}.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.notesSlide+xml"/>'
        parts[f"ppt/slides/_rels/slide{new}.xml.rels"] = way.encode()
        ids += f'<p:sldId id="{first_id + copy}" r:id="copy{copy}"/>'
        ways += f'<Relationship Id="copy{copy}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/slide" Target="slides/slide{new}.xml"/>'
    parts["[Content_Types].xml"] = types.replace("</Types>", kinds + "</Types>").encode()
    parts["ppt/presentation.xml"] = shown.replace("</p:sldIdLst>", ids + "</p:sldIdLst>").encode()
    parts["ppt/_rels/presentation.xml.rels"] = relations.replace("</Relationships>", ways + "</Relationships>").encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            package.writestr(name, content)


def table(compere, deck):
    """Prints how long both take; whether that is quick enough, where it can be told."""
    busy = os.getloadavg()[0]
    judged = busy <= IDLE
    print(f"\n| document | seconds | goal on two idle cores |{'' if judged else f' not judged: {busy:.1f} processes wait already |'}\n|---|---|---|")
    right = True
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for name, goal, make in (
            (f"PDF of {PAGES} pages", PDF_GOAL, lambda path: long_pdf(path)),
            (f"PPTX of {SLIDES} slides", PPTX_GOAL, lambda path: long_pptx(deck, path)),
        ):
            document = folder / name.replace(" ", "-")
            make(document)
            started = time.monotonic()
            done = started_import(compere, document, folder / "deck.json")
            _, refusal = done.communicate()
            took = time.monotonic() - started
            if done.returncode != 0:
                print(f"| {name} | refused: {refusal.strip()} | {goal} |")
                right = False
                continue
            print(f"| {name} | {took:.1f} | {goal} |", flush=True)
            right &= took <= goal or not judged
            started = time.monotonic()
            four = [started_import(compere, document, folder / str(at) / "deck.json") for at in range(4)]
            ended = [one.communicate() and one.returncode == 0 for one in four]
            print(f"| the same four times at once | {time.monotonic() - started:.1f} | |", flush=True)
            right &= all(ended)
    return right


def started_import(compere, document, to):
    to.parent.mkdir(exist_ok=True)
    return subprocess.Popen([compere, "import", str(document), "-o", str(to)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


if __name__ == "__main__":
    sys.exit(0 if table(sys.argv[1], Path(sys.argv[2])) else 1)
