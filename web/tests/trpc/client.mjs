// The unmodified tRPC client against a running server: single calls, batches, errors, superjson, abort, subscriptions.
// Run by the server's own tests: node client.mjs URL TOKEN
import assert from "node:assert/strict";
import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  httpSubscriptionLink,
  TRPCClientError,
} from "@trpc/client";
import superjson from "superjson";
import { eventSource } from "./event-source.mjs";

const [url, token] = process.argv.slice(2);
const signedIn = { authorization: `Bearer ${token}` };
let last;
const noted = async (...request) => {
  const response = await fetch(...request);
  last = { status: response.status, headers: response.headers };
  return response;
};
const client = (link, headers = signedIn, more = {}) =>
  createTRPCClient({ links: [link({ url, headers, fetch: noted, ...more })] });

async function refused(promise) {
  const error = await promise.then(
    (data) => assert.fail(`expected an error, got ${JSON.stringify(data)}`),
    (error) => error,
  );
  assert.ok(error instanceof TRPCClientError, String(error));
  return error;
}

const codes = [
  ["BAD_REQUEST", -32600, 400],
  ["FORBIDDEN", -32003, 403],
  ["NOT_FOUND", -32004, 404],
  ["TIMEOUT", -32008, 408],
  ["CONFLICT", -32009, 409],
  ["TOO_MANY_REQUESTS", -32029, 429],
  ["INTERNAL_SERVER_ERROR", -32603, 500],
];

async function single() {
  const trpc = client(httpLink);
  const input = { text: "Привет, «Ann» & Co. 100% +?#", n: [1, null, true] };
  const echo = await trpc.scout.echo.query(input);
  assert.deepEqual(echo, { who: "Rae Lindqvist", input, createdAt: "2026-11-16T09:00:00Z" });
  assert.equal(last.status, 200);
  assert.equal(last.headers.get("vary"), "trpc-accept, accept");
  assert.match(last.headers.get("x-request-id"), /^[0-9a-f-]{36}$/);
  assert.deepEqual(await trpc.scout.count.mutate({ by: 2 }), { total: 2 });
  assert.deepEqual(await trpc.scout.count.mutate({ by: 3 }), { total: 5 });
}

async function errors() {
  const trpc = client(httpLink);
  for (const [code, number, httpStatus] of codes) {
    const error = await refused(trpc.scout.fail.mutate({ code }));
    assert.equal(error.message, `as asked: ${code}`);
    assert.deepEqual(error.shape, {
      message: `as asked: ${code}`,
      code: number,
      data: { code, httpStatus, path: "scout.fail" },
    });
    assert.equal(last.status, httpStatus);
    assert.equal(last.headers.get("retry-after"), code === "TOO_MANY_REQUESTS" ? "30" : null);
  }
  const unknown = await refused(trpc.scout.nothing.query({}));
  assert.equal(unknown.message, 'No procedure found on path "scout.nothing"');
  assert.deepEqual(unknown.data, { code: "NOT_FOUND", httpStatus: 404, path: "scout.nothing" });
  const wrong = await refused(trpc.scout.count.query({ by: 1 }));
  assert.equal(wrong.data.code, "METHOD_NOT_SUPPORTED");
  assert.equal(last.status, 405);
  const panicked = await refused(trpc.scout.panic.mutate({}));
  assert.equal(panicked.data.code, "INTERNAL_SERVER_ERROR");
  assert.equal(panicked.message, "Something went wrong on our side");
  const large = await refused(trpc.scout.count.mutate({ by: 1, text: "x".repeat(70_000) }));
  assert.equal(large.data.code, "PAYLOAD_TOO_LARGE");
  assert.equal(last.status, 413);
}

async function signIn() {
  // Input is validated before authentication.
  const nobody = client(httpLink, {});
  const blank = await refused(nobody.scout.echo.query("no object"));
  assert.equal(blank.data.code, "BAD_REQUEST");
  const error = await refused(nobody.scout.echo.query({}));
  assert.deepEqual(error.shape, {
    message: "Необходима авторизация",
    code: -32001,
    data: { code: "UNAUTHORIZED", httpStatus: 401, path: "scout.echo" },
  });
  assert.equal(last.headers.get("www-authenticate"), "Bearer");
  const english = client(httpLink, { "accept-language": "en" });
  assert.equal((await refused(english.scout.echo.query({}))).message, "Sign in to do this");
  const forged = client(httpLink, { authorization: "Bearer x.y.z" });
  assert.equal((await refused(forged.scout.echo.query({}))).data.httpStatus, 401);
}

