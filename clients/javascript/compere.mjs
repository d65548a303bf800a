// Compere's API for Node 18 and later, Deno, Bun and browsers. The types are in compere.d.mts.
// Made by scripts/clients.py from docs/openapi.json; changes belong there or into head.txt.

/** What the service refused, and why. */
export class CompereError extends Error {
  constructor(status, error, data) {
    const details = (error.details ?? []).map((one) => `\n  ${one.path}: ${one.msg}`).join("");
    super(`${error.code ?? status} ${error.name ?? ""}: ${error.msg ?? ""}${details}`);
    this.name = "CompereError";
    this.status = status;
    this.code = error.code;
    this.kind = error.name;
    this.details = error.details ?? [];
    this.docUrl = error.docUrl;
    this.requestId = error.requestId;
    this.data = data;
  }
}

/** A service and who asks it. Tokens are asked for, and asked for again when a day is over. */
export class Compere {
  #base;
  #pair;
  #token;

  constructor(base, { appId = "", userKey = "", token = "" } = {}) {
    this.#base = base.replace(/\/+$/, "");
    this.#pair = { appId, userKey };
    this.#token = token;
  }

  readProgressOlder(key) {
    return this.#ask("GET", `/api/odin/editor/progress/${encodeURIComponent(key)}`);
  }

  createProjectOlder(body, options = {}) {
    return this.#ask("POST", "/api/odin/editor/project", { body, key: options.idempotencyKey });
  }

  duplicateProject(key, options = {}) {
    return this.#ask("POST", `/api/odin/editor/project/duplicate/${encodeURIComponent(key)}`, { body: {}, key: options.idempotencyKey });
  }

  readProjectByName(name) {
    return this.#ask("GET", `/api/odin/editor/project/name/${encodeURIComponent(name)}`);
  }

  readProjectOlder(key) {
    return this.#ask("GET", `/api/odin/editor/project/${encodeURIComponent(key)}`);
  }

  editProjectOlder(key, body, options = {}) {
    return this.#ask("POST", `/api/odin/editor/project/${encodeURIComponent(key)}`, { body, key: options.idempotencyKey });
  }

  replaceScene(key, body, options = {}) {
    return this.#ask("PUT", `/api/odin/editor/scene/${encodeURIComponent(key)}`, { body, match: options.ifMatch });
  }

  addScene(key, body, options = {}) {
    return this.#ask("POST", `/api/odin/editor/scene/${encodeURIComponent(key)}`, { body, key: options.idempotencyKey, match: options.ifMatch });
  }

  deleteScene(key, body, options = {}) {
    return this.#ask("DELETE", `/api/odin/editor/scene/${encodeURIComponent(key)}`, { body, match: options.ifMatch });
  }

  simpleAudioOlder(body, options = {}) {
    return this.#ask("POST", "/api/odin/simple/audio", { body, key: options.idempotencyKey });
  }

  findSimple(key) {
    return this.#ask("POST", `/api/odin/simple/find/${encodeURIComponent(key)}`, { body: {} });
  }

  simpleVideoOlder(body, options = {}) {
    return this.#ask("POST", "/api/odin/simple/video", { body, key: options.idempotencyKey });
  }

  readAccount() {
    return this.#ask("GET", "/api/odin/v3/account");
  }

  listCredits(options = {}) {
    return this.#ask("GET", "/api/odin/v3/account/credits", { query: [["limit", "after"], options] });
  }

  listKeys() {
    return this.#ask("GET", "/api/odin/v3/account/keys");
  }

  issueKey(body, options = {}) {
    return this.#ask("POST", "/api/odin/v3/account/keys", { body, key: options.idempotencyKey });
  }

  revokeKey(key) {
    return this.#ask("DELETE", `/api/odin/v3/account/keys/${encodeURIComponent(key)}`);
  }

  readWebhookSecret() {
    return this.#ask("GET", "/api/odin/v3/account/webhook-secret");
  }

  rotateWebhookSecret(options = {}) {
    return this.#ask("POST", "/api/odin/v3/account/webhook-secret", { body: {}, key: options.idempotencyKey });
  }

  listWebhookEndpoints() {
    return this.#ask("GET", "/api/odin/v3/account/webhooks");
  }

  addWebhookEndpoint(body, options = {}) {
    return this.#ask("POST", "/api/odin/v3/account/webhooks", { body, key: options.idempotencyKey });
  }

  readWebhookEndpoint(id) {
    return this.#ask("GET", `/api/odin/v3/account/webhooks/${encodeURIComponent(id)}`);
  }

  changeWebhookEndpoint(id, body) {
    return this.#ask("POST", `/api/odin/v3/account/webhooks/${encodeURIComponent(id)}`, { body });
  }

