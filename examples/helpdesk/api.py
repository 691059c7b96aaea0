"""A small helpdesk for trying the assistant: python3 api.py PORT. It keeps tickets in memory and speaks JSON."""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlparse

TICKETS = {
    1: {"id": 1, "subject": "Screen flickers", "state": "closed", "requester": "rolf@example.com"},
    2: {"id": 2, "subject": "VPN drops every hour", "state": "open", "requester": "rolf@example.com"},
    3: {"id": 3, "subject": "New badge for Kim", "state": "open", "requester": "kim@example.com"},
}
SEEN = {}


class Desk(BaseHTTPRequestHandler):
    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def handle_request(self):
        if self.headers.get("authorization") != "Bearer desk-secret":
            return self.answer(401, {"error": {"message": "bad token"}})
        url = urlparse(self.path)
        parts = [part for part in url.path.split("/") if part]
        query = {key: values[0] for key, values in parse_qs(url.query).items()}
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or "{}")
        key = self.headers.get("idempotency-key")
        if self.command != "GET" and key in SEEN:
            return self.answer(*SEEN[key])
        result = self.act(self.command, parts, query, body)
        if self.command != "GET" and key:
            SEEN[key] = result
        return self.answer(*result)

    def act(self, method, parts, query, body):
        if parts == ["tickets"] and method == "GET":
            found = [t for t in TICKETS.values() if all(t.get(k) == v for k, v in query.items())]
            return 200, {"items": found[::-1]}
        if parts == ["tickets"] and method == "POST":
            number = max(TICKETS, default=0) + 1
            TICKETS[number] = {"id": number, "state": "open", **body}
            return 201, TICKETS[number]
        ticket = TICKETS.get(int(parts[1])) if len(parts) > 1 and parts[1].isdigit() else None
        if ticket is None:
            return 404, {"error": {"message": "no such ticket"}}
        if len(parts) == 2 and method == "GET":
            return 200, ticket
        if len(parts) == 2 and method == "DELETE":
            return 200, TICKETS.pop(ticket["id"])
        if parts[2:] == ["close"] and method == "POST":
            if ticket["state"] == "closed":
                return 409, {"error": {"message": "the ticket is closed already"}}
            ticket["state"] = "closed"
            return 200, ticket
        return 404, {"error": {"message": "no such page"}}

    do_GET = do_POST = do_DELETE = handle_request

    def log_message(self, text, *values):
        sys.stderr.write(f"{self.command} {self.path} {text % values}\n")


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Desk).serve_forever()