async function batches() {
  const trpc = client(httpBatchLink);
  const [one, two] = await Promise.all([trpc.scout.echo.query({ n: 1 }), trpc.scout.echo.query({ n: 2 })]);
  assert.deepEqual([one.input, two.input], [{ n: 1 }, { n: 2 }]);
  assert.equal(last.status, 200);
  const mixed = await Promise.allSettled([
    trpc.scout.fail.mutate({ code: "FORBIDDEN" }),
    trpc.scout.count.mutate({ by: 1 }),
    trpc.scout.nothing.mutate({}),
  ]);
  assert.equal(last.status, 207);
  assert.equal(mixed[0].reason.data.code, "FORBIDDEN");
  assert.equal(mixed[0].reason.data.path, "scout.fail");
  assert.deepEqual(mixed[1].value, { total: 6 });
  assert.equal(mixed[2].reason.data.code, "NOT_FOUND");
  const alike = await Promise.allSettled(
    [1, 2].map(() => trpc.scout.fail.mutate({ code: "TOO_MANY_REQUESTS" })),
  );
  assert.equal(last.status, 429);
  assert.equal(last.headers.get("retry-after"), "30");
  assert.ok(alike.every((call) => call.reason.data.httpStatus === 429));
  const many = await Promise.allSettled(Array.from({ length: 21 }, (_, n) => trpc.scout.echo.query({ n })));
  assert.ok(many.every((call) => call.reason.data.code === "BAD_REQUEST"));
}

async function transformed() {
  for (const link of [httpLink, httpBatchLink]) {
    const trpc = client(link, signedIn, { transformer: superjson });
    const echo = await trpc.scout.echo.query({ n: 1, nothing: undefined });
    assert.deepEqual(echo.input, { n: 1 });
    assert.ok(echo.createdAt instanceof Date);
    assert.equal(echo.createdAt.toISOString(), "2026-11-16T09:00:00.000Z");
    const error = await refused(trpc.scout.fail.mutate({ code: "NOT_FOUND" }));
    assert.deepEqual(error.data, { code: "NOT_FOUND", httpStatus: 404, path: "scout.fail" });
  }
}

async function aborted() {
  const trpc = client(httpLink);
  const abort = new AbortController();
  const slow = refused(trpc.scout.slow.query({}, { signal: abort.signal }));
  while ((await trpc.scout.seen.query({})).begun === 0);
  abort.abort();
  assert.equal((await slow).cause.name, "AbortError");
  // The server notices the abort and drops the work.
  while ((await trpc.scout.seen.query({})).dropped === 0);
}

/** The values of a subscription, and its error. */
function collect(source, path, input, transformer) {
  const link = httpSubscriptionLink({ url, transformer, EventSource: eventSource(source) });
  const client = createTRPCClient({ links: [link] });
  const seen = [];
  return new Promise((done) => {
    path(client).subscribe(input, {
      onData: (value) => seen.push(value),
      onError: (error) => done({ seen, error }),
      onComplete: () => done({ seen }),
    });
  });
}

async function subscribed() {
  const headers = signedIn;
  const ticks = (client) => client.scout.ticks;
  const ids = (result) => result.seen.map((value) => value.id);
  const all = await collect({ headers }, ticks, { to: 4 });
  assert.deepEqual(ids(all), ["1", "2", "3", "4"]);
  assert.deepEqual(all.seen[0].data, { n: 1, createdAt: "2026-11-16T09:00:00Z" });
  // A lost connection: every value once, although the client asks again.
  const asked = [];
  const opened = (address, resume) => asked.push([new URL(address).searchParams.get("input"), resume]);
  const cut = await collect({ headers, cutAfter: (id) => id === "2", opened }, ticks, { to: 4 });
  assert.deepEqual(ids(cut), ["1", "2", "3", "4"]);
  assert.deepEqual(asked[1], ['{"to":4}', { "last-event-id": "2" }]);
  // A client that starts again with the id in its input.
  assert.deepEqual(ids(await collect({ headers }, ticks, { to: 4, lastEventId: "3" })), ["4"]);
  const dated = await collect({ headers }, ticks, { to: 1 }, superjson);
  assert.ok(dated.seen[0].data.createdAt instanceof Date);
  for (const [path, source, input, code] of [
    [ticks, { headers }, { to: 1, fail: "FORBIDDEN" }, "FORBIDDEN"],
    [ticks, { headers }, "no object", "BAD_REQUEST"],
    [ticks, {}, { to: 1 }, "UNAUTHORIZED"],
  ]) {
    const { error } = await collect(source, path, input);
    assert.ok(error instanceof TRPCClientError);
    assert.equal(error.data.code, code);
  }
}

for (const story of [single, errors, signIn, batches, transformed, aborted, subscribed]) {
  await story();
  console.log(`ok ${story.name}`);
}
