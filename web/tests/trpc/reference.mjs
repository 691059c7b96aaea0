// A real @trpc/server router with the procedures of gig.aiChat beside our server: both must give the same
// statuses, codes and shapes. Run by the server's own tests: node reference.mjs URL TOKEN GIG
import assert from "node:assert/strict";
import { createTRPCClient, httpBatchStreamLink, httpLink, httpSubscriptionLink } from "@trpc/client";
import { initTRPC, TRPCError, tracked } from "@trpc/server";
import { createHTTPServer } from "@trpc/server/adapters/standalone";
import superjson from "superjson";
import { eventSource, events } from "./event-source.mjs";

const [url, token, gig] = process.argv.slice(2);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const t = initTRPC.context().create({ isDev: false });
const gigId = (value) => {
  if (typeof value?.gigId !== "string" || !UUID.test(value.gigId)) throw new Error("gigId");
  return value;
};
const limited = (value) => {
  const limit = value.limit === undefined ? 50 : value.limit;
  if (typeof limit !== "number" || limit < 1 || limit > 50) throw new Error("limit");
  return value;
};
const worded = (value) => {
  const { message } = value;
  if (typeof message !== "string" || message.length < 1 || message.length > 2000) throw new Error("message");
  return value;
};
const turned = (value) => {
  if (typeof value.turnId !== "string" || !UUID.test(value.turnId)) throw new Error("turnId");
  return value;
};
let answered = [];
// The design checks the input first, then the person, then the gig.
const open = (check) =>
  t.procedure
    .input((value) => check(gigId(value)))
    .use(({ ctx, input, next }) => {
      if (!ctx.signedIn) throw new TRPCError({ code: "UNAUTHORIZED" });
      if (input.gigId !== gig) throw new TRPCError({ code: "NOT_FOUND" });
      return next();
    });
const aiChat = t.router({
  sendMessage: open(worded).mutation(() => ({ message: "", quickReplies: [], metadata: {} })),
  getHistory: open(limited).query(() => ({ messages: [], hasMore: false })),
  clearHistory: open((value) => value).mutation(() => ({ success: true })),
  // Streams what the other server answered, so that both can be compared.
  onAnswer: open(turned).subscription(async function* ({ input }) {
    for (const { id, data } of answered) {
      if (Number(id) > Number(input.lastEventId ?? 0)) yield tracked(id, data);
    }
  }),
});
const reference = createHTTPServer({
  router: t.router({ gig: t.router({ aiChat }) }),
  basePath: "/api/trpc/",
  createContext: ({ req }) => ({ signedIn: req.headers.authorization === `Bearer ${token}` }),
  onError: () => {},
});
await new Promise((ready) => reference.listen(0, "127.0.0.1", ready));
const theirs = `http://127.0.0.1:${reference.address().port}/api/trpc`;

const query = (input) =>
  `input=${encodeURIComponent(typeof input === "string" ? input : JSON.stringify(input))}`;
const read = (path, input) => ({ method: "GET", path: `${path}?${query(input)}` });
const write = (path, input) => ({
  method: "POST",
  path,
  body: typeof input === "string" ? input : JSON.stringify(input),
});
const NONE = "018f6f2e-7c1a-7a31-9a55-3f0c5d1e2b4a";
const H = "gig.aiChat.getHistory";
const C = "gig.aiChat.clearHistory";
const S = "gig.aiChat.sendMessage";
const cases = {
  history: read(H, { gigId: gig }),
  "history of one": read(H, { gigId: gig, limit: 1 }),
  cleared: write(C, { gigId: gig }),
  "unknown procedure": read("gig.aiChat.none", {}),
  "unknown procedure with a broken input": read("gig.aiChat.none", "{"),
  "query by POST": write(H, { gigId: gig }),
  "mutation by GET": read(C, { gigId: gig }),
  "broken input of a query": read(H, "{"),
  "broken input of a mutation": write(C, "{"),
  "no input": { method: "GET", path: H },
  "limit of null": read(H, { gigId: gig, limit: null }),
  "limit of 0": read(H, { gigId: gig, limit: 0 }),
  "limit of 51": read(H, { gigId: gig, limit: 51 }),
  "limit as a text": read(H, { gigId: gig, limit: "5" }),
  "id without hyphens": read(H, { gigId: gig.replaceAll("-", "") }),
  "id in braces": read(H, { gigId: `{${gig}}` }),
  "no message": write(S, { gigId: gig }),
  "long message": write(S, { gigId: gig, message: "x".repeat(2001) }),
  "unknown gig": read(H, { gigId: NONE }),
  "not signed in": { ...read(H, { gigId: gig }), anonymous: true },
  "wrong input, not signed in": { ...read(H, { gigId: "x" }), anonymous: true },
  batch: read(`${H},${H}`, { 0: { gigId: gig }, 1: { gigId: gig } }),
  "batch with an error": read(`${H},${H}`, { 0: { gigId: gig }, 1: { gigId: NONE } }),
  "batch with an unknown one": read(`${H},gig.aiChat.none`, { 0: { gigId: gig } }),
  "batch of a list": read(`${H},${H}`, [1]),
  "batch of two kinds": read(`${H},${C}`, { 0: { gigId: gig }, 1: { gigId: gig } }),
};

