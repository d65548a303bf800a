"""The flow of interface section 4, note 5, with nothing but the standard library."""
import json
import os
import time
import urllib.request

BASE = os.environ["BASE_URL"]
PROJECT = os.environ["PROJECT_ID"]


def call(method, path, body=None, token=None):
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = token
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(BASE + path, data=data, headers=headers, method=method)
    with urllib.request.urlopen(request) as answer:
        assert answer.status == 200, answer.status
        result = json.load(answer)
    assert result["success"], result
    return result["data"]


pair = {"appId": os.environ["APP_ID"], "userKey": os.environ["USER_KEY"]}
token = call("POST", "/api/odin/v3/auth/token", pair)["token"]
project = call("POST", "/api/odin/v3/editor/project/export", {"projectId": PROJECT, "resolution": "480"}, token)["projectId"]
assert project == PROJECT
while True:
    progress = call("GET", f"/api/odin/v3/editor/progress/{project}", None, token)
    if progress["progress"] >= 100:
        break
    time.sleep(0.3)
name = progress["downloadUrl"].rsplit("/", 1)[-1]
assert name.endswith(".mp4"), name
with urllib.request.urlopen(progress["downloadUrl"]) as film:
    content = film.read()
assert content[4:8] == b"ftyp", content[:16]
listed = call("GET", "/api/odin/v3/editor/project", None, token)
assert any(one["id"] == project and one["state"] == "exported" for one in listed), listed
print("downloaded", len(content))
