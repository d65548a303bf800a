"""Draws made pages of what PDF knows beside text and pictures with poppler's two painters, and says where they differ: for
"Which painter draws a page" in docs/slides.md. Needs poppler and ffmpeg.

    python3 scripts/pdf_painters.py FOLDER              the document (painters.pdf), the pictures and a table
    python3 scripts/pdf_painters.py FOLDER PROGRAM      a third renderer, called `PROGRAM FILE 320 STEM`, writes STEM-000.ppm and so on
"""
import subprocess
import sys
from pathlib import Path

SIZE = (320, 180)


def pdf(pages):
    objs=[None,None]
    def add(body): objs.append(body); return len(objs)
    kids=[]
    for name,content,res in pages:
        def ref(b): return f"{add(b)} 0 R"
        r = res(ref) if callable(res) else res
        c=add(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
        kids.append(add(f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 640 360] /Contents {c} 0 R /Resources << {r} >> >>"))
    objs[0]="<< /Type /Catalog /Pages 2 0 R >>"
    objs[1]=f"<< /Type /Pages /Kids [{' '.join(f'{k} 0 R' for k in kids)}] /Count {len(kids)} >>"
    out=b"%PDF-1.7\n"; offs=[]
    for i,o in enumerate(objs,1):
        offs.append(len(out)); out+=f"{i} 0 obj\n".encode()+(o if isinstance(o,bytes) else o.encode('latin1'))+b"\nendobj\n"
    x=len(out); out+=f"xref\n0 {len(objs)+1}\n0000000000 65535 f \n".encode()+b"".join(f"{o:010} 00000 n \n".encode() for o in offs)
    out+=f"trailer\n<< /Size {len(objs)+1} /Root 1 0 R >>\nstartxref\n{x}\n%%EOF\n".encode()
    return out
def stream(d,data):
    if isinstance(data,str): data=data.encode('latin1')
    return f"<< {d} /Length {len(data)} >>\nstream\n".encode()+data+b"\nendstream"
P=[]
def sh(kind):
    def res(ref):
        f4=ref(stream("/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1]","{ 2 copy mul sqrt }"))
        f1=ref("<< /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >>")
        if kind==1: s=f"<< /ShadingType 1 /ColorSpace /DeviceRGB /Matrix [640 0 0 360 0 0] /Function {f4} >>"
        if kind=='1s': 
            f0=ref(stream("/FunctionType 0 /Domain [0 1 0 1] /Range [0 1 0 1 0 1] /Size [2 2] /BitsPerSample 8", bytes([255,0,0, 0,255,0, 0,0,255, 255,255,0])))
            s=f"<< /ShadingType 1 /ColorSpace /DeviceRGB /Matrix [640 0 0 360 0 0] /Function {f0} >>"
        if kind=='1n':
            fs=" ".join(ref(stream("/FunctionType 4 /Domain [0 1 0 1] /Range [0 1]",c)) for c in ("{ pop }","{ exch pop }","{ mul }"))
            s=f"<< /ShadingType 1 /ColorSpace /DeviceRGB /Matrix [640 0 0 360 0 0] /Function [{fs}] >>"
        if kind=='1cmyk':
            fs=ref(stream("/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1 0 1]","{ 2 copy mul 0 }"))
            s=f"<< /ShadingType 1 /ColorSpace /DeviceCMYK /Matrix [640 0 0 360 0 0] /Function {fs} >>"
        if kind=='1lab':
            fs=ref(stream("/FunctionType 4 /Domain [0 1 0 1] /Range [0 100 -100 100 -100 100]","{ 200 mul 100 sub exch 200 mul 100 sub 60 3 1 roll }"))
            s=f"<< /ShadingType 1 /ColorSpace [/Lab << /WhitePoint [0.95 1 1.09] /Range [-100 100 -100 100] >>] /Matrix [640 0 0 360 0 0] /Function {fs} >>"
        if kind==2: s=f"<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 640 0] /Function {f1} /Extend [true true] >>"
        if kind==3: s=f"<< /ShadingType 3 /ColorSpace /DeviceRGB /Coords [320 180 10 320 180 170] /Function {f1} /Extend [false true] >>"
        if kind=='3x': s=f"<< /ShadingType 3 /ColorSpace /DeviceRGB /Coords [100 180 90 500 180 20] /Function {f1} /Extend [true true] >>"
        if kind in (4,5,6,7):
            def v(x,y,c): return bytes([x,y])+bytes(c)
            common="/ColorSpace /DeviceRGB /BitsPerCoordinate 8 /BitsPerComponent 8 /Decode [0 640 0 360 0 1 0 1 0 1]"
            if kind==4: d=b"".join(bytes([0])+v(*p) for p in ((10,10,(255,0,0)),(245,10,(0,255,0)),(128,245,(0,0,255)))); s=ref(stream(f"/ShadingType 4 {common} /BitsPerFlag 8",d))
            if kind==5: d=b"".join(v(*p) for p in ((10,10,(255,0,0)),(245,10,(0,255,0)),(10,245,(0,0,255)),(245,245,(255,255,0)))); s=ref(stream(f"/ShadingType 5 {common} /VerticesPerRow 2",d))
            if kind in(6,7):
                pts=[(20,20),(10,90),(40,160),(20,235),(90,250),(160,220),(235,235),(245,160),(215,90),(235,20),(160,30),(90,5)]
                if kind==7: pts+=[(90,90),(90,160),(160,160),(160,90)]
                d=bytes([0])+b"".join(bytes(p) for p in pts)+bytes([255,0,0, 0,255,0, 0,0,255, 255,255,0])
                s=ref(stream(f"/ShadingType {kind} {common} /BitsPerFlag 8",d))
        return f"/Shading << /S {s} >> /Pattern << /P << /PatternType 2 /Shading {s} >> >>"
    return res
for k in (1,'1s','1n','1cmyk','1lab',2,3,'3x',4,5,6,7):
    P.append((f"sh{k}","/S sh",sh(k)))
    P.append((f"pat{k}","/Pattern cs /P scn 40 40 560 280 re f",sh(k)))
P.append(("textshade1","/Pattern cs /P scn BT /F 120 Tf 60 120 Td (Shade) Tj ET",lambda ref: sh(1)(ref)+" /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >> >>"))
P.append(("stroke1","/Pattern CS /P SCN 40 w 60 60 520 240 re S",sh(1)))
def group(ref):
    g=ref(stream("/Type /XObject /Subtype /Form /BBox [0 0 640 360] /Group << /S /Transparency /I true /K false /CS /DeviceRGB >>","1 0 0 rg 100 60 300 200 re f 0 0 1 rg 250 100 300 200 re f"))
    return f"/XObject << /G {g} >> /ExtGState << /A << /ca 0.5 >> >>"
P.append(("group","/A gs /G Do",group))
def smask(kind):
    def res(ref):
        f=ref("<< /FunctionType 2 /Domain [0 1] /C0 [0] /C1 [1] /N 1 >>")
        s=ref(f"<< /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 640 0] /Function {f} >>")
        f4=ref(stream("/FunctionType 4 /Domain [0 1 0 1] /Range [0 1]","{ mul }"))
        s1=ref(f"<< /ShadingType 1 /ColorSpace /DeviceGray /Matrix [640 0 0 360 0 0] /Function {f4} >>")
        g=ref(stream(f"/Type /XObject /Subtype /Form /BBox [0 0 640 360] /Group << /S /Transparency /CS /DeviceGray >> /Resources << /Shading << /S {s if kind!=1 else s1} >> >>","/S sh"))
        return f"/ExtGState << /A << /SMask << /S /Luminosity /G {g} >> >> >>"
    return res
P.append(("smask","/A gs 0 0.5 0 rg 40 40 560 280 re f",smask(2)))
P.append(("smask1","/A gs 0 0.5 0 rg 40 40 560 280 re f",smask(1)))
for bm in "Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference Exclusion Hue Saturation Color Luminosity".split():
    P.append((f"bm{bm}","0.9 0.6 0.2 rg 0 0 400 360 re f /A gs 0.2 0.4 0.8 rg 200 60 400 240 re f",f"/ExtGState << /A << /BM /{bm} >> >>"))
def t3(ref):
    a=ref(stream("","1000 0 0 0 1000 1000 d1 0 0 800 800 re f"))
    b=ref(stream("","1000 0 d0 1 0 0 rg 0 0 400 800 re f 0 1 0 rg 400 0 400 800 re f"))
    return f"/Font << /F << /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /CharProcs << /a {a} /b {b} >> /Encoding << /Type /Encoding /Differences [97 /a /b] >> /FirstChar 97 /LastChar 98 /Widths [1000 1000] >> >>"
P.append(("type3","0 0 1 rg BT /F 120 Tf 60 120 Td (abab) Tj ET",t3))
def tiling(t):
    def res(ref):
        p=ref(stream(f"/Type /Pattern /PatternType 1 /PaintType {t} /TilingType 1 /BBox [0 0 40 40] /XStep 40 /YStep 40 /Resources << >>",("1 0 0 rg " if t==1 else "")+"0 0 20 20 re f 20 20 20 20 re f"))
        return f"/Pattern << /P {p} >> /ColorSpace << /U [/Pattern /DeviceRGB] >>"
    return res
P.append(("tile1","/Pattern cs /P scn 0 0 640 360 re f",tiling(1)))
P.append(("tile2","/U cs 0 0.5 1 /P scn 0 0 640 360 re f",tiling(2)))
P.append(("text","0 g BT /F 40 Tf 60 280 Td (Ordinary text of a slide) Tj 0 -60 Td (and another line of it) Tj ET","/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>"))
P.append(("sep","/C cs 0.8 scn 0 0 640 360 re f",lambda ref: f"/ColorSpace << /C [/Separation /Spot /DeviceCMYK {ref(stream('/FunctionType 4 /Domain [0 1] /Range [0 1 0 1 0 1 0 1]','{ dup 0.5 mul exch dup 0 exch 0.2 mul exch pop 0 }'))}] >>"))
P.append(("overprint","1 0 0 0 k 0 0 400 360 re f /A gs 0 1 0 0 k 200 60 400 240 re f","/ExtGState << /A << /OP true /op true /OPM 1 >> >>"))
def ck(ref):
    im=ref(stream("/Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Mask [0 0 255 255 0 0]",bytes([255,0,0,0,255,0,0,0,255,255,255,0])))
    return f"/XObject << /I {im} >>"
P.append(("colorkey","640 0 0 360 0 0 cm /I Do",ck))
def ko(ref):
    g=ref(stream("/Type /XObject /Subtype /Form /BBox [0 0 640 360] /Group << /S /Transparency /I true /K true /CS /DeviceRGB >> /Resources << /ExtGState << /A << /ca 0.5 >> >> >>","/A gs 1 0 0 rg 100 60 300 200 re f 0 0 1 rg 250 100 300 200 re f"))
    return f"/XObject << /G {g} >>"
P.append(("knockout","/G Do",ko))

FT=" /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >> >>"
P.append(("textclip1","q BT /F 160 Tf 7 Tr 40 120 Td (Clip) Tj ET /S sh Q",lambda ref: sh(1)(ref)+FT))
P.append(("textclip2","q BT /F 160 Tf 7 Tr 40 120 Td (Clip) Tj ET /S sh Q",lambda ref: sh(2)(ref)+FT))
def stencil(ref):
    im=ref(stream("/Type /XObject /Subtype /Image /ImageMask true /Width 8 /Height 8 /BitsPerComponent 1",bytes([0xaa,0x55]*4)))
    return sh(1)(ref)+f" /XObject << /I {im} >>"
P.append(("stencilpat","/Pattern cs /P scn 640 0 0 360 0 0 cm /I Do",stencil))
def img16(ref):
    im=ref(stream("/Type /XObject /Subtype /Image /Width 2 /Height 1 /ColorSpace /DeviceRGB /BitsPerComponent 16",bytes([255,255,0,0,0,0, 0,0,0,0,255,255])))
    return f"/XObject << /I {im} >>"
P.append(("img16","640 0 0 360 0 0 cm /I Do",img16))
def devn(ref):
    f=ref(stream("/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1 0 1]","{ 0 0 }"))
    im=ref(stream(f"/Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace [/DeviceN [/A /B] /DeviceCMYK {f}] /BitsPerComponent 8",bytes([255,0,0,255,128,128,0,0])))
    return f"/XObject << /I {im} >>"
P.append(("devn","640 0 0 360 0 0 cm /I Do",devn))
def smimg(ref):
    m=ref(stream("/Type /XObject /Subtype /Image /Width 4 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8",bytes([0,80,160,255])))
    im=ref(stream(f"/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceRGB /BitsPerComponent 8 /SMask {m}",bytes([255,0,0])))
    return f"/XObject << /I {im} >>"
P.append(("smaskimg","640 0 0 360 0 0 cm /I Do",smimg))
def patpat(ref):
    inner=sh(1)(ref)
    p=ref(stream(f"/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 160 90] /XStep 160 /YStep 90 /Resources << {inner} >>","q 0.25 0 0 0.25 0 0 cm /S sh Q 1 1 1 rg 60 30 40 30 re f"))
    return f"/Pattern << /P {p} >>"
P.append(("patpat","/Pattern cs /P scn 0 0 640 360 re f",patpat))
def bg(ref):
    f1=ref("<< /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >>")
    s=ref(f"<< /ShadingType 3 /ColorSpace /DeviceRGB /Background [0.8 0.9 0.2] /Coords [320 180 0 320 180 100] /Function {f1} >>")
    return f"/Pattern << /P << /PatternType 2 /Shading {s} >> >>"
P.append(("background","/Pattern cs /P scn 0 0 640 360 re f",bg))
def bbox(ref):
    f4=ref(stream("/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1]","{ 2 copy gt { pop 0 } { exch 0 } ifelse 360 mul sin abs }"))
    s=ref(f"<< /ShadingType 1 /ColorSpace /DeviceRGB /BBox [100 60 500 300] /Matrix [500 100 -50 300 60 20] /Function {f4} >>")
    return f"/Shading << /S {s} >>"
P.append(("sh1bbox","/S sh",bbox))
def t3sh(ref):
    r=sh(1)(ref)
    b=ref(stream("","1000 0 d0 q 0 0 800 800 re W n 1.5 0 0 2.5 0 0 cm /S sh Q"))
    return f"/Font << /F << /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /Resources << {r} >> /CharProcs << /b {b} >> /Encoding << /Type /Encoding /Differences [98 /b] >> /FirstChar 98 /LastChar 98 /Widths [1000] >> >>"
P.append(("type3sh","BT /F 120 Tf 60 120 Td (bb) Tj ET",t3sh))
def smbc(ref):
    g=ref(stream("/Type /XObject /Subtype /Form /BBox [200 100 440 260] /Group << /S /Transparency /CS /DeviceGray >>","0 g 240 140 160 80 re f"))
    tr=ref(stream("/FunctionType 4 /Domain [0 1] /Range [0 1]","{ 1 exch sub }"))
    return f"/ExtGState << /A << /SMask << /S /Luminosity /G {g} /BC [1] /TR {tr} >> >> >>"
P.append(("smaskbc","/A gs 0 0.5 0 rg 0 0 640 360 re f",smbc))
def alpha1(ref):
    return sh(1)(ref)+" /ExtGState << /A << /ca 0.5 /BM /Multiply >> >>"
P.append(("sh1alpha","0.9 0.6 0.2 rg 0 0 400 360 re f /A gs /Pattern cs /P scn 40 40 560 280 re f",alpha1))
P.append(("inline","q 640 0 0 360 0 0 cm BI /W 2 /H 1 /CS /RGB /BPC 8 ID \xff\x00\x00\x00\x00\xff EI Q",""))
def stitch(ref):
    a=ref("<< /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [1 1 0] /N 1 >>"); b=ref("<< /FunctionType 2 /Domain [0 1] /C0 [0 0 0] /C1 [0 0 1] /N 3 >>")
    f=ref(f"<< /FunctionType 3 /Domain [0 1] /Functions [{a} {b}] /Bounds [0.5] /Encode [0 1 0 1] >>")
    s=ref(f"<< /ShadingType 3 /ColorSpace /DeviceRGB /Coords [200 180 20 320 180 170] /Function {f} /Extend [true false] >>")
    return f"/Shading << /S {s} >>"
P.append(("stitch","/S sh",stitch))
def cub(ref):
    f=ref(stream("/FunctionType 0 /Domain [0 1] /Range [0 1 0 1 0 1] /Size [4] /Order 3 /BitsPerSample 8",bytes([255,0,0,0,255,0,0,0,255,255,255,255])))
    s=ref(f"<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 640 0] /Function {f} >>")
    return f"/Shading << /S {s} >>"
P.append(("cubic","/S sh",cub))
for a in ("0.5",):
  for k in (1,2,3,4,5,6,7):
    w=lambda ref,k=k: sh(k)(ref)+f" /ExtGState << /A << /ca {a} /CA {a} >> >>"
    P.append((f"sh{k}a","0.9 0.6 0.2 rg 0 0 400 360 re f /A gs /S sh",w))
    P.append((f"pat{k}a","0.9 0.6 0.2 rg 0 0 400 360 re f /A gs /Pattern cs /P scn 40 40 560 280 re f",w))
    P.append((f"str{k}a","0.9 0.6 0.2 rg 0 0 400 360 re f /A gs /Pattern CS /P SCN 40 w 60 60 520 240 re S",w))
def masked(kind):
    def res(ref):
        g=ref(stream("/Type /XObject /Subtype /Form /BBox [0 0 640 360] /Group << /S /Transparency /CS /DeviceGray >>","0.5 g 0 0 640 360 re f"))
        return sh(kind)(ref)+f" /ExtGState << /A << /SMask << /S /Luminosity /G {g} >> >> >>"
    return res
for k in (4,5,6,7):
    P.append((f"sh{k}smask","0.9 0.6 0.2 rg 0 0 400 360 re f /A gs /S sh",masked(k)))
def rad(coords,ext):
    def res(ref):
        f1=ref("<< /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >>")
        return f"/Shading << /S << /ShadingType 3 /ColorSpace /DeviceRGB /Coords [{coords}] /Function {f1} /Extend [{ext}] >> >>"
    return res
for n,c in (("in","320 180 10 320 180 170"),("off","280 180 10 320 180 170"),("touch","160 180 10 320 180 170"),("cone","100 180 90 500 180 20"),("cone2","100 180 20 500 180 90"),("tube","100 180 50 500 180 50"),("big","320 180 170 320 180 10"),("bigoff","320 180 170 280 180 10"),("dot","100 180 0 500 180 90")):
  for e in ("false false","true true"):
    P.append((f"{n}{'E' if 'true' in e else ''}","/S sh",rad(c,e)))
def t3(pre,a,b):
  def res(ref):
    a_=ref(stream("",a)); b_=ref(stream("",b))
    return f"/Font << /F << /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /CharProcs << /a {a_} /b {b_} >> /Encoding << /Type /Encoding /Differences [97 /a /b] >> /FirstChar 97 /LastChar 98 /Widths [1000 1000] >> >>"
  return res
one="1000 0 d0 1 0 0 rg 0 0 400 800 re f 0 1 0 rg 400 0 400 800 re f"
two="1000 0 d0 0 0 1 rg 0 0 400 800 re f 1 1 0 rg 400 0 400 800 re f"
mono="1000 0 0 0 1000 1000 d1 0 0 800 800 re f"
P.append(("t3d0d0","0 0 1 rg BT /F 120 Tf 60 120 Td (abab) Tj ET",t3(0,one,two)))
P.append(("t3d1d1","0 0 1 rg BT /F 120 Tf 60 120 Td (abab) Tj ET",t3(0,mono,mono)))
P.append(("t3d0only","BT /F 120 Tf 60 120 Td (bb) Tj ET",t3(0,one,two)))


def pixels(path):
    """RGB of a picture, nothing where there is none."""
    if not path.exists():
        return b""
    return subprocess.run(["ffmpeg", "-v", "error", "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], check=True, capture_output=True).stdout


def apart(one, other):
    """Mean difference, of 255."""
    return sum(abs(a - b) for a, b in zip(one, other)) / len(one) if one and len(one) == len(other) else float("nan")


def main(folder, third=None):
    document = folder / "painters.pdf"
    document.write_bytes(pdf(P))
    for program, stem in (("pdftocairo", "cairo"), ("pdftoppm", "own")):
        subprocess.run([program, "-q", "-png", "-scale-to-x", str(SIZE[0]), "-scale-to-y", str(SIZE[1]), document, folder / stem], check=True)
    if third:
        subprocess.run([third, document, str(SIZE[0]), folder / "third"], check=True, capture_output=True)
    digits = len(str(len(P)))
    print("| page | cairo and poppler's own | cairo and the third | poppler's own and the third |\n|---|---|---|---|")
    for at, (name, _, _) in enumerate(P, 1):
        cairo, own = (pixels(folder / f"{stem}-{at:0{digits}}.png") for stem in ("cairo", "own"))
        other = pixels(folder / f"third-{at - 1:03}.ppm")
        print(f"| {name} | {apart(cairo, own):.1f} | {apart(cairo, other):.1f} | {apart(own, other):.1f} |")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
