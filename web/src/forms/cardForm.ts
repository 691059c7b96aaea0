/** The form of an approval card: fields, values and resulting arguments. */

import type { FormField, FormInput } from "../api/schema";
import type { ApprovalCard, Json } from "../api/types";
import { fieldName, hintOf } from "../lib/serverNames";
import { type Field, type FieldValues, type Kind, toArguments } from "./schema";

export function cardFields(form: FormField[]): Field[] {
  return form.map(({ name, label, help, input, required }) => ({
    name,
    label: fieldName(name, label),
    hint: hintOf(name, help),
    kind: kindOf(input),
    required,
    choices: input.kind === "choice" ? (input.of as Json[]) : [],
    // The server checks limits and patterns.
    schema: {},
  }));
}

function kindOf(input: FormInput): Kind {
  switch (input.kind) {
    case "long_text":
      return "long";
    case "integer":
      return "whole";
    case "yes_no":
      return "yes-no";
    case "time":
    case "date_time":
      return "text";
    case "list":
      return input.of.kind === "text" ? "list" : "json";
    case "text":
    case "file":
    case "number":
    case "choice":
    case "date":
    case "json":
      return input.kind;
  }
}

/** The field values of a card's arguments. */
export function filledFrom(list: Field[], given: Json): FieldValues {
  const values = given && typeof given === "object" && !Array.isArray(given) ? given : {};
  const filled: FieldValues = {};
  for (const { name, kind } of list) {
    const value = values[name];
    if (value === undefined || value === null) continue;
    if (kind === "list" && Array.isArray(value)) filled[name] = value.map(String).join("\n");
    else if (kind === "json") filled[name] = JSON.stringify(value, null, 2);
    else filled[name] = typeof value === "object" ? JSON.stringify(value) : String(value);
  }
  return filled;
}

/** The edited arguments; undefined if unchanged. */
export function editedArguments(
  card: ApprovalCard,
  list: Field[],
  filled: FieldValues,
): { [name: string]: Json } | undefined {
  const now = toArguments(list, filled);
  const before = toArguments(list, filledFrom(list, card.arguments));
  return JSON.stringify(now) === JSON.stringify(before) ? undefined : now;
}

/** The server's validation errors, by field. */
export function fieldProblems(details: unknown): Map<string, string> {
  const found = new Map<string, string>();
  for (const each of Array.isArray(details) ? details : []) {
    if (typeof each?.field === "string" && typeof each?.problem === "string")
      found.set(each.field, each.problem);
  }
  return found;
}
