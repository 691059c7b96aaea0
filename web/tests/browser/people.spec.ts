/** Several people on one server: who wrote what, and whose decision is pending. */

import { ADMIN, answered, expect, HR, input, say, signIn, test } from "./kit";
import { faults } from "./kit/axe";
import type { TestServer } from "./kit/server";

/** A company conversation that HR started and the admin has joined. */
async function sharedConversation(desk: TestServer): Promise<string> {
  const token = await desk.token("hr");
  const admin = await desk.token("admin");
  const company = (await desk.api("/companies", { method: "POST", token, body: { name: "Acme" } })) as {
    id: string;
  };
  const me = (await desk.api("/me", { token: admin })) as { email: string };
  const invited = (await desk.api(`/companies/${company.id}/invitations`, {
    method: "POST",
    token,
    body: { email: me.email },
  })) as { id: string };
  await desk.api(`/invitations/${invited.id}/accept`, { method: "POST", token: admin, body: {} });
  const body = { assistant: "gatepass", title: "Shared plans", company_id: company.id };
  const made = (await desk.api("/conversations", { method: "POST", token, body })) as { id: string };
  return made.id;
}

test("two people in one conversation see who wrote what", async ({ page, visitor, desk }) => {
  const id = await sharedConversation(desk);
  await signIn(page, desk, HR);
  await page.goto(`${desk.url}/c/${id}`);
  await expect(input(page)).toBeVisible();
  await say(page, "Which passes are pending?");
  await answered(page, 1);
  await expect(page.locator("article.mine")).toHaveCount(1);
  await expect(page.locator("article.theirs")).toHaveCount(0);

  const other = await visitor();
  await signIn(other, desk, ADMIN);
  await other.goto(`${desk.url}/c/${id}`);
  const theirs = other.locator("article.theirs");
  await expect(theirs).toContainText("Which passes are pending?");
  await expect(theirs.getByRole("heading", { name: "Ayesha Siddiqui" })).toBeVisible();
  await expect(theirs.locator(".initials")).toHaveText("AS");
  await expect(theirs.getByRole("button", { name: "Edit" })).toHaveCount(0);
  await say(other, "And the approved ones?");
  await answered(other, 2);
  await expect(other.locator("article.mine")).toContainText("And the approved ones?");
  expect(await faults(other), "a colleague's message").toEqual([]);

  // The first person sees the second's message arrive with its author.
  await expect(page.locator("article.theirs")).toContainText("And the approved ones?");
  await expect(page.locator("article.theirs").getByRole("heading")).toHaveText("Omar Farooq");
  await page.reload();
  await expect(page.locator("article.mine")).toContainText("Which passes are pending?");
  await expect(page.locator("article.theirs")).toContainText("And the approved ones?");
});

test("colleagues see who else has the conversation open", async ({ page, visitor, desk }) => {
  const id = await sharedConversation(desk);
  await signIn(page, desk, HR);
  await page.goto(`${desk.url}/c/${id}`);
  await expect(input(page)).toBeVisible();
  const present = page.locator(".present");
  await expect(present.locator(".initials")).toHaveCount(0);
  const other = await visitor();
  await signIn(other, desk, ADMIN);
  await other.goto(`${desk.url}/c/${id}`);
  await expect(present.locator(".initials")).toHaveText("OF");
  await expect(present).toContainText("Omar Farooq is here");
  await expect(other.locator(".present")).toContainText("Ayesha Siddiqui is here");
  expect(await faults(page), "a colleague is here").toEqual([]);
  await other.getByRole("link", { name: /^Gate passes\b.*New chat/ }).click();
  await expect(present.locator(".initials")).toHaveCount(0);
});

test("waiting work has the board's count, and decided cards stay", async ({ page, desk }) => {
  await signIn(page, desk, ADMIN);
  await page.goto(`${desk.url}/gatepass`);
  const pending = page.getByRole("button", { name: /^Pending/ });
  await expect(pending).toContainText(/\d/);
  const count = Number(/\d+/.exec((await pending.textContent()) ?? "")?.[0]);
  const link = page.getByRole("navigation").getByRole("link", { name: /Waiting for you/ });
  await expect(link.locator(".count [aria-hidden]")).toHaveText(String(count));
  await link.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Waiting for you");
  const passes = page.getByRole("region", { name: "Gate passes" });
  await expect(passes.locator("h2 .count")).toHaveText(String(count));
  // Decided passes follow in a list of their own.
  await expect(passes.getByRole("list").first().getByRole("listitem")).toHaveCount(count);
  expect(await faults(page), "what waits").toEqual([]);
  await passes
    .getByRole("link", { name: /GP-2026-/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/gatepass\?gid=GP-2026-/);
});
