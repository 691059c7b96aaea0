/** Photos are made small in the browser: a phone's picture is far larger than anybody needs. */

import { t } from "../i18n";

export const MOST_FILES = 4;
const MOST_BYTES = 10 * 1024 * 1024;
/** Photos may start larger, because they get smaller here. */
const MOST_PHOTO_BYTES = 40 * 1024 * 1024;
const LONGEST_SIDE = 2048;
/** Smaller files are sent as they are. */
const FINE = 1_500_000;
const QUALITY = 0.86;

const isHeic = (file: File) => /\.(heic|heif)$/i.test(file.name) || /hei[cf]/.test(file.type);
/** Documents are known by their names: browsers do not agree on the types of text files. */
const DOCUMENTS = [
  ".pdf",
  ".docx",
  ".html",
  ".htm",
  ".txt",
  ".md",
  ".csv",
  ".tsv",
  ".json",
  ".yaml",
  ".yml",
  ".log",
  ".vtt",
  ".srt",
];
const isDocument = (file: File) => DOCUMENTS.some((ending) => file.name.toLowerCase().endsWith(ending));
const isPhoto = (file: File) => file.type === "image/jpeg" || file.type === "image/png";

/** What a file picker offers; `checkFile` takes the same. */
export const ACCEPTED = [
  "image/jpeg",
  "image/png",
  "image/heic",
  "image/heif",
  ".heic",
  ".heif",
  ...DOCUMENTS,
].join(",");

/** Why a file cannot be sent; nothing when it can. */
export function checkFile(file: File): string | null {
  if (!isPhoto(file) && !isHeic(file) && !isDocument(file)) return t("file.type");
  if (file.size === 0) return t("file.empty", { name: file.name });
  const most = isPhoto(file) ? MOST_PHOTO_BYTES : MOST_BYTES;
  if (file.size > most) return t("file.big", { name: file.name, limit: Math.round(most / 1024 / 1024) });
  return null;
}

/** The same photo, small enough. What cannot be read is left as it is: the server says what is wrong with it. */
export async function shrink(file: File): Promise<File> {
  if (!isPhoto(file) || file.size <= FINE) return file;
  try {
    const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
    const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height));
    const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale));
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: QUALITY });
    if (blob.size >= file.size) return file;
    return new File([blob], file.name.replace(/\.\w+$/, ".jpg"), { type: "image/jpeg" });
  } catch {
    return file;
  }
}
