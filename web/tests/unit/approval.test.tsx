// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError, api } from "../../src/api/client";
import type { Preview } from "../../src/api/schema";
import { startSession } from "../../src/api/session";
import type { ApprovalCard as Card } from "../../src/api/types";
import { ApprovalCard } from "../../src/chat/ApprovalCard";
import { cardTitle, outcomeWords } from "../../src/chat/cardWords";
import { chooseLanguage, LANGUAGES, type Language } from "../../src/i18n";

const ME = "11111111-1111-4111-8111-111111111111";

const card = (over: Partial<Card> = {}): Card => ({
  call_id: "a",
  tool: "book_room",
  title: "Book a room",
  confirm: "Book the room",
  decline: "Don't book the room",
  consequence: "",
  destructive: false,
  target: null,
  origins: [],
  preview: false,
  confirms: [],
  arguments: { guests: 3, topics: ["Plan", "Budget"], quiet: true },
  seal: "s",
  requested_by: ME,
  requester: "Hanna",
  approvers: [],
  expires_at: new Date(Date.now() + 600_000).toISOString(),
  editable: true,
  form: [
    { name: "visitor", label: "Visitor", help: "Who comes.", input: { kind: "text" }, required: true },
    { name: "guests", label: "Guests", help: "", input: { kind: "integer" }, required: false },
    {
      name: "size",
      label: "Size",
      help: "",
      input: { kind: "choice", of: ["small", "big"] },
      required: false,
    },
    {
      name: "topics",
      label: "Topics",
      help: "",
      input: { kind: "list", of: { kind: "text" } },
      required: false,
    },
    { name: "quiet", label: "Quiet", help: "", input: { kind: "yes_no" }, required: false },
  ],
  ...over,
});

const decided = () => vi.fn(async () => {});

function show(given: Card, onDecide: Parameters<typeof ApprovalCard>[0]["onDecide"] = decided()) {
  render(<ApprovalCard card={given} conversation="c" turn="t" onDecide={onDecide} focus />);
  return onDecide;
}

const field = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label);
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const type = (label: RegExp, value: string) => fireEvent.change(field(label), { target: { value } });

beforeEach(async () => {
  await chooseLanguage("en");
  startSession({
    token: "t",
    me: { id: ME, name: "Hanna", email: null, roles: ["HR_User"], companies: [], expires_at: null } as never,
  });
});
afterEach(cleanup);

describe("a card that its requester may change", () => {
  test("is a prefilled form with the tool's verb and focus on the harmless button", () => {
    show(card());
    expect(screen.getByRole("region", { name: "Confirm: Book a room" })).toBeTruthy();
    expect(field(/Visitor/).value).toBe("");
    expect(field(/Guests/).value).toBe("3");
    expect(field(/Topics/).value).toBe("Plan\nBudget");
    expect(field(/Quiet/).value).toBe("true");
    expect(document.activeElement?.textContent).toBe("Don't book the room");
    expect(screen.queryByLabelText(/Reason/)).toBeNull();
  });

  test("is not sent while a field is missing, and marks it", () => {
    const onDecide = show(card());
    press("Book the room");
    expect(onDecide).not.toHaveBeenCalled();
    expect(field(/Visitor/).getAttribute("aria-invalid")).toBe("true");
    expect(screen.getByRole("alert").textContent).toBe("Some fields still need your attention.");
  });

  test("sends all arguments when one was changed", async () => {
    const onDecide = show(card());
    type(/Visitor/, "Sara Khan");
    type(/Size/, "big");
    type(/Topics/, "Plan");
    press("Book the room");
    await waitFor(() =>
      expect(onDecide).toHaveBeenCalledWith("approve", "", {
        visitor: "Sara Khan",
        guests: 3,
        size: "big",
        topics: ["Plan"],
        quiet: true,
      }),
    );
  });

  test("sends no arguments when nothing was changed", async () => {
    const whole = card({ arguments: { visitor: "Sara Khan", guests: 3 } });
    const onDecide = show(whole);
    press("Book the room");
    await waitFor(() => expect(onDecide).toHaveBeenCalledWith("approve", "", undefined));
  });

  test("shows a server error at its field, and can be sent again", async () => {
    const details = [{ field: "visitor", label: "Visitor", problem: "Enter at most 20 characters." }];
    const refuse = vi
      .fn<() => Promise<void>>()
      .mockRejectedValueOnce(new ApiError(422, "VALIDATION_ERROR", "no", null, details))
      .mockResolvedValue();
    show(card(), refuse);
    type(/Visitor/, "x".repeat(30));
    press("Book the room");
    await waitFor(() => expect(screen.getByText("Enter at most 20 characters.")).toBeTruthy());
    type(/Visitor/, "Sara");
    expect(screen.queryByText("Enter at most 20 characters.")).toBeNull();
    press("Book the room");
    await waitFor(() => expect(refuse).toHaveBeenCalledTimes(2));
  });

  test("is cancelled without its arguments", async () => {
    const onDecide = show(card());
    type(/Visitor/, "Sara");
    press("Don't book the room");
    await waitFor(() => expect(onDecide).toHaveBeenCalledWith("reject", "", undefined));
  });

  test.each(Object.keys(LANGUAGES) as Language[])("has words in %s", async (language) => {
    await chooseLanguage(language);
    show(card());
    const name = screen.getByRole("region").getAttribute("aria-label") ?? "";
    expect(name.startsWith("Confirm")).toBe(language === "en");
  });
});

