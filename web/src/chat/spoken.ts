/** What of a reply is meant for people. A model that answers in a structure writes JSON; nobody is shown it half
 * written, and whole it is shown as what it says. */

const SAYS = ["reply", "message", "content", "answer", "text"];

/** The text to show of a reply, while it is written (`open`) and when it is whole. */
export function spoken(text: string, open: boolean): string {
  if (!/^\s*(```json\s*)?[{[]/.test(text)) return text;
  // A markdown link or a task list begins with a bracket as well.
  if (/^\s*\[(?!\s*(?:[{"[\]\d-]|true|false|null|$))/.test(text)) return text;
  if (open) return "";
  const bare = text.trim().replace(/^```json\s*([\s\S]*?)\s*```$/, "$1");
  try {
    const value: unknown = JSON.parse(bare);
    if (value && typeof value === "object" && !Array.isArray(value)) {
      const found = Object.entries(value).find(
        ([key, said]) => SAYS.includes(key) && typeof said === "string",
      );
      if (found) return String(found[1]);
    }
    return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
  } catch {
    return text;
  }
}
