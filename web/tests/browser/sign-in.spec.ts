import { expect, HR, input, lastAnswer, say, signIn, test } from "./kit";
import { Issuer } from "./kit/issuer";
import { TestServer } from "./kit/server";

const ADA = { name: "Ada Lovelace", email: "ada@example.com", roles: ["HR_User"] };

const issued = test.extend<{ issuer: Issuer; server: TestServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  issuer: async ({}, use) => {
    const issuer = await Issuer.start(ADA);
    await use(issuer);
    issuer.stop();
  },
  server: async ({ issuer }, use) => {
    const server = await TestServer.start(issuer.settings);
    await use(server);
    await server.remove();
  },
});

issued(
  "people sign in at the configured issuer and are where they wanted to be",
  async ({ page, issuer, server }) => {
    await page.goto(`${server.url}/a/gatepass?from=mail`);
    // There are no demo personas with an identity provider.
    await expect(page.getByRole("button", { name: /Sign in with 127\.0\.0\.1/ })).toBeVisible();
    await expect(page.getByRole("button", { name: /Ayesha/ })).toHaveCount(0);
    await page.getByRole("button", { name: /Sign in with/ }).click();
    await page.getByRole("link", { name: "Continue as Ada Lovelace" }).click();
    await expect(page.getByRole("button", { name: /Ada Lovelace/ })).toBeVisible();
    await expect(page).toHaveURL(/\/a\/gatepass\?from=mail$/);

    const asked = issuer.asked[0];
    expect(asked?.get("code_challenge_method")).toBe("S256");
    expect(asked?.get("response_type")).toBe("code");
    expect(issuer.redeemed).toHaveLength(1);
    expect(await page.evaluate(() => sessionStorage.getItem("frontdesk.session"))).toContain("Ada Lovelace");
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain("eyJ");
    expect(await page.evaluate(() => sessionStorage.getItem("frontdesk.sign-in"))).toBeNull();

    await say(page, "Which passes are pending?");
    await expect(lastAnswer(page).locator(".objects")).toBeVisible();
    await page.reload();
    await expect(lastAnswer(page).locator(".objects")).toBeVisible();
  },
);

issued("a return that nobody began here, and a refusal, sign nobody in", async ({ page, issuer, server }) => {
  await page.goto(`${server.url}/signed-in?code=stolen&state=made-up`);
  await expect(page.getByRole("alert")).toContainText("it was not started in this tab");
  expect(issuer.redeemed).toHaveLength(0);

  await page.getByRole("button", { name: /Sign in with/ }).click();
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByRole("alert")).toContainText("You said no");
  expect(await page.evaluate(() => sessionStorage.getItem("frontdesk.session"))).toBeNull();

  // A code is single-use: the same redirect a second time is refused.
  await page.getByRole("button", { name: /Sign in with/ }).click();
  const link = page.getByRole("link", { name: /Continue/ });
  const back = await link.getAttribute("href");
  await link.click();
  await expect(input(page).or(page.getByRole("navigation"))).toBeVisible();
  await page.goto(back ?? "");
  await expect(page.getByRole("alert")).toContainText("it was not started in this tab");
});

issued("an issuer that is away is said so, and a token still works", async ({ page, issuer, server }) => {
  issuer.stop();
  await page.goto(server.url);
  await expect(page.getByRole("alert")).toContainText("cannot be reached");
  await expect(page.getByText("Sign in with a token")).toBeVisible();
});

test("a new tab is signed in by another one, even if that one is busy and answers late", async ({
  page,
  context,
  desk,
}) => {
  await page.addInitScript(() => {
    const post = BroadcastChannel.prototype.postMessage;
    const late = new Promise<void>((resolve) => Object.assign(window, { answerNow: resolve }));
    BroadcastChannel.prototype.postMessage = function (said) {
      if (said.kind === "me") late.then(() => post.call(this, said));
      else post.call(this, said);
    };
  });
  await signIn(page, desk, HR);
  const second = await context.newPage();
  await second.goto(`${desk.url}/approvals`);
  await expect(second.locator("main.sign-in")).toBeVisible();
  await page.evaluate(() => (window as unknown as { answerNow: () => void }).answerNow());
  await expect(second.getByRole("navigation")).toBeVisible();
  await expect(second).toHaveURL(/\/approvals$/);
});
