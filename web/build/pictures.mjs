// Takes the pictures of docs/images from a running server: node build/pictures.mjs [FOLDER]
// FRONTDESK_URL is where it runs (with fresh demo data), CHROMIUM the browser.
import { mkdirSync, readFileSync } from "node:fs";
import { chromium } from "@playwright/test";

const url = process.env.FRONTDESK_URL ?? "http://127.0.0.1:8080";
const folder = process.argv[2] ?? new URL("../../docs/images", import.meta.url).pathname;
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
  args: ["--no-sandbox", "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"],
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

/** `ONLY=gig,autopilot` takes the pictures of those alone. */
const wanted = (name) => !process.env.ONLY || process.env.ONLY.split(",").includes(name);

// `PICTURES=panels` leaves out what every assistant shares.
if (process.env.PICTURES !== "panels" && wanted("chat")) {
  for (const dark of [false, true]) {
    const suffix = dark ? "-dark" : "";
    const hr = await visit({ who: /Ayesha/, dark });
    await shoot(hr, `sign-in${suffix}`);
    await hr.getByRole("button", { name: /Ayesha/ }).click();
    await hr.locator("textarea, .assistant-cards").first().waitFor();
    await shoot(hr, `start${suffix}`);
    await hr.goto(`${url}/a/gatepass`);
    await hr.locator("textarea").waitFor();
    const request =
      "Create a gate pass for Sara Khan, she collects a laptop from the Lahore office and comes back";
    await ask(hr, request, ".approval-actions .primary");
    await hr.locator(".approval-actions .primary").click();
    await hr.locator("article.answer").last().locator(".actions").waitFor();
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
    await admin.locator("textarea, .assistant-cards").first().waitFor();
    await admin.goto(`${url}/a/gatepass`);
    await admin.locator("textarea").waitFor();
    await ask(admin, "Delete the gate pass GP-2026-0004", "article.answer .approval");
    await shoot(admin, `approval${suffix}`);
    await admin.locator(".approval-actions").getByRole("button", { name: "Don't delete" }).click();
    await admin.getByText("Cancelled by").first().waitFor();
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
  await ask(russian, "Покажи QR-код пропуска GP-2026-0009", "article.answer .actions");
  await shoot(russian, "phone-russian-dark");
}

/** Three looks of each panel: light, dark, phone. */
const LOOKS = [{ suffix: "" }, { suffix: "-dark", dark: true }, { suffix: "-phone", phone: true }];
const enter = async (look, who, path, viewport) => {
  const page = await visit({ who, ...look });
  if (viewport && !look.phone) await page.setViewportSize(viewport);
  await page.getByRole("button", { name: who }).click();
  await page.locator("#main").waitFor();
  await page.goto(url + path);
  return page;
};
const WIDE = { width: 1440, height: 900 };
const demo = (name) => readFileSync(new URL(`../../assistants/tata/demo/${name}`, import.meta.url), "utf8");

for (const look of LOOKS) {
  const { suffix } = look;
  if (wanted("shell")) {
    // The shell.
    const home = await enter(look, /Ayesha/, "/");
    await home.locator(".assistant-cards, textarea").first().waitFor();
    await shoot(home, `home${suffix}`);
    await home.keyboard.press("Control+k");
    await home.getByRole("dialog").waitFor();
    await shoot(home, `palette${suffix}`);
    await home.context().close();
    const inbox = await enter(look, /Omar/, "/a/gatepass");
    await inbox.locator("textarea").waitFor();
    await ask(inbox, "Delete the gate pass GP-2026-0004", "article.answer .approval");
    await inbox.goto(`${url}/approvals`);
    await inbox.locator(".approval").first().waitFor();
    await shoot(inbox, `inbox${suffix}`);
    await inbox.locator(".approval-actions").getByRole("button", { name: "Don't delete" }).first().click();
    await inbox.locator(".approval").first().waitFor({ state: "detached" });
    await inbox.context().close();
  }

  if (wanted("docs")) {
    // docs
    const reader = await enter(look, /Rae/, "/a/docs");
    await reader.locator("textarea").waitFor();
    await ask(reader, "How many days of annual leave do I have?");
    await reader.locator(".citation-number").first().focus();
    await reader.locator(".citation-card").waitFor();
    await shoot(reader, `docs-answer${suffix}`);
    await reader.locator(".citation-card a").click();
    await reader.locator(".marked").first().waitFor();
    await shoot(reader, `docs-source${suffix}`);
    await reader.context().close();
    const operator = await enter(look, /Olga/, "/documents");
    await operator.locator("table").waitFor();
    await shoot(operator, `docs-library${suffix}`);
    await operator.context().close();
  }

  if (wanted("tata")) {
    // tata
    const recruiter = await enter(look, /Maria/, "/a/tata", WIDE);
    await recruiter.locator("textarea").waitFor();
    await recruiter.locator("textarea").fill("/create the requirement profile");
    await recruiter.locator("textarea").press("Enter");
    const form = recruiter.getByRole("dialog");
    await form.locator("[data-field=position_title]").fill("Senior Network Engineer");
    await form.locator("[data-field=startup_notes]").fill(demo("startup-notes.txt"));
    await form.getByRole("button", { name: "Send" }).click();
    await recruiter.locator("article.answer .actions").waitFor();
    if (look.phone) await recruiter.locator(".aside-tab").tap();
    await recruiter.getByRole("button", { name: "Confirm profile" }).waitFor();
    await shoot(recruiter, `tata-profile${suffix}`);
    await recruiter.locator(".document").getByRole("button", { name: "Edit" }).click();
    const area = recruiter.locator(".document-editor textarea");
    await area.fill(`${await area.inputValue()}\n## Work permit\n\n* Must be allowed to work in Sweden\n`);
    await shoot(recruiter, `tata-editor${suffix}`);
    await area.press("Control+Enter");
    await recruiter.getByText("edited by").waitFor();
    if (look.phone) await recruiter.locator(".aside-head .icon-button").tap();
    await ask(
      recruiter,
      "Funnel report for Senior Network Engineer: 1 position, hiring manager Anna Berg, 1200 views, 150 apply clicks, 60 applications, 20 qualified.",
    );
    await recruiter.waitForTimeout(500);
    if (look.phone) await recruiter.locator(".aside-tab").tap();
    await recruiter.locator(".funnel-bar").first().waitFor();
    await shoot(recruiter, `tata-funnel${suffix}`);
    if (look.phone) await recruiter.locator(".aside-head .icon-button").tap();
    await recruiter.locator("textarea").fill("/check for inclusive");
    await recruiter.locator("textarea").press("Enter");
    await recruiter.getByRole("textbox", { name: /Job ad text/ }).fill(demo("weak-job-ad.txt"));
    await recruiter.getByRole("combobox", { name: /Language/ }).selectOption("en");
    await recruiter.getByRole("dialog").getByRole("button", { name: "Send" }).click();
    await recruiter.waitForTimeout(1500);
    if (look.phone) await recruiter.locator(".aside-tab").tap();
    await recruiter.locator(".document blockquote").first().waitFor();
    await shoot(recruiter, `tata-inclusion${suffix}`);
    await recruiter.context().close();
  }

  if (wanted("gig")) {
    // gig, in its people's language
    const russian = { ...look, locale: "ru-RU" };
    const gigs = await enter(russian, /Maria/, "/gigs", WIDE);
    await gigs
      .getByRole("main")
      .getByRole("link", { name: /Лендинг/ })
      .click();
    await gigs.locator("tr[id^=candidate-]").first().waitFor();
    await shoot(gigs, `gig-page${suffix}`);
    await gigs.locator("tr[id^=candidate-]").nth(1).getByRole("link").click();
    await gigs.locator(".candidate").waitFor();
    await shoot(gigs, `gig-candidate${suffix}`);
    await gigs.getByRole("button", { name: "AI Помощник" }).click();
    await gigs.getByRole("button", { name: "Кто лучший кандидат и почему?" }).click();
    await gigs.locator(".gig-mentioned a").first().waitFor();
    if (!look.phone) await gigs.locator(".gig-mentioned a").first().click();
    await shoot(gigs, `gig-chat${suffix}`);
    await gigs.getByRole("button", { name: "Очистить" }).click();
    await gigs
      .getByRole("dialog", { name: "Очистить беседу?" })
      .getByRole("button", { name: "Очистить" })
      .click();
    await gigs.getByRole("button", { name: "Кто лучший кандидат и почему?" }).waitFor();
    await gigs.context().close();
  }

  if (wanted("autopilot")) {
    // autopilot
    const buyer = await enter(look, /Bea/, "/a/autopilot", WIDE);
    await buyer.getByRole("button", { name: /Start in/ }).click();
    await buyer.waitForURL(/\/c\//);
    const say = async (text) => {
      await buyer.locator("textarea").fill(text);
      await buyer.locator("textarea").press("Enter");
      await buyer.waitForTimeout(1500);
      await buyer.locator("button.send:not(.stop)").waitFor();
    };
    const show = async (name) => {
      const tab = buyer.getByRole("button", { name: "Decision", exact: true });
      if (await tab.isVisible()) await tab.click();
      await buyer.locator(".decision-views").getByRole("button", { name }).click();
      await buyer.waitForTimeout(500);
    };
    const hide = async () => {
      if (look.phone) await buyer.getByRole("button", { name: "Close the panel" }).tap();
    };
    await say("We run a 6-court pickleball club");
    await say("We vacuum for 2 hours a day and spend $3,500 a month");
    await show("Facts");
    await shoot(buyer, `autopilot-facts${suffix}`);
    await hide();
    await say("go to ROI");
    await say("calculate the ROI for Pudu CC1 and Avidbots Neo 2W");
    await show("Figures");
    await buyer.locator(".roi-chart").waitFor();
    await shoot(buyer, `autopilot-roi${suffix}`);
    await show("Shortlist");
    for (const count of [1, 2]) {
      await buyer
        .getByRole("button", { name: /to the shortlist/ })
        .first()
        .click();
      await buyer.locator(`.decision .comparison thead th:nth-child(${count + 1})`).waitFor();
      await buyer.waitForTimeout(1500);
    }
    await buyer.locator(".decision-body").evaluate((body) => body.scrollTo(0, 0));
    await shoot(buyer, `autopilot-shortlist${suffix}`);
    await show("Business case");
    await buyer.locator(".decision").getByRole("button", { name: "Create business case" }).click();
    await buyer.locator(".case-text table").first().waitFor();
    await shoot(buyer, `autopilot-case${suffix}`);
    await buyer.goto(`${url}/company`);
    await buyer.getByRole("textbox", { name: "E-mail address" }).fill(`rae${suffix}@example.com`);
    await buyer.getByRole("button", { name: "Create link" }).click();
    await buyer.locator(".company-link").waitFor();
    await shoot(buyer, `company${suffix}`);
    await buyer.context().close();
  }

  if (wanted("operator")) {
    // The operator's view
    const watcher = await enter(look, /Olga/, "/operator?view=turns", WIDE);
    await watcher.locator("td .link").first().waitFor();
    await watcher.locator("td .link").nth(1).click();
    await watcher.locator(".waterfall-bar").first().waitFor();
    await shoot(watcher, `operator-turns${suffix}`);
    await watcher.getByRole("button", { name: "Usage" }).click();
    await watcher.locator(".day-bars").waitFor();
    await shoot(watcher, `operator-usage${suffix}`);
    await watcher.getByRole("button", { name: "Audit" }).click();
    await watcher.locator("td").first().waitFor();
    await shoot(watcher, `operator-audit${suffix}`);
    await watcher.context().close();
  }

  if (wanted("gatepass")) {
    // gatepass
    const admin = await enter(look, /Omar/, "/gatepass", WIDE);
    await admin.locator("table").waitFor();
    await shoot(admin, `gatepass-board${suffix}`);
    await admin.goto(`${url}/gatepass?gid=GP-2026-0008`);
    await admin.getByRole("img", { name: /QR code/ }).waitFor();
    await shoot(admin, `gatepass-pass${suffix}`);
    await admin.context().close();
  }
}

// Cards, forms and pictures of a conversation, on a phone.
for (const dark of wanted("cards") ? [false, true] : []) {
  const suffix = dark ? "-phone-dark" : "-phone";
  const hr = await enter({ phone: true, dark }, /Ayesha/, "/a/gatepass");
  await ask(hr, "Show the QR code of GP-2026-0009");
  await hr.locator(".picture img").waitFor();
  await shoot(hr, `qr${suffix}`);
  await hr.locator("textarea").fill("/");
  await hr.getByRole("option").first().waitFor();
  await shoot(hr, `forms${suffix}`);
  await hr.locator("textarea").press("Enter");
  await hr.getByRole("dialog").waitFor();
  await shoot(hr, `form${suffix}`);
  await hr.context().close();
  const admin = await enter({ phone: true, dark }, /Omar/, "/a/gatepass");
  await ask(admin, "Delete the gate pass GP-2026-0004", "article.answer .approval");
  await shoot(admin, `approval${suffix}`);
  await admin.locator(".approval-actions").getByRole("button", { name: "Don't delete" }).click();
  await admin.getByText("Cancelled by").first().waitFor();
  await admin.context().close();
}

for (const dark of wanted("gate") ? [false, true] : []) {
  const suffix = dark ? "-dark" : "";
  const guard = await enter({ phone: true, dark }, /Bilal/, "/gate");
  await guard.getByPlaceholder("GP-2026-0007").waitFor();
  await guard.waitForTimeout(800);
  await shoot(guard, `gate-scan${suffix}`);
  await guard.getByPlaceholder("GP-2026-0007").fill("GP-2026-0009");
  await guard.getByRole("button", { name: "Look up" }).tap();
  await guard.getByRole("button", { name: "Record exit" }).waitFor();
  await shoot(guard, `gate-card${suffix}`);
  await guard.context().setOffline(true);
  await guard.getByRole("button", { name: "Record exit" }).tap();
  await guard.waitForTimeout(800);
  await guard.getByRole("button", { name: "Take photo" }).tap();
  await guard.getByRole("button", { name: "Confirm exit" }).tap();
  await guard.getByText("Saved on this phone").waitFor();
  await shoot(guard, `gate-offline${suffix}`);
  await guard.context().close();
}
await browser.close();
