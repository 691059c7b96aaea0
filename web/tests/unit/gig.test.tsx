// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ChatInput } from "../../src/chat/ChatInput";
import type { ChatState } from "../../src/chat/chatState";
import { QuickReplies } from "../../src/chat/QuickReplies";
import { TurnReducer } from "../../src/chat/turnReducer";
import { chooseLanguage } from "../../src/i18n";
import { ChatMessageList } from "../../src/panels/gig/ChatMessageList";
import { GigAIChatPanel } from "../../src/panels/gig/GigAIChatPanel";
import { GigPage } from "../../src/panels/gig/GigPage";
import { type ChatMessage, type ChatSessionState, failed, sessionState } from "../../src/panels/gig/session";

beforeEach(() => chooseLanguage("ru"));
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const message = (id: string, role: ChatMessage["role"], content: string): ChatMessage => ({
  id,
  role,
  content,
  createdAt: new Date("2026-11-16T09:00:00Z"),
});

describe("GigPage", () => {
  // design: 004 page errors
  test.each([
    [403, "Нет доступа к этому заданию"],
    [404, "Задание не найдено"],
  ])("status %i has the words of gigs and leads to their list", async (status, words) => {
    const body = JSON.stringify({ error: { code: "X", message: "other words" } });
    vi.stubGlobal("fetch", async () => new Response(body, { status }));
    render(
      <QueryClientProvider client={new QueryClient()}>
        <GigPage id="018f6f2e-7c1a-7a31-9a55-3f0c5d1e2b4a" />
      </QueryClientProvider>,
    );
    expect(await screen.findByRole("heading", { name: words })).toBeTruthy();
    expect(screen.getByRole("link", { name: "Все задания" }).getAttribute("href")).toBe("/gigs");
  });
});

describe("ChatMessageList", () => {
  const talk = [
    message("1", "user", "Кто *лучший*?"),
    message("2", "assistant", "**Анна Петрова**\n\n- цена\n- опыт"),
  ];

  // design: 004 ChatMessageList
  test("draws an answer's markdown and a question as it was written", () => {
    render(<ChatMessageList messages={talk} isLoading={false} />);
    const log = screen.getByRole("log", { name: "Беседа об этом задании" });
    expect(within(log).getByText("Кто *лучший*?").className).toBe("bubble");
    expect(within(log).getByText("Анна Петрова").tagName).toBe("STRONG");
    expect(within(log).getAllByRole("listitem")).toHaveLength(2);
    // A separate region announces the answer once, not letter by letter.
    expect(log.getAttribute("aria-live")).toBe("off");
  });

  // design: 004 ChatMessageList
  test("shows that an answer is being written, and only then", () => {
    const { rerender } = render(<ChatMessageList messages={talk.slice(0, 1)} isLoading={true} />);
    expect(screen.getByText("Помощник печатает…")).toBeTruthy();
    expect(screen.getByRole("log").getAttribute("aria-busy")).toBe("true");
    rerender(<ChatMessageList messages={talk} isLoading={false} />);
    expect(screen.queryByText("Помощник печатает…")).toBeNull();
  });

  test("renders messages as text, not as elements", () => {
    const hostile = message("3", "assistant", "<img src=x onerror=alert(1)> [x](javascript:alert(1))");
    const { container } = render(<ChatMessageList messages={[hostile]} isLoading={false} />);
    expect(container.querySelector("img, script, a[href^=javascript]")).toBeNull();
  });
});

