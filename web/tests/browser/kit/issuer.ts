/** An identity provider on a real socket: OpenID Connect with PKCE and single-use codes. */

import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Somebody {
  name: string;
  email: string;
  roles: string[];
}

interface Code {
  challenge: string;
  redirect: string;
}

const KEY_ID = "key-1";

export class Issuer {
  /** Parameters of the requests to `authorize`, oldest first. */
  readonly asked: URLSearchParams[] = [];
  readonly redeemed: URLSearchParams[] = [];
  private readonly codes = new Map<string, Code>();
  private readonly id = randomUUID();
  private readonly key: KeyObject;
  private readonly jwk: object;

  private constructor(
    private readonly server: Server,
    private readonly person: Somebody,
  ) {
    const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.key = pair.privateKey;
    this.jwk = { ...pair.publicKey.export({ format: "jwk" }), kid: KEY_ID, use: "sig", alg: "ES256" };
  }

  static async start(person: Somebody): Promise<Issuer> {
    const server = createServer();
    const issuer = new Issuer(server, person);
    server.on("request", (request, response) => void issuer.serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return issuer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Server settings that use this issuer. */
  get settings(): Record<string, string> {
    return {
      FRONTDESK_AUTH_ISSUER: this.url,
      FRONTDESK_AUTH_JWKS_URL: `${this.url}/jwks`,
      FRONTDESK_AUTH_CLIENT_ID: "frontdesk-web",
    };
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.url);
    const json = (status: number, body: object) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    switch (url.pathname) {
      case "/.well-known/openid-configuration":
        return json(200, {
          issuer: this.url,
          authorization_endpoint: `${this.url}/authorize`,
          token_endpoint: `${this.url}/token`,
          jwks_uri: `${this.url}/jwks`,
        });
      case "/jwks":
        return json(200, { keys: [this.jwk] });
      case "/authorize":
        return this.authorize(url.searchParams, response);
      case "/token": {
        const parts: Buffer[] = [];
        for await (const part of request) parts.push(part as Buffer);
        const form = new URLSearchParams(Buffer.concat(parts).toString());
        const token = this.redeem(form);
        return token
          ? json(200, { access_token: token, token_type: "Bearer" })
          : json(400, { error: "invalid_grant" });
      }
      default:
        return json(404, {});
    }
  }

  /** The consent page. */
  private authorize(asked: URLSearchParams, response: ServerResponse) {
    this.asked.push(asked);
    const code = randomUUID();
    const redirect = asked.get("redirect_uri") ?? "";
    this.codes.set(code, { challenge: asked.get("code_challenge") ?? "", redirect });
    const back = (values: Record<string, string>) =>
      `${redirect}?${new URLSearchParams({ ...values, state: asked.get("state") ?? "" })}`;
    response.writeHead(200, { "content-type": "text/html" });
    response.end(
      `<!doctype html><title>Issuer</title><h1>Sign in</h1>
       <a href="${back({ code })}">Continue as ${this.person.name}</a>
       <a href="${back({ error: "access_denied", error_description: "You said no" })}">Cancel</a>`,
    );
  }

  private redeem(form: URLSearchParams): string | null {
    this.redeemed.push(form);
    const given = form.get("code") ?? "";
    const code = this.codes.get(given);
    this.codes.delete(given);
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const good =
      code !== undefined &&
      challenge === code.challenge &&
      form.get("redirect_uri") === code.redirect &&
      form.get("client_id") === "frontdesk-web" &&
      form.get("grant_type") === "authorization_code";
    return good ? this.token() : null;
  }

  private token(): string {
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
    const now = Math.floor(Date.now() / 1000);
    const { name, email, roles } = this.person;
    const body = [
      encode({ alg: "ES256", kid: KEY_ID, typ: "JWT" }),
      encode({
        iss: this.url,
        sub: this.id,
        aud: "authenticated",
        iat: now,
        exp: now + 3600,
        email,
        app_metadata: { name, roles },
      }),
    ].join(".");
    const signature = sign("sha256", Buffer.from(body), { key: this.key, dsaEncoding: "ieee-p1363" });
    return `${body}.${signature.toString("base64url")}`;
  }
}
