// Keys that are shown once, and the webhook secret that is not shown unasked.
import { send, attempt } from "./app.js";

const form = document.getElementById("issue-form");
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { test, ...rest } = Object.fromEntries(new FormData(form));
  const wanted = { ...rest, test: test === "yes" };
  const issued = await attempt(() => send("POST", "/profile/keys", wanted), form.querySelector("button:not([type])"));
  if (!issued) return;
  document.getElementById("issue").close();
  document.getElementById("app-id").textContent = issued.appId;
  document.getElementById("issued-test").classList.toggle("gone", !wanted.test);
  document.getElementById("user-key").textContent = issued.userKey;
  const line = document.getElementById("try-it");
  // An address may have an apostrophe in it, which would end the quotation.
  const body = JSON.stringify({ appId: issued.appId, userKey: issued.userKey }).replaceAll("'", "'\\''");
  line.textContent = `curl -s ${line.dataset.base}/api/odin/v3/auth/token \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`;
  document.getElementById("issued").showModal();
});

const hook = document.getElementById("hook-form");
hook?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const data = new FormData(hook);
  const wanted = { url: data.get("url"), name: data.get("name"), events: data.getAll("events") };
  const added = await attempt(() => send("POST", "/profile/webhooks", wanted), hook.querySelector("button:not([type])"));
  if (!added) return;
  location.hash = "endpoints";
  location.reload();
});

const done = document.getElementById("issued-done");
done?.addEventListener("click", () => document.getElementById("issued").close());
document.getElementById("issued")?.addEventListener("close", () => {
  for (const id of ["user-key", "try-it"]) document.getElementById(id).textContent = "";
  location.hash = "keys";
  location.reload();
});

document.getElementById("show-secret")?.addEventListener("click", async (event) => {
  const button = event.currentTarget;
  const { secret } = (await attempt(() => send("GET", "/profile/webhook-secret"), button)) ?? {};
  if (!secret) return;
  document.getElementById("hook-secret").textContent = secret;
  document.getElementById("copy-secret").hidden = false;
  button.hidden = true;
});