test("a card for another approver is read-only, with a reason", async () => {
  const onDecide = show(card({ editable: false, approvers: ["HR_User"], requested_by: "x", form: [] }));
  expect(screen.queryByLabelText(/Visitor/)).toBeNull();
  fireEvent.change(screen.getByLabelText(/Reason/), { target: { value: "Fine" } });
  press("Book the room");
  await waitFor(() => expect(onDecide).toHaveBeenCalledWith("approve", "Fine", undefined));
});

describe("a card about an object", () => {
  const pass = (over: Partial<Card> = {}): Card =>
    card({
      tool: "reject_gate_pass",
      title: "Reject gate pass GP-2026-0012",
      confirm: "Reject the pass",
      decline: "Don't reject",
      arguments: { pass_number: "GP-2026-0012", name: "Hanna" },
      form: [
        { name: "pass_number", label: "Pass number", help: "", input: { kind: "text" }, required: true },
      ],
      target: { argument: "pass_number", value: "GP-2026-0012" },
      preview: true,
      ...over,
    });
  const loaded: Preview = {
    title: "Reject gate pass GP-2026-0012 for Nadia Hussain",
    subject: "Nadia Hussain",
    state: "pending",
    facts: [
      { name: "person_name", label: "Person", value: "Nadia Hussain" },
      { name: "purpose", label: "Purpose", value: "Bank" },
      { name: "status", label: "State", value: "pending" },
    ],
    problem: null,
  };
  const facts = () => screen.queryAllByRole("definition").map((each) => each.textContent);

  test("shows its facts and names the person", async () => {
    vi.spyOn(api, "preview").mockResolvedValue(loaded);
    show(pass());
    await waitFor(() => expect(facts()).toEqual(["Nadia Hussain", "Bank", "pending"]));
    expect(screen.getByRole("heading").textContent).toBe("Reject gate pass GP-2026-0012 for Nadia Hussain");
    expect(screen.getByRole("button", { name: "Reject the pass" }).className).toContain("primary");
  });

  test("hides them when another object is typed in", async () => {
    vi.spyOn(api, "preview").mockResolvedValue(loaded);
    show(pass());
    await waitFor(() => expect(facts()).toHaveLength(3));
    type(/Pass number/, "GP-2026-0013");
    expect(facts()).toEqual([]);
    expect(screen.getByRole("heading").textContent).toBe("Reject gate pass GP-2026-0013");
  });

  test.each([
    ["the server says why", async () => ({ ...loaded, facts: [], problem: "no" })],
    ["the request fails", async () => Promise.reject(new ApiError(500, "INTERNAL", "no"))],
  ])("can be decided when %s", async (_, answer) => {
    vi.spyOn(api, "preview").mockImplementation(answer);
    const onDecide = show(pass());
    await waitFor(() => expect(screen.getByText(/could not be loaded/)).toBeTruthy());
    press("Reject the pass");
    await waitFor(() => expect(onDecide).toHaveBeenCalledWith("approve", "", undefined));
  });

  test("is red only for deletions, and shows the origin of a value", () => {
    vi.spyOn(api, "preview").mockResolvedValue(loaded);
    const source = {
      kind: "result" as const,
      tool: "get_gate_pass_by_number",
      title: "Show a gate pass",
      field: "description",
      of: "GP-2026-0013",
    };
    show(pass({ destructive: true, origins: [{ argument: "pass_number", source }] }));
    expect(screen.getByRole("button", { name: "Reject the pass" }).className).toContain("danger");
    expect(screen.getByRole("listitem").textContent).toMatch(/^Pass number: from .*GP-2026-0013$/);
  });

  test.each(Object.keys(LANGUAGES) as Language[])("has its own words in %s", async (language) => {
    await chooseLanguage(language);
    vi.spyOn(api, "preview").mockResolvedValue(loaded);
    show(pass({ origins: [{ argument: "pass_number", source: { kind: "model" } }] }));
    await waitFor(() => expect(facts()).toHaveLength(3));
    const text = screen.getByRole("region").textContent ?? "";
    const english = ["Reject", "suggested by", "pending", "Purpose", "The person may not"];
    expect(english.filter((words) => text.includes(words))).toEqual(language === "en" ? english : []);
    const decided = { card: pass(), decision: "rejected" as const, by: "Omar", reason: null };
    const outcome = outcomeWords({ ...decided, state: "pending" });
    expect(outcome).toContain("Omar");
    expect(outcome.includes("GP-2026-0012 is still pending.")).toBe(language === "en");
  });
});

test("a card names the drafts that it confirms", async () => {
  const confirms = [{ kind: "requirement_profile", words: "the requirement profile" }];
  const given = card({ tool: "create_job_ad", title: "Server's own", confirms });
  expect(cardTitle(given, null)).toBe("Confirm the requirement profile, then: Write the job ad");
  // The server's own title names them already.
  const unknown = card({ title: "Confirm the plan, then: Book a room", confirms });
  expect(cardTitle(unknown, null)).toBe("Confirm the plan, then: Book a room");
});
