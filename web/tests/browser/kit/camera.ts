/** A fake camera: the video file that Chromium plays instead of a real one. */

import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { BROWSER } from "./browser";

const WIDTH = 640;
const HEIGHT = 480;

/** A browser whose camera shows this PNG. */
export async function browserSeeing(picture: Buffer, page: Page): Promise<Browser> {
  // The page is only used to turn the picture into pixels.
  const luma = await page.evaluate(
    async ({ bytes, width, height }) => {
      const blob = new Blob([Uint8Array.from(atob(bytes), (char) => char.charCodeAt(0))], {
        type: "image/png",
      });
      const image = await createImageBitmap(blob);
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext("2d");
      if (!context) throw new Error("no canvas");
      context.fillStyle = "#d8d8d8";
      context.fillRect(0, 0, width, height);
      const size = height * 0.8;
      context.drawImage(image, (width - size) / 2, (height - size) / 2, size, size);
      const { data } = context.getImageData(0, 0, width, height);
      return Array.from({ length: width * height }, (_, at) => data[at * 4] ?? 0);
    },
    { bytes: picture.toString("base64"), width: WIDTH, height: HEIGHT },
  );
  const chroma = Buffer.alloc((WIDTH * HEIGHT) / 2, 128);
  const frame = Buffer.concat([Buffer.from("FRAME\n"), Buffer.from(luma), chroma]);
  const head = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420mpeg2\n`);
  const path = join(tmpdir(), `frontdesk-camera-${process.pid}-${Date.now()}.y4m`);
  writeFileSync(path, Buffer.concat([head, ...Array.from({ length: 10 }, () => frame)]));
  return chromium.launch({
    executablePath: BROWSER,
    args: [
      "--no-sandbox",
      "--disable-dev-shm-usage",
      "--use-fake-ui-for-media-stream",
      "--use-fake-device-for-media-stream",
      `--use-file-for-fake-video-capture=${path}`,
    ],
  });
}
