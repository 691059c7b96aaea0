import { expect, test } from "vitest";
import type { Schema } from "../../src/api/types";
import { matching } from "../../src/forms/FormMenu";
import { fields, problem, toArguments } from "../../src/forms/schema";

const schema: Schema = {
  type: "object",
  required: ["name", "count"],
  $defs: { Tone: { type: "string", enum: ["formal", "casual"] } },
  properties: {
    count: { type: "integer", minimum: 1, maximum: 9 },
    name: { type: "string", minLength: 2, maxLength: 5 },
    number: { type: "string", pattern: "^GP-\\d{4}$" },
    returns: { type: "boolean" },
    skills: { type: "array", items: { type: "string" } },
    tone: { anyOf: [{ $ref: "#/$defs/Tone" }, { type: "null" }], description: "How it sounds" },
    when: { type: ["string", "null"], format: "date" },
    rest: { type: "object" },
    notes: { type: "string", maxLength: 5000 },
  },
};

const list = fields(schema);
const field = (name: string) => {
  const found = list.find((each) => each.name === name);
  if (!found) throw new Error(name);
  return found;
};

test("a schema becomes fields, the needed ones first and in the tool's order", () => {
  expect(list.slice(0, 2).map((each) => each.name)).toEqual(["name", "count"]);
  expect(Object.fromEntries(list.map((each) => [each.name, each.kind]))).toEqual({
    name: "text",
    count: "whole",
    number: "text",
    returns: "yes-no",
    skills: "list",
    tone: "choice",
    when: "date",
    rest: "json",
    notes: "long",
  });
  expect(field("tone").choices).toEqual(["formal", "casual"]);
});

test("errors are sentences", () => {
  expect(problem(field("name"), " ")).toBe("This field is required.");
  expect(problem(field("name"), "x")).toBe("Enter at least 2 characters.");
  expect(problem(field("name"), "sixsix")).toBe("Enter at most 5 characters.");
  expect(problem(field("count"), "1.5")).toBe("Enter a whole number.");
  expect(problem(field("count"), "many")).toBe("Enter a number.");
  expect(problem(field("count"), "0")).toBe("At least 1.");
  expect(problem(field("count"), "10")).toBe("At most 9.");
  expect(problem(field("number"), "12")).toBe("This is not in the right format.");
  expect(problem(field("number"), "")).toBeNull();
  expect(problem(field("rest"), "{")).toBe("Enter valid JSON.");
});

test("a filled form becomes arguments of the right types", () => {
  const filled = {
    name: "Ada",
    count: "3",
    returns: "false",
    skills: "a\n\n b ",
    tone: "casual",
    rest: '{"x":1}',
    notes: "",
  };
  expect(toArguments(list, filled)).toEqual({
    name: "Ada",
    count: 3,
    returns: false,
    skills: ["a", "b"],
    tone: "casual",
    rest: { x: 1 },
  });
});

test("a slash lists forms; anything else does not", () => {
  const tool = (name: string) => ({
    title: name.replace("_", " "),
    usable: true,
    type: "function" as const,
    handles: {},
    function: { name, description: "", parameters: {} },
  });
  const tools = [tool("create_pass"), tool("list_passes")];
  expect(matching(tools, "/")).toHaveLength(2);
  expect(matching(tools, "/cre")).toEqual([tools[0]]);
  expect(matching(tools, "/none")).toEqual([]);
  expect(matching(tools, "a/b")).toBeNull();
  expect(matching(tools, "/two\nlines")).toBeNull();
});
