import { expect, test } from "vitest";
import { ACCEPTED, checkFile } from "../../src/chat/attachments";

const file = (name: string) => new File(["text"], name);

test("supported documents are accepted, whatever the case of their extension", () => {
  for (const ending of ["txt", "md", "html", "htm", "pdf", "docx", "csv", "vtt", "srt"]) {
    expect(ACCEPTED.split(",")).toContain(`.${ending}`);
    expect(checkFile(file(`notes.${ending}`)), ending).toBeNull();
    expect(checkFile(file(`NOTES.${ending.toUpperCase()}`)), ending).toBeNull();
  }
});

test("other files are refused with a sentence", () => {
  expect(checkFile(file("tool.exe"))).toMatch(/can be sent/);
  expect(checkFile(new File([], "empty.txt"))).toMatch(/empty/);
});