async function ask(base, { method, path, body, anonymous }) {
  const headers = { "content-type": "application/json" };
  if (!anonymous) headers.authorization = `Bearer ${token}`;
  const batch = path.includes(",") ? `${path.includes("?") ? "&" : "?"}batch=1` : "";
  const response = await fetch(`${base}/${path}${batch}`, { method, headers, ...(body && { body }) });
  return { status: response.status, body: shape(await response.json()) };
}

/** Without words: those are the design's, in the person's language. */
function shape(value) {
  if (Array.isArray(value)) return value.map(shape);
  if (value.error) return { error: { ...value.error, message: typeof value.error.message } };
  return value;
}

for (const [name, request] of Object.entries(cases)) {
  assert.deepEqual(await ask(url, request), await ask(theirs, request), name);
  console.log(name);
}

for (const transformer of [undefined, superjson]) {
  const link = httpBatchStreamLink({ url, headers: { authorization: `Bearer ${token}` }, transformer });
  const client = createTRPCClient({ links: [link] });
  const [history, cleared, missing] = await Promise.allSettled([
    client.gig.aiChat.getHistory.query({ gigId: gig }),
    client.gig.aiChat.clearHistory.mutate({ gigId: gig }),
    client.gig.aiChat.getHistory.query({ gigId: NONE }),
  ]);
  assert.deepEqual(history.value, { messages: [], hasMore: false });
  assert.deepEqual(cleared.value, { success: true });
  assert.equal(missing.reason.data.code, "NOT_FOUND");
  console.log("streamed batch");
}
async function streamed(base, { path, anonymous, last }) {
  const headers = { accept: "text/event-stream" };
  if (!anonymous) headers.authorization = `Bearer ${token}`;
  if (last) headers["last-event-id"] = last;
  const response = await fetch(`${base}/${path}`, { headers });
  const seen = [];
  for await (const event of events(response)) {
    seen.push(event.event === "serialized-error" ? { ...event, data: words(event.data) } : event);
  }
  return { status: response.status, type: response.headers.get("content-type"), seen };
}
const words = (data) => ({ ...JSON.parse(data), message: "" });

const headers = { authorization: `Bearer ${token}` };
const { gig: mine } = createTRPCClient({ links: [httpLink({ url, headers })] });
const { turnId } = await mine.aiChat.startMessage.mutate({ gigId: gig, message: "Кто самый дешёвый?" });
const input = { gigId: gig, turnId };
const live = await new Promise((done, failed) => {
  const seen = [];
  const link = httpSubscriptionLink({ url, EventSource: eventSource({ headers }) });
  createTRPCClient({ links: [link] }).gig.aiChat.onAnswer.subscribe(input, {
    onData: (value) => seen.push(value),
    onError: failed,
    onComplete: () => done(seen),
  });
});
const texts = live.filter(({ data }) => data.type === "text").map(({ data }) => data.text);
const reply = live.at(-1).data;
assert.equal(reply.type, "reply");
assert.equal(texts.join(""), reply.message);
assert.deepEqual((await mine.aiChat.getHistory.query({ gigId: gig })).messages.at(-1).content, reply.message);
console.log("streamed answer");

const W = "gig.aiChat.onAnswer";
const replay = async (last) =>
  (await streamed(url, { path: `${W}?${query(input)}`, last })).seen
    .filter(({ id }) => id)
    .map(({ id, data }) => ({ id, data: JSON.parse(data) }));
answered = await replay();
// From the middle of a text, exactly the rest follows.
const half = live.filter(({ data }) => data.type === "text").at(0).id;
const rest = (await replay(half)).filter(({ data }) => data.type === "text").map(({ data }) => data.text);
assert.equal(rest.join(""), texts.slice(1).join(""));
const middle = answered[0].id;
const streams = {
  "a finished answer": { path: `${W}?${query(input)}` },
  "resumed by header": { path: `${W}?${query(input)}`, last: middle },
  "resumed by address": { path: `${W}?${query(input)}&lastEventId=${middle}` },
  "resumed by input": { path: `${W}?${query({ ...input, lastEventId: middle })}` },
  "a turn that is none": { path: `${W}?${query({ gigId: gig, turnId: 5 })}` },
  "an unknown gig": { path: `${W}?${query({ ...input, gigId: NONE })}` },
  "not signed in": { path: `${W}?${query(input)}`, anonymous: true },
  "a broken input": { path: `${W}?${query("{")}` },
};
for (const [name, request] of Object.entries(streams)) {
  const [ours, their] = [await streamed(url, request), await streamed(theirs, request)];
  assert.deepEqual(ours, their, name);
  console.log(name);
}
const foreign = await streamed(url, { path: `${W}?${query({ gigId: gig, turnId: NONE })}` });
assert.equal(JSON.parse(JSON.stringify(foreign.seen.at(-1).data)).data.code, "NOT_FOUND");
console.log("a turn of nobody");
for (const base of [url, theirs]) {
  const batched = await fetch(`${base}/${W}?batch=1&${query({ 0: input })}`, { headers });
  assert.equal((await batched.json())[0].error.data.code, "BAD_REQUEST");
}
console.log("a subscription in a batch");
reference.close();
process.exit(0);
