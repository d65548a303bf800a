"""Decks in the known forms of what Google Slides and Keynote export, written part by part: neither program is here to ask.

    python3 exports.py FOLDER
"""
import struct
import sys
import zipfile
import zlib
from pathlib import Path

OUT = Path(sys.argv[1])
NS = ('xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
      'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"')
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
KIND = "application/vnd.openxmlformats-officedocument.presentationml"


def picture(width, height, colours):
    """A PNG of stripes."""
    rows = b"".join(b"\0" + b"".join(bytes(colours[(x * len(colours)) // width]) for x in range(width)) for _ in range(height))
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def frame(x, y, w, h, tag="a"):
    return f'<{tag}:xfrm><a:off x="{x}" y="{y}"/><a:ext cx="{w}" cy="{h}"/></{tag}:xfrm>'


def tree(shapes, background=""):
    return (f'<p:cSld>{background}<p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/>'
            f'<a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>{"".join(shapes)}</p:spTree></p:cSld>')


def plain(background):
    return f'<p:bg><p:bgPr><a:solidFill><a:srgbClr val="{background}"/></a:solidFill><a:effectLst/></p:bgPr></p:bg>'


MAP = '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>'
KEPT = "<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr>"


def theme(font):
    colours = dict(dk1="000000", lt1="FFFFFF", dk2="595959", lt2="EEEEEE", accent1="4285F4", accent2="212121", accent3="78909C", accent4="FFAB40", accent5="0097A7", accent6="EEFF41", hlink="0097A7", folHlink="0097A7")
    fonts = "".join(f'<a:{kind}Font><a:latin typeface="{font}"/><a:ea typeface="{font}"/><a:cs typeface="{font}"/></a:{kind}Font>' for kind in ("major", "minor"))
    fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
    line = f'<a:ln w="9525">{fill}</a:ln>'
    return (f'{HEAD}<a:theme {NS} name="Theme"><a:themeElements><a:clrScheme name="Theme">{"".join(f"<a:{name}><a:srgbClr val={chr(34)}{value}{chr(34)}/></a:{name}>" for name, value in colours.items())}</a:clrScheme>'
            f'<a:fontScheme name="Theme">{fonts}</a:fontScheme><a:fmtScheme name="Theme"><a:fillStyleLst>{fill * 3}</a:fillStyleLst><a:lnStyleLst>{line * 3}</a:lnStyleLst>'
            f'<a:effectStyleLst>{"<a:effectStyle><a:effectLst/></a:effectStyle>" * 3}</a:effectStyleLst><a:bgFillStyleLst>{fill * 3}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>')


def relations(*all_of):
    listed = "".join(f'<Relationship Id="rId{at}" Type="{OFFICE}/{kind}" Target="{target}"/>' for at, (kind, target) in enumerate(all_of, 1))
    return f'{HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{listed}</Relationships>'


def save(name, size, font, master, layout, slides, media, fonts=""):
    """`slides` are a tree, the targets of its relations, and the tree of its notes."""
    parts = {"_rels/.rels": relations(("officeDocument", "ppt/presentation.xml"))}
    kinds = {"ppt/presentation.xml": f"{KIND}.presentation.main+xml", "ppt/theme/theme1.xml": "application/vnd.openxmlformats-officedocument.theme+xml",
             "ppt/slideMasters/slideMaster1.xml": f"{KIND}.slideMaster+xml", "ppt/slideLayouts/slideLayout1.xml": f"{KIND}.slideLayout+xml",
             "ppt/notesMasters/notesMaster1.xml": f"{KIND}.notesMaster+xml", "ppt/theme/theme2.xml": "application/vnd.openxmlformats-officedocument.theme+xml"}
    parts["ppt/theme/theme1.xml"] = parts["ppt/theme/theme2.xml"] = theme(font)
    parts["ppt/slideMasters/slideMaster1.xml"] = f'{HEAD}<p:sldMaster {NS}>{master}{MAP}<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst></p:sldMaster>'
    parts["ppt/slideMasters/_rels/slideMaster1.xml.rels"] = relations(("slideLayout", "../slideLayouts/slideLayout1.xml"), ("theme", "../theme/theme1.xml"), ("image", "../media/image1.png"))
    parts["ppt/slideLayouts/slideLayout1.xml"] = f"{HEAD}<p:sldLayout {NS}>{layout}{KEPT}</p:sldLayout>"
    parts["ppt/slideLayouts/_rels/slideLayout1.xml.rels"] = relations(("slideMaster", "../slideMasters/slideMaster1.xml"))
    parts["ppt/notesMasters/notesMaster1.xml"] = f"{HEAD}<p:notesMaster {NS}>{tree([])}{MAP}</p:notesMaster>"
    parts["ppt/notesMasters/_rels/notesMaster1.xml.rels"] = relations(("theme", "../theme/theme2.xml"))
    ways = [("slideMaster", "slideMasters/slideMaster1.xml"), ("notesMaster", "notesMasters/notesMaster1.xml"), ("theme", "theme/theme1.xml")]
    ids = ""
    for at, (slide, targets, notes) in enumerate(slides, 1):
        ways.append(("slide", f"slides/slide{at}.xml"))
        ids += f'<p:sldId id="{255 + at}" r:id="rId{len(ways)}"/>'
        parts[f"ppt/slides/slide{at}.xml"] = f"{HEAD}<p:sld {NS}>{slide}{KEPT}</p:sld>"
        parts[f"ppt/slides/_rels/slide{at}.xml.rels"] = relations(("slideLayout", "../slideLayouts/slideLayout1.xml"), ("notesSlide", f"../notesSlides/notesSlide{at}.xml"), *targets)
        parts[f"ppt/notesSlides/notesSlide{at}.xml"] = f"{HEAD}<p:notes {NS}>{notes}{KEPT}</p:notes>"
        parts[f"ppt/notesSlides/_rels/notesSlide{at}.xml.rels"] = relations(("notesMaster", "../notesMasters/notesMaster1.xml"), ("slide", f"../slides/slide{at}.xml"))
        kinds |= {f"ppt/slides/slide{at}.xml": f"{KIND}.slide+xml", f"ppt/notesSlides/notesSlide{at}.xml": f"{KIND}.notesSlide+xml"}
    parts["ppt/presentation.xml"] = (f'{HEAD}<p:presentation {NS} autoCompressPictures="0" strictFirstAndLastChars="0" saveSubsetFonts="1"><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst>'
                                     f'<p:notesMasterIdLst><p:notesMasterId r:id="rId2"/></p:notesMasterIdLst><p:sldIdLst>{ids}</p:sldIdLst><p:sldSz cx="{size[0]}" cy="{size[1]}"/><p:notesSz cx="6858000" cy="9144000"/>{fonts}</p:presentation>')
    parts["ppt/_rels/presentation.xml.rels"] = relations(*ways)
    types = "".join(f'<Override PartName="/{part}" ContentType="{kind}"/>' for part, kind in kinds.items())
    parts["[Content_Types].xml"] = (f'{HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
                                    f'<Default Extension="png" ContentType="image/png"/><Default Extension="fntdata" ContentType="application/x-fontdata"/>{types}</Types>')
    with zipfile.ZipFile(OUT / name, "w", zipfile.ZIP_DEFLATED) as package:
        for part, content in [*parts.items(), *media.items()]:
            package.writestr(zipfile.ZipInfo(part, (2026, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)


# Google Slides: no core properties, a name with a number and a page for every shape, insets and gaps spelled out, `buNone` in every
# paragraph without a bullet, letters scaled by the autofit, notes slides with empty bodies, pictures as fills of shapes.

def google_text(paragraphs, fit="<a:noAutofit/>", bullet="<a:buNone/>", size=1800, font="Lato", bold=False):
    # A bullet hangs as far before its words as letters of its size need.
    left, hangs = (0, 0) if bullet == "<a:buNone/>" else (457200, -(228600 + size * 635 // 10))
    written = "".join(
        f'<a:p><a:pPr marL="{left}" lvl="0" indent="{hangs}" algn="l" rtl="0"><a:spcBef><a:spcPts val="0"/></a:spcBef><a:spcAft><a:spcPts val="0"/></a:spcAft>'
        f'<a:buSzPts val="{size}"/>{bullet}</a:pPr><a:r><a:rPr lang="en" sz="{size}"{" b=" + chr(34) + "1" + chr(34) if bold else ""}><a:solidFill><a:srgbClr val="202124"/></a:solidFill>'
        f'<a:latin typeface="{font}"/><a:ea typeface="{font}"/><a:cs typeface="{font}"/><a:sym typeface="{font}"/></a:rPr><a:t>{words}</a:t></a:r><a:endParaRPr sz="{size}"/></a:p>'
        for words in paragraphs) or '<a:p><a:pPr indent="0" lvl="0" marL="0" rtl="0" algn="l"><a:buNone/></a:pPr><a:r><a:t/></a:r><a:endParaRPr/></a:p>'
    return f'<p:txBody><a:bodyPr anchorCtr="0" anchor="t" bIns="91425" lIns="91425" spcFirstLastPara="1" rIns="91425" wrap="square" tIns="91425">{fit}</a:bodyPr><a:lstStyle/>{written}</p:txBody>'


def google_shape(number, page, place, body="", holder="", geometry='<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>', fill="<a:noFill/>", box=True):
    kind = f'<p:ph {holder}/>' if holder else ""
    return (f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="Google Shape;{number};{page}"/><p:cNvSpPr{" txBox=" + chr(34) + "1" + chr(34) if box else ""}/><p:nvPr>{kind}</p:nvPr></p:nvSpPr>'
            f'<p:spPr>{frame(*place)}{geometry}{fill}<a:ln><a:noFill/></a:ln></p:spPr>{body or google_text([])}</p:sp>')


def google_notes(page, paragraphs):
    return tree([google_shape(50, f"{page}:notes", (381300, 685800, 6096000, 3429000), holder='type="sldImg" idx="2"', box=False),
                 google_shape(51, f"{page}:notes", (685800, 4343400, 5486400, 4114800), google_text(paragraphs, size=1100, font="Arial"), 'type="body" idx="1"')])


def google():
    photo = picture(64, 36, [(66, 133, 244), (234, 67, 53), (251, 188, 4), (52, 168, 83)])
    holders = [google_shape(6, "p1", (311700, 445025, 8520600, 572700), holder='type="title"'), google_shape(7, "p1", (311700, 1152475, 8520600, 3416400), holder='type="body" idx="1"')]
    dot = '<a:buChar char="●"/>'
    first = [google_shape(54, "p13", (311708, 744575, 8520600, 2052600), google_text(["A day at the shore"], '<a:normAutofit fontScale="90000"/>', size=5200, bold=True), 'type="ctrTitle"'),
             google_shape(55, "p13", (311700, 2834125, 8520600, 792600), google_text(["What to bring and what to leave"], '<a:normAutofit/>', size=2800), 'type="subTitle" idx="1"')]
    second = [google_shape(60, "p14", (311700, 445025, 8520600, 572700), google_text(["In the bag"], size=2800), 'type="title"'),
              google_shape(61, "p14", (311700, 1152475, 5400000, 3416400), google_text(["Water, two bottles", "A towel for each of us", "Something against the sun"], '<a:normAutofit fontScale="92500" lnSpcReduction="10000"/>', dot), 'type="body" idx="1"')]
    wave = ('<a:custGeom><a:avLst/><a:gdLst/><a:ahLst/><a:cxnLst/><a:rect l="l" t="t" r="r" b="b"/><a:pathLst><a:path extrusionOk="0" h="40000" w="120000">'
            '<a:moveTo><a:pt x="0" y="20000"/></a:moveTo><a:cubicBezTo><a:pt x="40000" y="0"/><a:pt x="80000" y="40000"/><a:pt x="120000" y="20000"/></a:cubicBezTo><a:lnTo><a:pt x="120000" y="40000"/></a:lnTo>'
            '<a:lnTo><a:pt x="0" y="40000"/></a:lnTo><a:close/></a:path></a:pathLst></a:custGeom>')
    blue = '<a:solidFill><a:srgbClr val="4285F4"/></a:solidFill>'
    filled = '<a:blipFill><a:blip r:embed="rId3"/><a:stretch><a:fillRect/></a:stretch></a:blipFill>'
    group = ('<p:grpSp><p:nvGrpSpPr><p:cNvPr id="70" name="Google Shape;70;p15"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="5800000" y="1200000"/><a:ext cx="2800000" cy="900000"/>'
             '<a:chOff x="0" y="0"/><a:chExt cx="2800000" cy="900000"/></a:xfrm></p:grpSpPr>' + google_shape(71, "p15", (0, 0, 2800000, 900000), google_text(["High water at noon"], size=1600), fill='<a:solidFill><a:srgbClr val="E8F0FE"/></a:solidFill>', box=False) + "</p:grpSp>")
    third = [google_shape(65, "p15", (311700, 445025, 8520600, 572700), google_text(["The tide"], size=2800), 'type="title"'),
             google_shape(66, "p15", (311700, 3600000, 8520600, 1100000), geometry=wave, fill=blue, box=False),
             google_shape(67, "p15", (400000, 1300000, 3200000, 1800000), fill=filled, box=False), group]
    slides = [(tree(first), [], google_notes("p13", ["Welcome to a day at the shore.", "We leave at eight."])), (tree(second), [], google_notes("p14", [])),
              (tree(third), [("image", "../media/image2.png")], google_notes("p15", ["Mind the tide."]))]
    save("google.pptx", (9144000, 5143500), "Arial", tree(holders, plain("FFFFFF")), tree([]), slides, {"ppt/media/image1.png": photo, "ppt/media/image2.png": photo})


# Keynote: what its themes have is pictures of the master, no shape inherits from one, all lie in groups and are paths in squares of
# 21600, and letters are Helvetica Neue, with every size at its place.

def keynote_shape(number, name, place, paragraphs=(), size=5000, fill="<a:noFill/>", bold=False, holder=""):
    square = ('<a:custGeom><a:avLst/><a:gdLst/><a:ahLst/><a:cxnLst/><a:rect l="0" t="0" r="r" b="b"/><a:pathLst><a:path w="21600" h="21600" extrusionOk="0"><a:moveTo><a:pt x="0" y="0"/></a:moveTo>'
              '<a:lnTo><a:pt x="21600" y="0"/></a:lnTo><a:lnTo><a:pt x="21600" y="21600"/></a:lnTo><a:lnTo><a:pt x="0" y="21600"/></a:lnTo><a:close/></a:path></a:pathLst></a:custGeom>')
    face = "Helvetica Neue"
    look = f'<a:defRPr sz="{size}"{" b=" + chr(34) + "1" + chr(34) if bold else ""}><a:solidFill><a:srgbClr val="1D1D1F"/></a:solidFill><a:latin typeface="{face}"/><a:ea typeface="{face}"/><a:cs typeface="{face}"/><a:sym typeface="{face}"/></a:defRPr>'
    written = "".join(f'<a:p><a:pPr>{look}</a:pPr><a:r><a:rPr sz="{size}"{" b=" + chr(34) + "1" + chr(34) if bold else ""}><a:latin typeface="{face}"/></a:rPr><a:t>{words}</a:t></a:r></a:p>' for words in paragraphs) or "<a:p><a:pPr/></a:p>"
    kind = f"<p:ph {holder}/>" if holder else ""
    return (f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="{name}"/><p:cNvSpPr/><p:nvPr>{kind}</p:nvPr></p:nvSpPr><p:spPr>{frame(*place)}{square}{fill}<a:ln w="12700" cap="flat"><a:noFill/><a:miter lim="400000"/></a:ln></p:spPr>'
            f'<p:txBody><a:bodyPr wrap="square" lIns="50800" tIns="50800" rIns="50800" bIns="50800" numCol="1" anchor="t"><a:normAutofit fontScale="100000" lnSpcReduction="0"/></a:bodyPr><a:lstStyle/>{written}</p:txBody></p:sp>')


def keynote_group(number, shapes, size):
    return (f'<p:grpSp><p:nvGrpSpPr><p:cNvPr id="{number}" name="Group"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="{size[0]}" cy="{size[1]}"/>'
            f'<a:chOff x="0" y="0"/><a:chExt cx="{size[0]}" cy="{size[1]}"/></a:xfrm></p:grpSpPr>{"".join(shapes)}</p:grpSp>')


def keynote():
    size = (24384000, 13716000)
    paper = picture(96, 54, [(246, 244, 238)] * 11 + [(214, 90, 60)])
    photo = picture(64, 36, [(20, 60, 90), (40, 120, 140), (120, 190, 180), (240, 220, 150)])
    drawn = lambda number, name, relation, place: (f'<p:pic><p:nvPicPr><p:cNvPr id="{number}" name="{name}" descr="{name}"/><p:cNvPicPr><a:picLocks noChangeAspect="1"/></p:cNvPicPr><p:nvPr/></p:nvPicPr>'
                                                   f'<p:blipFill><a:blip r:embed="{relation}"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr>{frame(*place)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:ln w="12700"><a:miter lim="400000"/></a:ln></p:spPr></p:pic>')
    master = tree([drawn(2, "paper.png", "rId3", (0, 0, *size))])
    said = lambda *words: tree([keynote_shape(20, "Shape 20", (0, 0, 9, 9), words, 2400, holder='type="body" sz="quarter" idx="1"')])
    orange = '<a:solidFill><a:srgbClr val="F2B38F"/></a:solidFill>'
    first = [keynote_group(100, [keynote_shape(101, "Shape 101", (1700000, 3200000, 15000000, 2600000), ["Tools of the workshop"], 11200, bold=True),
                                 keynote_shape(102, "Shape 102", (1700000, 6200000, 15000000, 1400000), ["Safe from the first day"], 5500)], size)]
    second = [keynote_group(110, [keynote_shape(111, "Shape 111", (1700000, 1200000, 15000000, 1900000), ["The band saw"], 8400, bold=True),
                                  keynote_shape(112, "Shape 112", (1700000, 4000000, 9000000, 2000000), ["Guard down before it runs"], 4800, orange),
                                  keynote_shape(113, "Shape 113", (1700000, 7000000, 9000000, 2000000), ["Push with the stick"], 4800, orange),
                                  drawn(114, "saw.png", "rId3", (12000000, 4000000, 8000000, 4500000))], size)]
    slides = [(tree(first), [], said("Good morning.", "These are the tools.")), (tree(second), [("image", "../media/image2.png")], said("First the saw. Guard down before it runs, and push with the stick."))]
    save("keynote.pptx", size, "Helvetica Neue", master, tree([]), slides, {"ppt/media/image1.png": paper, "ppt/media/image2.png": photo})


google()
keynote()
