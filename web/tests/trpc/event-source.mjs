// An EventSource with headers, which browsers' own lacks: for httpSubscriptionLink. Reconnects as the standard says.

/** The events of a response, as they arrive. */
export async function* events(response) {
  let event = {};
  let rest = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      if (line === "") {
        if ("data" in event) yield event;
        event = {};
      } else if (!line.startsWith(":")) {
        const [, field, value] = /^(\w+):? ?(.*)$/.exec(line);
        event[field] = field === "data" && "data" in event ? `${event.data}\n${value}` : value;
      }
    }
  }
}

/** `headers` for every request; the connection is lost after an event for which `cutAfter` is true. */
export function eventSource({ headers = {}, cutAfter = () => false, opened = () => {}, lost = () => {} }) {
  return class extends EventTarget {
    CLOSED = 2;
    readyState = 0;
    #abort = new AbortController();
    #last = "";

    constructor(url) {
      super();
      this.#follow(url);
    }

    close() {
      this.readyState = 2;
      this.#abort.abort();
    }

    async #follow(url) {
      while (this.readyState !== 2) {
        const resume = this.#last ? { "last-event-id": this.#last } : {};
        opened(url, resume);
        try {
          const response = await fetch(url, {
            headers: { ...headers, ...resume },
            signal: this.#abort.signal,
          });
          if (!response.ok) this.readyState = 2;
          else await this.#read(response);
        } catch {}
        this.dispatchEvent(new Event("error"));
      }
    }

    async #read(response) {
      this.readyState = 1;
      for await (const { event = "message", data, id } of events(response)) {
        if (id !== undefined) this.#last = id;
        this.dispatchEvent(new MessageEvent(event, { data, lastEventId: this.#last }));
        if (this.readyState === 2) return;
        if (id !== undefined && cutAfter(id, data)) {
          await lost();
          break;
        }
      }
      this.readyState = 0;
    }
  };
}
