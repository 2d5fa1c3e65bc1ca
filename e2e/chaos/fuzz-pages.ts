/** Generated requests to pages: server actions with real ids, sign-in routes, and pages with hostile headers. */
import { readFileSync } from "node:fs";
import { hostileTexts } from "../../test/api-fuzz.ts";
import { type Attack, addressOf, pick, type Random } from "./hostile.ts";

export interface PageTargets {
  host: string;
  cookie: string;
  slug: string;
  actions: readonly PageAction[];
  /** Ids, keys and hosts that exist, and some that do not. */
  names: readonly string[];
  /** Bodies of links as JSON, mostly valid. */
  links: readonly string[];
}

interface PageAction {
  id: string;
  name: string;
}

/** The actions of the build. */
export function readActions(): PageAction[] {
  const file = ".next/server/server-reference-manifest.json";
  const { node }: { node: Record<string, { exportedName: string }> } = JSON.parse(
    readFileSync(file, "utf8"),
  );
  return Object.entries(node).map(([id, { exportedName }]) => ({ id, name: exportedName }));
}

/** Would remove or rename the workspace of the other calls. */
const endings = new Set(["deleteWorkspaceAction", "saveWorkspaceAction"]);
const fields = [
  ...["name", "email", "slug", "url", "link", "id", "password", "passwordNow", "passwordNext"],
  ...["code", "subject", "parts", "daysMax", "endsAt", "role", "days", "zone", "lifetimeSeconds"],
  ...["placeholder", "notFoundUrl", "expiredUrl", "workspaceId", "accessLevel", "description"],
  ...["color", "utm_source", "utm_campaign", "__proto__", "then", "toString", ""],
];
const plain = [
  ...["Name", "https://example.com/", "new.example", "a@example.com", "a good password", "viewer"],
  ...["workspace", "all", "figures", "never", "UTC", "write", "none", "red", "2100-01-01", "7"],
  ...["reset", "signin", "dark", "zh", "rows.compact"],
];
const codes = [
  ...["$T", "$1", "$@1", "$K1", "$Kff", "$Q1", "$W1", "$h1", "$F1", "$B1", "$i1", "$r1", "$x1"],
  ...["$n1", "$nx", "$D2026", "$S", "$Y", "$A1", "$0", "$0:0", "$0:1:x", "$1:__proto__:then"],
  ...["$undefined", "$-0", "$NaN", "$Infinity", "$$", "$"],
];

function textOf(random: Random, aims: PageTargets): string {
  const kind = random(10);
  if (kind < 3) return pick(random, plain);
  if (kind < 6) return pick(random, aims.names);
  if (kind < 7) return aims.slug;
  if (kind < 8) return pick(random, codes);
  return pick(random, hostileTexts).toWellFormed();
}

function argumentOf(random: Random, aims: PageTargets, depth = 0): unknown {
  const kind = random(12);
  if (kind < 7) return textOf(random, aims);
  if (kind === 7) return pick<unknown>(random, [null, true, false, 0, -1, 0.5, 2 ** 53, 1e308]);
  if (depth > 3) return null;
  if (kind < 10)
    return Array.from({ length: random(4) }, () => argumentOf(random, aims, depth + 1));
  const names = ["linkIds", "archived", "primary", "folderId", "then", "__proto__", "a"];
  const pairs = Array.from({ length: random(3) }, () => [
    pick(random, names),
    argumentOf(random, aims, depth + 1),
  ]);
  return Object.fromEntries(pairs);
}

function part(name: string, content: string, more = ""): string {
  const escaped = name.replaceAll('"', "%22").replaceAll(/[\r\n]/g, " ");
  return `--edge\r\nContent-Disposition: form-data; name="${escaped}"${more}\r\n\r\n${content}\r\n`;
}

function formOf(random: Random, aims: PageTargets): string {
  const parts = Array.from({ length: random(5) }, () => {
    const field = pick(random, fields);
    const content = field === "link" ? pick(random, aims.links) : textOf(random, aims);
    const file = random(20) === 0 ? '; filename="a.png"\r\nContent-Type: image/png' : "";
    return part(`_1_${field}`, content, file);
  });
  return parts.join("");
}

interface Body {
  type: string;
  text: string;
}

/** Mostly with the right number of arguments, so that the action itself is reached. */
function bodyOf(random: Random, aims: PageTargets, { name }: PageAction): Body {
  const slug = endings.has(name) ? "nowhere" : aims.slug;
  const given: unknown[] = random(8) === 0 ? [argumentOf(random, aims)] : [slug];
  for (let left = random(3); left > 0; left--) given.push(argumentOf(random, aims));
  if (random(2) === 0) return { type: "text/plain;charset=UTF-8", text: JSON.stringify(given) };
  const model = JSON.stringify(random(4) === 0 ? ["$K1"] : [...given, "$K1"]);
  const text = `${formOf(random, aims)}${part("0", model)}--edge--\r\n`;
  return { type: "multipart/form-data; boundary=edge", text };
}

const types = [
  ...["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=x"],
  ...["multipart/mixed; boundary=edge", "application/json", "text/plain;charset=utf-16", ""],
  ...["application/x-www-form-urlencoded", "text/x-component", "\xff"],
];
const junk = [
  "\0",
  "\xff\xfe",
  "--edge--",
  "--edge\r\n",
  '"',
  "[",
  "]",
  "{",
  "$@0",
  "\r\n\r\n",
  "",
];

