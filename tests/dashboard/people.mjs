// Administrators and members: invitations, plans, credits, roles, passwords, devices, secrets, and who may not see what.
import assert from "node:assert/strict";
import { call, film, token } from "./service.mjs";

export async function people(house) {
  const { service, step, judge } = house;
  const admin = await house.signedIn(service.password);
  const ADA = "ada.lovelace@example.com";
  const HOSTILE = `<script>alert(1)</script> \u202Eada`;

  step("somebody is invited, by a link that works once");
  await admin.page.goto("/admin/accounts");
  await admin.page.getByRole("button", { name: "Invite somebody" }).click();
  await admin.page.getByLabel("Name", { exact: true }).fill(HOSTILE);
  await admin.page.getByLabel("E-mail").fill(ADA);
  await admin.page.locator("#invite select").selectOption("free");
  await admin.page.getByRole("button", { name: "Make the link" }).click();
  const link = await admin.page.locator("#invitation").textContent();
  await judge(admin.page);
  const ada = await house.open();
  await ada.page.goto(link);
  await judge(ada.page);
  await ada.page.getByLabel("Password").fill("aaaaaaaaaaaa");
  await ada.page.getByRole("button", { name: "Start" }).click();
  await ada.page.getByRole("alert").waitFor();
  await ada.page.getByLabel("Password").fill("the first password");
  await ada.page.getByRole("button", { name: "Start" }).click();
  await ada.page.getByText("Welcome! Your account is ready.").waitFor();
  await ada.page.getByRole("button", { name: "Make the welcome film" }).waitFor();
  assert.equal((await ada.page.request.get(link)).status(), 404);

  step("members see a page that says so where only administrators may be");
  for (const path of ["/admin", "/admin/accounts", "/admin/health"]) {
    const answer = await ada.page.goto(path);
    assert.equal(answer.status(), 403);
    await ada.page.getByRole("heading", { name: "This is not open to you" }).waitFor();
  }
  await judge(ada.page);
  assert.equal(await ada.page.locator('nav a[href="/admin"]').count(), 0);
  await ada.page.getByRole("link", { name: "Projects", exact: true }).click();
  await ada.page.waitForURL("**/projects");
  ada.meant(/403/);

  step("what a form says wrong is told on its own page");
  await ada.page.goto("/profile");
  await ada.page.getByLabel("Current password").fill("not it");
  await ada.page.getByLabel("New password").fill("the second password");
  await ada.page.getByRole("button", { name: "Change password" }).click();
  await ada.page.locator(".toast.bad", { hasText: "That is not your current password." }).waitFor();
  assert.match(ada.page.url(), /\/profile$/);
  await judge(ada.page);

  step("a new password signs other devices out; so does the button for it");
  const phone = await house.signedIn("the first password", ADA);
  await ada.page.getByLabel("Current password").fill("the first password");
  await ada.page.getByLabel("New password").fill("the second password");
  await ada.page.getByRole("button", { name: "Change password" }).click();
  await ada.page.getByText("Your password is changed").waitFor();
  await phone.page.goto("/projects");
  assert.match(phone.page.url(), /sign-in/);
  const tablet = await house.signedIn("the second password", ADA);
  await ada.page.getByRole("button", { name: "Sign out everywhere" }).click();
  await ada.page.locator("#ask-yes").click();
  await ada.page.waitForURL("**/sign-in");
  await tablet.page.goto("/projects");
  assert.match(tablet.page.url(), /sign-in/);

  step("plan, credits and role are given; a member's films need credits");
  const entry = admin.page.locator("tr", { hasText: ADA });
  await admin.page.goto("/admin/accounts");
  assert.match(await entry.locator(".key-name").textContent(), /<script>alert\(1\)<\/script>/);
  await entry.locator('select[aria-label^="Plan"]').selectOption("api");
  await entry.locator('form[action$="/plan"] button').click();
  await admin.page.getByText(`${ADA} has the plan “api” now.`).waitFor();
  await entry.locator('[aria-label^="Actions"]').click();
  await admin.page.locator('input[name="value"][placeholder="Credits"]:visible').fill("1234");
  await admin.page.getByRole("button", { name: "Give", exact: true }).locator("visible=true").click();
  await admin.page.getByText(`${ADA} got 1,234 credits.`).waitFor();
  const again = await house.signedIn("the second password", ADA);
  await again.page.goto("/profile");
  const left = await again.page.locator(".figures dd").first().textContent();
  assert.ok(Number(left.replaceAll(",", "")) >= 1234, left);
  const key = await token(service.base, again.page, "Ada");
  assert.equal(
    (await call(service.base, "POST", "/api/odin/v3/editor/project", { ...film("Ada's film"), isExport: false }, key))
      .status,
    200,
  );
  await entry.locator('select[aria-label^="Role"]').selectOption("admin");
  await entry.locator('form[action$="/role"] button').click();
  await admin.page.getByText(`${ADA} is an administrator now.`).waitFor();
  assert.equal((await again.page.goto("/admin")).status(), 200);

  step("secrets");
  await again.page.goto("/profile");
  await again.page.locator("#show-secret").click();
  await again.page.locator("#hook-secret", { hasText: /^whsec_[^•]+$/ }).waitFor();
  const secret = await again.page.locator("#hook-secret").textContent();
  await again.page.getByRole("button", { name: "New secret" }).click();
  await again.page.locator("#ask-yes").click();
  await again.page.getByText("There is a new webhook secret").waitFor();
  await again.page.locator("#show-secret").click();
  await again.page.locator("#hook-secret", { hasText: /^whsec_[^•]+$/ }).waitFor();
  assert.notEqual(await again.page.locator("#hook-secret").textContent(), secret);

  step("a webhook endpoint is added, tried, renamed, turned off and deleted");
  await again.page.getByRole("button", { name: "Add endpoint" }).click();
  await again.page.locator("#hook").getByLabel("Address").fill(house.told);
  await again.page.locator("#hook").getByRole("button", { name: "Add", exact: true }).click();
  await again.page.getByRole("link", { name: `Manage ${house.told}` }).click();
  await again.page.getByRole("heading", { name: "Webhook endpoint", level: 1 }).waitFor();
  await house.judge(again.page);
  await again.page.getByRole("button", { name: "Test" }).click();
  await again.page.getByText("It answered with status").waitFor();
  await again.page.locator(".mail .pill.good").waitFor();
  await again.page.getByRole("button", { name: "Show" }).click();
  await again.page.locator("code", { hasText: /^whsec_/ }).waitFor();
  await again.page.getByLabel("Name", { exact: true }).fill("Our site");
  await again.page.getByLabel("import.failed").uncheck();
  await again.page.getByLabel(/^On/).uncheck();
  await again.page.getByRole("button", { name: "Save" }).click();
  await again.page.getByRole("heading", { name: "Our site" }).waitFor();
  await again.page.locator(".head .pill", { hasText: "off" }).waitFor();
  assert.equal(await again.page.getByLabel("import.failed").isChecked(), false);
  await again.page.getByRole("button", { name: "Delete the endpoint" }).click();
  await again.page.locator("#ask-yes").click();
  await again.page.getByText("The endpoint is deleted").waitFor();

  step("presenter, workspaces, name");
  await again.page.getByLabel("Who presents imported slides").selectOption({ index: 4 });
  await again.page.getByRole("button", { name: "Save presenter" }).click();
  await again.page.getByText("Your presenter is chosen").waitFor();
  await again.page.getByLabel("Name of a new workspace").fill("First <u>team</u>");
  await again.page.getByRole("button", { name: "Add", exact: true }).click();
  await again.page.getByLabel("Name of the workspace First <u>team</u>").fill("Second team");
  await again.page.getByRole("button", { name: "Rename" }).click();
  await again.page.getByRole("button", { name: "Delete the workspace Second team" }).click();
  await again.page.locator("#ask-yes").click();
  await again.page.getByText("The workspace is gone").waitFor();
  await again.page.getByLabel("Name", { exact: true }).first().fill("Ada <em>L</em>");
  await again.page.getByRole("button", { name: "Save name" }).click();
  await again.page.getByText("Your name is changed").waitFor();
  assert.equal(await again.page.locator(".who-text b").textContent(), "Ada <em>L</em>");

  step("a suspended account is out at once, with its tokens, and may come back");
  await admin.page.goto("/admin/accounts");
  await entry.locator('[aria-label^="Actions"]').click();
  await admin.page.getByRole("button", { name: "Suspend…" }).locator("visible=true").click();
  await admin.page.locator("#ask-yes").click();
  await admin.page.getByText("is suspended. Sessions and tokens have ended.").waitFor();
  await again.page.goto("/projects");
  assert.match(again.page.url(), /sign-in/);
  assert.notEqual((await call(service.base, "GET", "/api/odin/v3/editor/projects", undefined, key)).status, 200);
  await entry.locator('[aria-label^="Actions"]').click();
  await admin.page.getByRole("button", { name: "Let in again" }).locator("visible=true").click();
  await admin.page.getByText("may come in again").waitFor();
  await entry.locator('[aria-label^="Actions"]').click();
  await admin.page.getByRole("button", { name: "New sign-in link" }).locator("visible=true").click();
  await admin.page.locator("#invitation").waitFor();
  for (const one of [admin, ada, phone, tablet, again]) await one.context.close();
}