  deleteWebhookEndpoint(id) {
    return this.#ask("DELETE", `/api/odin/v3/account/webhooks/${encodeURIComponent(id)}`);
  }

  listWebhookDeliveries(id, options = {}) {
    return this.#ask("GET", `/api/odin/v3/account/webhooks/${encodeURIComponent(id)}/deliveries`, { query: [["limit", "after"], options] });
  }

  pingWebhookEndpoint(id) {
    return this.#ask("POST", `/api/odin/v3/account/webhooks/${encodeURIComponent(id)}/ping`, { body: {} });
  }

  rotateWebhookEndpointSecret(id, options = {}) {
    return this.#ask("POST", `/api/odin/v3/account/webhooks/${encodeURIComponent(id)}/secret`, { body: {}, key: options.idempotencyKey });
  }

  listAssets(options = {}) {
    return this.#ask("GET", "/api/odin/v3/assets", { query: [["page", "limit", "after"], options] });
  }

  uploadAsset(file, options = {}) {
    return this.#ask("POST", "/api/odin/v3/assets", { form: [["name"], options, file], key: options.idempotencyKey });
  }

  deleteAsset(id) {
    return this.#ask("DELETE", `/api/odin/v3/assets/${encodeURIComponent(id)}`);
  }

  checkToken() {
    return this.#ask("GET", "/api/odin/v3/auth");
  }

  issueToken(body) {
    return this.#ask("POST", "/api/odin/v3/auth/token", { body });
  }

  revokeToken() {
    return this.#ask("DELETE", "/api/odin/v3/auth/token");
  }

  storyboardDocuments(body, options = {}) {
    return this.#ask("POST", "/api/odin/v3/automation/docs-to-video", { body, key: options.idempotencyKey });
  }

  uploadDocuments(file, options = {}) {
    return this.#ask("POST", "/api/odin/v3/automation/docs-to-video/upload-files", { form: [["files"], options, file], key: options.idempotencyKey });
  }

  readStoryboardProgress(options = {}) {
    return this.#ask("GET", "/api/odin/v3/automation/progress", { query: [["projectId"], options] });
  }

  readStoryboardProgressOf(id) {
    return this.#ask("GET", `/api/odin/v3/automation/progress/${encodeURIComponent(id)}`);
  }

  storyboardText(body, options = {}) {
    return this.#ask("POST", "/api/odin/v3/automation/scripts_to_video", { body, key: options.idempotencyKey });
  }

  storyboardTopic(body, options = {}) {
    return this.#ask("POST", "/api/odin/v3/automation/topic_to_video", { body, key: options.idempotencyKey });
  }

  storyboardPage(body, options = {}) {
    return this.#ask("POST", "/api/odin/v3/automation/url_to_video", { body, key: options.idempotencyKey });
  }

  listAvatars() {
    return this.#ask("GET", "/api/odin/v3/avatars");
  }

  createAvatar(body, options = {}) {
    return this.#ask("POST", "/api/odin/v3/avatars", { body, key: options.idempotencyKey });
  }

  createCustomAvatar(body, options = {}) {
    return this.#ask("POST", "/api/odin/v3/avatars/customavatar", { body, key: options.idempotencyKey });
  }

  designAvatar(body, options = {}) {
    return this.#ask("POST", "/api/odin/v3/avatars/designs", { body, key: options.idempotencyKey });
  }

  beginDesign(options = {}) {
    return this.#ask("GET", "/api/odin/v3/avatars/designs/begin", { query: [["from", "seed"], options] });
  }

  lookAtDesign(body, options = {}) {
    return this.#ask("POST", "/api/odin/v3/avatars/designs/look", { body, query: [["outfit", "width", "fine"], options], bytes: true });
  }

  createDreamAvatar(body, options = {}) {
    return this.#ask("POST", "/api/odin/v3/avatars/dreamavatar", { body, key: options.idempotencyKey });
  }

  listPrompts(options = {}) {
    return this.#ask("GET", "/api/odin/v3/avatars/prompts", { query: [["language"], options] });
  }

  readAvatar(id) {
    return this.#ask("GET", `/api/odin/v3/avatars/${encodeURIComponent(id)}`);
  }

  withdrawAvatar(id, options = {}) {
    return this.#ask("DELETE", `/api/odin/v3/avatars/${encodeURIComponent(id)}`, { query: [["originals"], options] });
  }

  buildAvatar(id, options = {}) {
    return this.#ask("POST", `/api/odin/v3/avatars/${encodeURIComponent(id)}/build`, { body: {}, query: [["background"], options] });
  }

  cancelAvatarBuild(id) {
    return this.#ask("DELETE", `/api/odin/v3/avatars/${encodeURIComponent(id)}/build`);
  }

