/** How the public port routes a request: to link, API or page, whatever else it claims. */
import { beforeAll, describe, expect, test } from "vitest";
import { apiKey, requestRaw as ask, origin } from "../../../test/contract-server.ts";
import type { RawAnswer } from "../../../test/raw-http.ts";

const bearer = `Authorization: Bearer ${apiKey}`;
const destination = "https://shop.example.com/autumn?edition=2";
const missing = "/nothing-is-here";

/** The part that responded, by its characteristic headers. */
function responderOf({ status, headers, body }: RawAnswer): string {
  if (status >= 500) return "nobody";
  if (headers["content-security-policy"]?.includes("'nonce-")) return "page";
  if (headers["content-type"] === "application/json") return "api";
  if (headers["location"] === destination) return "link";
  return body.includes("<h1>Link not found</h1>") ? "no link" : "nobody";
}

let key = "";

beforeAll(async () => {
  key = await makeLink({ url: destination });
});

/** Returns its key. */
async function makeLink(link: object): Promise<string> {
  const body = JSON.stringify(link);
  const headers = [bearer, "Content-Type: application/json", `Content-Length: ${body.length}`];
  const created = await ask("/api/links", { method: "POST", headers, body });
  expect(created.status).toBe(200);
  return /"key":"(\w+)"/.exec(created.body)?.[1] ?? "";
}

describe("the first segment", () => {
  test.each([
    "/",
    "/?x",
    "/app",
    "/app/none/links",
    "/App",
    "/signin",
    "/SignIn",
    "/signup?x=/api",
    "/signout",
    "/docs",
    "/pricing",
    "/invite/x",
    "/reset",
    "/verify",
    "/legal",
    "/share/x",
    "/_next/none.js",
    "/favicon.ico",
    "/icon.svg",
    "/robots.txt",
    "/sitemap.xml",
    "/manifest.webmanifest",
    "/.well-known/none",
    "/api/auth/csrf",
  ])("%s is for pages", async (target) => {
    expect(responderOf(await ask(target))).toBe("page");
  });

  test("robots.txt is a text for crawlers, who may fetch links", async () => {
    const { status, headers, body } = await ask("/robots.txt");
    expect([status, headers["content-type"]]).toEqual([200, "text/plain"]);
    expect(body).toContain("User-Agent: *\nAllow: /\nDisallow: /app/\nDisallow: /admin/\n");
  });

  test("an instance without prices has no pricing page, and links to none", async () => {
    expect((await ask("/pricing")).status).toBe(404);
    const { status, body } = await ask("/");
    expect(status).toBe(200);
    expect(body).toContain('href="/signup"');
    expect(body).not.toContain("/pricing");
  });

  test.each(["/api", "/api?x", "/api/", "/api/me", "/api/none", "/api/authority", "/api//x"])(
    "%s is for the API",
    async (target) => {
      const answer = await ask(target);
      expect([responderOf(answer), answer.status]).toEqual(["api", 401]);
    },
  );

  test("any other is a link", async () => {
    const answer = await ask(`/${key}`);
    expect([answer.status, answer.headers["location"]]).toEqual([302, destination]);
    expect(answer.headers["cache-control"]).toBe("private, no-store");
    expect(responderOf(await ask(`/${key}?x=/app`))).toBe("link");
  });

  test.each([
    missing,
    "/apix",
    "/apps",
    "/signin.php",
    "/%61pp",
    "/app%2Flinks",
    "/%2e%2e/app",
    "/../app",
    "/./signin",
    "/\\evil.example",
    "/%",
    "/%00",
    "/%00%00",
  ])("%s is no page, and no link either", async (target) => {
    const answer = await ask(target);
    expect([responderOf(answer), answer.status]).toEqual(["no link", 404]);
  });

  test("a name that is invalid for links does not affect others", async () => {
    const targets = ["/%00", "/among-others", "/%e4%b8%ad", "/x%00", "/%ff", "/others"];
    const answers = await Promise.all(targets.map((target) => ask(target)));
    expect(answers.map(({ status }) => status)).toEqual(targets.map(() => 404));
  });

  test("a path that resembles a host does not redirect to it", async () => {
    for (const target of ["//evil.example/x", "//evil.example/%2e%2e", "/app//evil.example"]) {
      const { headers } = await ask(target);
      const location = new URL(headers["location"] ?? "/", origin);
      expect([target, location.host]).toEqual([target, origin.host]);
    }
  });
});

