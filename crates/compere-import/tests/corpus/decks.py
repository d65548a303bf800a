"""Decks as people make them, for the tests of compere-import. See make.sh."""
import struct
import subprocess
import sys
import zlib
from pathlib import Path

from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.shapes import MSO_SHAPE
from pptx.enum.text import PP_ALIGN
from pptx.oxml import parse_xml
from pptx.util import Emu, Inches, Pt

OUT = Path(sys.argv[1])


def picture(path, width=160, height=90):
    """A small photograph-like PNG without any library."""
    rows = bytearray()
    state = 7
    for y in range(height):
        rows.append(0)
        for x in range(width):
            state = (state * 1103515245 + 12345) & 0x7FFFFFFF
            noise = (state >> 16) % 40
            rows += bytes((min(255, x + noise), min(255, y * 2 + noise), (x * y + noise) % 256))
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + chunk(b"IEND", b""))
    return str(path)


def deck(width, height, title):
    prs = Presentation()
    prs.slide_width, prs.slide_height = Inches(width), Inches(height)
    prs.core_properties.title = title
    return prs


def text(slide, x, y, w, h, words, size=24, bold=False, colour=None, font=None, align=None):
    box = slide.shapes.add_textbox(Inches(x), Inches(y), Inches(w), Inches(h))
    box.text_frame.word_wrap = True
    paragraph = box.text_frame.paragraphs[0]
    run = paragraph.add_run()
    run.text = words
    run.font.size, run.font.bold = Pt(size), bold
    if colour:
        run.font.color.rgb = RGBColor(*colour)
    if font:
        run.font.name = font
    if align:
        paragraph.alignment = align
    return box


def background(slide, colour):
    slide.background.fill.solid()
    slide.background.fill.fore_color.rgb = RGBColor(*colour)


def notes(slide, words):
    slide.notes_slide.notes_text_frame.text = words


def business():
    prs = deck(13.333, 7.5, "Quarterly review")
    s = prs.slides.add_slide(prs.slide_layouts[0])
    s.shapes.title.text = "Quarterly review"
    s.placeholders[1].text = "Third quarter, in six slides"
    notes(s, "Welcome to the quarterly review.\nWe have six slides & one message.")
    s = prs.slides.add_slide(prs.slide_layouts[1])
    s.shapes.title.text = "What happened"
    body = s.placeholders[1].text_frame
    body.text = "Revenue grew in every region"
    for level, words in ((1, "Europe leads with 12 %"), (1, "Asia follows"), (0, "Costs stayed flat")):
        p = body.add_paragraph()
        p.text, p.level = words, level
    notes(s, "Revenue grew. That was not expected by <everyone>.")
    s = prs.slides.add_slide(prs.slide_layouts[5])
    s.shapes.title.text = "Revenue by region"
    data = CategoryChartData()
    data.categories = ["Europe", "Asia", "Americas"]
    data.add_series("2025", (19.2, 21.4, 16.7))
    data.add_series("2026", (22.3, 28.6, 15.2))
    s.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(1.6), Inches(11), Inches(5.4), data)
    notes(s, "The chart shows the three regions.")
    s = prs.slides.add_slide(prs.slide_layouts[5])
    s.shapes.title.text = "Never shown"
    s._element.set("show", "0")
    notes(s, "Nobody hears this.")
    s = prs.slides.add_slide(prs.slide_layouts[5])
    s.shapes.title.text = "Numbers"
    table = s.shapes.add_table(4, 3, Inches(1), Inches(1.8), Inches(11), Inches(4)).table
    for r in range(4):
        for c in range(3):
            table.cell(r, c).text = f"{'Head' if r == 0 else 'Cell'} {r}.{c}"
    s = prs.slides.add_slide(prs.slide_layouts[6])
    background(s, (16, 24, 40))
    text(s, 1, 3, 11.3, 1.5, "Thank you", 60, True, (255, 255, 255), align=PP_ALIGN.CENTER)
    notes(s, "Thank you for listening. Are there any questions?")
    prs.save(OUT / "business.pptx")


