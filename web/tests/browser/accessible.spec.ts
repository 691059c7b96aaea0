import { ADMIN, ask, expect, HR, input, lastAnswer, SMALL_PHONE, say, signIn, test } from "./kit";
import { faults } from "./kit/axe";

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing on any screen (${colorScheme})`, async ({ page, desk }) => {
    test.slow();
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto(`${desk.url}/a/gatepass`);
    await expect(page.getByRole("button", { name: ADMIN })).toBeVisible();
    expect(await faults(page), "signing in").toEqual([]);
    await page.getByRole("button", { name: ADMIN }).click();
    await expect(input(page)).toBeVisible();
    expect(await faults(page), "a new conversation").toEqual([]);
    await ask(page, "Which passes are pending?");
    await expect(lastAnswer(page).locator(".object")).toHaveCount(2);
    await lastAnswer(page).locator(".tool summary").click();
    await expect(lastAnswer(page).locator(".tool-body")).toBeVisible();
    expect(await faults(page), "an answer").toEqual([]);
    await ask(page, "Delete the gate pass GP-2026-0004");
    await expect(page.getByRole("region", { name: /Confirm/ })).toBeVisible();
    expect(await faults(page), "an approval").toEqual([]);
    await page.getByRole("link", { name: /Waiting for you/ }).click();
    await expect(page.getByRole("region", { name: /Confirm/ })).toBeVisible();
    expect(await faults(page), "the inbox").toEqual([]);
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("dialog")).toBeVisible();
    expect(await faults(page), "the palette").toEqual([]);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
    await page.getByRole("button", { name: /Account and settings/ }).click();
    await expect(page.getByRole("menu")).toBeVisible();
    expect(await faults(page), "the account menu").toEqual([]);
    await page.keyboard.press("Escape");
    await page.goto(`${desk.url}/c/00000000-0000-4000-8000-000000000000`);
    await expect(page.getByRole("alert")).toBeVisible();
    expect(await faults(page), "an error").toEqual([]);
  });
}

test("axe finds nothing on a phone, in forms and where a turn failed", async ({
  visitor,
  scripted,
  model,
}) => {
  const page = await visitor({ ...SMALL_PHONE, reducedMotion: "reduce" });
  await page.goto(`${scripted.url}/a/gatepass`);
  await page.getByRole("button", { name: HR }).tap();
  await expect(input(page)).toBeVisible();
  await page.getByRole("button", { name: "Forms" }).tap();
  await expect(page.getByRole("listbox")).toBeVisible();
  expect(await faults(page), "the list of forms").toEqual([]);
  await page.getByRole("option").first().tap();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Send" }).tap();
  await expect(page.getByRole("dialog").getByRole("alert")).toBeVisible();
  expect(await faults(page), "a form").toEqual([]);
  await page.getByRole("button", { name: "Cancel" }).tap();
  await expect(page.getByRole("dialog")).toBeHidden();
  model.always(() => [{ fail: 400 }]);
  await say(page, "Fail");
  await expect(lastAnswer(page).getByRole("alert")).toBeVisible();
  expect(await faults(page), "a failed turn").toEqual([]);
  await page.getByRole("button", { name: "Open the sidebar" }).tap();
  await expect(page.getByRole("navigation")).toBeVisible();
  expect(await faults(page), "the drawer").toEqual([]);
});

test("screen readers announce each event once", async ({ page, scripted, model }) => {
  model.replies(() => ["It is ", "done."]);
  await signIn(page, scripted, HR);
  await say(page, "Do it");
  await expect(page.locator("p.sr-only[role=status]")).toHaveText("Answer ready. It is done.");
  await expect(page.getByRole("log")).toHaveAttribute("aria-live", "off");
});
