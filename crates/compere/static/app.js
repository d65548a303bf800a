// What every page has: asking before something is lost, copying, passing words, menus, times in the reader's zone.

import "./slow.js";

const token = document.querySelector('meta[name="csrf"]')?.content ?? "";

/** Sends something to a page of ours. Resolves to JSON or text; rejects with a sentence for people. */
export async function send(method, url, body, { raw = false } = {}) {
  const headers = { "x-csrf-token": token, accept: "application/json" };
  if (body !== undefined && !raw) headers["content-type"] = "application/json";
  let answer;
  try {
    answer = await fetch(url, {
      method,
      headers,
      body: raw ? body : body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Error("The service cannot be reached. Is it running?");
  }
  const kind = answer.headers.get("content-type") ?? "";
  const said = kind.includes("json")
    ? await answer.json()
    : kind.startsWith("text/")
      ? await answer.text()
      : await answer.blob();
  if (!answer.ok) {
    if (answer.status === 401) location.assign(`/sign-in?next=${encodeURIComponent(location.pathname)}`);
    const error = new Error(said?.error ?? `That did not work (${answer.status}).`);
    error.status = answer.status;
    error.details = said?.details ?? [];
    throw error;
  }
  return said;
}

/** Makes an element: `make("button", {class: "button", onclick}, "Text", child)`. Text is never read as markup. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "value") continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element && key !== "list" && typeof value !== "string") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  // Last, because it is judged by the others: a range by its ends, a choice by its options.
  if (attributes.value !== undefined && attributes.value !== null) element.value = attributes.value;
  return element;
}

export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#i-${name}`);
  svg.append(use);
  return svg;
}

/** Where passing words stand. An open dialog makes all that is behind it dim and unheard, so it gets a place of its own. */
function shelf() {
  const dialog = [...document.querySelectorAll("dialog:modal")].at(-1);
  const own = (dialog ?? document.body).querySelector(":scope > .toasts");
  if (own) return own;
  const made = make("div", { class: "toasts", role: "status", "aria-live": "polite" });
  (dialog ?? document.body).append(made);
  return made;
}

export function toast(text, { bad = false } = {}) {
  const line = make("p", { class: bad ? "toast bad" : "toast" }, text);
  shelf().append(line);
  fade(line, bad ? 8000 : 4500);
}

function fade(line, after) {
  setTimeout(() => line.remove(), after);
  line.addEventListener("click", () => line.remove());
}

/** A name inside a sentence: whatever it does to the direction of letters ends with it. */
export const quoted = (name) => `“\u2068${name.length > 120 ? `${name.slice(0, 119)}…` : name}\u2069”`;

/** Asks before something that cannot be undone. */
export const ask = async (title, text, yes = "Delete", no = "Cancel") => (await choose(title, text, yes, no)) === "yes";

/** Asks which of two; nothing when the question was only put away. */
export function choose(title, text, yes, no) {
  const dialog = document.getElementById("ask");
  dialog.querySelector("#ask-title").textContent = title;
  dialog.querySelector("#ask-text").textContent = text;
  dialog.querySelector("#ask-yes").textContent = yes;
  dialog.querySelector('[value="no"]').textContent = no;
  dialog.returnValue = "";
  dialog.showModal();
  dialog.querySelector('[value="no"]').focus();
  return new Promise((settle) => dialog.addEventListener("close", () => settle(dialog.returnValue), { once: true }));
}

/** Runs something that may fail and says so. */
export async function attempt(work, button) {
  if (button) button.disabled = true;
  try {
    return await work();
  } catch (error) {
    toast(error.message, { bad: true });
    return undefined;
  } finally {
    if (button) button.disabled = false;
  }
}

/** Markup from the server, which escaped it, as an element. */
export function element(html) {
  const template = document.createElement("template");
  template.innerHTML = html.trim();
  return template.content.firstElementChild;
}

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const full = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

export function times(root = document) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    time.title = full.format(at);
    if ("at" in time.dataset) time.textContent = time.title;
    if (!("ago" in time.dataset)) continue;
    const seconds = (at - Date.now()) / 1000;
    const size = Math.abs(seconds);
    if (size < 45) time.textContent = "just now";
    else if (size < 5400) time.textContent = relative.format(Math.round(seconds / 60), "minute");
    else if (size < 79200) time.textContent = relative.format(Math.round(seconds / 3600), "hour");
    else if (size < 604800) time.textContent = relative.format(Math.round(seconds / 86400), "day");
  }
}

