/** Extracts the readable text of a reply. A model with structured output writes JSON; it is hidden while
 * incomplete, and shown as its text once complete. */

const TEXT_KEYS = ["reply", "message", "content", "answer", "text"];

/** The text to show, while it streams (`open`) and when it is complete. */
export function displayText(text: string, open: boolean): string {
  if (!/^\s*(```json\s*)?[{[]/.test(text)) return text;
  // A markdown link or a task list begins with a bracket as well.
  if (/^\s*\[(?!\s*(?:[{"[\]\d-]|true|false|null|$))/.test(text)) return text;
  if (open) return "";
  const bare = text.trim().replace(/^```json\s*([\s\S]*?)\s*```$/, "$1");
  try {
    const value: unknown = JSON.parse(bare);
    if (value && typeof value === "object" && !Array.isArray(value)) {
      const found = Object.entries(value).find(
        ([key, said]) => TEXT_KEYS.includes(key) && typeof said === "string",
      );
      if (found) return String(found[1]);
    }
    return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
  } catch {
    return text;
  }
}
