#!/usr/bin/env python3
"""A gate pass API that somebody else might have written from the design: tests run the assistant against it.

It has the endpoints of the design and nothing else: no idempotency keys, no counts, no paging. `POST /control` sets the modes:
the wrapper of objects and lists, the notation of ids and times, error bodies, files, an API key, and faults. `GET /control/state`
returns the passes, the requests since the last call, and the number of requests that hang.
"""
import base64
import json
import re
import struct
import sys
import threading
import time
import zlib
from datetime import datetime, timezone
from email import message_from_bytes, policy
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

DEFAULTS = {
    "shape": "bare",  # bare, data, gate_pass, gatepass, result, camel, message
    "list": "bare",  # bare, items, data, data.items, results, named, passes
    "ids": "str",  # str, int
    "dates": "iso",  # iso, naive, space, epoch, epochms, dmy, rfc
    "errors": "fastapi",  # fastapi, fastapi_obj, rfc9457, django, rails, list, string, msg, html, empty
    "qr": "png",  # png, svg, jpg, b64
    "pr": "pdf",  # pdf, html, json
    "photo_url": "rel",  # rel, abs, query, urlfield
    "need_auth": None,  # [header, value]
    "faults": [],  # {"match": part of the path, "kind": hang, drop, status, raw or acthang, "n": times}
}
OPEN_STATES = {"approve": ["pending"], "reject": ["pending"], "exit": ["approved"], "return": ["exited"]}


class Refusal(Exception):
    def __init__(self, status, text, **facts):
        super().__init__(text)
        self.status, self.text, self.facts = status, text, facts


