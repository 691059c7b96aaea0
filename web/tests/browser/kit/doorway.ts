/** Stands before a service on a real socket, and lets requests through or turns them away as a test says. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { addressOf, listen } from "./socket";

/** What becomes of one request: its connection breaks, it is asked for patience, or it goes through. */
type Turn = () => Promise<"cut" | { busy: number } | "through">;

export class Doorway {
  /** Requests to come, in order; those after them go through. */
  readonly next: Turn[] = [];
  /** Where requests go through to. */
  to = "";

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Doorway> {
    const server = createServer();
    const doorway = new Doorway(server);
    server.on("request", (request, response) => void doorway.serve(request, response));
    await listen(server);
    return doorway;
  }

  get url(): string {
    return addressOf(this.server);
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const turn = (await this.next.shift()?.()) ?? "through";
    if (turn === "cut") {
      request.socket.destroy();
      return;
    }
    if (turn !== "through") {
      response.writeHead(503, { "retry-after": String(turn.busy) }).end();
      return;
    }
    const { host: _, connection: __, ...headers } = request.headers;
    const answer = await fetch(this.to + request.url, {
      method: request.method ?? "GET",
      headers: headers as Record<string, string>,
      ...(parts.length ? { body: Buffer.concat(parts) } : {}),
    });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
    response.end(Buffer.from(await answer.arrayBuffer()));
  }
}
