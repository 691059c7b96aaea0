/** Checks attachments and downsizes photos before upload. */

import { t } from "../i18n";

export const MAX_FILES = 4;
const MOST_BYTES = 10 * 1024 * 1024;
/** Limit for photos before they are downsized. */
const MOST_PHOTO_BYTES = 40 * 1024 * 1024;
const LONGEST_SIDE = 2048;
/** Photos below this size are not downsized. */
const FINE = 1_500_000;
const QUALITY = 0.86;

const isHeic = (file: File) => /\.(heic|heif)$/i.test(file.name) || /hei[cf]/.test(file.type);
/** Documents are recognised by extension: browsers disagree on the MIME types of text files. */
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

/** The `accept` list of file inputs; `checkFile` applies the same rules. */
export const ACCEPTED = [
  "image/jpeg",
  "image/png",
  "image/heic",
  "image/heif",
  ".heic",
  ".heif",
  ...DOCUMENTS,
].join(",");

/** Why a file cannot be sent; null if it can. */
export function checkFile(file: File): string | null {
  if (!isPhoto(file) && !isHeic(file) && !isDocument(file)) return t("file.type");
  if (file.size === 0) return t("file.empty", { name: file.name });
  const most = isPhoto(file) ? MOST_PHOTO_BYTES : MOST_BYTES;
  if (file.size > most) return t("file.big", { name: file.name, limit: Math.round(most / 1024 / 1024) });
  return null;
}

/** Downsizes a photo. A file that cannot be decoded is returned unchanged; the server rejects it with a reason. */
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