describe("the host", () => {
  test.each(["/", "/app", "/signin", "/api/me", "/api/auth/csrf", missing, "/_next/none.js"])(
    "another one serves links only, also at %s",
    async (target) => {
      const answer = await ask(target, { host: "links.example" });
      expect([responderOf(answer), answer.status]).toEqual(["no link", 404]);
    },
  );

  test("another one does not serve the links of this one", async () => {
    expect(responderOf(await ask(`/${key}`, { host: "links.example" }))).toBe("no link");
    expect(responderOf(await ask(`/${key}`, { host: "localhost.links.example" }))).toBe("no link");
  });

  test.each([
    `LocalHost:${origin.port}`,
    "localhost",
    "localhost:",
    "localhost.",
    `LOCALHOST.:${origin.port}`,
    "localhost:1",
    `127.0.0.1:${origin.port}`,
    "[::1]",
  ])("%s is this one", async (host) => {
    expect(responderOf(await ask(`/${key}`, { host }))).toBe("link");
    expect(responderOf(await ask("/signin", { host }))).toBe("page");
  });

  test("two are refused, whichever of them is this one, also with a whole address", async () => {
    const absolute = `http://${origin.host}/${key}`;
    for (const host of [origin.host, "links.example"]) {
      for (const second of [origin.host, "links.example"]) {
        const headers = [`Host: ${second}`];
        expect((await ask(`/${key}`, { host, headers })).status).toBe(400);
        expect((await ask(absolute, { host, headers })).status).toBe(400);
        expect((await ask("/signin", { host, headers })).status).toBe(400);
      }
    }
  });

  test("one that is far too long belongs to no domain", async () => {
    for (const length of [1_024, 1_025, 65_536]) {
      expect(responderOf(await ask(`/${key}`, { host: "a".repeat(length) }))).toBe("no link");
    }
  });

  test("none is refused, or serves nothing where the protocol has none", async () => {
    expect((await ask(`/${key}`, { host: undefined })).status).toBe(400);
    const old = await ask(`/${key}`, { host: undefined, version: "1.0" });
    expect(responderOf(old)).toBe("no link");
  });

  test.each([
    "X-Forwarded-Host: links.example",
    "Forwarded: host=links.example",
    "X-Host: links.example",
    "X-Original-Url: /app",
  ])("%s changes nothing", async (header) => {
    const headers = [header];
    expect(responderOf(await ask(`/${key}`, { headers }))).toBe("link");
    expect(responderOf(await ask("/signin", { headers }))).toBe("page");
  });

  test("a forwarded one never counts as the own host, nor enters an address of this host", async () => {
    const claim = [`X-Forwarded-Host: ${origin.host}`];
    expect(responderOf(await ask("/signin", { host: "links.example", headers: claim }))).toBe(
      "no link",
    );
    const headers = ["X-Forwarded-Host: evil.example", "X-Forwarded-Proto: https"];
    for (const target of ["/app", "/api/auth/providers", "/api/auth/signin"]) {
      const answer = await ask(target, { headers });
      expect(`${answer.headers["location"]}${answer.body}`).not.toContain("evil.example");
    }
  });

  test("a whole address takes precedence over the header", async () => {
    const absolute = (target: string) => `http://localhost:${origin.port}${target}`;
    const host = "links.example";
    expect(responderOf(await ask(absolute(`/${key}`), { host }))).toBe("link");
    expect(responderOf(await ask(absolute("/signin"), { host }))).toBe("page");
    expect(responderOf(await ask(absolute("/api/me"), { host }))).toBe("api");
    expect(responderOf(await ask(absolute(missing), { host }))).toBe("no link");
    expect(responderOf(await ask(`http://links.example/${key}`))).toBe("no link");
    expect((await ask("ftp://localhost/x")).status).toBe(400);
    expect((await ask("*", { method: "OPTIONS" })).status).toBe(400);
  });
});

