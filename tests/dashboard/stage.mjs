// A house full of films in every state. What people do goes through the API; what passes too quickly to be looked at,
// or takes days, is written into the records.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** As long as the interface lets a name be, and meant to come alive: markup, an address that is a script, letters that turn round, faces that are joined. */
export const HOSTILE =
  `"><img src=x onerror=alert(1)><script>alert(2)</script> javascript:alert(3) \u202Egnp.exe \u{1F469}\u200D\u{1F469}\u200D\u{1F467} ${"Überlang ".repeat(14)}`.slice(
    0,
    200,
  );
export const MEMBER = "ada@example.com";
/** The longest address that is let in, of somebody with the longest name. */
export const LONGEST = `${"w".repeat(64)}@${Array(3).fill("w".repeat(43)).join(".")}.com`;

const RECORDS = String.raw`
import json, os, shutil, sqlite3, sys, time
data, source, hostile, longest = sys.argv[1:5]
db = sqlite3.connect(data + "/compere.db", timeout=30)
db.row_factory = sqlite3.Row
now, day = int(time.time() * 1000), 86400000

def copy(table, row, **new):
    row = {**dict(row), **new}
    db.execute(f"INSERT INTO {table} ({','.join(row)}) VALUES ({','.join('?' * len(row))})", list(row.values()))
    return row

project = db.execute("SELECT * FROM project WHERE id = ?", [source]).fetchone()
export = db.execute("SELECT * FROM export WHERE id = ?", [project["export"]]).fetchone()
ids = {}

def film(kind, name, at, state=None, body=None, **fields):
    number = len(ids) + 1
    id, ids[kind] = f"feed{number:020x}", f"feed{number:020x}"
    own = {k: v for k, v in fields.items() if k in project.keys()}
    if body is None: body = json.dumps({**json.loads(project["body"]), "name": name})
    made = copy("project", project, **{"id": id, "name": name, "folded": name.lower(), "export": None, "created_at": now - at, "updated_at": now - at, **own, "body": body})
    if state:
        film = {"id": f"face{number:020x}", "project": id, "name": name, "state": state, "created_at": now - at, "started_at": now - at + 2000, "callback_id": None, "webhook": None}
        if state != "exported": film.update(made=None, duration=None, size=None, credits=None)
        if state in ("queued", "rendering", "synthesizing", "finishing"):
            # Somebody else is at it, or will be much later: no worker here takes it up.
            film.update(finished_at=None, worker="elsewhere", lease_until=now + 30 * day, not_before=now + 30 * day, fence=9)
        else: film.update(finished_at=now - at + 30000)
        film.update({k: v for k, v in fields.items() if k in export.keys() and k not in own})
        copy("export", export, **film)
        if film["state"] == "exported" and not film.get("swept_at"): shutil.copytree(f"{data}/objects/exports/{export['id']}", f"{data}/objects/exports/{film['id']}")
        db.execute("UPDATE project SET export = ? WHERE id = ?", [film["id"], id])
        ids[kind + "-export"] = film["id"]

hour = 3600000
film("draft", "Product tour, second draft", 26 * hour)
film("importing", "Quarterly review.pptx", 5000, body='{"scenes":[]}', scene_count=0, importing=json.dumps({"state": "importing", "progress": 40}))
film("unreadable", "Holiday snaps.pdf", 3 * hour, body='{"scenes":[]}', scene_count=0, importing=json.dumps({"state": "failed", "error": "The document is protected with a password. Save it without one and send it again."}))
film("queued", "Safety at work, lesson 2", 40000, "queued", progress=0.0, step="", started_at=None)
film("synthesizing", "Safety at work, lesson 1", 60000, "synthesizing", progress=6.0, step="speaking")
film("rendering", "Onboarding for new colleagues", 90000, "rendering", progress=47.0, step="drawing")
film("finishing", "News of the week", 120000, "finishing", progress=97.0, step="storing")
film("failed", "Spring campaign", 2 * hour, "failed", progress=31.0, error_code=4006, error="scenes[1].clips[0]: https://cdn.example.com/spring/hero.png answered 404 (not found). Upload the picture or correct its address.")
film("broke", "Annual report, all languages", 4 * hour, "failed", progress=0.0, error_code=4020, error="The film became longer than estimated and 12 credits were missing.")
film("broken", "Trade fair loop", 6 * hour, "failed", progress=12.0, error_code=5000, error="The worker ended unexpectedly while it drew the frames. It was tried 3 times.")
film("cancelled", "Old opening", 30 * hour, "cancelled", progress=20.0)
film("swept", "Last year’s greeting", 50 * day, "exported", swept_at=now - day)
film("hostile", hostile, 7 * hour, "exported")
# Nothing in it can be broken at a blank: the longest name, script, text, reason and address that are let in.
word = "W" * 5000
endless = json.loads(project["body"])
endless["name"] = word[:200]
endless["scenes"][0]["scripts"][0]["org"] = word
endless["scenes"][0]["clips"].append({"id": "endless", "type": "textImage", "layer": 9, "left": 100, "top": 100, "width": 800, "height": 200, "text": word, "fill": "rgb(0,0,0)", "fontSize": 20, "fontFamily": "Noto Sans"})
film("endless", word[:200], 4 * hour, "failed", body=json.dumps(endless), error="scenes[0].scripts[0]: " + word + hostile, progress=3.0)
db.execute("INSERT INTO delivery VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,NULL)", ["msg_9ca11ed0000000000", project["account"], ids["endless-export"], "export.failed", "https://hooks.example.com/" + word[:4000], "POST", json.dumps({"event": "export.failed", "reason": word}), "failed", 1, now + 30 * day, None, now - hour, now])
db.execute("INSERT INTO delivery_try VALUES (?,?,?,?,?,?,?)", ["msg_9ca11ed0000000000", 1, now - hour, 120, "POST", None, "the host " + word[:200] + " is not known"])
film("damaged", "A record that cannot be read", 60 * day, body="{broken")
film("upright", "Stories, upright", 9 * hour, body=json.dumps({**json.loads(project["body"]), "name": "Stories, upright", "orientation": "portrait"}), orientation="portrait")
for n in range(24):
    film(f"more{n}", ["Welcome to Compere", "Safety briefing", "Release notes", "Lesson on tides", "Greeting from the team", "How to file expenses"][n % 6] + f", take {n // 6 + 1}", (n + 1) * day + hour, "exported" if n % 7 else "failed", **({} if n % 7 else {"error": "scenes[0]: the voice is not installed any more", "progress": 3.0}))

for n, (state, status, error) in enumerate([("delivered", 200, None), ("pending", 503, None), ("failed", None, "the connection was refused")]):
    id = f"msg_{n}ca11ed0000000000"
    db.execute("INSERT INTO delivery VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,NULL)", [id, project["account"], project["export"], "export.completed", "https://hooks.example.com/films/ready?tenant=" + "a-long-name-" * 6, "POST", json.dumps({"event": "export.completed", "projectId": source, "progress": 100}), state, n + 1, now + 30 * day, None, now - hour, now if state != "pending" else None])
    for number in range(n + 1):
        db.execute("INSERT INTO delivery_try VALUES (?,?,?,?,?,?,?)", [id, number + 1, now - hour + number * 60000, 120 + 7 * number, "POST", status if number == n else 500, error])
for number in range(3):
    copy("export", export, id=f"fade{number:020x}", state=["failed", "cancelled", "failed"][number], made=None, duration=None, size=None, credits=None, error=["scenes[0].background: the picture is 12000 pixels wide, and at most 8192 can be drawn", None, "The disk is full: 4 MB are free and about 60 MB are needed."][number], created_at=now - (number + 2) * day, started_at=now - (number + 2) * day, finished_at=now - (number + 2) * day + 9000)
db.execute("UPDATE export SET warnings = ? WHERE id = ?", [json.dumps([{"path": "scenes[1].clips[2]", "message": "the font “Gilroy” is not installed; Noto Sans is used in its place"}, {"path": "scenes[0]", "message": "the script is longer than the 4 seconds that are set for it; the scene lasts as long as the script"}]), project["export"]])

admin = db.execute("SELECT * FROM account WHERE id = ?", [project["account"]]).fetchone()
people = [("ada@example.com", "Ada Lovelace", "member", "free", None, True), ("suspended@example.com", "Charles Babbage", "member", "api", now - day, True), ("invited@example.com", hostile[:80], "member", "api", None, False), ("second@example.com", "Grace Hopper", "admin", "api", None, True), (longest, word[:80], "member", "api", None, True)]
for n, (email, name, role, plan, suspended, known) in enumerate(people):
    copy("account", admin, id=f"acc0{n:020x}", email=email, name=name, role=role, plan=plan, suspended_at=suspended, password=admin["password"] if known else None, created_at=now - n * day)
for n, (name, used, revoked) in enumerate([("Website", now - hour, None), (hostile[:80], None, None), ("Old laptop", now - 40 * day, now - 3 * day), (word[:80], now - hour, None)]):
    db.execute("INSERT INTO key_pair VALUES (?,?,?,?,?,?,?,?,?,?,0)", [f"4e7{n:021x}", admin["id"], None, name, admin["email"] + "_4f2a", f"hash-{n}", "a1b" + str(n), now - 50 * day + n * day, used, revoked])
for n, name in enumerate(["Customer films", hostile[:80], word[:80]]):
    db.execute("INSERT INTO workspace VALUES (?,?,?,?)", [f"b0a2d{n:019x}", admin["id"], name, now])
db.commit()
print(json.dumps(ids))
`;

