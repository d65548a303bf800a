#!/usr/bin/env python3
"""Two model files to try presenters of models with, written by an exporter that knows nothing of this service.

    pip install pygltflib numpy pillow
    scripts/model-fixture.py ASSETS FOLDER      # ASSETS/avatars as scripts/fetch-avatars.sh leaves it

ada.glb   a woman: expressions by ARKit's names, long hair as cards that are seen through, eyes turned by expressions
ben.vrm   a man: VRM 1.0 with its expressions, eyes turned by bones, short hair in shells that are cut out

Bodies are MakeHuman's (CC0); textures, hair and clothes are painted here.
"""
import glob
import gzip
import io
import json
import os
import sys

import numpy as np
from PIL import Image, ImageFilter
from pygltflib import (FLOAT, GLTF2, UNSIGNED_INT, UNSIGNED_SHORT, Accessor, Asset, Attributes, Buffer, BufferView,
                       Material, Mesh, Node, PbrMetallicRoughness, Primitive, Scene, Skin, Texture, TextureInfo)
from pygltflib import Image as Picture

SKIN = 1024


class Body:
    """MakeHuman's body: places, parts, and what its targets do to them."""

    def __init__(self, assets, macros):
        self.folder = assets + "/avatars/"
        at, uv, parts, part = [], [], {}, ""
        for line in open(self.folder + "mpfb2/3dobjs/base.obj"):
            words = line.split()
            if not words:
                continue
            if words[0] == "v":
                at.append([float(x) for x in words[1:4]])
            elif words[0] == "vt":
                uv.append([float(words[1]), 1.0 - float(words[2])])
            elif words[0] == "g":
                part = words[1]
            elif words[0] == "f":
                corners = [[int(n or 0) - 1 for n in (word.split("/") + [""])[:2]] for word in words[1:]]
                for n in range(1, len(corners) - 1):
                    parts.setdefault(part, []).append([corners[0], corners[n], corners[n + 1]])
        self.at, self.uv = np.array(at), np.array(uv)
        self.parts = {name: np.array(faces) for name, faces in parts.items()}
        for name, share in macros.items():
            self.at += share * self.target(self.folder + "mpfb2/targets/" + name)
        self.dress()
        self.joints = {name[6:]: self.at[np.unique(faces[:, :, 0])].mean(0)
                       for name, faces in self.parts.items() if name.startswith("joint-")}

    def dress(self):
        """A shirt spans what a body is: below the neck it is smoothed, and stands off a little."""
        faces = self.parts["body"][:, :, 0]
        neck = self.at[np.unique(self.parts["joint-neck"][:, :, 0])].mean(0)
        edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
        edges = np.concatenate([edges, edges[:, ::-1]])
        count = np.maximum(np.bincount(edges[:, 0], minlength=len(self.at)), 1)[:, None]
        on = step(-0.55, -1.5, self.at[:, 1] - neck[1])[:, None]
        on *= (np.bincount(faces.reshape(-1), minlength=len(self.at)) > 0)[:, None]
        for _ in range(26):
            mean = np.stack([np.bincount(edges[:, 0], self.at[edges[:, 1], k], len(self.at)) for k in range(3)], 1) / count
            self.at += 0.8 * on * (mean - self.at)
        self.at += 0.14 * on * normals(self.at, faces)

    def target(self, path):
        by = np.zeros_like(self.at)
        opened = gzip.open(path, "rt") if path.endswith(".gz") else open(path)
        for line in opened:
            words = line.split()
            if len(words) == 4 and words[0].isdigit():
                by[int(words[0])] = [float(x) for x in words[1:]]
        return by

    def expressions(self):
        files = sorted(glob.glob(self.folder + "faceunits01/targets/faceunits/*.target"))
        return {os.path.basename(file)[:-7]: self.target(file) for file in files}

    def weights(self):
        file = json.load(open(self.folder + "mpfb2/rigs/standard/weights.default.json"))
        return {bone: np.array(pairs) for bone, pairs in file["weights"].items() if pairs}


def unit(v):
    return v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-9)


