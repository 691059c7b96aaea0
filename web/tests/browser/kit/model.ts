/** A scripted model that speaks the OpenAI protocol on a real socket. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { addressOf, listen } from "./socket";

export interface Asked {
  messages: { role: string; content: unknown }[];
  tools?: { function: { name: string } }[];
}

/** A chunk of a reply, or a failure. */
export type Piece =
  | string
  | { call: string; arguments: object }
  | { fail: number; headers?: Record<string, string> }
  /** The connection is cut. */
  | { cut: true };

export type Reply = (asked: Asked) => AsyncGenerator<Piece> | Piece[];

export class ScriptedModel {
  readonly asked: Asked[] = [];
  private script: Reply[] = [];
  private otherwise: Reply = () => ["Understood."];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<ScriptedModel> {
    const server = createServer();
    const model = new ScriptedModel(server);
    server.on("request", (request, response) => void model.serve(request, response));
    await listen(server);
    return model;
  }

  get url(): string {
    return `${addressOf(this.server)}/v1`;
  }

  /** Queued replies, in order. */
  replies(...script: Reply[]): void {
    this.script.push(...script);
  }

  /** The reply when the queue is empty. */
  always(reply: Reply): void {
    this.otherwise = reply;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const asked = JSON.parse(Buffer.concat(parts).toString() || "{}") as Asked;
    this.asked.push(asked);
    const reply = this.script.shift() ?? this.otherwise;
    let begun = false;
    let calls = 0;
    const send = (delta: object, finish: string | null = null) => {
      if (!begun) response.writeHead(200, { "content-type": "text/event-stream" });
      begun = true;
      const chunk = {
        id: "chat-1",
        object: "chat.completion.chunk",
        model: "scripted",
        choices: [{ index: 0, delta, finish_reason: finish }],
      };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    };
    for await (const piece of reply(asked)) {
      if (response.destroyed) return;
      if (typeof piece === "string") send({ content: piece });
      else if ("call" in piece) {
        const fn = { name: piece.call, arguments: JSON.stringify(piece.arguments) };
        send({
          tool_calls: [
            { index: calls, id: `call_${this.asked.length}_${calls}`, type: "function", function: fn },
          ],
        });
        calls += 1;
      } else if ("cut" in piece) {
        response.destroy();
        return;
      } else {
        response.writeHead(piece.fail, { "content-type": "application/json", ...piece.headers });
        response.end(JSON.stringify({ error: { message: "scripted failure", type: "test" } }));
        return;
      }
    }
    send({}, calls ? "tool_calls" : "stop");
    response.end("data: [DONE]\n\n");
  }
}

/** A promise that a test resolves from outside. */
export function gate(): { open: () => void; passed: Promise<void> } {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
}