  consentToAvatar(id, body, options = {}) {
    return this.#ask("POST", `/api/odin/v3/avatars/${encodeURIComponent(id)}/consent`, { body, key: options.idempotencyKey });
  }

  readDesign(id) {
    return this.#ask("GET", `/api/odin/v3/avatars/${encodeURIComponent(id)}/design`);
  }

  redesignAvatar(id, body) {
    return this.#ask("PUT", `/api/odin/v3/avatars/${encodeURIComponent(id)}/design`, { body });
  }

  sendTake(id, file, options = {}) {
    return this.#ask("POST", `/api/odin/v3/avatars/${encodeURIComponent(id)}/takes`, { form: [["assetId", "name", "prompt", "text"], options, file], key: options.idempotencyKey });
  }

  deleteTake(id, name) {
    return this.#ask("DELETE", `/api/odin/v3/avatars/${encodeURIComponent(id)}/takes/${encodeURIComponent(name)}`);
  }

  listBackgrounds(options = {}) {
    return this.#ask("GET", "/api/odin/v3/backgrounds", { query: [["orientation"], options] });
  }

  listModelsFlat() {
    return this.#ask("GET", "/api/odin/v3/dropdown/models");
  }

  listLooks() {
    return this.#ask("GET", "/api/odin/v3/dropdown/templates_business");
  }

  listWorkspaces() {
    return this.#ask("GET", "/api/odin/v3/dropdown/workspaces");
  }

  checkBody(body) {
    return this.#ask("POST", "/api/odin/v3/editor/estimate", { body });
  }

  readProgress(id) {
    return this.#ask("GET", `/api/odin/v3/editor/progress/${encodeURIComponent(id)}`);
  }

  listProjects(options = {}) {
    return this.#ask("GET", "/api/odin/v3/editor/project", { query: [["page", "limit", "state", "workspaceId", "name", "after"], options] });
  }

  createProject(body, options = {}) {
    return this.#ask("POST", "/api/odin/v3/editor/project", { body, key: options.idempotencyKey });
  }

  deleteProjects(body) {
    return this.#ask("DELETE", "/api/odin/v3/editor/project", { body });
  }

  exportProject(body, options = {}) {
    return this.#ask("POST", "/api/odin/v3/editor/project/export", { body, key: options.idempotencyKey });
  }

  modifyProject(body, options = {}) {
    return this.#ask("POST", "/api/odin/v3/editor/project/modify", { body, key: options.idempotencyKey, match: options.ifMatch });
  }

  importDocument(file, options = {}) {
    return this.#ask("POST", "/api/odin/v3/editor/project/pptpdf", { form: [["background", "cues", "editable", "hidden", "layout", "name", "notes", "outfit", "presenter", "projectId", "quiet", "side", "slides", "voice", "workspaceId"], options, file], key: options.idempotencyKey });
  }

  readProject(id) {
    return this.#ask("GET", `/api/odin/v3/editor/project/${encodeURIComponent(id)}`);
  }

  editProject(id, body, options = {}) {
    return this.#ask("POST", `/api/odin/v3/editor/project/${encodeURIComponent(id)}`, { body, key: options.idempotencyKey, match: options.ifMatch });
  }

  cancelExport(id) {
    return this.#ask("POST", `/api/odin/v3/editor/project/${encodeURIComponent(id)}/cancel`, { body: {} });
  }

  listExports(id, options = {}) {
    return this.#ask("GET", `/api/odin/v3/editor/project/${encodeURIComponent(id)}/exports`, { query: [["limit", "after"], options] });
  }

  previewProject(id, options = {}) {
    return this.#ask("GET", `/api/odin/v3/editor/project/${encodeURIComponent(id)}/preview`, { query: [["scene", "t", "width", "format"], options], bytes: true });
  }

  listProjectsOlder(options = {}) {
    return this.#ask("GET", "/api/odin/v3/editor/projects", { query: [["page", "limit", "state", "workspaceId", "name", "after"], options] });
  }

  createFromTemplate(id, body, options = {}) {
    return this.#ask("POST", `/api/odin/v3/editor/template/${encodeURIComponent(id)}`, { body, key: options.idempotencyKey });
  }

  listFonts() {
    return this.#ask("GET", "/api/odin/v3/fonts");
  }

  uploadFont(file, options = {}) {
    return this.#ask("POST", "/api/odin/v3/fonts", { form: [["licence"], options, file], key: options.idempotencyKey });
  }

  deleteFont(id) {
    return this.#ask("DELETE", `/api/odin/v3/fonts/${encodeURIComponent(id)}`);
  }

  listModels() {
    return this.#ask("GET", "/api/odin/v3/model");
  }

  speakText(body, options = {}) {
    return this.#ask("POST", "/api/odin/v3/simple/audio", { body, key: options.idempotencyKey });
  }