describe("a link that is missing", () => {
  test("is a page without scripts that may be neither cached, framed nor indexed", async () => {
    const { status, headers, body } = await ask(missing);
    expect(status).toBe(404);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'$/,
      ),
      "x-content-type-options": "nosniff",
      "x-robots-tag": "noindex",
      vary: "Accept-Language",
      "content-length": String(Buffer.byteLength(body)),
    });
    expect(body).not.toMatch(/<script|nothing-is-here/);
    expect(Buffer.byteLength(body)).toBeLessThan(10_000);
  });

  test.each([
    ["zh-CN,zh;q=0.9,en;q=0.8", "zh-CN", "链接不存在"],
    ["ZH", "zh-CN", "链接不存在"],
    ["en-US,zh;q=0.9", "en", "Link not found"],
    ["fr", "en", "Link not found"],
    ["", "en", "Link not found"],
  ])("has the language of %j", async (header, language, title) => {
    const { body } = await ask(missing, { headers: [`Accept-Language: ${header}`] });
    expect(body).toContain(`<html lang="${language}">`);
    expect(body).toContain(`<h1>${title}</h1>`);
  });

  test.each([1_999, 2_000, 2_047, 2_048, 8_000])(
    "may have a name of %i characters",
    async (count) => {
      const answer = await ask(`/${"k".repeat(count)}`);
      expect([responderOf(answer), answer.status]).toEqual(["no link", 404]);
    },
  );
});

describe("the method", () => {
  test("HEAD answers like GET, without a body", async () => {
    for (const target of [`/${key}`, missing, "/signin", "/healthz"]) {
      const [got, head] = [await ask(target), await ask(target, { method: "HEAD" })];
      expect([head.status, head.body]).toEqual([got.status, ""]);
      for (const name of ["location", "content-type", "cache-control"]) {
        expect([target, name, head.headers[name]]).toEqual([target, name, got.headers[name]]);
      }
    }
  });

  test.each(["POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"])(
    "%s is not for links, whether they exist or not",
    async (method) => {
      for (const target of [`/${key}`, missing]) {
        const answer = await ask(target, { method, headers: ["Content-Length: 0"] });
        expect([answer.status, answer.headers["allow"]]).toEqual([405, "GET, HEAD, OPTIONS"]);
        expect(answer.headers["location"]).toBeUndefined();
      }
    },
  );

  test("OPTIONS names the methods, and lets no other site read where a link leads", async () => {
    const headers = ["Origin: https://evil.example", "Access-Control-Request-Method: GET"];
    for (const target of [`/${key}`, missing]) {
      const answer = await ask(target, { method: "OPTIONS", headers });
      expect([answer.status, answer.headers["allow"]]).toEqual([204, "GET, HEAD, OPTIONS"]);
    }
    const visit = await ask(`/${key}`, { headers });
    expect(Object.keys(visit.headers).join()).not.toContain("access-control");
  });

  test.each([`CONNECT localhost:443`, `BREW /x`])(
    "%s is refused before any lookup",
    async (line) => {
      const [method = "", target = ""] = line.split(" ");
      expect((await ask(target, { method })).status).toBe(405);
    },
  );
});

describe("a client that offers another protocol", () => {
  const headers = [
    "Connection: close, Upgrade, HTTP2-Settings",
    "Upgrade: h2c",
    "HTTP2-Settings: AA",
  ];

  test("is answered in this one", async () => {
    expect(responderOf(await ask(`/${key}`, { headers }))).toBe("link");
    expect(responderOf(await ask("/signin", { headers }))).toBe("page");
    const body = JSON.stringify({ url: destination });
    const more = [bearer, "Content-Type: application/json", `Content-Length: ${body.length}`];
    const created = await ask("/api/links", {
      method: "POST",
      headers: [...headers, ...more],
      body,
    });
    expect([responderOf(created), created.status]).toEqual(["api", 200]);
  });
});