describe("ChatInput", () => {
  // design: 004 ChatInput
  test("Enter sends, Shift+Enter makes a line", () => {
    const onSend = vi.fn();
    render(<ChatInput onSend={onSend} disabled={false} placeholder="Спросите" />);
    const field = screen.getByPlaceholderText("Спросите");
    fireEvent.change(field, { target: { value: "Кто лучший?" } });
    fireEvent.keyDown(field, { key: "Enter", shiftKey: true });
    expect(onSend).not.toHaveBeenCalled();
    fireEvent.keyDown(field, { key: "Enter" });
    expect(onSend).toHaveBeenCalledExactlyOnceWith("Кто лучший?");
    expect((field as HTMLTextAreaElement).value).toBe("");
  });

  // design: 004 ChatInput
  test("sends nothing while it is disabled, and keeps what was written", () => {
    const onSend = vi.fn();
    render(<ChatInput onSend={onSend} disabled={true} placeholder="Ожидайте ответа…" />);
    const field = screen.getByPlaceholderText("Ожидайте ответа…");
    fireEvent.change(field, { target: { value: "Ещё вопрос" } });
    fireEvent.keyDown(field, { key: "Enter" });
    expect(onSend).not.toHaveBeenCalled();
    expect((field as HTMLTextAreaElement).value).toBe("Ещё вопрос");
  });

  test("shows how many characters are too many", () => {
    const onSend = vi.fn();
    render(<ChatInput onSend={onSend} disabled={false} limit={2000} placeholder="Спросите" />);
    fireEvent.change(screen.getByPlaceholderText("Спросите"), { target: { value: "ы".repeat(2001) } });
    fireEvent.keyDown(screen.getByPlaceholderText("Спросите"), { key: "Enter" });
    expect(onSend).not.toHaveBeenCalled();
    expect(screen.getByRole("alert").textContent).toContain("2000");
  });
});

describe("QuickReplies", () => {
  // design: 004 QuickReplies
  test("a click selects that reply", () => {
    const onSelect = vi.fn();
    render(<QuickReplies replies={["Сравнить", "Пригласить"]} onSelect={onSelect} disabled={false} />);
    fireEvent.click(screen.getByRole("button", { name: "Пригласить" }));
    expect(onSelect).toHaveBeenCalledExactlyOnceWith("Пригласить");
  });

  // design: 004 QuickReplies
  test("disabled ones cannot be clicked, none means no list", () => {
    const onSelect = vi.fn();
    const { rerender } = render(<QuickReplies replies={["Сравнить"]} onSelect={onSelect} disabled={true} />);
    fireEvent.click(screen.getByRole("button", { name: "Сравнить" }));
    expect(onSelect).not.toHaveBeenCalled();
    rerender(<QuickReplies replies={[]} onSelect={onSelect} disabled={false} />);
    expect(screen.queryByRole("list")).toBeNull();
  });
});

const START: ChatState = {
  loading: false,
  error: null,
  messages: [],
  olderCursor: null,
  loadingOlder: false,
  turns: new Map(),
  outbox: [],
  active: null,
  sending: false,
  stopping: false,
  reconnecting: false,
  resuming: false,
  editing: null,
};

const asked = {
  id: "m1",
  conversation_id: "s",
  role: "user" as const,
  author: { id: "p1", name: "Мария" },
  content: "Кто лучший?",
  created_at: "2026-11-16T09:00:00Z",
  metadata: { turn_id: "t1" },
};

describe("ChatSessionState", () => {
  // design: 004 ChatMessage, ChatSessionState
  test("an answer with its quick replies and its candidates", () => {
    const answer = {
      ...asked,
      id: "m2",
      role: "assistant" as const,
      author: null,
      content: "Анна",
      metadata: { turn_id: "t1", quick_replies: ["а", "б", "в", "г", "д"], candidatesMentioned: ["c1"] },
    };
    const state: ChatSessionState = sessionState("s", {
      ...START,
      messages: [asked, answer],
      olderCursor: "x",
    });
    expect(state).toMatchObject({ sessionId: "s", isLoading: false, error: null, hasMore: true });
    expect(state.messages.map(({ role, content }) => [role, content])).toEqual([
      ["user", "Кто лучший?"],
      ["assistant", "Анна"],
    ]);
    expect(state.messages[1]?.quickReplies).toEqual(["а", "б", "в", "г"]);
    expect(state.messages[1]?.candidates).toEqual(["c1"]);
    expect(state.messages[1]?.createdAt).toEqual(new Date(asked.created_at));
  });

  // design: 004 ChatSessionState, page errors
  test("a turn that failed says why in the reader's language, and its question stays", () => {
    const reducer = new TurnReducer("t1");
    const ended = {
      message: null,
      notice: "Unable to generate response, please try again",
      outcome: { outcome: "model_failed" as const, retry_after_seconds: 7 },
      usage: { input_tokens: 0, output_tokens: 0, cached_tokens: 0, estimated: false },
    };
    reducer.apply({ position: 1, name: "turn.failed", data: ended });
    const state = { ...START, messages: [asked], turns: new Map([["t1", reducer.current]]) };
    expect(sessionState("s", state).error).toBe("Не удалось получить ответ. Попробуйте ещё раз");
    expect(sessionState("s", state).messages).toHaveLength(1);
    expect(failed(state)).toEqual({ kind: "turn", turn: "t1", retryAfter: 7 });
  });

  // design: 004 ChatSessionState
  test("an unaccepted message stays, with a retry", () => {
    const outgoing = {
      key: "k1",
      content: "Кто дешевле?",
      attachments: [],
      form: null,
      at: asked.created_at,
      failure: { status: 429, code: "RATE_LIMITED", message: "", retryAt: 123 },
    };
    const state = { ...START, outbox: [outgoing] };
    expect(sessionState("s", state).messages.at(-1)?.content).toBe("Кто дешевле?");
    expect(sessionState("s", state).error).toBe("Слишком много запросов. Подождите минуту");
    expect(failed(state)).toEqual({ kind: "outgoing", key: "k1", retryAt: 123 });
  });
});

