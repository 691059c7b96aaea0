// The unmodified tRPC client follows an answer although its connection is lost after each part of the text. Run by
// the server's own tests, which decide when it may connect again: node resume.mjs URL TOKEN GIG
import assert from "node:assert/strict";
import { createInterface } from "node:readline";
import { createTRPCClient, httpLink, httpSubscriptionLink } from "@trpc/client";
import { eventSource } from "./event-source.mjs";

const [url, token, gig] = process.argv.slice(2);
const headers = { authorization: `Bearer ${token}` };
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const mine = createTRPCClient({ links: [httpLink({ url, headers })] }).gig.aiChat;

const { turnId } = await mine.startMessage.mutate({ gigId: gig, message: "Кто самый дешёвый?" });
console.log(turnId);
const resumed = [];
const source = eventSource({
  headers,
  opened: (_, resume) => resumed.push(resume["last-event-id"]),
  cutAfter: (_, data) => JSON.parse(data).type === "text",
  lost: async () => {
    console.log("lost");
    await lines.next();
  },
});
const seen = await new Promise((done, failed) => {
  const seen = [];
  const link = httpSubscriptionLink({ url, EventSource: source });
  createTRPCClient({ links: [link] }).gig.aiChat.onAnswer.subscribe(
    { gigId: gig, turnId },
    { onData: (value) => seen.push(value), onError: failed, onComplete: () => done(seen) },
  );
});
const texts = seen.filter(({ data }) => data.type === "text");
const reply = seen.at(-1).data;
assert.equal(reply.type, "reply");
assert.equal(reply.message, "Самый дешёвый — Иван: 10000 RUB");
assert.equal(texts.map(({ data }) => data.text).join(""), reply.message);
// Nothing was void, nothing came twice, and each connection began where the last one ended.
assert.deepEqual(new Set(seen.map(({ data }) => data.type)), new Set(["text", "reply"]));
const ids = seen.map(({ id }) => Number(id));
assert.ok(
  ids.every((id, place) => place === 0 || id > ids[place - 1]),
  String(ids),
);
assert.deepEqual(resumed, [undefined, ...texts.map(({ id }) => id)]);
assert.ok(texts.length >= 3, String(texts.length));
console.log("done");
process.exit(0);
