/** What the public port makes of a request: which of link, API and page it is for, whatever else it claims. */
import { beforeAll, describe, expect, test } from "vitest";
import { openTestSocket } from "../../scripts/test-socket.ts";

const origin = new URL(process.env["TEST_BASE_URL"] ?? "");
const bearer = `Authorization: Bearer ${process.env["TEST_API_KEY"]}`;
const destination = "https://shop.example.com/autumn?edition=2";
const missing = "/nothing-is-here";

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

interface Asked {
  method?: string;
  version?: string;
  /** Undefined: none is sent. */
  host?: string | undefined;
  headers?: string[];
  body?: string;
}

/** Sends exactly this and reads until the connection ends. */
async function ask(target: string, asked: Asked = {}): Promise<Answer> {
  const { method = "GET", version = "1.1", headers = [], body = "" } = asked;
  const host = "host" in asked ? asked.host : origin.host;
  const lines = [
    `${method} ${target} HTTP/${version}`,
    ...(host === undefined ? [] : [`Host: ${host}`]),
    ...(headers.some((line) => line.startsWith("Connection:")) ? [] : ["Connection: close"]),
    ...headers,
  ];
  const socket = await openTestSocket(Number(origin.port));
  socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`);
  const text = await socket.closed;
  socket.end();
  return parse(text);
}

function parse(text: string): Answer {
  const end = text.indexOf("\r\n\r\n");
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const pairs = lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(first.split(" ")[1]),
    headers: Object.fromEntries(pairs),
    body: Buffer.from(text.slice(end + 4), "latin1").toString(),
  };
}

/** Who answered, told by what only they send. */
function authorOf({ status, headers, body }: Answer): string {
  if (status >= 500) return "nobody";
  if (headers["content-security-policy"]?.includes("'nonce-")) return "page";
  if (headers["content-type"] === "application/json") return "api";
  if (headers["location"] === destination) return "link";
  return body.includes("<h1>This link does not exist</h1>") ? "no link" : "nobody";
}

let key = "";

beforeAll(async () => {
  const body = JSON.stringify({ url: destination });
  const headers = [bearer, "Content-Type: application/json", `Content-Length: ${body.length}`];
  const made = await ask("/api/links", { method: "POST", headers, body });
  expect(made.status).toBe(200);
  key = /"key":"(\w+)"/.exec(made.body)?.[1] ?? "";
  expect(key).not.toBe("");
});

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
    "/status",
    "/_next/none.js",
    "/favicon.ico",
    "/icon.svg",
    "/robots.txt",
    "/sitemap.xml",
    "/manifest.webmanifest",
    "/.well-known/none",
    "/api/auth/csrf",
  ])("%s is for pages", async (target) => {
    expect(authorOf(await ask(target))).toBe("page");
  });

  test.each(["/api", "/api?x", "/api/", "/api/me", "/api/none", "/api/authority", "/api//x"])(
    "%s is for the API",
    async (target) => {
      const answer = await ask(target);
      expect([authorOf(answer), answer.status]).toEqual(["api", 401]);
    },
  );

  test("any other is a link", async () => {
    const answer = await ask(`/${key}`);
    expect([answer.status, answer.headers["location"]]).toEqual([302, destination]);
    expect(answer.headers["cache-control"]).toBe("private, no-store");
    expect(authorOf(await ask(`/${key}?x=/app`))).toBe("link");
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
    expect([authorOf(answer), answer.status]).toEqual(["no link", 404]);
  });

  test("a name that no link can have does not get in the way of others", async () => {
    const targets = ["/%00", "/among-others", "/%e4%b8%ad", "/x%00", "/%ff", "/others"];
    const answers = await Promise.all(targets.map((target) => ask(target)));
    expect(answers.map(({ status }) => status)).toEqual(targets.map(() => 404));
  });

  test("nothing that looks like a host leads to it", async () => {
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
      expect([authorOf(answer), answer.status]).toEqual(["no link", 404]);
    },
  );

  test("another one does not serve the links of ours", async () => {
    expect(authorOf(await ask(`/${key}`, { host: "links.example" }))).toBe("no link");
    expect(authorOf(await ask(`/${key}`, { host: "localhost.links.example" }))).toBe("no link");
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
  ])("%s is ours", async (host) => {
    expect(authorOf(await ask(`/${key}`, { host }))).toBe("link");
    expect(authorOf(await ask("/signin", { host }))).toBe("page");
  });

  test("none is refused, or serves nothing where the protocol has none", async () => {
    expect((await ask(`/${key}`, { host: undefined })).status).toBe(400);
    const old = await ask(`/${key}`, { host: undefined, version: "1.0" });
    expect(authorOf(old)).toBe("no link");
  });

  test.each([
    "X-Forwarded-Host: links.example",
    "Forwarded: host=links.example",
    "X-Host: links.example",
    "X-Original-Url: /app",
  ])("%s changes nothing", async (header) => {
    const headers = [header];
    expect(authorOf(await ask(`/${key}`, { headers }))).toBe("link");
    expect(authorOf(await ask("/signin", { headers }))).toBe("page");
  });

  test("a forwarded one never makes another host ours, nor enters an address of ours", async () => {
    const claim = [`X-Forwarded-Host: ${origin.host}`];
    expect(authorOf(await ask("/signin", { host: "links.example", headers: claim }))).toBe(
      "no link",
    );
    const headers = ["X-Forwarded-Host: evil.example", "X-Forwarded-Proto: https"];
    for (const target of ["/app", "/api/auth/providers", "/api/auth/signin"]) {
      const answer = await ask(target, { headers });
      expect(`${answer.headers["location"]}${answer.body}`).not.toContain("evil.example");
    }
  });

  test("a whole address counts more than the header", async () => {
    const absolute = (target: string) => `http://localhost:${origin.port}${target}`;
    const host = "links.example";
    expect(authorOf(await ask(absolute(`/${key}`), { host }))).toBe("link");
    expect(authorOf(await ask(absolute("/signin"), { host }))).toBe("page");
    expect(authorOf(await ask(absolute("/api/me"), { host }))).toBe("api");
    expect(authorOf(await ask(absolute(missing), { host }))).toBe("no link");
    expect(authorOf(await ask(`http://links.example/${key}`))).toBe("no link");
    expect((await ask("ftp://localhost/x")).status).toBe(400);
    expect((await ask("*", { method: "OPTIONS" })).status).toBe(400);
  });
});