class Gate:
    def __init__(self):
        self.lock = threading.RLock()
        self.reset()

    def reset(self):
        self.modes = json.loads(json.dumps(DEFAULTS))
        self.passes, self.notices, self.photos, self.requests = {}, [], [], []
        self.last_pass = self.last_notice = self.hanging = 0

    def fault(self, path):
        with self.lock:
            for fault in self.modes["faults"]:
                if fault["match"] in path and fault["n"] > 0:
                    fault["n"] -= 1
                    return fault
        return {}

    def id_of(self, number):
        return number if self.modes["ids"] == "int" else f"id-{number}"

    def time(self, at):
        if at is None:
            return None
        notations = {
            "iso": lambda: at.isoformat(),
            "naive": lambda: at.replace(tzinfo=None).isoformat(timespec="microseconds"),
            "space": lambda: at.strftime("%Y-%m-%d %H:%M:%S"),
            "epoch": lambda: int(at.timestamp()),
            "epochms": lambda: int(at.timestamp() * 1000),
            "dmy": lambda: at.strftime("%d/%m/%Y %H:%M"),
            "rfc": lambda: at.strftime("%a, %d %b %Y %H:%M:%S GMT"),
        }
        return notations[self.modes["dates"]]()

    def view(self, one):
        shown = {key: value for key, value in one.items() if key not in ("serial",) and not key.endswith(("_at", "_time"))}
        shown["id"] = self.id_of(one["serial"])
        for key in ("created_at", "approved_at", "exit_time", "return_time"):
            shown[key] = self.time(one.get(key))
        shown["approved_by"] = one.get("approved_by")
        shown["qr_code_url"] = f"http://elsewhere.example/qr/{one['pass_number']}.png"
        shown["department"], shown["tags"] = "Facilities", ["visitor", None]
        return shown

    def notice(self, one):
        return {
            "id": one["serial"] if self.modes["ids"] == "int" else f"n{one['serial']}",
            "message": one["message"],
            "type": one["type"],
            "created_at": self.time(one["at"]),
            "is_read": one["is_read"],
            "related_pass_id": self.id_of(one["pass"]),
        }

    def tell(self, role, text, kind, serial):
        self.last_notice += 1
        at = datetime.now(timezone.utc)
        self.notices.insert(0, {"serial": self.last_notice, "to": role, "message": text, "type": kind, "at": at, "is_read": False, "pass": serial})

    def by_number(self, number):
        for one in self.passes.values():
            if one["pass_number"] == number:
                return one
        raise Refusal(404, f"Gate pass {number} not found")

    def by_id(self, text):
        for one in self.passes.values():
            if str(self.id_of(one["serial"])) == text:
                return one
        raise Refusal(404, f"No gate pass with id {text}")

    def must_be(self, one, action):
        if one["status"] not in OPEN_STATES[action]:
            raise Refusal(403, f"Cannot {action} a pass in state '{one['status']}'", state=one["status"])

    def create(self, given):
        wrong = {}
        for key in ("person_name", "description"):
            if not isinstance(given.get(key), str) or not given[key].strip():
                wrong[key] = "must not be empty"
        if not isinstance(given.get("is_returnable"), bool):
            wrong["is_returnable"] = "must be true or false"
        if wrong:
            raise Refusal(422, "validation", fields=wrong)
        self.last_pass += 1
        one = {"serial": self.last_pass, "pass_number": f"GP-2026-{self.last_pass:04}", "status": "pending", "created_at": datetime.now(timezone.utc)}
        one.update({key: given[key] for key in ("person_name", "description", "is_returnable")})
        self.passes[self.last_pass] = one
        self.tell("admin", f"{one['person_name']} asks for {one['pass_number']}", "created", self.last_pass)
        return one

    def decide(self, one, action, given):
        if not given.get("name"):
            raise Refusal(422, "validation", fields={"name": "field required"})
        if action == "delete":
            del self.passes[one["serial"]]
            return None
        self.must_be(one, action)
        if action == "approve":
            one.update(status="approved", approved_at=datetime.now(timezone.utc), approved_by=given["name"])
        else:
            one["status"] = "rejected"
        self.tell("hr", f"{one['pass_number']} is {one['status']}", one["status"], one["serial"])
        return one

    def scan(self, action, parts):
        missing = {key: "field required" for key in ("pass_number", "photo") if key not in parts}
        if missing:
            raise Refusal(422, "validation", fields=missing)
        one = self.by_number(parts["pass_number"][1].decode())
        self.must_be(one, action)
        if action == "return" and not one["is_returnable"]:
            raise Refusal(403, "This pass is not returnable", state="exited")
        now = datetime.now(timezone.utc)
        one.update({"status": "exited", "exit_time": now} if action == "exit" else {"status": "returned", "return_time": now})
        self.photos.append({"pass": one["pass_number"], "type": action, "at": now, "kind": parts["photo"][0], "bytes": parts["photo"][1]})
        return one


GATE = Gate()


