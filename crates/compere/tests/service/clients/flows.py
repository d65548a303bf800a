"""The flows of AI Studios' published clients, with the request bodies their editor writes, on the standard library."""
import json
import os
import time
import urllib.request
import uuid

BASE = os.environ["BASE_URL"] + "/api/odin/v3"
# What the editor knows of a standing figure: the tight box in a picture of 1374 by 2444, and the face in it.
EDITOR = {
    "modelOriginW": 1374, "modelOriginH": 2444, "modelTightX": 347, "modelTightY": 107, "modelTightW": 679,
    "modelTightH": 2229, "headCenterX": 680, "headCenterY": 270, "headWidth": 190, "headHeight": 200,
    "spaceT": 107, "spaceB": 108, "spaceL": 347, "spaceR": 348, "scale": 1,
}


def call(method, path, body=None, token=None):
    # Their samples send a JSON header on everything, and bodies with GET.
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(BASE + path, data=data, headers=headers, method=method)
    with urllib.request.urlopen(request) as answer:
        result = json.load(answer)
    assert result["success"], result
    return result["data"]


def poll(project, token):
    for _ in range(1200):
        progress = call("GET", f"/editor/progress/{project}", {}, token)
        if progress["progress"] == 100:
            return progress
        time.sleep(0.3)
    raise AssertionError(f"{project} never ended: {progress}")


def download(url, to=None):
    name = urllib.request.url2pathname(url.split("?")[0].rsplit("/", 1)[-1])
    with urllib.request.urlopen(url) as film:
        content = film.read()
    if to:
        open(to, "wb").write(content)
    assert name.endswith(".mp4") and content[4:8] == b"ftyp", (name, content[:16])
    return name


def scene(index, text):
    return {
        "sceneIdx": index, "watermark": True, "duration": 1,
        "scripts": [{"org": text, "isTTS": True, "tts": {"voice": "tone"}, "modelId": "lena", "clothId": "lena/shirt"}],
        "background": {"id": str(uuid.uuid4()), "type": "background", "source_type": "color",
                       "source_color": "rgb(240,244,248)", "source_url": "", "editorOnly": {"kept": True}},
        "clips": [
            {"id": str(uuid.uuid4()), "type": "aiModel", "layer": 1, "top": 147, "left": 620, "width": 679, "height": 2229,
             "scaleX": 1, "scaleY": 1, "isDelete": False, "voiceOnly": False, "headOnly": False, "opacity": 1,
             "model": {"ai_name": "lena", "emotion": "lena/shirt", "editor": EDITOR}},
            {"id": str(uuid.uuid4()), "type": "textImage", "layer": 2, "top": 60, "left": 100, "width": 700, "height": 120,
             "text": "Title", "fontSize": 48, "fill": "rgb(16,24,40)", "tag": "title", "lockUniScaling": False},
        ],
    }


token = call("POST", "/auth/token", {"appId": os.environ["APP_ID"], "userKey": os.environ["USER_KEY"]})["token"]

# 1. A template becomes a film.
template = {"name": "From a template", "orientation": "landscape", "scenes": [scene(0, "First."), scene(1, "Second.")], "resolution": "480"}
made = call("POST", "/editor/project", template, token)["projectId"]
assert download(poll(made, token)["downloadUrl"], os.environ["FILM"]) == "From-a-template.mp4"

# 2. An existing project, changed by its tags, becomes a new one: unknown keys come back.
project = call("GET", f"/editor/project/{made}", None, token)["project"]
assert project["scenes"] == template["scenes"], "scenes did not come back as they were sent"
for one in project["scenes"]:
    one["scripts"][0]["org"] = "Changed."
    for clip in one["clips"]:
        if clip.get("tag") == "title":
            clip["text"] = "Changed"
again = call("POST", "/editor/project", {"scenes": project["scenes"], "resolution": "480"}, token)["projectId"]
assert again != made
# 7. Read until it is done, instead of asking for progress.
while (read := call("GET", f"/editor/project/{again}", None, token)["project"])["progress"] != 100:
    time.sleep(0.3)
assert read["_id"] == again and read["createdAt"] and read["name"]
download(read["download_url"])

# 3. An existing id, exported anew under the same id.
assert call("POST", "/editor/project/export", {"projectId": made, "resolution": "480"}, token)["projectId"] == made
assert poll(made, token)["state"] == "exported"

# 4. Several presenters alone, in turn.
jobs = []
for text in ("One.", "Two."):
    wish = {"language": "en", "text": text, "model": "lena", "clothes": "lena/shirt", "resolution": "480"}
    jobs.append(call("POST", "/simple/video", wish, token)["projectId"])
for job in jobs:
    download(poll(job, token)["downloadUrl"])

# 5. A text becomes a storyboard, is waited for, and is exported.
told = call("POST", "/automation/scripts_to_video", {"scripts": "# Hello\n\nHi.", "options": {"language": "en", "model": "lena", "voiceOnly": True}}, token)
state = call("GET", f"/automation/progress?projectId={told['projectId']}", None, token)
assert (state["state"], state["progress"]) == ("finish", 100), state
call("POST", "/editor/project/export", {"projectId": told["projectId"], "resolution": "480"}, token)
poll(told["projectId"], token)

# 5, with a document: upload, create, wait for the project, export, wait for the film.
def upload(name, content, token):
    edge = uuid.uuid4().hex
    part = f'--{edge}\r\nContent-Disposition: form-data; name="files"; filename="{name}"\r\n\r\n'.encode()
    body = part + content + f"\r\n--{edge}--\r\n".encode()
    headers = {"Authorization": token, "Content-Type": f"multipart/form-data; boundary={edge}"}
    request = urllib.request.Request(BASE + "/automation/docs-to-video/upload-files", body, headers, method="POST")
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["data"]["uploadResults"]


files = upload("welcome.txt", b"# Welcome\n\nGood morning.", token)
told = call("POST", "/automation/docs-to-video", {"files": files, "options": {"language": "en", "model": "lena", "voiceOnly": True}}, token)
while True:
    state = call("GET", f"/automation/progress/?projectId={told['projectId']}", None, token)
    if (state["state"], state["progress"]) == ("finish", 100):
        break
    time.sleep(0.5)
call("POST", "/editor/project/export", {"projectId": told["projectId"], "resolution": "480"}, token)
poll(told["projectId"], token)
print("downloaded everything")