/** Puts a text on the clipboard. `near` is where a field may stand for a moment. */
export async function copyText(text, near) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without TLS browsers keep the clipboard to themselves; the old way still works.
    const field = make("textarea", { class: "hide", "aria-hidden": "true" });
    field.value = text;
    (near.closest("dialog") ?? document.body).append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}

async function copy(button) {
  const source = button.dataset.copy ?? document.getElementById(button.dataset.copyFrom)?.textContent;
  await copyText(source, button);
  const label = button.querySelector("[data-label]");
  if (label) {
    const before = label.textContent;
    label.textContent = "Copied";
    setTimeout(() => (label.textContent = before), 1600);
  }
  toast("Copied");
}

function place(menu, button) {
  const at = button.getBoundingClientRect();
  const wide = menu.offsetWidth,
    high = menu.offsetHeight;
  const below = at.bottom + 6 + high < innerHeight;
  menu.style.left = `${Math.max(8, Math.min(at.right - wide, innerWidth - wide - 8))}px`;
  menu.style.top = `${below ? at.bottom + 6 : Math.max(8, at.top - high - 6)}px`;
}

document.addEventListener("click", (event) => {
  const target = event.target.closest("[data-copy], [data-copy-from], [data-theme-choice], [data-open], [data-close]");
  if (!target) return;
  if (target.matches("[data-copy], [data-copy-from]")) copy(target);
  if (target.matches("[data-theme-choice]")) {
    const choice = target.dataset.themeChoice;
    if (choice) document.documentElement.dataset.theme = choice;
    else delete document.documentElement.dataset.theme;
    document.cookie = `compere_theme=${choice}; Path=/; Max-Age=${choice ? 31536000 : 0}; SameSite=Lax`;
    for (const button of document.querySelectorAll("[data-theme-choice]"))
      button.setAttribute("aria-pressed", button === target);
  }
  if (target.matches("[data-open]")) {
    target.closest("[popover]")?.hidePopover();
    document.getElementById(target.dataset.open)?.showModal();
  }
  if (target.matches("[data-close]")) target.closest("dialog")?.close();
});

// A click beside a dialog closes it, unless it says that it must not.
document.addEventListener("pointerdown", (event) => {
  const dialog = event.target;
  if (dialog instanceof HTMLDialogElement && !("stay" in dialog.dataset)) {
    const box = dialog.getBoundingClientRect();
    const beside =
      event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom;
    if (beside) dialog.close();
  }
});

// Menus open at their button.
document.addEventListener(
  "toggle",
  (event) => {
    const menu = event.target;
    if (event.newState !== "open" || !menu.matches?.(".menu:not(.account-menu)")) return;
    const button = document.querySelector(`[popovertarget="${CSS.escape(menu.id)}"]`);
    if (button) place(menu, button);
    menu.querySelector("a, button")?.focus({ preventScroll: true });
  },
  true,
);

// Arrow keys walk through an open menu.
document.addEventListener("keydown", (event) => {
  const menu = event.target.closest?.(".menu");
  if (!menu || !["ArrowDown", "ArrowUp"].includes(event.key)) return;
  const entries = [...menu.querySelectorAll("a, button")];
  const step = event.key === "ArrowDown" ? 1 : -1;
  entries.at((entries.indexOf(document.activeElement) + step + entries.length) % entries.length)?.focus();
  event.preventDefault();
});

// Forms that lose something ask first; the others cannot be sent twice.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method === "dialog") return;
  if (form.dataset.confirm && !form.dataset.sure) {
    event.preventDefault();
    if (await ask(form.dataset.confirm, form.dataset.confirmText ?? "", form.dataset.confirmYes ?? "Delete")) {
      form.dataset.sure = "1";
      form.requestSubmit();
    }
    return;
  }
  for (const button of form.querySelectorAll("button:not([type=button])")) setTimeout(() => (button.disabled = true));
});
addEventListener("pageshow", () => {
  for (const button of document.querySelectorAll("form button:disabled")) button.disabled = false;
});

// A picture that cannot be had leaves its quiet place behind, not a torn page.
document.addEventListener(
  "error",
  (event) => event.target instanceof HTMLImageElement && event.target.classList.add("failed"),
  true,
);
for (const image of document.images)
  if (image.complete && image.src && !image.naturalWidth && image.loading !== "lazy") image.classList.add("failed");

for (const line of document.querySelectorAll(".toast")) fade(line, 6000);
times();
setInterval(times, 30000);
