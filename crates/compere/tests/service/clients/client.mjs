// The flow of interface section 4, note 5, and the one of existing projects: read, change, post again.
const base = process.env.BASE_URL;

async function call(method, path, body, token) {
  const headers = { "Content-Type": "application/json" };
  if (token) headers.Authorization = token;
  const answer = await fetch(base + path, { method, headers, body: body ? JSON.stringify(body) : undefined });
  const result = await answer.json();
  if (!result.success) throw new Error(JSON.stringify(result));
  return result.data;
}

const { token } = await call("POST", "/api/odin/v3/auth/token", { appId: process.env.APP_ID, userKey: process.env.USER_KEY });
const { project } = await call("GET", `/api/odin/v3/editor/project/${process.env.PROJECT_ID}`, null, token);
project.scenes[0].scripts[0].org = "Changed by Node.";
for (const clip of project.scenes[0].clips) if (clip.tag === "title") clip.text = "Node";
const { projectId } = await call("POST", "/api/odin/v3/editor/project", { scenes: project.scenes, resolution: "480" }, token);
for (;;) {
  const { project: polled } = await call("GET", `/api/odin/v3/editor/project/${projectId}`, null, token);
  if (polled.progress === 100) {
    const film = await fetch(polled.download_url);
    const bytes = new Uint8Array(await film.arrayBuffer());
    if (String.fromCharCode(...bytes.slice(4, 8)) !== "ftyp") throw new Error("not a film");
    console.log("downloaded", bytes.length);
    break;
  }
  await new Promise((resolve) => setTimeout(resolve, 300));
}
