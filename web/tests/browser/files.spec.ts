import { ask, expect, HR, input, lastAnswer, say, signIn, test } from "./kit";
import { png } from "./kit/png";

test("a photo is previewed, sent, and stays in the history", async ({ page, scripted, model }) => {
  model.always(() => ["I see it."]);
  await signIn(page, scripted, HR);
  // Also before the conversation exists; the typed text stays.
  await input(page).fill("half a sentence");
  const file = page.getByTestId("file");
  await file.setInputFiles({ name: "gate.png", mimeType: "image/png", buffer: png(64, 48) });
  await expect(page.getByRole("img", { name: "Preview of gate.png" })).toBeVisible();
  await expect(page.locator(".tray")).not.toContainText("Uploading");
  await expect(input(page)).toHaveValue("half a sentence");
  await say(page, "Look at this");
  const mine = page.locator("article.mine").last();
  await expect(mine.getByRole("img", { name: /gate/ })).toHaveAttribute("src", /^blob:/);
  await expect(page.locator(".tray")).toHaveCount(0);
  await expect(lastAnswer(page)).toContainText("I see it.");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Look at this");
  expect(JSON.stringify(model.asked.at(-1))).toContain("file:1");
  await page.reload();
  await expect(mine.getByRole("img", { name: /gate/ })).toHaveAttribute("src", /^blob:/);
});

test("a file that cannot be sent is refused with its reason and can be removed", async ({
  page,
  scripted,
  model,
}) => {
  model.always(() => ["ok"]);
  await signIn(page, scripted, HR);
  await ask(page, "Hello");
  const file = page.getByTestId("file");
  await file.setInputFiles({
    name: "tool.exe",
    mimeType: "application/x-msdownload",
    buffer: Buffer.from("MZ"),
  });
  await expect(page.getByRole("alert")).toContainText(
    "Photos (JPEG, PNG, HEIC), PDF, Word and text files can be sent.",
  );
  await page.getByRole("button", { name: "Remove tool.exe" }).click();
  await file.setInputFiles({ name: "fake.png", mimeType: "image/png", buffer: png(64, 48).subarray(0, 60) });
  await expect(page.getByRole("alert")).toContainText("fake.png was not accepted");
  await page.getByRole("button", { name: "Remove fake.png" }).click();
  await file.setInputFiles({ name: "empty.png", mimeType: "image/png", buffer: Buffer.alloc(0) });
  await expect(page.getByRole("alert")).toContainText("empty.png is empty");
});

test("files can be dropped and pasted, and large photos are downsized", async ({ page, scripted, model }) => {
  model.always(() => ["ok"]);
  await signIn(page, scripted, HR);
  await ask(page, "Hello");
  const uploaded = page.waitForResponse("**/api/v1/attachments");
  await page.evaluate(async () => {
    // A noisy picture of several megabytes, as a phone takes it.
    const canvas = new OffscreenCanvas(2600, 1800);
    const context = canvas.getContext("2d") as OffscreenCanvasRenderingContext2D;
    const pixels = context.createImageData(2600, 1800);
    for (let at = 0; at < pixels.data.length; at += 1)
      pixels.data[at] = at % 4 === 3 ? 255 : Math.random() * 256;
    context.putImageData(pixels, 0, 0);
    const blob = await canvas.convertToBlob({ type: "image/png" });
    const transfer = new DataTransfer();
    transfer.items.add(new File([blob], "huge.png", { type: "image/png" }));
    document
      .querySelector(".page")
      ?.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true }));
  });
  await expect(page.locator(".tray")).toContainText("huge.png");
  const kept = (await (await uploaded).json()) as { media_type: string; bytes: number };
  expect(kept.media_type).toBe("image/jpeg");
  await expect(page.locator(".tray")).not.toContainText("Uploading");
  await page.getByRole("button", { name: "Remove huge.png" }).click();
  await input(page).focus();
  await page.evaluate(
    (bytes) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], "pasted.png", { type: "image/png" }));
      document
        .querySelector("textarea")
        ?.dispatchEvent(
          new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true }),
        );
    },
    [...png(8, 8)],
  );
  await expect(page.getByRole("img", { name: "Preview of pasted.png" })).toBeVisible();
});

test("an answer is rated, and the rating can be withdrawn", async ({ page, scripted, model }) => {
  model.always(() => ["Rate me."]);
  await signIn(page, scripted, HR);
  await ask(page, "Hello");
  const good = page.getByRole("button", { name: "Good answer" });
  await good.click();
  await expect(good).toHaveAttribute("aria-pressed", "true");
  await expect(
    lastAnswer(page).getByRole("status").filter({ hasText: "Thank you for your feedback." }),
  ).toBeVisible();
  await page.reload();
  await expect(good).toHaveAttribute("aria-pressed", "true");
  await good.click();
  await expect(good).toHaveAttribute("aria-pressed", "false");
});