def scripts():
    prs = deck(10, 7.5, "Scripts of the world")
    rows = (
        ("Latin", "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich", "Guten Tag, wir sprechen heute über die Ergebnisse und das Jahr."),
        ("CJK", "今日は東京で会議があります。 我们今天在北京开会。 오늘 회의가 있습니다", "今日は東京で会議があります。"),
        ("Arabic", "مرحبا بالعالم، هذا عرض تقديمي", "مرحبا بالعالم، هذا عرض تقديمي."),
        ("Indic and Thai", "नमस्ते दुनिया  สวัสดีชาวโลก", "नमस्ते दुनिया, आज हम बात करेंगे।"),
    )
    for name, words, spoken in rows:
        s = prs.slides.add_slide(prs.slide_layouts[5])
        s.shapes.title.text = name
        text(s, 0.7, 2.2, 8.6, 3, words, 32)
        notes(s, spoken)
    prs.save(OUT / "scripts-4x3.pptx")


def looks():
    prs = deck(13.333, 7.5, "")
    prs.core_properties.title = ""
    photo = picture(OUT / "photo.png")
    s = prs.slides.add_slide(prs.slide_layouts[6])
    s.background.fill.gradient()
    s.background.fill.gradient_angle = 90
    stops = s.background.fill.gradient_stops
    stops[0].color.rgb, stops[1].color.rgb = RGBColor(20, 60, 140), RGBColor(240, 160, 60)
    text(s, 1, 3, 11, 1.5, "A gradient", 54, True, (255, 255, 255), "Georgia")
    s = prs.slides.add_slide(prs.slide_layouts[6])
    s.shapes.add_picture(photo, 0, 0, prs.slide_width, prs.slide_height)
    s = prs.slides.add_slide(prs.slide_layouts[6])
    for i, kind in enumerate((MSO_SHAPE.ROUNDED_RECTANGLE, MSO_SHAPE.OVAL, MSO_SHAPE.CHEVRON, MSO_SHAPE.CLOUD)):
        shape = s.shapes.add_shape(kind, Inches(0.8 + i * 3.1), Inches(2.5), Inches(2.6), Inches(2.2))
        shape.text_frame.text = f"Step {i + 1}"
    s.shapes.add_picture(photo, Inches(5), Inches(5.2), Inches(3.2), Inches(1.8))
    text(s, 1, 0.6, 11, 1, "Shapes in Calibri and in Futura", 32, font="Calibri")
    text(s, 1, 1.4, 11, 0.8, "This line asks for Futura", 24, font="Futura")
    prs.save(OUT / "looks.pptx")


def portrait():
    prs = deck(7.5, 13.333, "Upright")
    for i in range(2):
        s = prs.slides.add_slide(prs.slide_layouts[6])
        background(s, (13, 148, 136) if i else (255, 250, 242))
        text(s, 0.6, 4, 6.3, 3, f"Upright slide {i + 1}", 44, True)
        notes(s, f"This is slide {i + 1} of the upright deck and it is short.")
    prs.save(OUT / "portrait.pptx")


def external():
    """Pictures that lie elsewhere: on a server, and on this machine."""
    prs = deck(13.333, 7.5, "External")
    s = prs.slides.add_slide(prs.slide_layouts[6])
    text(s, 1, 1, 8, 1, "Links are not followed", 40)
    for target in (sys.argv[2], "file:///etc/passwd"):
        part = s.part
        rid = part.relate_to(target, "http://schemas.openxmlformats.org/officeDocument/2006/relationships/image", is_external=True)
        pic = s.shapes.add_picture(picture(OUT / "photo.png"), Inches(1), Inches(3), Inches(3), Inches(2))
        blip = pic._element.blipFill.find("{http://schemas.openxmlformats.org/drawingml/2006/main}blip")
        ns = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
        del blip.attrib[ns + "embed"]
        blip.set(ns + "link", rid)
    prs.save(OUT / "external.pptx")