function broken(random: Random, body: Body): Body {
  const { type, text } = body;
  const at = random(text.length + 1);
  const kind = random(5);
  if (kind === 0) return { type, text: text.slice(0, at) };
  if (kind === 1) return { type, text: text.slice(0, at) + pick(random, junk) + text.slice(at) };
  if (kind === 2) return { type, text: text.slice(0, at) + text.slice(at + 1 + random(20)) };
  if (kind === 3) return { type: pick(random, types), text };
  return { type, text: `${"[".repeat(random(9_000))}${text}` };
}

const pages = [
  ...["/", "/signin", "/signup", "/pricing", "/docs", "/docs/api", "/app", "/app/new", "/reset"],
  ...["/verify?token=x", "/invite?token=x", "/share/x", "/legal/terms", "/docs/links"],
];
const inside = [
  ...["links", "links/x", "links/x/qr", "analytics", "domains", "domains/x", "imports", "settings"],
  ...["imports/x", "settings/members", "settings/audit", "settings/tags", "settings/export/x"],
  ...["tags", "folders", "utm", "settings/api-keys", "site-icons"],
];
const queries = [
  ...["search=%00", "page=-1", "sort=x", "sort=createdAt&order=asc", "search=a&search=b", "x=%"],
  ...["interval=7d", "interval=x", "startingAfter=x", "tagIds=x", "folderId=x", "from=x&to=y"],
  ...["zone=x", "token=%00", "next=//x", "_rsc=x", "site=x", "actor=x", "since=9999-99-99"],
  ...["callbackUrl=%00", "error=%0d%0ax", "callbackUrl=http://", "x[]=1", "__proto__=1"],
];
const signIns = [
  ...["csrf", "session", "providers", "signin", "signout", "error", "callback/password", "_log"],
  ...["callback/letter", "callback/x", "signin/password", "verify-request", "x", "%00", "csrf/x/y"],
];

function pathOf(random: Random, { slug }: PageTargets): string {
  const kind = random(10);
  let path = pick(random, pages);
  if (kind < 5) path = `/app/${slug}/${pick(random, inside)}`;
  if (kind === 5) path = `/api/auth/${pick(random, signIns)}`;
  if (kind === 6) path += pick(random, ["/%ff", "/%00", "//", "/..%2f", "/%E4%B8", ".rsc", "/x"]);
  const query = random(2) === 0 ? pick(random, queries) : "";
  if (query === "") return path;
  return `${path}${path.includes("?") ? "&" : "?"}${query}`;
}

const headers = [
  ...[
    "RSC: 1",
    "Next-Router-Prefetch: 1",
    "Next-Router-State-Tree: %",
    "Next-Url: //x",
    "Purpose: x",
  ],
  ...["Next-Router-State-Tree: %5B%22%22%2C%7B%22children%22%3A1%7D%5D", "Range: bytes=9-1"],
  ...["Next-Router-Segment-Prefetch: /x", "X-Action-Forwarded: 1", "X-Nextjs-Data: 1"],
  ...["Accept-Language: %%", "Accept-Encoding: x", "Cookie: next-auth.callback-url=%00"],
  ...["Cookie: fuxi-session=%; NEXT_LOCALE=%ff; __prerender_bypass=1", "If-None-Match: *"],
  ...["X-Middleware-Subrequest: a:a:a", "Next-Resume: 1", "X-Matched-Path: /x", "Expect: x"],
  ...["Next-Action: x", "X-Forwarded-Host: x", "Origin: null", "Origin: x", "TE: x", "Via: x"],
];

/** One request to the page process, through the front. */
export function makePageShot(random: Random, aims: PageTargets): Attack {
  const isAction = random(5) > 0;
  const action = pick(random, aims.actions);
  const signedIn = random(8) > 0 ? [`Cookie: ${aims.cookie}`] : [];
  const more = random(4) === 0 ? [pick(random, headers)] : [];
  const origin = random(10) > 0 ? [`Origin: http://${aims.host}`] : [];
  const lines = [`Host: ${aims.host}`, ...signedIn, ...origin, ...more, "Connection: close"];
  if (!isAction) {
    const method = pick(random, ["GET", "GET", "GET", "GET", "HEAD", "POST", "PUT", "OPTIONS"]);
    const text = method === "POST" ? pick(random, ["", "a=b", "{", '{"csrfToken":1}']) : "";
    const type = method === "POST" ? [`Content-Type: ${pick(random, types)}`] : [];
    lines.push(...type, `Content-Length: ${text.length}`);
    return shot(random, `${method} ${pathOf(random, aims)}`, lines, text);
  }
  const whole = bodyOf(random, aims, action);
  const { type, text } = random(4) === 0 ? broken(random, whole) : whole;
  const bytes = Buffer.from(text).toString("latin1");
  const id = random(20) === 0 ? pick(random, ["x", "0".repeat(42), action.id.slice(1)]) : action.id;
  // A length that is too large is a body that is cut off.
  const length = bytes.length + (random(30) === 0 ? 1 + random(1_000) : 0);
  lines.push(`Next-Action: ${id}`, `Content-Type: ${type}`, `Content-Length: ${length}`);
  const path = random(3) === 0 ? pathOf(random, aims) : `/app/${aims.slug}/links`;
  return shot(random, `POST ${path}`, lines, bytes, length > bytes.length);
}

function shot(
  random: Random,
  start: string,
  lines: readonly string[],
  body: string,
  isCut = false,
): Attack {
  const gone = random(30) === 0 ? "at once" : "when answered";
  return {
    from: addressOf(random),
    text: `${start} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`,
    methods: undefined,
    requests: 1,
    leaves: isCut ? "when sent" : gone,
  };
}
