import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Artifact, ArtifactEntry } from "../../src/api/types";
import { type Flag, pieces } from "../../src/panels/tata/pieces";
import { rebuilder, series, staleFrom } from "../../src/panels/tata/shelf";

const flag = (text: string, position: number): Flag => ({
  text,
  position,
  category: "gender",
  severity: "high",
  explanation: "",
  alternatives: ["x"],
});

describe("a reviewed text in pieces", () => {
  test("flags stand where they are, also behind emoji", () => {
    const list = pieces("👋 a young ninja", [flag("ninja", 10), flag("young", 4)]);
    expect(list.map(({ text, flag: of }) => [text, of])).toEqual([
      ["👋 a ", null],
      ["young", 1],
      [" ", null],
      ["ninja", 0],
    ]);
  });

  test("together the pieces are always the text", () => {
    const flags = fc.array(fc.record({ text: fc.string(), position: fc.integer({ min: -2, max: 60 }) }));
    fc.assert(
      fc.property(fc.string({ maxLength: 60, unit: "grapheme" }), flags, (text, given) => {
        const list = pieces(
          text,
          given.map((each) => flag(each.text, each.position)),
        );
        expect(list.map((each) => each.text).join("")).toBe(text);
      }),
    );
  });
});

const entry = (kind: string, version: number, key = ""): ArtifactEntry => ({
  id: `${kind}${key}${version}`,
  kind,
  key,
  version,
  status: "draft",
});

const document = (kind: string, from: [string, number][]): Artifact => ({
  id: "x",
  conversation: "c",
  kind,
  key: "",
  version: 1,
  status: "draft",
  title: "",
  content: {},
  created_at: "",
  built_from: from.map(([of, version]) => ({ kind: of, key: "", version })),
});

describe("the shelf of a project", () => {
  const all = series([
    entry("job_ad", 1, "en"),
    entry("requirement_profile", 1),
    entry("requirement_profile", 2),
    entry("something_new", 1),
  ]);

  test("series stand in the order of the flow, versions oldest first", () => {
    expect(all.map((each) => each.kind)).toEqual(["requirement_profile", "job_ad", "something_new"]);
    expect(all[0]?.versions.map((each) => each.version)).toEqual([1, 2]);
  });

  test("what was built on an older version is stale, a polished text is not stale by itself", () => {
    expect(staleFrom(document("job_ad", [["requirement_profile", 1]]), all)).toBe("requirement_profile");
    expect(staleFrom(document("job_ad", [["requirement_profile", 2]]), all)).toBeNull();
    expect(staleFrom(document("requirement_profile", [["requirement_profile", 1]]), all)).toBeNull();
  });

  test("an ad is built again in its own language, a report cannot be", () => {
    const ad = all.find((each) => each.kind === "job_ad");
    expect(ad && rebuilder(ad)).toEqual({ tool: "create_job_ad", arguments: { language: "en" } });
    expect(rebuilder({ id: "", kind: "candidate_reports", key: "x", versions: [] })).toBeNull();
  });
});
