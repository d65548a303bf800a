"""Table of seeking: seeking.py COMPERE PAGE

A film of footage, a presenter, a slide and footage behind a presenter, made by the whole program: what its frames are, by
FFprobe; whether FFmpeg decodes the same picture after a jump as from the start; and whether Chromium shows it. Ends with an
error where a picture is another one.
"""

import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

from tables import load, put, scene, table

RATE, WIDTH, HEIGHT = 30, 1920, 1080
DASHBOARD = pathlib.Path(__file__).resolve().parents[2] / "tests" / "dashboard"
# Places that are sought besides those around key frames.
ANYWHERE = 12


def out(*arguments, **more):
    return subprocess.run(arguments, check=True, capture_output=True, **more).stdout


def project(work):
    # As cameras film: everything moves, and there is noise.
    source = f"mandelbrot=size={WIDTH}x{HEIGHT}:rate={RATE}:start_scale=0.3:end_scale=0.2:end_pts=400"
    out("ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", f"{source},gblur=sigma=1.2,noise=alls=4:allf=t+u", "-t", "12",
        *"-c:v libx264 -preset veryfast -crf 18 -pix_fmt yuv420p".split(), str(work / "footage.mp4"))
    filmed = {"id": "background", "type": "background", "source_type": "video", "source_color": "rgb(255,255,255)",
              "source_url": "/footage.mp4"}
    painted = {**filmed, "source_type": "image", "source_url": "/images/background/library.png"}
    coming = lambda clips: [
        {**clip, "animation": {"type": "in-left", "duration": 1, "delay": 2}} if clip["type"] == "textImage" else clip
        for clip in clips
    ]
    only = lambda made, kind: {**made, "clips": [clip for clip in made["clips"] if clip["type"] == kind]}
    scenes = [
        {**only(scene(0, "", 12), "textImage"), "background": filmed},
        {**scene(1, "", 12), "background": painted},
        {**(slide := only(scene(2, "", 12), "textImage")), "clips": coming(slide["clips"])},
        {**scene(3, "", 12), "background": filmed},
    ]
    (work / "scene.json").write_text(json.dumps({"name": "Seeking", "resolution": "1080", "scenes": scenes}))


def pictures(film, *more):
    """A hash of each, in the order in which they are shown."""
    told = out("ffmpeg", "-v", "error", "-nostdin", *more, "-map", "0:v", "-f", "framehash", "-hash", "md5", "-", text=True)
    return [line.rsplit(" ", 1)[-1] for line in told.splitlines() if not line.startswith("#")]


def runs(types):
    """`I P×249 I …`"""
    parts = []
    for kind in types:
        if parts and parts[-1][0] == kind:
            parts[-1][1] += 1
        else:
            parts.append([kind, 1])
    return " ".join(kind if count == 1 else f"{kind}×{count}" for kind, count in parts)


def decode_for_chromium(film, places, work):
    """Each picture with those beside it, so that one too early or too late is told apart."""
    wanted = sorted({one for place in places for one in (place - 1, place, place + 1)})
    select = "+".join(f"eq(n,{one})" for one in wanted)
    convert = "scale=in_color_matrix=bt709:in_range=tv:flags=accurate_rnd+full_chroma_int+bilinear,format=rgb24"
    out("ffmpeg", "-v", "error", "-nostdin", "-i", str(film), "-vf", f"select='{select}',{convert}", "-fps_mode", "passthrough",
        "-start_number", "0", "-f", "image2", "-c:v", "rawvideo", str(work / "decoded-%d.rgb"))
    at = {one: work / f"decoded-{number}.rgb" for number, one in enumerate(wanted)}
    for place in places:
        for name, one in ((f"{place}-before", place - 1), (f"{place}", place), (f"{place}-after", place + 1)):
            os.link(at[one], work / f"{name}.rgb")


def chromium(film, places, work):
    decode_for_chromium(film, places, work)
    (work / "places.json").write_text(json.dumps({"rate": RATE, "width": WIDTH, "height": HEIGHT, "frames": places}))
    told = json.loads(out("node", "sought.mjs", str(work), cwd=DASHBOARD))
    for one in told["sought"]:
        before, there, after = one["alike"]
        # What stands still looks the same before and after.
        if one["shown"] != one["frame"] or there < 35 or there < max(before, after) - 0.01:
            raise SystemExit(f"performance: Chromium shows another picture: {one}")
    return told


def main(compere, page):
    with tempfile.TemporaryDirectory() as folder:
        work, busy = pathlib.Path(folder), load()
        film = work / "film.mp4"
        project(work)
        out(compere, "--data", str(work / "data"), "render", str(work / "scene.json"), "-o", str(film))
        told = out("ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "frame=key_frame,pict_type", "-of", "csv=p=0", str(film), text=True)
        frames = [line.split(",")[:2] for line in told.split()]
        keys = [at for at, (key, _) in enumerate(frames) if key == "1"]
        straight = pictures(film, "-i", str(film))
        if len(straight) != len(frames):
            raise SystemExit(f"performance: {len(frames)} frames, of which {len(straight)} are decoded")
        chance = random.Random(16)
        places = {place for key in keys for place in (key - 1, key, key + 1)} | {chance.randrange(len(frames)) for _ in range(ANYWHERE)}
        places = [place for place in places if 0 < place < len(frames) - 1]
        chance.shuffle(places)
        wrong = [place for place in places
                 if pictures(film, "-ss", f"{(place - 0.5) / RATE:.6f}", "-i", str(film), "-frames:v", "1") != [straight[place]]]
        if wrong:
            raise SystemExit(f"performance: FFmpeg decodes other pictures after a jump to {wrong}")
        seen = chromium(film, places, work)
    took = [one["took"] for one in seen["sought"]]
    alike = [one["alike"][1] for one in seen["sought"]]
    longest = max(after - before for before, after in zip(keys, keys[1:] + [len(frames)]))
    rows = [
        ["frame types (FFprobe)", runs(kind for _, kind in frames)],
        ["key frames", f"{len(keys)} of {len(frames)}, at most {longest / RATE:.1f} s apart"],
        ["FFmpeg, sought: the very picture of a film decoded from its start", f"{len(places)} of {len(places)} places"],
        ["Chromium, sought: the picture of that time", f"{len(places)} of {len(places)} places, {min(alike):.0f} dB and more"],
        ["Chromium, until it is there", f"{statistics.median(took):.0f} ms in the middle, {max(took):.0f} ms at most"],
        ["Chromium, played from start to end", f"{seen['played']} pictures in {seen['lasts']:.1f} s, {seen['dropped']} of them dropped"],
    ]
    put(page, "seeking", table(["what", "load before: " + f"{busy:.2f}"], rows))


if __name__ == "__main__":
    main(*sys.argv[1:])
