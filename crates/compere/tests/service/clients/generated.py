"""The generated client, from a key pair to a film, an upload and a refusal."""
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, os.environ["CLIENTS"] + "/python")
from compere import Compere, CompereError  # noqa: E402

compere = Compere(os.environ["BASE_URL"], os.environ["APP_ID"], os.environ["USER_KEY"])
assert compere.check_token()["isAuthenticated"]
exported = compere.export_project({"projectId": os.environ["PROJECT_ID"], "resolution": "480"}, idempotency_key="py")
assert compere.export_project({"projectId": os.environ["PROJECT_ID"], "resolution": "480"}, idempotency_key="py") == exported
progress = compere.wait(exported["projectId"], every=0.2)
film = compere.download(progress, Path(tempfile.mkdtemp()) / "film.mp4")
assert film.read_bytes()[4:8] == b"ftyp"
assert any(one["id"] == exported["projectId"] for one in compere.list_projects(limit=100))
svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20"/></svg>'
asset = compere.upload_asset(svg, name="box.svg")
assert (asset["name"], asset["mediaType"]) == ("box.svg", "image/svg+xml"), asset
assert compere.delete_asset(asset["id"])["deletedCount"] == 1
try:
    compere.create_project({"scenes": [{"sceneIdx": 0, "background": {}, "clips": [{"type": "shape", "id": "s"}]}]})
    raise AssertionError("a clip without a place was taken")
except CompereError as error:
    assert error.code == 4001 and error.doc_url and any("clips[0]" in one["path"] for one in error.details), error
print("downloaded", film.stat().st_size)
