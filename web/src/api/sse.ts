/** Server-sent events from a fetched response. `EventSource` cannot send a token in a header. */

export interface SseEvent {
  id: string;
  event: string;
  data: string;
}

/** Incremental parser for `text/event-stream`, as specified by the HTML standard. */
export class SseParser {
  private rest = "";
  private id = "";
  private event = "";
  private data: string[] = [];

  feed(chunk: string): SseEvent[] {
    const found: SseEvent[] = [];
    this.rest += chunk;
    for (;;) {
      const match = /\r\n|\n|\r/.exec(this.rest);
      if (!match) break;
      // A lone CR at the very end may be the first half of CRLF.
      if (match[0] === "\r" && match.index === this.rest.length - 1) break;
      const line = this.rest.slice(0, match.index);
      this.rest = this.rest.slice(match.index + match[0].length);
      const event = this.line(line);
      if (event) found.push(event);
    }
    return found;
  }

  private line(line: string): SseEvent | null {
    if (line === "") {
      const event = { id: this.id, event: this.event || "message", data: this.data.join("\n") };
      const complete = this.data.length > 0;
      this.event = "";
      this.data = [];
      return complete ? event : null;
    }
    const colon = line.indexOf(":");
    if (colon === 0) return null;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "id") this.id = value;
    else if (field === "event") this.event = value;
    else if (field === "data") this.data.push(value);
    return null;
  }
}

/** Yields the events of a response until it ends; throws when the connection breaks. */
export async function* events(response: Response): AsyncGenerator<SseEvent> {
  if (!response.body) return;
  const parser = new SseParser();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield* parser.feed(value);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
