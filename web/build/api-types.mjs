// TypeScript types of the API's shapes, from its OpenAPI document on standard input:
//   frontdesk openapi | node build/api-types.mjs > src/api/schema.ts
// A browser test fails when the file and the server disagree.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const HEAD = "// Made by build/api-types.mjs from the server's OpenAPI document. Do not edit.\n";

/** What is no longer than this stands on one line. */
const LONGEST = 90;

export function typesOf(document) {
  const names = Object.keys(document.components.schemas).toSorted();
  const types = names.map(
    (name) => `export type ${name} = ${typeOf(document.components.schemas[name], "")};\n`,
  );
  return `${HEAD}\n${types.join("\n")}`;
}

function typeOf(schema, indent) {
  if (schema === true || schema === undefined) return "unknown";
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const parts = [];
  const choice = schema.oneOf ?? schema.anyOf;
  if (choice) parts.push(group(choice.map((each) => typeOf(each, indent)).join(" | "), choice.length));
  for (const each of schema.allOf ?? []) parts.push(typeOf(each, indent));
  if (schema.properties) parts.push(objectOf(schema, indent));
  if (parts.length) return parts.join(" & ");
  const kinds = [schema.type ?? []].flat();
  const found = kinds.map((kind) => plain(kind, schema, indent));
  return found.length ? found.join(" | ") : "unknown";
}

const group = (text, count) => (count > 1 ? `(${text})` : text);

function plain(kind, schema, indent) {
  if (kind === "integer" || kind === "number") return "number";
  if (kind === "array") return `(${typeOf(schema.items, indent)})[]`;
  if (kind === "object") return `{ [key: string]: ${typeOf(schema.additionalProperties, indent)} }`;
  return kind;
}

function objectOf(schema, indent) {
  const needed = new Set(schema.required ?? []);
  const inner = `${indent}  `;
  const lines = Object.entries(schema.properties).map(([name, each]) => {
    const key = /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name);
    return `${inner}${key}${needed.has(name) ? "" : "?"}: ${typeOf(each, inner)};`;
  });
  const short = `{ ${lines.map((line) => line.trim()).join(" ")} }`;
  if (short.length <= LONGEST && !short.includes("\n")) return short;
  return `{\n${lines.join("\n")}\n${indent}}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.stdout.write(typesOf(JSON.parse(readFileSync(0, "utf8"))));
}
