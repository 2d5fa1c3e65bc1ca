/**
 * A real OpenID provider on loopback for tests (oidc-provider). It signs in `person` without asking, and can be told to send
 * something else in its ID tokens, to change its keys, and to be away.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { decodeJwt, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from "jose";
import Provider, { type Configuration } from "oidc-provider";

export interface TestPerson {
  subject: string;
  email: string;
  /** Undefined: the provider does not say. */
  verified: boolean | undefined;
  groups: string[] | undefined;
}

export const testClient = { clientId: "fuxi", secret: "s".repeat(40) };
const eventName = "http://schemas.openid.net/event/backchannel-logout";

type Claims = Record<string, unknown>;

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const kid = `key-${Math.random().toString(36).slice(2)}`;
  return { ...(await exportJWK(privateKey)), kid, alg: "ES256", use: "sig" };
}

export class TestOpenId {
  person: TestPerson = { subject: "u1", email: "", verified: true, groups: undefined };
  /** Changes the claims of ID tokens before they are signed. */
  tamper: ((claims: Claims) => Claims) | undefined;
  /** Whether it sends refresh tokens. */
  refreshes = false;
  /** Refresh tokens are refused: the person was removed. */
  revoked = false;
  /** How many requests came to the token endpoint. */
  exchanges = 0;
  #server: Server | undefined;
  #port = 0;
  #key: JWK = { kty: "EC" };
  #provider: Provider | undefined;
  readonly #redirectUris: string[] = [];
  readonly #afterLogout = new Set<string>();

  get issuer(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  static async open(): Promise<TestOpenId> {
    const opened = new TestOpenId();
    opened.#key = await newKey();
    await opened.start();
    return opened;
  }

  /** Registers a client’s callback, and the page after a logout. */
  allow(callback: string, afterLogout = "http://localhost:3000/signin"): void {
    this.#redirectUris.push(callback);
    this.#afterLogout.add(afterLogout);
    this.#provider = this.#makeProvider();
  }

  async rotateKeys(): Promise<void> {
    this.#key = await newKey();
    this.#provider = this.#makeProvider();
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => void this.#answer(request, response));
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve));
    // A server with a TCP port has an address of this kind.
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
    this.#provider ??= this.#makeProvider();
  }

  async stop(): Promise<void> {
    const server = this.#server;
    server?.closeAllConnections();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  }

  /** The callback URL of a sign-in, as the browser gets it. */
  async authorize(url: string): Promise<URL> {
    const jar = new Map<string, string>();
    let at = new URL(url);
    for (let hops = 0; hops < 10; hops++) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
      const answer = await fetch(at, { redirect: "manual", headers: { cookie } });
      for (const one of answer.headers.getSetCookie()) {
        const [pair = ""] = one.split(";");
        jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
      }
      const location = answer.headers.get("location");
      if (!location) throw new Error(`${at} answered ${answer.status}: ${await answer.text()}`);
      at = new URL(location, at);
      if (at.origin !== this.issuer) return at;
    }
    throw new Error("Too many redirects");
  }

  /** Signed by this provider; `more` replaces claims. */
  async logoutToken(claims: Claims, more: Claims = {}, key = this.#key): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const payload = {
      ...{ iss: this.issuer, aud: testClient.clientId, iat: now, exp: now + 120 },
      ...{ jti: Math.random().toString(36), events: { [eventName]: {} } },
      ...claims,
      ...more,
    };
    return await this.#sign(payload, key);
  }

  async #sign(payload: Claims, key: JWK): Promise<string> {
    return await new SignJWT(payload)
      .setProtectedHeader({ alg: "ES256", kid: String(key.kid) })
      .sign(await importJWK(key, "ES256"));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const provider = this.#provider;
    if (!provider) return;
    if (request.url?.startsWith("/interaction/")) {
      const login = { login: { accountId: this.person.subject } };
      await provider.interactionFinished(request, response, login);
      return;
    }
    if (request.url === "/token") this.#changeTokens(response);
    await provider.callback()(request, response);
  }

  #changeTokens(response: ServerResponse): void {
    this.exchanges += 1;
    const end = response.end.bind(response);
    const changed = async (body: unknown) => {
      const { revoked, tamper } = this;
      const answer = JSON.parse(String(body));
      if (revoked) {
        response.statusCode = 400;
        return JSON.stringify({ error: "invalid_grant" });
      }
      if (tamper && answer.id_token) {
        answer.id_token = await this.#sign(tamper(decodeJwt(answer.id_token)), this.#key);
      }
      return JSON.stringify(answer);
    };
    response.end = (body?: unknown) => {
      void changed(body).then((text) => {
        response.setHeader("content-length", Buffer.byteLength(text));
        end(text);
      });
      return response;
    };
  }

  #makeProvider(): Provider {
    const configuration: Configuration = {
      jwks: { keys: [this.#key] },
      clients: [
        {
          client_id: testClient.clientId,
          client_secret: testClient.secret,
          redirect_uris: [...this.#redirectUris],
          id_token_signed_response_alg: "ES256",
          grant_types: ["authorization_code", "refresh_token"],
          post_logout_redirect_uris: [...this.#afterLogout],
        },
      ],
      clientDefaults: { id_token_signed_response_alg: "ES256" },
      // What the ID token says is what the tests look at.
      conformIdTokenClaims: false,
      claims: { openid: ["sub", "groups"], email: ["email", "email_verified"], profile: ["name"] },
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      issueRefreshToken: () => Promise.resolve(this.refreshes),
      cookies: { keys: ["test"] },
      findAccount: (_context, accountId) => ({
        accountId,
        claims: () => {
          const { email, verified, groups } = this.person;
          return Promise.resolve({
            ...{ sub: accountId, email, name: "Ada" },
            ...(verified === undefined ? {} : { email_verified: verified }),
            ...(groups === undefined ? {} : { groups }),
          });
        },
      }),
      loadExistingGrant: async ({ oidc }) => {
        const ids = { clientId: oidc.client?.clientId, accountId: oidc.session?.accountId };
        const grant = new oidc.provider.Grant({ ...ids } as {
          clientId: string;
          accountId: string;
        });
        grant.addOIDCScope("openid email profile");
        await grant.save();
        return grant;
      },
    };
    return new Provider(this.issuer, configuration);
  }
}