def smooth(path, width=320, height=180):
    """A soft picture, as photographs are: hills before an evening sky."""
    import math
    rows = bytearray()
    for y in range(height):
        rows.append(0)
        for x in range(width):
            hill = 120 + 25 * math.sin(x / 37) + 14 * math.sin(x / 11)
            shade = y / height
            sky = (int(250 - 90 * shade), int(190 - 60 * shade), int(120 + 60 * shade))
            rows += bytes(sky if y < hill else (int(40 + 20 * math.sin(x / 50)), int(90 - 30 * (y - hill) / 60), 60))
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + chunk(b"IEND", b""))
    return str(path)


def parts():
    """What can be taken out of a slide, and what cannot."""
    prs = deck(13.333, 7.5, "Parts")
    photo = smooth(OUT / "photo.png")
    s = prs.slides.add_slide(prs.slide_layouts[6])
    s.shapes.add_picture(photo, 0, 0, prs.slide_width, prs.slide_height)
    text(s, 1, 0.8, 11, 1.2, "Words over a photograph", 48, True, (255, 255, 255), "Liberation Sans")
    long = "A longer text that takes several lines, because a box of five inches is not wide enough for all of its words."
    text(s, 7.5, 2.5, 5, 3, long, 24, colour=(20, 20, 60), font="Liberation Serif", align=PP_ALIGN.RIGHT)
    s = prs.slides.add_slide(prs.slide_layouts[6])
    cut = s.shapes.add_picture(photo, Inches(0.6), Inches(0.8), Inches(5), Inches(4))
    cut.crop_left, cut.crop_right, cut.crop_top, cut.crop_bottom = 0.2, 0.1, 0.05, 0.15
    turned = s.shapes.add_picture(photo, Inches(7), Inches(1.2), Inches(4), Inches(2.25))
    turned.rotation = 15
    box = text(s, 0.6, 5.2, 6, 1.6, "First of two lines", 28, font="Liberation Sans", colour=(160, 20, 40))
    second = box.text_frame.add_paragraph()
    run = second.add_run()
    run.text, run.font.size, run.font.name, run.font.color.rgb = "and the second", Pt(28), "Liberation Sans", RGBColor(160, 20, 40)
    group = s.shapes.add_group_shape()
    inner = group.shapes.add_textbox(Inches(7), Inches(5), Inches(5), Inches(0.8))
    run = inner.text_frame.paragraphs[0].add_run()
    run.text, run.font.size, run.font.italic, run.font.name = "Grouped and italic", Pt(32), True, "Liberation Serif"
    mixed = text(s, 7, 6.2, 5, 0.8, "Some ", 24, font="Liberation Sans")
    run = mixed.text_frame.paragraphs[0].add_run()
    run.text, run.font.size, run.font.bold, run.font.name = "bold", Pt(24), True, "Liberation Sans"
    prs.save(OUT / "parts.pptx")


