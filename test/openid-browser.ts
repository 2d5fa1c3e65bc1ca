/** For database tests: signs in at an OpenID provider with next-auth, as a browser does. */
import NextAuth from "next-auth";
import { authOptions, openOidcAttempt } from "#lib/identity/auth";
import { userOfCookie } from "#lib/identity/sessions";
import { openConnection } from "#lib/identity/single-sign-on";
import type { TestOpenId } from "./openid.ts";

interface Answer {
  redirect: string;
  body: { csrfToken?: string; url?: string };
}

export class OpenIdBrowser {
  readonly jar = new Map<string, string>();

  get cookies(): string {
    return [...this.jar].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  user() {
    return userOfCookie(this.cookies);
  }

  pending() {
    return openConnection(this.cookies);
  }

  /** Where the sign-in leads: a page of Fuxi. */
  async signIn(provider: string, openId: TestOpenId): Promise<string> {
    return await this.finish(provider, await openId.authorize(await this.begin(provider)));
  }

  /** The URL at the provider. */
  async begin(provider: string): Promise<string> {
    const { csrfToken = "" } = (await this.#call("GET", ["csrf"], {}, {})).body;
    const body = { csrfToken, callbackUrl: "/app", json: "true" };
    return String((await this.#call("POST", ["signin", provider], {}, body)).body.url);
  }

  async finish(provider: string, callback: URL): Promise<string> {
    const query = Object.fromEntries(callback.searchParams);
    const { redirect } = await this.#call("GET", ["callback", provider], query, {});
    return redirect.replace("http://localhost:3000", "");
  }

  async #call(
    method: string,
    nextauth: string[],
    query: Record<string, string>,
    body: Record<string, string>,
  ): Promise<Answer> {
    const answer: Answer = { redirect: "", body: {} };
    const keep = (header: string) => {
      const [pair = ""] = header.split(";");
      this.jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    };
    const browser = { userAgent: "test", locale: "en", cookies: this.cookies, address: "" };
    const attempt = await openOidcAttempt(nextauth[1]);
    const options = authOptions(browser, { cookie: keep }, attempt);
    const headers = new Map<string, unknown>();
    const response = {
      status: () => response,
      getHeader: (name: string) => headers.get(name),
      setHeader: (name: string, value: unknown) => void headers.set(name, value),
      json: (given: Answer["body"]) => {
        answer.body = given;
      },
      send: (given: Answer["body"]) => {
        answer.body = given;
      },
      end: () => undefined,
    };
    const request = {
      ...{ method, body },
      query: { ...query, nextauth },
      cookies: Object.fromEntries(
        [...this.jar].map(([name, value]) => [name, decodeURIComponent(value)]),
      ),
      headers: { host: "localhost:3000", cookie: this.cookies },
    };
    // next-auth also handles the requests of Next’s API routes, which are plain objects.
    await NextAuth(request as never, response as never, options);
    for (const header of [headers.get("Set-Cookie") ?? []].flat()) keep(String(header));
    return { ...answer, redirect: String(headers.get("Location") ?? "") };
  }
}