def normals(at, faces):
    out = np.zeros_like(at)
    face = np.cross(at[faces[:, 1]] - at[faces[:, 0]], at[faces[:, 2]] - at[faces[:, 0]])
    for k in range(3):
        np.add.at(out, faces[:, k], face)
    return unit(out)


def texels(uv, faces, values, side):
    """Values of vertices, spread over a picture by the texture's triangles. Faces: (vertex, uv) by corner."""
    out = np.zeros((side, side, values.shape[1]))
    for face in faces:
        p = uv[face[:, 1]] * side - 0.5
        low, high = np.floor(p.min(0)).astype(int) - 1, np.ceil(p.max(0)).astype(int) + 2
        low, high = np.clip(low, 0, side), np.clip(high, 0, side)
        if (high <= low).any():
            continue
        y, x = np.mgrid[low[1]:high[1], low[0]:high[0]]
        (ax, ay), (bx, by), (cx, cy) = p
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        if abs(area) < 1e-9:
            continue
        b = ((x - ax) * (cy - ay) - (y - ay) * (cx - ax)) / area
        c = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / area
        inside = (b >= -0.3) & (c >= -0.3) & (b + c <= 1.3)
        mixed = (1 - b - c)[..., None] * values[face[0, 0]] + b[..., None] * values[face[1, 0]] + c[..., None] * values[face[2, 0]]
        part = out[low[1]:high[1], low[0]:high[0]]
        part[inside] = mixed[inside]
    return out


def noise(side, size, seed):
    rng = np.random.default_rng(seed)
    small = (rng.random((size, size)) * 255).astype(np.uint8)
    big = Image.fromarray(small).resize((side, side), Image.BICUBIC)
    return np.asarray(big, float) / 127.5 - 1


