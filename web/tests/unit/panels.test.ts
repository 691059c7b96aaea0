import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { menuFor, PAGES, panelOf } from "../../src/panels";
import * as registry from "../../src/panels/registry";

const FOLDER = join(import.meta.dirname, "../../src/panels");

test("every panel folder is registered under its name", () => {
  const folders = readdirSync(FOLDER, { withFileTypes: true }).filter((each) => each.isDirectory());
  expect(Object.keys(registry).toSorted()).toEqual(folders.map((each) => each.name).toSorted());
  for (const [name, panel] of Object.entries(registry)) expect([name, null]).toContain(panel.assistant);
});

test("no two pages share a route", () => {
  expect(new Set(PAGES.map((page) => page.route)).size).toBe(PAGES.length);
});

test("the menu shows the pages of the assistants and roles that a person has", () => {
  const guard = { id: "1", name: "Bilal", email: null, roles: ["Gate_User"] } as unknown as Parameters<
    typeof menuFor
  >[0];
  const paths = (assistants: string[]) =>
    menuFor(
      guard,
      assistants.map((name) => ({ name })),
    ).map((entry) => entry.path);
  expect(paths(["gatepass", "gig"])).toEqual(["/gatepass", "/gate", "/company"]);
  expect(paths([])).toEqual(["/company"]);
});

test("an assistant without a panel has none", () => {
  expect(panelOf("notes")).toBeUndefined();
  expect(panelOf("tata")?.aside).toBeDefined();
});