def png():
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes(255 * ((x // 4 + y // 4) % 2) for x in range(32)) for y in range(32))
    head = struct.pack(">IIBBBBB", 32, 32, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.handle_request("GET")

    def do_POST(self):
        self.handle_request("POST")

    def answer(self, status, body, kind="application/json"):
        if self.mute:
            self.hang()
            return
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        self.send_header("x-request-id", "req-4711")
        self.end_headers()
        self.wfile.write(content)

    def hang(self):
        with GATE.lock:
            GATE.hanging += 1
        time.sleep(20)
        self.close_connection = True

    def refuse(self, refusal):
        style, fields, state = GATE.modes["errors"], refusal.facts.get("fields"), refusal.facts.get("state")
        if style == "html":
            return self.answer(refusal.status, f"<html><h1>{refusal.text}</h1></html>".encode(), "text/html")
        if style == "empty":
            return self.answer(refusal.status, b"", "text/plain")
        if fields:
            bodies = {
                "fastapi": {"detail": [{"loc": ["body", name], "msg": text, "type": "value_error"} for name, text in fields.items()]},
                "django": {name: [text] for name, text in fields.items()},
                "rfc9457": {"type": "about:blank", "title": "Validation failed", "status": 422, "errors": fields},
                "rails": {"errors": {name: [text] for name, text in fields.items()}},
                "list": {"success": False, "errors": [{"field": name, "message": text} for name, text in fields.items()]},
            }
            body = bodies.get(style, {"error": "validation failed"})
        else:
            bodies = {
                "fastapi_obj": {"detail": {"message": refusal.text, "current_status": state, "allowed_actions": ["print"]}},
                "rfc9457": {"type": "about:blank", "title": refusal.text, "status": refusal.status, "detail": refusal.text},
                "string": {"error": refusal.text},
                "msg": {"success": False, "message": refusal.text, "current_status": state},
            }
            body = bodies.get(style, {"detail": refusal.text})
        return self.answer(refusal.status, body)

    def one(self, one, status, text):
        view = GATE.view(one)
        shapes = {
            "bare": view,
            "data": {"success": True, "data": view},
            "gate_pass": {"message": text, "gate_pass": view},
            "gatepass": {"message": text, "gatepass": view},
            "result": {"result": view},
            "camel": {re.sub("_(.)", lambda match: match[1].upper(), key): value for key, value in view.items()},
            "message": {"message": text},
            "silent": {"message": text},
        }
        # A read without the object would answer nothing.
        shape = GATE.modes["shape"]
        self.answer(status, shapes["bare" if shape == "message" and self.command == "GET" else shape])

    def many(self, items, name):
        shapes = {
            "bare": items,
            "items": {"items": items, "total": len(items)},
            "data": {"success": True, "data": items},
            "data.items": {"success": True, "data": {"items": items, "total": len(items)}},
            "results": {"count": len(items), "next": None, "previous": None, "results": items},
            "named": {name: items, "total": len(items)},
            "passes": {"passes": items},
        }
        self.answer(200, shapes[GATE.modes["list"]])

    def handle_request(self, method):
        self.mute = False
        address = urlsplit(self.path)
        path = unquote(address.path)
        query = {key: values[0] for key, values in parse_qs(address.query).items()}
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        if path == "/control":
            with GATE.lock:
                modes = json.loads(body)
                if modes.pop("reset", False):
                    GATE.reset()
                GATE.modes.update(modes)
            return self.answer(200, GATE.modes)
        if path == "/control/state":
            with GATE.lock:
                requests, GATE.requests = GATE.requests, []
                passes = [{key: one[key] for key in ("pass_number", "person_name", "status")} for one in GATE.passes.values()]
            return self.answer(200, {"passes": passes, "requests": requests, "hanging": GATE.hanging})
        with GATE.lock:
            GATE.requests.append(f"{method} {self.path}")
        fault = GATE.fault(path)
        kind = fault.get("kind")
        try:
            need = GATE.modes["need_auth"]
            if need and self.headers.get(need[0]) != need[1]:
                raise Refusal(401, "Invalid API key")
            if kind == "hang":
                return self.hang()
            if kind == "drop":
                self.close_connection = True
                return self.connection.close()
            if kind == "status":
                trace = {"detail": "boom at line 42 of views.py: SELECT * FROM secrets"}
                return self.answer(fault["code"], fault.get("body", trace))
            if kind == "raw":
                return self.answer(fault.get("code", 200), fault["body"].encode())
            self.mute = kind == "acthang"
            self.route(method, path, query, body)
        except Refusal as refusal:
            self.refuse(refusal)
        except OSError:
            pass

    def parsed(self, body):
        try:
            return json.loads(body)
        except ValueError as error:
            raise Refusal(400, "Malformed JSON") from error

    def parts(self, body):
        kind = self.headers.get("content-type", "")
        if not kind.startswith("multipart/form-data"):
            raise Refusal(422, "validation", fields={"photo": "multipart expected"})
        message = message_from_bytes(b"content-type: " + kind.encode() + b"\r\n\r\n" + body, policy=policy.HTTP)
        found = {}
        for part in message.iter_parts():
            name = part.get_param("name", header="content-disposition")
            found[name] = (part.get_content_type(), part.get_payload(decode=True))
        return found

    def route(self, method, path, query, body):
        def match(pattern):
            return re.fullmatch(pattern, path)

        with GATE.lock:
            listed = [GATE.view(one) for one in GATE.passes.values() if query.get("status") in (None, one["status"])]
            if method == "POST":
                if path == "/hr/gatepass/create":
                    return self.one(GATE.create(self.parsed(body)), 201, "Gate pass created")
                if found := match(r"/admin/gatepass/([^/]+)/(approve|reject|delete)"):
                    changed = GATE.decide(GATE.by_number(found[1]), found[2], self.parsed(body))
                    return self.one(changed, 200, "done") if changed else self.answer(200, {"message": "deleted"})
                if found := match(r"/gate/scan-(exit|return)"):
                    return self.one(GATE.scan(found[1], self.parts(body)), 200, "recorded")
            elif path in ("/hr/gatepass/list", "/admin/gatepass/list"):
                return self.many(listed, "gate_passes")
            elif path == "/admin/gatepass/pending":
                return self.many([one for one in listed if one["status"] == "pending"], "gate_passes")
            elif found := match(r"/(?:hr|admin)/gatepass/([^/]+)/print"):
                return self.printed(GATE.by_number(found[1]))
            elif found := match(r"/(?:admin/gatepass|gate/gatepass/number)/([^/]+)"):
                return self.one(GATE.by_number(found[1]), 200, "found")
            elif found := match(r"/(?:hr/gatepass|gate/gatepass/id)/([^/]+)"):
                return self.one(GATE.by_id(found[1]), 200, "found")
            elif found := match(r"/gate/photos/([^/]+)"):
                return self.pictures(GATE.by_number(found[1])["pass_number"])
            elif found := match(r"/uploads/(\d+)\.jpg"):
                photo = GATE.photos[int(found[1])]
                return self.answer(200, photo["bytes"], photo["kind"])
            elif found := match(r"/notifications/(admin|hr)"):
                return self.many([GATE.notice(one) for one in GATE.notices if one["to"] == found[1]], "notifications")
            elif found := match(r"/notifications/mark-read/([^/]+)"):
                for one in GATE.notices:
                    if str(GATE.notice(one)["id"]) == found[1]:
                        one["is_read"] = True
                        return self.answer(200, {"success": True, "notification": GATE.notice(one)})
                raise Refusal(404, "Notification not found")
            elif found := match(r"/qr/([^/]+)"):
                return self.code(GATE.by_number(found[1])["pass_number"])
        raise Refusal(404, "Not Found")

    def printed(self, one):
        if one["status"] not in ("approved", "exited", "returned"):
            raise Refusal(403, f"Cannot print a pass in state '{one['status']}'", state=one["status"])
        style = GATE.modes["pr"]
        if style == "json":
            return self.answer(200, {"print_url": f"http://elsewhere.example/p/{one['pass_number']}.pdf"})
        if style == "html":
            return self.answer(200, b"<!doctype html><html><body><h1>Gate pass</h1></body></html>", "text/html; charset=utf-8")
        return self.answer(200, b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n", "application/pdf")

    def pictures(self, number):
        style, host, shown = GATE.modes["photo_url"], self.headers.get("host"), []
        for index, photo in enumerate(GATE.photos):
            if photo["pass"] != number:
                continue
            address = f"/uploads/{index}.jpg"
            address = {"abs": f"http://{host}{address}", "query": f"{address}?sig=abc"}.get(style, address)
            field = "url" if style == "urlfield" else "file_url"
            shown.append({"id": index, "type": photo["type"], "captured_at": GATE.time(photo["at"]), "captured_by": "Gate 2", field: address})
        return self.many(shown, "photos")

    def code(self, number):
        style = GATE.modes["qr"]
        if style == "svg":
            return self.answer(200, b'<svg xmlns="http://www.w3.org/2000/svg"><rect width="5" height="5"/></svg>', "image/svg+xml")
        if style == "jpg":
            return self.answer(200, b"\xff\xd8\xff\xe0" + b"x" * 200, "image/jpeg")
        if style == "b64":
            return self.answer(200, {"pass_number": number, "qr_code": "data:image/png;base64," + base64.b64encode(png()).decode()})
        return self.answer(200, png(), "image/png")


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(server.server_address[1], flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    # The test closes our input when it ends.
    sys.stdin.read()
