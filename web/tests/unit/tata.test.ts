import { describe, expect, test } from "vitest";
import type { Artifact, ArtifactEntry } from "../../src/api/types";
import { contentOf, partsOf } from "../../src/panels/tata/content";
import { funnelOf } from "../../src/panels/tata/Funnel";
import { rebuilder, series, staleFrom } from "../../src/panels/tata/series";

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

describe("the documents of a project", () => {
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

  test("what was built on an older version is stale, a revised one is not stale by itself", () => {
    expect(staleFrom(document("job_ad", [["requirement_profile", 1]]), all)).toBe("requirement_profile");
    expect(staleFrom(document("job_ad", [["requirement_profile", 2]]), all)).toBeNull();
    expect(staleFrom(document("requirement_profile", [["requirement_profile", 1]]), all)).toBeNull();
  });

  test("is built again in its own language, a review of the project's ad without a text", () => {
    const of = (kind: string, key: string) => rebuilder({ id: "", kind, key, versions: [] });
    expect(of("job_ad", "sv")).toEqual({ tool: "create_job_ad", arguments: { language: "sv" } });
    expect(of("hm_screening_template", "de")).toEqual({
      tool: "create_hm_screening_template",
      arguments: { language: "de" },
    });
    expect(of("di_review", "")).toEqual({ tool: "review_di_compliance", arguments: {} });
    expect(of("candidate_reports", "x")).toBeNull();
  });
});

describe("the text of a document", () => {
  const TEXT = [
    "# Profile",
    "> Made without a language model: it holds only what you gave.",
    "## Must-haves",
    "* BGP",
    "## Internal remarks [internal]",
    "* Replaces Tom",
    "## Notes on \\[internal]",
    "* Public",
  ].join("\n\n");

  test("is cut where internal sections begin and end, and loses nothing else", () => {
    const { head, parts } = partsOf(TEXT, "model");
    expect(head).toContain("> Made without");
    expect(parts.map(({ internal, text }) => [internal, text.split("\n")[0]])).toEqual([
      [false, "## Must-haves"],
      [true, "## Internal remarks"],
      [false, "## Notes on \\[internal]"],
    ]);
    expect(head + parts.map(({ text }) => text).join("")).toBe(TEXT.replace(" [internal]", ""));
  });

  test("goes without the server's remark where the panel says it", () => {
    const { head } = partsOf(TEXT, "fallback");
    expect(head.trim()).toBe("# Profile");
  });

  test("may have no sections, or be of an earlier release", () => {
    expect(partsOf("Hello", null)).toEqual({ head: "Hello", parts: [] });
    expect(contentOf({ ...document("job_ad", []), content: { body: "x" } })).toEqual({
      madeWith: null,
      notes: [],
      fields: {},
    });
  });

  test("has bars only while its figures are as they were computed", () => {
    const fields = { funnel_table: [], bottlenecks: [] };
    expect(funnelOf({ madeWith: "code", notes: [], fields })).toEqual(fields);
    expect(funnelOf({ madeWith: "person", notes: [], fields })).toBeNull();
    expect(funnelOf({ madeWith: "code", notes: [], fields: {} })).toBeNull();
  });
});