describe("a head", () => {
  /** A head whose path, names and values have this many bytes. */
  function headOf(bytes: number): string[] {
    const rest = `/${key}Host${origin.host}ConnectioncloseX`.length;
    return [`X: ${"x".repeat(bytes - rest)}`];
  }

  test("has at most 144 KB", async () => {
    expect(responderOf(await ask(`/${key}`, { headers: headOf(144 * 1024) }))).toBe("link");
    expect((await ask(`/${key}`, { headers: headOf(144 * 1024 + 1) })).status).toBe(431);
    expect((await ask("/signin", { headers: headOf(1024 * 1024) })).status).toBe(431);
  });

  test.each(["Referer", "User-Agent", "Accept-Language", "Cookie"])(
    "may have 64 KB of %s",
    async (name) => {
      for (const value of ["x".repeat(65_536), "\xff;=, ".repeat(13_107), "-a".repeat(32_768)]) {
        const headers = [`${name}: ${value}`];
        expect(responderOf(await ask(`/${key}`, { headers }))).toBe("link");
        expect(responderOf(await ask(missing, { headers }))).toBe("no link");
      }
    },
  );

  test("may have 64 KB of Referer and of User-Agent at once, and neither affects the choice of destination", async () => {
    const other = await makeLink({ url: destination, ios: "https://example.com/phone" });
    const long = "Mozilla/5.0 (X11) ".padEnd(65_536, "iPhone/1 ");
    const headers = [`Referer: https://example.com/${long}`, `User-Agent: ${long}`];
    for (const path of [`/${key}`, `/${other}`]) {
      expect((await ask(path, { headers })).status).toBe(302);
    }
  });
});

describe("health", () => {
  test("is ready and names its stores", async () => {
    const answer = await ask("/readyz", { host: "10.0.0.1" });
    expect([answer.status, answer.headers["cache-control"]]).toEqual([200, "no-store"]);
    expect(answer.body).toContain('{"ready":true,"postgres":"ok","redis":"ok","web":"ok"}');
  });

  test("shows its counters to requests with the token only, wherever they come from", async () => {
    const token = `Authorization: Bearer ${process.env["TEST_OPERATOR_TOKEN"]}`;
    expect((await ask("/metrics", { headers: [token] })).body).toContain("# HELP");
    for (const headers of [[], ["X-Forwarded-For: 127.0.0.1"]]) {
      expect((await ask("/metrics", { headers })).body).not.toContain("# HELP");
      expect(responderOf(await ask("/status", { headers }))).toBe("page");
    }
    for (const path of ["/metrics", "/status"]) {
      expect((await ask(path, { headers: [`${token}x`] })).status).toBe(401);
    }
  });
});

test("the front names domains that may have a certificate to requests with the token only", async () => {
  const path = "/.well-known/fuxi-certificate?domain=";
  const token = `&token=${process.env["TEST_CERTIFICATE_TOKEN"]}`;
  for (const host of ["10.0.0.1:3000", "localhost", "front"]) {
    const statusOf = async (name: string) => (await ask(path + name + token, { host })).status;
    expect([await statusOf("localhost"), await statusOf("none.example")]).toEqual([200, 404]);
    expect((await ask(`${path}localhost`, { host })).status).toBe(404);
    expect((await ask(`${path}localhost${token}x`, { host })).status).toBe(404);
  }
});

test.each(["/app/../api/links", "/_next/../api/me", "/app/%2e%2e/api", "/api/auth/../me"])(
  "%s is refused before anything reads it",
  async (target) => {
    expect((await ask(target)).status).toBe(400);
  },
);

test("a page query of more than 100 parameters or 2 KB is refused, whoever asks", async () => {
  expect((await ask(`/signin?${"a&".repeat(99)}a`)).status).toBe(200);
  expect((await ask(`/signin?${"a&".repeat(100)}a`)).status).toBe(414);
  expect((await ask(`/signin?${"a".repeat(2_049)}`)).status).toBe(414);
});
