/** The real binary with its own data folder. */

import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../../../..");
const BINARY =
  process.env["FRONTDESK_BINARY"] ??
  join(process.env["CARGO_TARGET_DIR"] ?? join(ROOT, "target"), "debug/frontdesk");

/** In milliseconds; far more than a slow, busy machine needs. */
const READY_WITHIN = 90_000;

export class TestServer {
  private child: ChildProcess | null = null;
  private output = "";

  private constructor(
    readonly port: number,
    private readonly folder: string,
    private readonly settings: Record<string, string>,
  ) {}

  static async start(settings: Record<string, string> = {}): Promise<TestServer> {
    if (!existsSync(BINARY)) throw new Error(`${BINARY} is missing: run \`cargo build -p frontdesk\` first`);
    prepared ??= prepare();
    const folder = mkdtempSync(join(tmpdir(), "frontdesk-web-"));
    cpSync(await prepared, folder, { recursive: true });
    const server = new TestServer(await freePort(), folder, settings);
    await server.run();
    return server;
  }

  /** Starts a server once to prepare a data folder. */
  static async folderOnce(): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), "frontdesk-web-"));
    const server = new TestServer(await freePort(), folder, {});
    await server.run();
    // Listing the collections indexes the demo documents.
    await server.api("/collections", { token: await server.token("reader") });
    await server.end("SIGTERM");
    rmSync(join(folder, "data/server.lock"), { force: true });
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    return folder;
  }

  /** Writes a file into the data folder. */
  put(path: string, content: string): void {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async run(): Promise<void> {
    const child = spawn(BINARY, ["serve", "--bind", `127.0.0.1:${this.port}`], {
      cwd: this.folder,
      env: {
        PATH: process.env["PATH"] ?? "",
        FRONTDESK_DATA_DIR: join(this.folder, "data"),
        ...this.settings,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.child = child;
    const collect = (chunk: Buffer) => {
      this.output += chunk.toString();
    };
    child.stdout?.on("data", collect);
    child.stderr?.on("data", collect);
    for (const late = Date.now() + READY_WITHIN; Date.now() < late; ) {
      if (child.exitCode !== null) throw new Error(`the server ended at once:\n${this.output}`);
      const ready = await fetch(`${this.url}/readyz`).then(
        (response) => response.ok,
        () => false,
      );
      if (ready) return;
      await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error(`the server was not ready in time:\n${this.output}`);
  }

  /** Simulates a crash. */
  async kill(): Promise<void> {
    await this.end("SIGKILL");
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once("exit", done));
    child.kill(signal);
    await ended;
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async token(persona: string): Promise<string> {
    const answer = await this.api("/demo/sign-in", { method: "POST", body: { persona } });
    return (answer as { token: string }).token;
  }

  /** The items of a list. */
  async list<T>(path: string, options: { token?: string } = {}): Promise<T[]> {
    return ((await this.api(path, options)) as { items: T[] }).items;
  }

  async api(
    path: string,
    options: { method?: string; body?: unknown; token?: string } = {},
  ): Promise<unknown> {
    const response = await fetch(`${this.url}/api/v1${path}`, {
      method: options.method ?? "GET",
      headers: {
        "content-type": "application/json",
        ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
      },
      ...(options.body ? { body: JSON.stringify(options.body) } : {}),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.status === 204 ? null : response.json();
  }
}

/** Demo data is created once per worker and copied. */
let prepared: Promise<string> | null = null;
const prepare = () => TestServer.folderOnce();

/** Below the ephemeral port range, so that no connection takes the port before the server does,
 * nor while the server restarts. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const probe = createServer();
    const free = await new Promise<boolean>((done) => {
      probe.once("error", () => done(false));
      probe.listen(port, "127.0.0.1", () => done(true));
    });
    if (!free) continue;
    await new Promise((done) => probe.close(done));
    return port;
  }
}