describe("GigAIChatPanel", () => {
  const SESSION = "5f0c5d1e-2b4a-4a31-9a55-018f6f2e7c1a";
  const history = {
    items: [
      asked,
      {
        ...asked,
        id: "m2",
        role: "assistant",
        content: "Лучший кандидат **Анна Петрова**.",
        metadata: {
          turn_id: "t1",
          latency_ms: 5,
          quick_replies: ["Пригласить на интервью"],
          candidatesMentioned: ["c1"],
        },
      },
    ],
    cursor: null,
    has_more: false,
  };
  const asks: string[] = [];

  /** The server; records the panel's requests. */
  const serve = (messages: unknown) => {
    asks.length = 0;
    const answer = async (input: RequestInfo | URL, init?: RequestInit) => {
      const path = String(input).replace("/api/v1", "");
      asks.push(`${init?.method ?? "GET"} ${path}`);
      const json = (body: unknown) => new Response(JSON.stringify(body), { status: 200 });
      if (path === "/gigs/g1/chat") return json({ sessionId: SESSION, gigId: "g1", success: true });
      if (path.startsWith(`/conversations/${SESSION}/messages`)) return json(messages);
      if (path.includes("ids=c1"))
        return json({ items: [{ id: "c1", name: "Анна Петрова", compositeScore: 82 }], total: 1 });
      return json({ items: [], requirements: { required_skills: ["HTML"] } });
    };
    vi.stubGlobal("fetch", vi.fn(answer));
  };
  const open = (isOpen: boolean, onClose = () => {}) => {
    const client = new QueryClient();
    return render(
      <QueryClientProvider client={client}>
        <GigAIChatPanel gigId="g1" isOpen={isOpen} onClose={onClose} />
      </QueryClientProvider>,
    );
  };

  // design: 004 GigAIChatPanel
  test("asks for nothing and shows nothing until it is open", () => {
    serve(history);
    open(false);
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(asks).toEqual([]);
  });

  // design: 004 GigAIChatPanel
  test("shows the history, links to the candidates it names, and closes", async () => {
    serve(history);
    const onClose = vi.fn();
    open(true, onClose);
    const panel = await screen.findByRole("dialog", { name: "AI Помощник" });
    await within(panel).findByText("Анна Петрова", { selector: "strong" });
    const link = await within(panel).findByRole("link", { name: /Анна Петрова/ });
    expect(link.getAttribute("href")).toBe("/gigs/g1?candidate=c1");
    expect(within(panel).getByRole("button", { name: "Пригласить на интервью" })).toBeTruthy();
    fireEvent.click(within(panel).getByRole("button", { name: "Закрыть помощника" }));
    expect(onClose).toHaveBeenCalledOnce();
  });

  test("offers examples when there is nothing yet", async () => {
    serve({ items: [], cursor: null, has_more: false });
    open(true);
    expect(await screen.findByRole("button", { name: "Кто лучший кандидат и почему?" })).toBeTruthy();
    expect(await screen.findByRole("button", { name: "У кого нет навыка HTML?" })).toBeTruthy();
  });

  test("clears only after it was confirmed", async () => {
    serve(history);
    open(true);
    fireEvent.click(await screen.findByRole("button", { name: "Очистить" }));
    const question = await screen.findByRole("dialog", { name: "Очистить беседу?" });
    expect(asks).not.toContain("DELETE /gigs/g1/chat");
    fireEvent.click(within(question).getByRole("button", { name: "Очистить" }));
    await waitFor(() => expect(asks).toContain("DELETE /gigs/g1/chat"));
  });
});