/** A font of this machine under a name of as many letters, which nobody has. */
export function brand() {
  const bytes = readFileSync("/usr/share/fonts/truetype/crosextra/Caladea-Bold.ttf");
  for (const coding of ["latin1", "utf16le"]) {
    const [from, to] = ["Caladea", "Quarzit"].map((name) => Buffer.from(name, coding));
    // Names are written with the first byte first.
    if (coding === "utf16le") [from, to].forEach((name) => name.swap16());
    for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from)) to.copy(bytes, at);
  }
  return bytes;
}

/** Fills a house that has made one film, whose project is `ready`. Answers with the ids of the projects by what they are. */
export async function fill(service, ready) {
  const told = execFileSync("python3", ["-c", RECORDS, service.data, ready, HOSTILE, LONGEST], { encoding: "utf8" });
  return { ...JSON.parse(told), ready };
}

/** Files of the member's own: pictures and a sound, one of them with a name that means harm, and a font. */
export async function uploads(page, ids) {
  const csrf = await page.locator('meta[name="csrf"]').getAttribute("content");
  const send = (name, data) =>
    page.request.post(`/app/assets?name=${encodeURIComponent(name)}`, {
      data,
      headers: { "x-csrf-token": csrf, accept: "application/json", "content-type": "application/octet-stream" },
    });
  const picture = (path) => page.request.get(path).then((answer) => answer.body());
  await send(
    "Product close-up with a very long name that goes on and on and on.jpg",
    await picture(`/app/projects/${ids.ready}/scenes/1.jpg`),
  );
  await send("Background.png", await picture("/app/backgrounds/paper.png"));
  await send("Jingle.wav", await picture("/app/voices/espeak-de/sample.wav"));
  await send(`${"W".repeat(190)}.jpg`, await picture(`/app/projects/${ids.ready}/scenes/2.jpg`));
  await send(HOSTILE, await picture(`/app/projects/${ids.ready}/scenes/0.jpg`));
  await page.request.post("/app/fonts?name=brand.ttf&licence=true", {
    data: brand(),
    headers: { "x-csrf-token": csrf, accept: "application/json", "content-type": "application/octet-stream" },
  });
}