  simpleCustom(body, options = {}) {
    return this.#ask("POST", "/api/odin/v3/simple/custom", { body, key: options.idempotencyKey });
  }

  simpleVideo(body, options = {}) {
    return this.#ask("POST", "/api/odin/v3/simple/video", { body, key: options.idempotencyKey });
  }

  readStorage() {
    return this.#ask("GET", "/api/odin/v3/storage");
  }

  listTemplates() {
    return this.#ask("GET", "/api/odin/v3/templates");
  }

  addTemplate(body, options = {}) {
    return this.#ask("POST", "/api/odin/v3/templates", { body, key: options.idempotencyKey });
  }

  dropTemplate(id) {
    return this.#ask("DELETE", `/api/odin/v3/templates/${encodeURIComponent(id)}`);
  }

  generateImage(body, options = {}) {
    return this.#ask("POST", "/api/odin/v3/tools/image-generator", { body, key: options.idempotencyKey });
  }

  generateText(body, options = {}) {
    return this.#ask("POST", "/api/odin/v3/tools/text-generator", { body, key: options.idempotencyKey });
  }

  generateVideo(body, options = {}) {
    return this.#ask("POST", "/api/odin/v3/tools/video-generator", { body, key: options.idempotencyKey });
  }

  generateVoice(body, options = {}) {
    return this.#ask("POST", "/api/odin/v3/tools/voice-generator", { body, key: options.idempotencyKey });
  }

  listVoices(options = {}) {
    return this.#ask("GET", "/api/odin/v3/voices", { query: [["language"], options] });
  }

  readWaiting() {
    return this.#ask("GET", "/api/odin/v3/waiting");
  }

  replayWebhook(delivery, options = {}) {
    return this.#ask("POST", `/api/odin/v3/webhooks/${encodeURIComponent(delivery)}/replay`, { body: {}, key: options.idempotencyKey });
  }

  watchFilm(exportId, expires, signature, name) {
    return this.#ask("GET", `/files/${encodeURIComponent(exportId)}/stream/${encodeURIComponent(expires)}/${encodeURIComponent(signature)}/${encodeURIComponent(name)}`, { bytes: true });
  }

  health() {
    return this.#ask("GET", "/health");
  }

  async wait(projectId, { every = 1000, patience = 3600_000, onProgress } = {}) {
    const until = Date.now() + patience;
    for (;;) {
      const progress = await this.readProgress(projectId);
      onProgress?.(progress);
      if (progress.progress >= 100) return progress;
      if (Date.now() > until) throw new Error(`${projectId} is at ${progress.progress} % after ${patience} ms`);
      await new Promise((resolve) => setTimeout(resolve, every));
    }
  }

  async download(what) {
    const url = typeof what === "string" ? what : what.downloadUrl;
    if (!url) throw new Error("there is nothing to download yet");
    const answer = await fetch(url);
    if (!answer.ok) throw new CompereError(answer.status, { msg: `the download answered ${answer.status}` });
    return new Uint8Array(await answer.arrayBuffer());
  }

  async #ask(method, path, more = {}) {
    if (!this.#token && !(path.endsWith("/auth/token") && method === "POST")) await this.#logIn();
    try {
      return await this.#send(method, path, more);
    } catch (error) {
      if (error.code !== 4011 || !this.#pair.appId) throw error;
    }
    await this.#logIn();
    return this.#send(method, path, more);
  }

  async #logIn() {
    this.#token = (await this.issueToken(this.#pair)).token;
  }

  async #send(method, path, { body, form, query, key, match, bytes }) {
    const headers = this.#token ? { Authorization: this.#token } : {};
    if (key) headers["Idempotency-Key"] = key;
    if (match) headers["If-Match"] = match;
    let content;
    if (form) {
      const [names, given, file] = form;
      content = new FormData();
      for (const name of names) if (given[name] != null) content.set(name, String(given[name]));
      content.set("file", file, file.name ?? "file");
    } else if (body !== undefined) {
      content = JSON.stringify(body);
      headers["Content-Type"] = "application/json";
    }
    const asked = new URLSearchParams();
    for (const name of query?.[0] ?? []) if (query[1][name] != null) asked.set(name, String(query[1][name]));
    const url = `${this.#base}${path}${asked.size ? `?${asked}` : ""}`;
    const answer = await fetch(url, { method, headers, body: content });
    if (answer.ok && bytes) return new Uint8Array(await answer.arrayBuffer());
    const result = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new CompereError(answer.status, result.error ?? { msg: answer.statusText });
    if (!("success" in result)) return result;
    if (!result.success) throw new CompereError(200, result.error ?? {}, result.data);
    return result.data;
  }
}
