// One webhook endpoint: what it is told of, its secret, what was sent.
import { send, attempt } from "./app.js";

const form = document.getElementById("hook-form");
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const data = new FormData(form);
  const wanted = {
    url: data.get("url"),
    name: data.get("name"),
    events: data.getAll("events"),
    enabled: data.has("enabled"),
  };
  const path = `/profile/webhooks/${form.dataset.id}`;
  if (await attempt(() => send("POST", path, wanted), form.querySelector("button"))) location.reload();
});

for (const button of document.querySelectorAll("[data-hook-secret]")) {
  button.addEventListener("click", async () => {
    const path = `/profile/webhooks/${button.dataset.hookSecret}/secret`;
    const { secret } = (await attempt(() => send("GET", path), button)) ?? {};
    if (!secret) return;
    const shown = document.createElement("code");
    shown.textContent = secret;
    button.replaceWith(shown);
  });
}

for (const button of document.querySelectorAll("[data-replay]")) {
  button.addEventListener("click", async () => {
    if (await attempt(() => send("POST", `/app/deliveries/${button.dataset.replay}/replay`), button)) location.reload();
  });
}