def step(low, high, x):
    t = np.clip((x - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def skin_picture(body, faces, look):
    side = SKIN
    place = texels(body.uv, faces, body.at, side)
    x, y, z = place[..., 0], place[..., 1], place[..., 2]
    mask = lambda name: np.asarray(Image.open(f"{body.folder}mpfb2/textures/mpfb_{name}.jpg").convert("L").resize((side, side)), float) / 255
    tone, lip = np.array(look["skin"], float), np.array(look["lips"], float)
    eye = (body.joints["l-eye"] + body.joints["r-eye"]) / 2
    half = abs(body.joints["l-eye"][0])
    u, v = (np.abs(x) - half) / half, (y - eye[1]) / half
    colour = np.ones((side, side, 3)) * tone
    colour *= 1 + 0.018 * noise(side, 300, 1)[..., None] + 0.025 * noise(side, 60, 2)[..., None]
    cheek = np.exp(-((u - 0.35) ** 2 / 0.28 + (v + 1.0) ** 2 / 0.22)) * step(0.3, 0.8, z - eye[2] + 1.0)
    nose = np.exp(-(x ** 2 / 0.03 + (v + 1.1) ** 2 / 0.06))
    colour *= 1 - (0.18 * cheek + 0.14 * nose)[..., None] * np.array([0.0, 0.75, 0.7])
    colour *= 1 - 0.22 * mask("eyelids")[..., None] * np.array([0.55, 0.9, 0.9]) * look["lids"]
    m = mask("lips")[..., None] * 0.85
    colour = colour * (1 - m) + m * lip * (1 + 0.05 * noise(side, 400, 3)[..., None])
    colour *= 1 - 0.12 * mask("ears")[..., None] * np.array([0.1, 1, 1])
    m = mask("inside-mouth")[..., None]
    colour = colour * (1 - m) + m * np.array([118, 42, 44])
    # Brows: hairs along an arc above each eye.
    t = (u + 0.62) / 1.42
    arc = look["brow"] + 0.17 * np.sin(np.clip(t, 0, 1) * 2.2)
    thick = look["thick"] * (1 - 0.65 * step(0.35, 1.0, t)) * step(-0.02, 0.12, t)
    hairs = 0.75 + 0.25 * np.sin(260 * t + 30 * v + 3 * noise(side, 256, 4))
    brow = (1 - step(0.55 * thick, 1.15 * thick + 1e-6, np.abs(v - arc))) * (t > 0) * (t < 1) * hairs * (z > eye[2] - 1.0)
    colour = colour * (1 - 0.8 * brow[..., None]) + 0.8 * brow[..., None] * np.array(look["hair"])
    if look["beard"]:
        chin = body.joints["mouth"]
        low = step(0.35, 0.95, (eye[1] - y) / (eye[1] - chin[1])) * step(-0.55, -0.25, y - chin[1] + 1.15)
        colour *= 1 - look["beard"] * (low * (z > 0) * (1 - mask("lips")))[..., None] * np.array([0.9, 0.75, 0.65])
    # Skin shows less and less between the hairs of a hairline.
    grown = texels(body.uv, faces, scalp(body, faces, *look["hairline"])[:, None], side)[..., 0]
    grown = step(0.0, 0.55, grown + 0.16 * noise(side, 400, 7) * (grown > 0))[..., None] * 0.92
    colour = colour * (1 - grown) + grown * np.array(look["hair"]) * 0.6
    # A shirt, with a collar in front lower than behind.
    neck = body.joints["neck"]
    line = neck[1] + look["collar"] - 0.42 * step(-0.4, 0.9, z - neck[2]) * (1 - step(0.0, 1.1, np.abs(x)))
    cloth = step(-0.012, 0.012, line - y) * (place.any(-1))
    hem = step(-0.13, -0.10, y - line) * cloth
    weave = 1 + 0.05 * noise(side, 512, 5) + 0.03 * noise(side, 90, 6)
    shirt = np.array(look["shirt"])[None, None] * weave[..., None] * (1 - 0.12 * hem[..., None])
    colour = colour * (1 - cloth[..., None]) + shirt * cloth[..., None]
    return Image.fromarray(np.clip(colour, 0, 255).astype(np.uint8)).filter(ImageFilter.GaussianBlur(0.5)), line


def eye_picture(iris, side=256):
    y, x = (np.mgrid[0:side, 0:side] + 0.5) / side * 2 - 1
    r, a = np.hypot(x, y), np.arctan2(y, x)
    rng = np.random.default_rng(3)
    rays = np.interp(a, np.linspace(-np.pi, np.pi, 180), rng.random(180))
    white = np.array([232, 226, 220]) - 34 * step(0.45, 1.0, r)[..., None] * np.array([0.5, 1, 1])
    ring = np.array(iris) * (0.62 + 0.5 * rays[..., None] * step(0.12, 0.2, r)[..., None]) * (1.15 - 0.9 * step(0.33, 0.43, r))[..., None]
    inside = (1 - step(0.40, 0.45, r))[..., None]
    colour = white * (1 - inside) + ring * inside
    colour *= step(0.15, 0.18, r)[..., None] * 0.94 + 0.06
    # A little shade below the upper lid.
    colour *= (1 - 0.35 * step(-0.1, -0.75, y))[..., None]
    glint = np.exp(-((x + 0.13) ** 2 + (y + 0.17) ** 2) / 0.0035)[..., None]
    return Image.fromarray(np.clip(colour + 235 * glint, 0, 255).astype(np.uint8))


def strands(colour, side=512, thin=0.55, seed=8):
    """Hair that runs down the picture, with gaps that widen to its end."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:side, 0:side] / side
    cuts = rng.random(side)
    wave = noise(side, 8, seed) * 0.012
    column = ((x + wave) * side).astype(int) % side
    smooth = np.convolve(np.r_[cuts, cuts, cuts], np.ones(5) / 5, "same")[side:2 * side]
    fine, broad = cuts[column], smooth[column]
    bright = 0.62 + 0.45 * fine + 0.35 * (broad - 0.5) + 0.15 * noise(side, 6, seed + 1)
    rgb = np.array(colour)[None, None] * bright[..., None]
    end = step(thin, 1.02, y + 0.5 * (broad - 0.5))
    alpha = 1 - end * step(0.15, 0.6, 0.5 + y - 0.8 * fine)
    alpha *= 1 - step(0.80, 0.97, y)
    return Image.fromarray(np.dstack([np.clip(rgb, 0, 255), 255 * np.clip(alpha, 0, 1)]).astype(np.uint8), "RGBA")


class File:
    """A binary glTF in the making."""

    def __init__(self):
        self.gltf, self.blob = GLTF2(asset=Asset(version="2.0", generator="pygltflib")), b""
        self.gltf.meshes.append(Mesh(primitives=[]))

    def put(self, raw):
        raw += b"\0" * (-len(raw) % 4)
        self.gltf.bufferViews.append(BufferView(buffer=0, byteOffset=len(self.blob), byteLength=len(raw)))
        self.blob += raw
        return len(self.gltf.bufferViews) - 1

    def numbers(self, array, kind, component=FLOAT, bounds=False):
        dtype = {FLOAT: np.float32, UNSIGNED_INT: np.uint32, UNSIGNED_SHORT: np.uint16}[component]
        array = np.ascontiguousarray(array, dtype)
        view = self.put(array.tobytes())
        low, high = (array.min(0).tolist(), array.max(0).tolist()) if bounds else (None, None)
        self.gltf.accessors.append(Accessor(bufferView=view, componentType=component, count=len(array), type=kind, min=low, max=high))
        return len(self.gltf.accessors) - 1

    def material(self, picture, rough=0.8, alpha="OPAQUE", double=False, colour=(1, 1, 1, 1), jpeg=False):
        raw = io.BytesIO()
        picture.save(raw, "JPEG", quality=92) if jpeg else picture.save(raw, "PNG")
        self.gltf.images.append(Picture(bufferView=self.put(raw.getvalue()), mimeType="image/jpeg" if jpeg else "image/png"))
        self.gltf.textures.append(Texture(source=len(self.gltf.images) - 1))
        base = PbrMetallicRoughness(baseColorTexture=TextureInfo(index=len(self.gltf.textures) - 1), baseColorFactor=list(colour),
                                    metallicFactor=0, roughnessFactor=rough)
        cut = 0.5 if alpha == "MASK" else None
        self.gltf.materials.append(Material(pbrMetallicRoughness=base, alphaMode=alpha, alphaCutoff=cut, doubleSided=double))
        return len(self.gltf.materials) - 1

    def mesh(self, at, normal, uv, faces, material, bones, targets):
        """`bones`: joints and weights, four each. `targets`: what each expression does to every vertex."""
        held = Attributes(POSITION=self.numbers(at, "VEC3", bounds=True), NORMAL=self.numbers(normal, "VEC3"),
                          TEXCOORD_0=self.numbers(uv, "VEC2"), JOINTS_0=self.numbers(bones[0], "VEC4", UNSIGNED_SHORT),
                          WEIGHTS_0=self.numbers(bones[1], "VEC4"))
        morphs = [Attributes(POSITION=self.numbers(by, "VEC3", bounds=True)) for by in targets.values()]
        index = self.numbers(np.array(faces).reshape(-1), "SCALAR", UNSIGNED_INT)
        self.gltf.meshes[0].primitives.append(Primitive(attributes=held, indices=index, material=material, targets=morphs))
        self.gltf.meshes[0].extras = {"targetNames": list(targets)}

    def save(self, path):
        self.gltf.buffers.append(Buffer(byteLength=len(self.blob)))
        self.gltf.set_binary_blob(self.blob)
        self.gltf.save_binary(path)


BONES = ["hips", "chest", "neck", "head", "leftUpperArm", "leftLowerArm", "rightUpperArm", "rightLowerArm", "leftEye", "rightEye"]
PARENT = [None, 0, 1, 2, 1, 4, 1, 6, 3, 3]


def bone_of(name):
    """MakeHuman's bones are many more."""
    side = "left" if name.endswith(".L") else "right" if name.endswith(".R") else ""
    bare = name.split(".")[0]
    if name in ("eye.L", "eye.R"):
        return side + "Eye"
    if bare.startswith("upperarm"):
        return side + "UpperArm"
    if any(bare.startswith(part) for part in ("lowerarm", "wrist", "finger", "metacarpal")):
        return side + "LowerArm"
    if bare.startswith("neck"):
        return "neck"
    if bare == "head" or any(part in bare for part in ("jaw", "tongue", "oris", "levator", "special", "risorius", "temporalis", "orbicularis", "oculi", "eye")):
        return "head"
    return "chest" if any(bare.startswith(part) for part in ("spine01", "spine02", "spine03", "clavicle", "shoulder", "breast")) else "hips"


def skeleton(body):
    at = {"hips": body.joints["pelvis"], "chest": body.joints["spine-2"], "neck": body.joints["neck"], "head": body.joints["head"],
          "leftUpperArm": body.joints["l-shoulder"], "leftLowerArm": body.joints["l-elbow"], "rightUpperArm": body.joints["r-shoulder"],
          "rightLowerArm": body.joints["r-elbow"], "leftEye": body.joints["l-eye"], "rightEye": body.joints["r-eye"]}
    return np.array([at[name] for name in BONES])


def skinning(body):
    table = np.zeros((len(body.at), len(BONES)))
    for name, pairs in body.weights().items():
        table[pairs[:, 0].astype(int), BONES.index(bone_of(name))] += pairs[:, 1]
    none = table.sum(1) < 1e-6
    table[none, BONES.index("head")] = 1
    for side, name in (("l", "leftEye"), ("r", "rightEye")):
        ball = np.unique(body.parts[f"helper-{side}-eye"][:, :, 0])
        table[ball] = 0
        table[ball, BONES.index(name)] = 1
    return table


def four(table):
    joints = np.argsort(-table, 1)[:, :4]
    shares = np.take_along_axis(table, joints, 1)
    return joints, shares / np.maximum(shares.sum(1, keepdims=True), 1e-9)


def split(body, faces, near):
    """Vertices by place and texture, once each."""
    pairs, index = np.unique(faces.reshape(-1, 2), axis=0, return_inverse=True)
    return pairs, index.reshape(-1, 3)


def model(assets, look):
    body = Body(assets, look["macros"])
    file, table = File(), skinning(body)
    expressions = body.expressions()
    targets = look["targets"](expressions)
    head_y = body.joints["neck"][1] - 6.0
    skin = body.parts["body"]
    skin = skin[(body.at[skin[:, :, 0]][:, :, 1] > head_y).all(1)]
    picture, _ = skin_picture(body, skin, look)
    shown = file.material(picture, rough=0.62, jpeg=True)
    whole = normals(body.at, np.concatenate([faces[:, :, 0] for name, faces in body.parts.items() if name == "body"]))

    def add(faces, material, uv=None, bones=None):
        pairs, index = split(body, faces, None)
        n = pairs[:, 0]
        normal = whole[n] if faces is skin else normals(body.at, faces[:, :, 0])[n]
        file.mesh(body.at[n], normal, body.uv[pairs[:, 1]] if uv is None else uv[n], index, material, four(table[n]),
                  {name: by[n] for name, by in targets.items()})

    add(skin, shown)
    # Eyes: a picture before each, from straight ahead.
    iris = file.material(eye_picture(look["iris"]), rough=0.25)
    uv = np.zeros((len(body.at), 2))
    for side in "lr":
        ball = np.unique(body.parts[f"helper-{side}-eye"][:, :, 0])
        middle, size = body.joints[f"{side}-eye"], np.ptp(body.at[ball], 0)[1] / 2
        uv[ball] = 0.5 + 0.5 * (body.at[ball][:, :2] - (body.at[ball].max(0) + body.at[ball].min(0))[:2] / 2) / size * [1, -1] * 0.98
    for side in "lr":
        add(body.parts[f"helper-{side}-eye"], iris, uv)
    plain = lambda *rgb: Image.new("RGB", (8, 8), rgb)
    teeth = file.material(plain(236, 228, 212), rough=0.35, double=True)
    for name in ("upper", "lower"):
        add(body.parts[f"helper-{name}-teeth"], teeth)
    add(body.parts["helper-tongue"], file.material(plain(176, 84, 80), rough=0.45))
    lash = file.material(plain(24, 18, 16), rough=0.9, alpha="BLEND", double=True, colour=(1, 1, 1, 0.62))
    for side in "lr":
        for row in "12":
            add(body.parts[f"helper-{side}-eyelashes-{row}"], lash)
    look["hairdo"](file, body, skin, whole, look, targets)
    at = skeleton(body)
    rig(file, at)
    return file


def rig(file, at):
    gltf = file.gltf
    for n, name in enumerate(BONES):
        above = at[PARENT[n]] if PARENT[n] is not None else 0
        gltf.nodes.append(Node(name=name, translation=(at[n] - above).tolist(), children=[k for k, p in enumerate(PARENT) if p == n]))
    back = np.tile(np.eye(4), (len(BONES), 1, 1))
    back[:, 3, :3] = -at  # columns
    gltf.skins.append(Skin(joints=list(range(len(BONES))), inverseBindMatrices=file.numbers(back.reshape(-1, 16), "MAT4")))
    gltf.nodes.append(Node(name="body", mesh=0, skin=0))
    gltf.scenes.append(Scene(nodes=[0, len(BONES)]))
    gltf.scene = 0


def whole_head(n):
    joints = np.zeros((n, 4))
    joints[:, 0] = BONES.index("head")
    return joints, np.tile([1.0, 0, 0, 0], (n, 1))


def none_of(targets, n):
    return {name: np.zeros((n, 3)) for name in targets}


def scalp(body, skin, front, back):
    """Vertices of the head where hair grows, and how surely: above a hairline that falls from the forehead to the neck."""
    eye = (body.joints["l-eye"] + body.joints["r-eye"]) / 2
    half = abs(body.joints["l-eye"][0])
    p = (body.at - eye) / half
    line = front - back * step(0.0, -3.2, p[:, 2]) - 0.45 * step(1.3, 2.3, np.abs(p[:, 0])) * step(0.4, -0.6, p[:, 2])
    grows = step(-0.12, 0.28, p[:, 1] - line)
    ears = (np.abs(p[:, 0]) > 1.72) & (p[:, 1] < 0.85) & (p[:, 2] > -4.5)
    grows[ears] = 0
    on = np.zeros(len(body.at), bool)
    on[np.unique(skin[:, :, 0])] = True
    return np.where(on & (body.at[:, 1] > body.joints["neck"][1] + 0.2), grows, 0)


def shells(file, body, skin, whole, look, targets):
    """Short hair: the scalp again and again, each farther out and with more holes."""
    grows = scalp(body, skin, look["hairline"][0], look["hairline"][1])
    faces = skin[(grows[skin[:, :, 0]] > 0.02).any(1)]
    pairs, index = split(body, faces, None)
    n = pairs[:, 0]
    side, rng = 512, np.random.default_rng(5)
    dots = np.asarray(Image.fromarray((rng.random((side // 2, side // 2)) * 255).astype(np.uint8)).resize((side, side), Image.BICUBIC), float) / 255
    half = abs(body.joints["l-eye"][0])
    p = (body.at[n] - body.joints["head"]) / half
    around = np.arctan2(p[:, 0], p[:, 2]) / np.pi
    uv = np.c_[around * 1.3, p[:, 1] * 0.22 + p[:, 2] * 0.12]
    tall = look["length"] * half * (0.55 + 0.45 * step(0.3, 2.2, p[:, 1]))
    swept = np.c_[np.zeros(len(n)), 0.25 * np.ones(len(n)), 0.35 * np.ones(len(n))]
    layers = 9
    for layer in range(layers):
        out = (layer + 0.6) / layers
        alpha = np.clip((dots - 0.30 - 0.55 * out) * 9 + 0.5, 0, 1) if layer else np.ones((side, side))
        bright = 0.45 + 0.75 * out
        tone = np.array(look["hair"])[None, None] * (bright * (0.8 + 0.4 * dots))[..., None]
        picture = Image.fromarray(np.dstack([np.clip(tone, 0, 255), 255 * alpha]).astype(np.uint8), "RGBA")
        keep = index[(grows[n[index]] > 0.12 + 0.55 * out).all(1)] if layer else index[(grows[n[index]] > 0.35).all(1)]
        lift = (out * tall * grows[n])[:, None] * unit(whole[n] + swept * out)
        file.mesh(body.at[n] + lift, whole[n], uv, keep, file.material(picture, rough=0.75, alpha="MASK"), whole_head(len(n)),
                  {name: by[n] for name, by in targets.items()})


def cards(file, body, skin, whole, look, targets):
    """Long hair: a cap, and ribbons that fall from the parting over it."""
    grows = scalp(body, skin, look["hairline"][0], look["hairline"][1])
    half = abs(body.joints["l-eye"][0])
    faces = skin[(grows[skin[:, :, 0]] > 0.3).all(1)]
    pairs, index = split(body, faces, None)
    n = pairs[:, 0]
    cap = strands(look["hair"], thin=2.0, seed=4).convert("RGB")
    combed = np.c_[body.at[n][:, 0] * 0.22 + 0.5, body.at[n][:, 2] * 0.05 + 0.3]
    file.mesh(body.at[n] + 0.10 * half * whole[n], whole[n], combed, index, file.material(cap, rough=0.6),
              whole_head(len(n)), {name: by[n] for name, by in targets.items()})
    ribbon = file.material(strands(look["hair"]), rough=0.55, alpha="BLEND", double=True)
    eye = (body.joints["l-eye"] + body.joints["r-eye"]) / 2
    head = np.array([0, eye[1] + 0.55 * half, eye[2] - 2.1 * half])
    top = body.at[np.unique(skin[:, :, 0])]
    radius = lambda d: max(((top[top[:, 1] > eye[1] - 0.3 * half] - head) @ d).max(), 0.1)
    rng = np.random.default_rng(12)
    at, normal, uv, index = [], [], [], []
    rows = 19
    for layer in range(3):
        for side in (-1, 1):
            for card in range(23):
                # From the parting, front to back, down beside the face.
                share = (card + 0.5 + rng.uniform(-0.3, 0.3)) / 23
                turn = np.radians(38 + 142 * share)  # 0 is ahead
                aside = np.array([side * np.sin(turn), 0, np.cos(turn)])
                along = np.array([side * np.cos(turn), 0, -np.sin(turn)])
                wide = half * rng.uniform(0.22, 0.34)
                fall = half * rng.uniform(4.6, 5.6)
                first = len(at)
                start = unit(np.array([side * (0.02 + 0.10 * layer), 1.0, 0.62 - 1.25 * share]))
                for row in range(rows):
                    t = row / (rows - 1)
                    over = min(t / 0.34, 1.0)
                    d = unit(start * (1 - over) + aside * over + np.array([0, 0.25 * (1 - over) * over, 0]))
                    reach = radius(d) + half * (0.16 + 0.07 * layer) + half * 0.05 * np.sin(5 * t + card)
                    point = head + d * reach
                    if t > 0.34:
                        down = (t - 0.34) / 0.66
                        point = head + aside * (radius(aside) + half * (0.16 + 0.07 * layer)) * (1 - 0.10 * np.sin(3 * down)) - np.array([0, fall * down, 0])
                        point += half * 0.07 * np.sin(7 * down + 2.1 * card + layer) * along
                    width = along * wide * (1 - 0.25 * t) * (0.55 + 0.45 * over)
                    for edge in (-1, 1):
                        at.append(point + edge * width)
                        normal.append(unit(d * 0.8 + along * edge * 0.35 + np.array([0, 0.3 * (1 - over), 0])))
                        uv.append([(card * 0.137 + layer * 0.31) % 0.85 + (0.14 if edge > 0 else 0), 0.01 + 0.97 * t])
                for row in range(rows - 1):
                    a = first + 2 * row
                    index += [[a, a + 1, a + 2], [a + 1, a + 3, a + 2]]
    at = np.array(at)
    file.mesh(at, np.array(normal), np.array(uv), index, ribbon, whole_head(len(at)), none_of(targets, len(at)))


def vrm(file, names):
    """VRM 1.0: its bones, its expressions, and who may use it."""
    bind = lambda *pairs: {"morphTargetBinds": [{"node": len(BONES), "index": names.index(name), "weight": w} for name, w in pairs]}
    preset = {name: bind((name, 1.0)) for name in names}
    file.gltf.extensionsUsed = ["VRMC_vrm"]
    file.gltf.extensions = {"VRMC_vrm": {
        "specVersion": "1.0",
        "meta": {"name": "Ben", "version": "1", "authors": ["Compere's own fixture"], "licenseUrl": "https://vrm.dev/licenses/1.0/",
                 "avatarPermission": "everyone", "commercialUsage": "corporation", "creditNotation": "unnecessary",
                 "modification": "allowModificationRedistribution"},
        "humanoid": {"humanBones": {name: {"node": n} for n, name in enumerate(BONES)}},
        "expressions": {"preset": preset},
        "lookAt": {"type": "bone"},
    }}


def as_arkit(expressions):
    wanted = ("jawOpen", "mouth", "eye", "brow", "tongueOut", "cheekSquint")
    return {name: by for name, by in expressions.items() if name.startswith(wanted)}


def as_vrm(e):
    both = lambda name: e[name + "Left"] + e[name + "Right"]
    return {
        "aa": 0.62 * e["jawOpen"] + 0.25 * both("mouthLowerDown") + 0.15 * both("mouthUpperUp"),
        "ih": 0.15 * e["jawOpen"] + 0.55 * both("mouthStretch") + 0.25 * both("mouthLowerDown"),
        "ou": 0.12 * e["jawOpen"] + 0.75 * e["mouthPucker"] + 0.25 * e["mouthFunnel"],
        "ee": 0.20 * e["jawOpen"] + 0.5 * both("mouthSmile") + 0.3 * both("mouthLowerDown"),
        "oh": 0.40 * e["jawOpen"] + 0.6 * e["mouthFunnel"],
        "blink": both("eyeBlink"),
        "happy": 0.7 * both("mouthSmile") + 0.3 * both("cheekSquint"),
    }


ADA = dict(
    macros={"macrodetails/caucasian-female-young.target.gz": 0.6, "macrodetails/asian-female-young.target.gz": 0.4,
            "macrodetails/universal-female-young-averagemuscle-averageweight.target.gz": 1.0},
    skin=[224, 176, 150], lips=[188, 100, 96], lids=1.2, hair=[92, 56, 36], brow=0.92, thick=0.10, beard=0, collar=-0.10,
    shirt=[58, 98, 118], iris=[92, 120, 84], hairline=(1.95, 4.6), targets=as_arkit, hairdo=cards)
BEN = dict(
    macros={"macrodetails/african-male-young.target.gz": 0.35, "macrodetails/caucasian-male-young.target.gz": 0.65,
            "macrodetails/universal-male-young-averagemuscle-averageweight.target.gz": 1.0},
    skin=[178, 126, 98], lips=[150, 88, 80], lids=0.7, hair=[44, 32, 26], brow=0.80, thick=0.15, beard=0.16, collar=-0.05,
    shirt=[196, 190, 178], iris=[88, 58, 36], hairline=(1.95, 3.4), length=0.42, targets=as_vrm, hairdo=shells)


def main():
    assets, folder = sys.argv[1:3]
    os.makedirs(folder, exist_ok=True)
    model(assets, ADA).save(f"{folder}/ada.glb")
    ben = model(assets, BEN)
    vrm(ben, list(as_vrm(Body(assets, {}).expressions())))
    ben.save(f"{folder}/ben.glb")
    os.replace(f"{folder}/ben.glb", f"{folder}/ben.vrm")
    for name in ("ada.glb", "ben.vrm"):
        print(f"{folder}/{name}: {os.path.getsize(f'{folder}/{name}') / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
