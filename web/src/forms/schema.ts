/** Converts a tool's schema to a form, and a filled form to arguments. */

import type { Json, Schema } from "../api/types";
import { t } from "../i18n";
import { fieldName, hintOf } from "../lib/serverNames";

export type Kind =
  | "text"
  | "long"
  | "number"
  | "whole"
  | "yes-no"
  | "choice"
  | "date"
  | "list"
  | "json"
  | "file";

export interface Field {
  name: string;
  label: string;
  hint: string;
  kind: Kind;
  required: boolean;
  choices: Json[];
  schema: Schema;
}

export type FieldValues = Record<string, string>;

export function fields(root: Schema, handles: Record<string, string> = {}): Field[] {
  const required = new Set(root.required ?? []);
  // The server fills in read-only fields.
  const asked = Object.entries(root.properties ?? {}).filter(([, given]) => given.readOnly !== true);
  const list = asked.map(([name, given]) => {
    const schema = resolve(given, root);
    return {
      name,
      label: fieldName(name, schema.title),
      hint: hintOf(name, given.description ?? schema.description ?? ""),
      kind: kindOf(schema, handles[name]),
      required: required.has(name),
      choices: choicesOf(schema),
      schema,
    };
  });
  // Required fields first, in the tool's order.
  const order = [...required];
  const needed = list.filter((field) => field.required);
  needed.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  return [...needed, ...list.filter((field) => !field.required)];
}

/** Resolves references, and unwraps `T | null`. */
function resolve(schema: Schema, root: Schema, depth = 0): Schema {
  if (depth > 8) return schema;
  if (schema.$ref) {
    const name = schema.$ref.split("/").at(-1) ?? "";
    const target = root.$defs?.[name];
    return target ? resolve({ ...target, ...without(schema, "$ref") }, root, depth + 1) : schema;
  }
  const options = (schema.anyOf ?? schema.oneOf ?? schema.allOf)?.filter((each) => each.type !== "null");
  if (options?.length === 1 && options[0]) {
    const { anyOf, oneOf, allOf, ...rest } = schema;
    return resolve({ ...options[0], ...rest }, root, depth + 1);
  }
  return schema;
}

function without(schema: Schema, key: string): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== key));
}

const typeOf = (schema: Schema): string | undefined =>
  Array.isArray(schema.type) ? schema.type.find((each) => each !== "null") : schema.type;

const LONG = 400;

function kindOf(schema: Schema, handle: string | undefined): Kind {
  if (choicesOf(schema).length) return "choice";
  switch (typeOf(schema)) {
    case "boolean":
      return "yes-no";
    case "integer":
      return "whole";
    case "number":
      return "number";
    case "array":
      return typeOf(schema.items ?? {}) === "string" ? "list" : "json";
    case "string":
      if (schema.format === "date") return "date";
      if (handle === "file") return "file";
      return (schema.maxLength ?? 0) > LONG || handle === "text" ? "long" : "text";
    default:
      return "json";
  }
}

function choicesOf(schema: Schema): Json[] {
  if (schema.enum) return schema.enum.filter((each) => each !== null);
  const consts = (schema.oneOf ?? schema.anyOf ?? []).filter((each) => each.const !== undefined);
  return consts.map((each) => each.const as Json);
}

/** The error message of a field; null if it is valid. */
export function problem(field: Field, text: string): string | null {
  const { schema, kind } = field;
  if (text.trim() === "") return field.required ? t("form.missing") : null;
  if (kind === "number" || kind === "whole") {
    const value = Number(text.replace(",", "."));
    if (!Number.isFinite(value)) return t("form.number");
    if (kind === "whole" && !Number.isInteger(value)) return t("form.whole");
    if (schema.minimum !== undefined && value < schema.minimum)
      return t("form.small", { limit: schema.minimum });
    if (schema.maximum !== undefined && value > schema.maximum)
      return t("form.large", { limit: schema.maximum });
  }
  if (kind === "text" || kind === "long") {
    const length = [...text].length;
    if (length < (schema.minLength ?? 0)) return t("form.short", { count: schema.minLength ?? 0 });
    if (length > (schema.maxLength ?? Number.POSITIVE_INFINITY))
      return t("form.long", { count: schema.maxLength ?? 0 });
    if (schema.pattern && !fits(schema.pattern, text)) return t("form.pattern");
  }
  if (kind === "json") {
    try {
      JSON.parse(text);
    } catch {
      return t("form.json");
    }
  }
  return null;
}

function fits(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    // A pattern that this engine cannot compile is left to the server.
    return true;
  }
}

/** The arguments of a valid form. Empty fields are omitted. */
export function toArguments(list: Field[], filled: FieldValues): { [name: string]: Json } {
  const given = list.filter((field) => (filled[field.name] ?? "").trim() !== "");
  return Object.fromEntries(given.map((field) => [field.name, value(field, filled[field.name] ?? "")]));
}

function value(field: Field, text: string): Json {
  switch (field.kind) {
    case "number":
    case "whole":
      return Number(text.replace(",", "."));
    case "yes-no":
      return text === "true";
    case "choice":
      return field.choices.find((choice) => String(choice) === text) ?? text;
    case "list":
      return text
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean);
    case "json":
      return JSON.parse(text) as Json;
    case "text":
    case "long":
    case "date":
    // The id of an uploaded file.
    case "file":
      return text;
  }
}
