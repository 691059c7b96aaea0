// Takes the pictures of docs/images from a running server: node build/pictures.mjs [FOLDER]
// FRONTDESK_URL is where it runs (with fresh demo data), CHROMIUM the browser.
import { mkdirSync } from "node:fs";
import { chromium } from "@playwright/test";

const url = process.env.FRONTDESK_URL ?? "http://127.0.0.1:8080";
const folder = process.argv[2] ?? new URL("../../docs/images", import.meta.url).pathname;
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

/** A page of somebody who is signed in. */
async function visit({ who, dark = false, phone = false, locale = "en-GB" }) {
  const context = await browser.newContext({
    viewport: phone ? PHONE : DESKTOP,
    deviceScaleFactor: phone ? 2 : 1.5,
    hasTouch: phone,
    isMobile: phone,
    colorScheme: dark ? "dark" : "light",
    reducedMotion: "reduce",
    locale,
    timezoneId: "Europe/Stockholm",
  });
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole("button", { name: who }).waitFor();
  return page;
}

const shoot = async (page, name) => {
  await page.mouse.move(0, 0);
  await page.waitForTimeout(400);
  await page.screenshot({ path: `${folder}/${name}.png` });
  console.log(name);
};

const ask = async (page, text, until = "article.answer .actions") => {
  await page.locator("textarea").fill(text);
  await page.locator("textarea").press("Enter");
  await page.locator("article.answer").last().locator(until.replace("article.answer ", "")).waitFor();
};

for (const dark of [false, true]) {
  const suffix = dark ? "-dark" : "";
  const hr = await visit({ who: /Ayesha/, dark });
  await shoot(hr, `sign-in${suffix}`);
  await hr.getByRole("button", { name: /Ayesha/ }).click();
  await hr.locator("textarea, .assistant-cards").first().waitFor();
  await shoot(hr, `start${suffix}`);
  await hr.goto(`${url}/a/gatepass`);
  await hr.locator("textarea").waitFor();
  await ask(
    hr,
    "Create a gate pass for Sara Khan, she collects a laptop from the Lahore office and comes back",
  );
  await ask(hr, "Which passes are pending?");
  await shoot(hr, `chat${suffix}`);
  await ask(hr, "Show the QR code of GP-2026-0009", "article.answer .picture img");
  await shoot(hr, `qr${suffix}`);
  await hr.locator("textarea").fill("/");
  await shoot(hr, `forms${suffix}`);
  await hr.locator("textarea").press("Enter");
  await hr.getByRole("dialog").waitFor();
  await shoot(hr, `form${suffix}`);
  await hr.context().close();

  const admin = await visit({ who: /Omar/, dark });
  await admin.getByRole("button", { name: /Omar/ }).click();
  await admin.goto(`${url}/a/gatepass`);
  await admin.locator("textarea").waitFor();
  await ask(admin, "Delete the gate pass GP-2026-0004", "article.answer .approval");
  await shoot(admin, `approval${suffix}`);
  await admin.getByRole("button", { name: "Reject" }).click();
  await admin.getByText("Rejected by").waitFor();
  await admin.context().close();
}

const phone = await visit({ who: /Ayesha/, phone: true });
await shoot(phone, "phone-sign-in");
await phone.getByRole("button", { name: /Ayesha/ }).tap();
await phone.locator("textarea, .assistant-cards").first().waitFor();
await phone.goto(`${url}/a/gatepass`);
await phone.locator("textarea").waitFor();
await shoot(phone, "phone-start");
await ask(phone, "Which passes are approved?");
await shoot(phone, "phone-chat");
await phone.getByRole("button", { name: "Open the sidebar" }).tap();
await shoot(phone, "phone-menu");
await phone.context().close();

const russian = await visit({ who: /Ayesha/, dark: true, phone: true, locale: "ru-RU" });
await russian.getByRole("button", { name: /Ayesha/ }).tap();
await russian.locator("textarea, .assistant-cards").first().waitFor();
await russian.goto(`${url}/a/gatepass`);
await russian.locator("textarea").waitFor();
await ask(russian, "GP-2026-0009 QR", "article.answer .actions");
await shoot(russian, "phone-russian-dark");
await browser.close();
