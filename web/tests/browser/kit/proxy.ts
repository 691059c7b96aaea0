/** A proxy on a real socket that forwards or fails requests on demand. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { addressOf, listen } from "./socket";

/** One request is cut, answered with 503 and Retry-After, or forwarded. */
type Outcome = () => Promise<"cut" | { busy: number } | "through">;

export class FaultProxy {
  /** Outcomes of the next requests; later ones are forwarded. */
  readonly next: Outcome[] = [];
  /** Target base URL. */
  to = "";

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FaultProxy> {
    const server = createServer();
    const proxy = new FaultProxy(server);
    server.on("request", (request, response) => void proxy.serve(request, response));
    await listen(server);
    return proxy;
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
    const outcome = (await this.next.shift()?.()) ?? "through";
    if (outcome === "cut") {
      request.socket.destroy();
      return;
    }
    if (outcome !== "through") {
      response.writeHead(503, { "retry-after": String(outcome.busy) }).end();
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
