/** A scripted model that speaks the OpenAI protocol on a real socket. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { addressOf, listen } from "./socket";

export interface ModelRequest {
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

export type Reply = (asked: ModelRequest) => AsyncGenerator<Piece> | Piece[];

export class ScriptedModel {
  readonly asked: ModelRequest[] = [];
  private script: Reply[] = [];
  private otherwise: Reply = () => ["Understood."];
  /** Answers to small questions, by their instructions; they are not part of the script. */
  private small: [RegExp, (message: string) => string][] = [
    [/^Write a title/, (message) => message.split("\n")[0]?.slice(0, 60) ?? ""],
    [/^Choose the assistant/, () => "nobody"],
  ];

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

  /** The answer to small questions with these instructions. */
  answer(instructions: RegExp, answer: string): void {
    this.small.unshift([instructions, () => JSON.stringify({ answer })]);
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const asked = JSON.parse(Buffer.concat(parts).toString() || "{}") as ModelRequest;
    const [system, message] = asked.messages.map(({ content }) => String(content));
    const answer = this.small.find(([instructions]) => instructions.test(system ?? ""))?.[1];
    if (!answer) this.asked.push(asked);
    const scripted = () => this.script.shift() ?? this.otherwise;
    const reply: Reply = answer ? () => [answer(message ?? "")] : scripted();
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