describe("a link that is missing", () => {
  test("is a page without scripts that nobody keeps, frames or indexes", async () => {
    const { status, headers, body } = await ask(missing);
    expect(status).toBe(404);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "x-robots-tag": "noindex",
      vary: "Accept-Language",
      "content-length": String(Buffer.byteLength(body)),
    });
    expect(body).not.toMatch(/<script|nothing-is-here/);
    expect(Buffer.byteLength(body)).toBeLessThan(10_000);
  });

  test.each([
    ["zh-CN,zh;q=0.9,en;q=0.8", "zh", "链接不存在"],
    ["ZH", "zh", "链接不存在"],
    ["en-US,zh;q=0.9", "en", "This link does not exist"],
    ["fr", "en", "This link does not exist"],
    ["", "en", "This link does not exist"],
  ])("speaks the language of %j", async (wish, language, title) => {
    const { body } = await ask(missing, { headers: [`Accept-Language: ${wish}`] });
    expect(body).toContain(`<html lang="${language}">`);
    expect(body).toContain(`<h1>${title}</h1>`);
  });

  test.each([1_999, 2_000, 2_047, 2_048, 8_000])(
    "may have a name of %i characters",
    async (count) => {
      const answer = await ask(`/${"k".repeat(count)}`);
      expect([authorOf(answer), answer.status]).toEqual(["no link", 404]);
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

  test.each(["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PROPFIND"])(
    "%s is not for links",
    async (method) => {
      const answer = await ask(`/${key}`, { method, headers: ["Content-Length: 0"] });
      expect([answer.status, answer.headers["allow"]]).toEqual([405, "GET, HEAD"]);
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
    expect(authorOf(await ask(`/${key}`, { headers }))).toBe("link");
    expect(authorOf(await ask("/signin", { headers }))).toBe("page");
    const body = JSON.stringify({ url: destination });
    const more = [bearer, "Content-Type: application/json", `Content-Length: ${body.length}`];
    const made = await ask("/api/links", { method: "POST", headers: [...headers, ...more], body });
    expect([authorOf(made), made.status]).toEqual(["api", 200]);
  });
});

describe("a head", () => {
  /** Of which path, names and values have so many bytes. */
  function headOf(bytes: number): string[] {
    const rest = `/${key}Host${origin.host}ConnectioncloseX`.length;
    return [`X: ${"x".repeat(bytes - rest)}`];
  }

  test("has at most 16 KB", async () => {
    expect(authorOf(await ask(`/${key}`, { headers: headOf(16 * 1024) }))).toBe("link");
    expect((await ask(`/${key}`, { headers: headOf(16 * 1024 + 1) })).status).toBe(431);
    expect((await ask("/signin", { headers: headOf(1024 * 1024) })).status).toBe(431);
  });
});

describe("health", () => {
  test("is ready and says what it stands on", async () => {
    const answer = await ask("/readyz", { host: "10.0.0.1" });
    expect([answer.status, answer.headers["cache-control"]]).toEqual([200, "no-store"]);
    expect(answer.body).toContain('{"ready":true,"postgres":"ok","redis":"ok","web":"ok"}');
  });

  test("shows its counters to this machine, and to nobody who comes through a proxy", async () => {
    expect((await ask("/metrics")).body).toContain("# HELP");
    const { body } = await ask("/metrics", { headers: ["X-Forwarded-For: 203.0.113.9"] });
    expect(body).not.toContain("# HELP");
  });
});