def smart():
    """SmartArt: its shapes lie in a part of their own, as PowerPoint draws them beside the data they came from."""
    import zipfile
    prs = deck(13.333, 7.5, "SmartArt")
    s = prs.slides.add_slide(prs.slide_layouts[5])
    s.shapes.title.text = "A process"
    notes(s, "First we plan, then we build.")
    plain = OUT / "plain.pptx"
    prs.save(plain)
    a, p, r = (f"http://schemas.openxmlformats.org/{tail}" for tail in ("drawingml/2006/main", "presentationml/2006/main", "officeDocument/2006/relationships"))
    dgm, dsp = "http://schemas.openxmlformats.org/drawingml/2006/diagram", "http://schemas.microsoft.com/office/drawing/2008/diagram"
    frame = (f'<p:graphicFrame xmlns:a="{a}" xmlns:p="{p}" xmlns:r="{r}"><p:nvGraphicFramePr><p:cNvPr id="9" name="Diagram 8"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>'
             '<p:xfrm><a:off x="1000000" y="2000000"/><a:ext cx="10000000" cy="4000000"/></p:xfrm>'
             f'<a:graphic><a:graphicData uri="{dgm}"><dgm:relIds xmlns:dgm="{dgm}" r:dm="rIdD" r:lo="rIdL" r:qs="rIdQ" r:cs="rIdC"/></a:graphicData></a:graphic></p:graphicFrame>')
    def box(at, words):
        return (f'<dsp:sp modelId="{{{at}}}"><dsp:nvSpPr><dsp:cNvPr id="0" name=""/><dsp:cNvSpPr/></dsp:nvSpPr><dsp:spPr><a:xfrm><a:off x="{at * 5200000}" y="1000000"/><a:ext cx="4600000" cy="2000000"/></a:xfrm>'
                '<a:prstGeom prst="roundRect"><a:avLst/></a:prstGeom><a:solidFill><a:srgbClr val="1F6F8B"/></a:solidFill></dsp:spPr>'
                f'<dsp:txBody><a:bodyPr anchor="ctr"/><a:lstStyle/><a:p><a:pPr algn="ctr"/><a:r><a:rPr lang="en-US" sz="3200"><a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill></a:rPr><a:t>{words}</a:t></a:r></a:p></dsp:txBody></dsp:sp>')
    drawing = (f'<dsp:drawing xmlns:dsp="{dsp}" xmlns:a="{a}"><dsp:spTree><dsp:nvGrpSpPr><dsp:cNvPr id="0" name=""/><dsp:cNvGrpSpPr/></dsp:nvGrpSpPr><dsp:grpSpPr/>'
               + box(0, "Plan") + box(1, "Build") + '</dsp:spTree></dsp:drawing>')
    def point(at, kind, words=""):
        said = f"<dgm:t><a:bodyPr/><a:lstStyle/><a:p><a:r><a:t>{words}</a:t></a:r></a:p></dgm:t>"
        return f'<dgm:pt modelId="{{{at}}}" type="{kind}"><dgm:prSet/><dgm:spPr/>{said}</dgm:pt>'
    data = (f'<dgm:dataModel xmlns:dgm="{dgm}" xmlns:a="{a}"><dgm:ptLst>{point(5, "doc")}{point(0, "node", "Plan")}{point(1, "node", "Build")}</dgm:ptLst><dgm:cxnLst/><dgm:bg/><dgm:whole/>'
            f'<dgm:extLst><a:ext uri="http://schemas.microsoft.com/office/drawing/2008/diagram"><dsp:dataModelExt xmlns:dsp="{dsp}" relId="rIdDraw" minVer="http://schemas.openxmlformats.org/drawingml/2006/diagram"/></a:ext></dgm:extLst></dgm:dataModel>')
    parts = {
        "data1": ("diagramData", "rIdD", data, "diagramData"),
        "layout1": ("diagramLayout", "rIdL", f'<dgm:layoutDef xmlns:dgm="{dgm}" uniqueId="x"><dgm:title val=""/><dgm:desc val=""/><dgm:catLst/><dgm:layoutNode name="a"/></dgm:layoutDef>', "diagramLayout"),
        "quickStyle1": ("diagramQuickStyle", "rIdQ", f'<dgm:styleDef xmlns:dgm="{dgm}" uniqueId="x"/>', "diagramStyle"),
        "colors1": ("diagramColors", "rIdC", f'<dgm:colorsDef xmlns:dgm="{dgm}" uniqueId="x"/>', "diagramColors"),
    }
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(OUT / "smartart.pptx", "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "ppt/slides/slide1.xml":
                content = content.replace(b"</p:spTree>", frame.encode() + b"</p:spTree>")
            if name == "ppt/slides/_rels/slide1.xml.rels":
                more = "".join(f'<Relationship Id="{rid}" Type="{r}/{kind}" Target="../diagrams/{part}.xml"/>' for part, (kind, rid, _, _) in parts.items())
                more += '<Relationship Id="rIdDraw" Type="http://schemas.microsoft.com/office/2007/relationships/diagramDrawing" Target="../diagrams/drawing1.xml"/>'
                content = content.replace(b"</Relationships>", more.encode() + b"</Relationships>")
            if name == "[Content_Types].xml":
                more = "".join(f'<Override PartName="/ppt/diagrams/{part}.xml" ContentType="application/vnd.openxmlformats-officedocument.drawingml.{kind}+xml"/>' for part, (_, _, _, kind) in parts.items())
                more += '<Override PartName="/ppt/diagrams/drawing1.xml" ContentType="application/vnd.ms-office.drawingml.diagramDrawing+xml"/>'
                content = content.replace(b"</Types>", more.encode() + b"</Types>")
            new.writestr(name, content)
        for part, (_, _, content, _) in parts.items():
            new.writestr(f"ppt/diagrams/{part}.xml", content)
        new.writestr("ppt/diagrams/drawing1.xml", drawing)
    plain.unlink()


def training():
    """Ten slides as training departments make them, notes on seven of them."""
    prs = deck(13.333, 7.5, "PowerPoint Presentation")
    navy, red, grey = (23, 43, 77), (222, 53, 11), (94, 108, 132)
    photo = smooth(OUT / "photo.png")

    def slide(title, said=""):
        s = prs.slides.add_slide(prs.slide_layouts[6])
        bar = s.shapes.add_shape(MSO_SHAPE.RECTANGLE, 0, 0, Inches(0.25), prs.slide_height)
        bar.fill.solid()
        bar.fill.fore_color.rgb = RGBColor(*navy)
        bar.line.fill.background()
        text(s, 0.8, 0.45, 11.5, 0.9, title, 34, True, navy, "Segoe UI")
        text(s, 12.4, 6.95, 0.7, 0.4, str(len(prs.slides)), 12, colour=grey)
        text(s, 0.8, 6.95, 5, 0.4, "Fire safety at work", 12, colour=grey)
        if said:
            notes(s, said)
        return s

    def points(s, x, y, w, h, lines, size=22):
        box = text(s, x, y, w, h, "• " + lines[0], size)
        for line in lines[1:]:
            run = box.text_frame.add_paragraph().add_run()
            run.text, run.font.size = "• " + line, Pt(size)

    s = prs.slides.add_slide(prs.slide_layouts[6])
    background(s, navy)
    text(s, 1, 2.6, 9, 1.4, "Fire safety at work", 54, True, (255, 255, 255), "Segoe UI")
    text(s, 1, 4, 9, 0.8, "What to know, what to do", 26, colour=(200, 210, 225))
    notes(s, "Welcome to this short training about fire safety.\n(1 min)\nIt takes about ten minutes.")
    s = slide("What you will learn", "10 mins\nThis is the most important slide.\nBy the end you will know three things.")
    points(s, 0.8, 1.8, 7, 3, ["How fires start", "How to raise the alarm", "Where to go"])
    s = slide("How fires start", "Three things make a fire: heat, fuel and oxygen. Take one away and it goes out.")
    for at, words in enumerate(("Heat", "Fuel", "Oxygen")):
        shape = s.shapes.add_shape(MSO_SHAPE.OVAL, Inches(0.9 + at * 4.1), Inches(2.2), Inches(3.3), Inches(3.3))
        shape.text_frame.text = words
    s = slide("Causes in our buildings", "The chart shows where fires began in the last five years.")
    data = CategoryChartData()
    data.categories = ["Kitchen", "Cables", "Waste", "Heating", "Smoking"]
    data.add_series("Fires", (34, 28, 17, 12, 9))
    s.shapes.add_chart(XL_CHART_TYPE.BAR_CLUSTERED, Inches(0.8), Inches(1.5), Inches(11.8), Inches(5.3), data)
    s = slide("Kinds of extinguishers")
    table = s.shapes.add_table(6, 4, Inches(0.8), Inches(1.6), Inches(11.8), Inches(4.8)).table
    rows = (("Colour", "Kind", "Good for", "Never for"), ("Red", "Water", "Paper, wood", "Live cables"), ("Cream", "Foam", "Liquids", "Live cables"),
            ("Blue", "Powder", "Most fires", "Closed rooms"), ("Black", "CO2", "Live cables", "Small rooms"), ("Yellow", "Wet chemical", "Cooking oil", "Live cables"))
    for r, row in enumerate(rows):
        for c, words in enumerate(row):
            table.cell(r, c).text = words
    s = slide("In an emergency", "If you see a fire, raise the alarm first. [click] Then leave by the nearest way out. Do not use the lift.")
    s.shapes.add_picture(photo, Inches(7.2), Inches(1.6), Inches(5.6), Inches(5.1))
    points(s, 0.8, 1.8, 6, 4, ["Raise the alarm", "Call 112", "Leave by the nearest way out", "Do not use the lift", "Meet in the car park"])
    s = slide("Quiet minute")
    text(s, 0.8, 2.6, 11, 1.5, "Where is the nearest way out from your desk?", 40, True, red)
    s = slide("The rules in full", "You need not learn these by heart. They hang at every entrance.")
    rule = "Ways out, stairs and doors are kept free at all times; nothing is stored there, not even for a short while."
    points(s, 0.8, 1.5, 5.8, 5.2, [rule, "Doors that close by themselves are never wedged open.", rule, "Damaged cables are reported on the same day."], 17)
    points(s, 6.9, 1.5, 5.9, 5.2, ["Extinguishers are checked every year; the date is on the label.", rule, "Candles are not allowed.", rule], 17)
    s = prs.slides.add_slide(prs.slide_layouts[6])
    s.shapes.add_picture(photo, 0, 0, prs.slide_width, prs.slide_height)
    text(s, 0.8, 0.6, 9, 1, "Our meeting point", 44, True, (255, 255, 255))
    s = slide("Thank you", "Thank you for your time. Please take the short quiz now.")
    text(s, 0.8, 2.4, 8, 1, "Questions? safety@example.com", 28)
    prs.save(OUT / "training.pptx")

def timing(slide, clicks):
    """Animations by click: lists of ("entr" or "exit", shape, paragraph or None), as PowerPoint writes them."""
    count = iter(range(3, 10_000))
    def effect(at, kind, shape, paragraph):
        part = "" if paragraph is None else f'<p:txEl><p:pRg st="{paragraph}" end="{paragraph}"/></p:txEl>'
        start = "clickEffect" if at == 0 else "withEffect"
        shown = "visible" if kind == "entr" else "hidden"
        return (f'<p:par><p:cTn id="{next(count)}" presetID="1" presetClass="{kind}" presetSubtype="0" fill="hold" grpId="0" nodeType="{start}"><p:stCondLst><p:cond delay="0"/></p:stCondLst>'
                f'<p:childTnLst><p:set><p:cBhvr><p:cTn id="{next(count)}" dur="1" fill="hold"><p:stCondLst><p:cond delay="0"/></p:stCondLst></p:cTn><p:tgtEl><p:spTgt spid="{shape.shape_id}">{part}</p:spTgt></p:tgtEl>'
                f'<p:attrNameLst><p:attrName>style.visibility</p:attrName></p:attrNameLst></p:cBhvr><p:to><p:strVal val="{shown}"/></p:to></p:set></p:childTnLst></p:cTn></p:par>')
    def click(effects):
        inner = "".join(effect(at, *one) for at, one in enumerate(effects))
        return (f'<p:par><p:cTn id="{next(count)}" fill="hold"><p:stCondLst><p:cond delay="indefinite"/></p:stCondLst><p:childTnLst><p:par><p:cTn id="{next(count)}" fill="hold"><p:stCondLst><p:cond delay="0"/></p:stCondLst>'
                f'<p:childTnLst>{inner}</p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:par>')
    body = "".join(click(effects) for effects in clicks)
    slide._element.append(parse_xml(
        '<p:timing xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"><p:tnLst><p:par><p:cTn id="1" dur="indefinite" restart="never" nodeType="tmRoot"><p:childTnLst><p:seq concurrent="1" nextAc="seek">'
        f'<p:cTn id="2" dur="indefinite" nodeType="mainSeq"><p:childTnLst>{body}</p:childTnLst></p:cTn><p:prevCondLst><p:cond evt="onPrev" delay="0"><p:tgtEl><p:sldTgt/></p:tgtEl></p:cond></p:prevCondLst>'
        '<p:nextCondLst><p:cond evt="onNext" delay="0"><p:tgtEl><p:sldTgt/></p:tgtEl></p:cond></p:nextCondLst></p:seq></p:childTnLst></p:cTn></p:par></p:tnLst></p:timing>'))


def builds():
    """What comes and goes by a click: paragraphs, a picture that takes a text's place, shapes nobody speaks of."""
    prs = deck(13.333, 7.5, "Step by step")
    photo = picture(OUT / "photo.png")
    s = prs.slides.add_slide(prs.slide_layouts[1])
    s.shapes.title.text = "Leaving the building"
    body = s.placeholders[1]
    body.text_frame.text = "Close the doors"
    for words in ("Do not use the lift", "Meet at the oak tree"):
        body.text_frame.add_paragraph().text = words
    timing(s, [[("entr", body, 0)], [("entr", body, 1)], [("entr", body, 2)]])
    notes(s, "Three things matter when the alarm rings. Close the doors behind you, so that smoke stays where it is. Never take the lift. Then we all meet outside, at the oak.")
    s = prs.slides.add_slide(prs.slide_layouts[5])
    s.shapes.title.text = "Before and after"
    box = text(s, 1, 2.5, 5, 1, "This is how it was", 28)
    photo = s.shapes.add_picture(photo, Inches(6.5), Inches(2.2), Inches(5.5), Inches(3.4))
    timing(s, [[("entr", photo, None)], [("exit", box, None)]])
    notes(s, "At first there was a sentence. [click] Then a picture came. (click) And the sentence went.")
    s = prs.slides.add_slide(prs.slide_layouts[5])
    s.shapes.title.text = "Two shapes"
    shapes = [s.shapes.add_shape(MSO_SHAPE.OVAL, Inches(1 + 4 * at), Inches(2.5), Inches(3), Inches(3)) for at in range(2)]
    timing(s, [[("entr", shape, None)] for shape in shapes])
    s = prs.slides.add_slide(prs.slide_layouts[5])
    s.shapes.title.text = "Nothing moves"
    notes(s, "Nothing moves here.")
    prs.save(OUT / "builds.pptx")


def played():
    """A film in a slide, words and a picture that lead elsewhere, a slide that is hidden."""
    prs = deck(13.333, 7.5, "Played")
    film, photo = OUT / "film.mp4", picture(OUT / "poster.png", 64, 36)
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=size=64x36:rate=10:duration=9", "-f", "lavfi", "-i", "sine=duration=9",
                    "-pix_fmt", "yuv420p", "-c:v", "libx264", "-crf", "40", "-c:a", "aac", "-b:a", "16k", str(film)], check=True)
    for words in ("", "Look at this film."):
        s = prs.slides.add_slide(prs.slide_layouts[5])
        s.shapes.title.text = "A film" if words else "A silent slide"
        s.shapes.add_movie(str(film), Inches(2), Inches(2), Inches(6.4), Inches(3.6), photo, "video/mp4")
        if words:
            notes(s, words)
    s = prs.slides.add_slide(prs.slide_layouts[5])
    s.shapes.title.text = "Where to read on"
    box = text(s, 1, 2.5, 8, 1, "The handbook", 28)
    box.text_frame.paragraphs[0].runs[0].hyperlink.address = "https://example.com/handbook?page=2"
    wrong = text(s, 1, 3.5, 8, 1, "Not a page", 28)
    wrong.text_frame.paragraphs[0].runs[0].hyperlink.address = "file:///etc/passwd"
    s = prs.slides.add_slide(prs.slide_layouts[5])
    s.shapes.title.text = "Never shown"
    s._element.set("show", "0")
    prs.save(OUT / "played.pptx")
    film.unlink()
    (OUT / "poster.png").unlink()


def askew():
    """Texts that are turned, alone, by their box and in a group; a table whose rows grow; lowered letters."""
    prs = deck(13.333, 7.5, "Askew")
    s = prs.slides.add_slide(prs.slide_layouts[6])
    sans = "Liberation Sans"
    text(s, -0.9, 3.2, 4, 0.8, "Read me upwards", 24, font=sans).rotation = 270
    text(s, 3, 1, 5, 1.4, "Slightly turned words that need two lines", 24, colour=(160, 20, 40), font=sans).rotation = 12
    text(s, 2.5, 4.2, 5, 1.2, "DRAFT", 54, True, (200, 200, 210), font=sans).rotation = -30
    for at, (way, words) in enumerate((("vert", "Downwards"), ("vert270", "Upwards again"))):
        box = text(s, 9 + at, 0.8, 0.8, 4, words, 24, font=sans)
        box.text_frame._txBody.bodyPr.set("vert", way)
    group = s.shapes.add_group_shape()
    shape = group.shapes.add_shape(MSO_SHAPE.RECTANGLE, Inches(8.6), Inches(5.4), Inches(3.6), Inches(1.2))
    shape.fill.solid()
    shape.fill.fore_color.rgb = RGBColor(31, 111, 139)
    shape.text_frame.text = "In a turned group"
    group._element.grpSpPr.find("{http://schemas.openxmlformats.org/drawingml/2006/main}xfrm").set("rot", str(8 * 60000))
    s = prs.slides.add_slide(prs.slide_layouts[6])
    table = s.shapes.add_table(4, 4, Inches(0.6), Inches(0.5), Inches(8), Inches(2)).table
    rows = (("Kind", "Where it is kept", "Good for", "Never for"), ("Water", "In the hall, beside the stairs and at the gate of the yard", "Paper, wood", "Live cables"),
            ("Foam", "Kitchen", "Liquids", "Live cables"), ("All of these", "", "Everything else that burns", ""))
    for r, row in enumerate(rows):
        for c, words in enumerate(row):
            table.cell(r, c).text = words
    table.cell(3, 0).merge(table.cell(3, 1))
    table.cell(3, 2).merge(table.cell(3, 3))
    run = table.cell(2, 1).text_frame.paragraphs[0].add_run()
    run.text, run.font.bold = " and bold", True
    box = text(s, 1, 5, 8, 1, "Water is H", 36, font=sans)
    for words, lowered in (("2", "-25000"), ("O", None)):
        run = box.text_frame.paragraphs[0].add_run()
        run.text, run.font.size, run.font.name, run.font.bold = words, Pt(36), sans, False
        if lowered:
            run._r.get_or_add_rPr().set("baseline", lowered)
    prs.save(OUT / "askew.pptx")


business()
scripts()
looks()
portrait()
external()
parts()
smart()
training()
builds()
played()
askew()
(OUT / "photo.png").unlink()
