/**
 * Keeps pages of the API reference, which take a tenth of a second of CPU and depend on language
 * and theme only. Nonce and time zone are replaced in the kept page.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import { findLocale, findZone, preferredLocale } from "#lib/platform/messages/schema";

const keptPath = /^\/docs\/api(?:\/[a-z-]{1,40})?$/;
/** For all pages in both languages and all themes. The least recently read are dropped. */
export const bytesMax = 48 * 1024 * 1024;
/** Short, because administrators may change what surrounds a page. */
const ageMaxMs = 600_000;
const themes = ["light", "dark"];
const nonceForm = /^[\w+/]{16,64}={0,2}$/;
const zoneText = '\\"timeZone\\":\\"UTC\\"';
const notKept = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "date",
  "keep-alive",
  "transfer-encoding",
]);

interface KeptPage {
  headers: readonly [name: string, value: number | string | readonly string[]][];
  /** As UTF-8, which takes half the memory of a string. */
  html: Buffer;
  nonce: string;
}

export class KeptPages {
  readonly #pages = new LRUCache<string, KeptPage>({
    maxSize: bytesMax,
    sizeCalculation: ({ html }) => html.length,
    ttl: ageMaxMs,
  });

  answer(req: IncomingMessage, res: ServerResponse): boolean {
    const nonce = String(req.headers["x-nonce"]);
    const path = keptPathOf(req);
    if (path === undefined || !nonceForm.test(nonce)) return false;
    const cookies = cookiesOf(req);
    const locale =
      findLocale(cookies.get("locale")) ?? preferredLocale(req.headers["accept-language"] ?? "");
    const theme = themes.find((one) => one === cookies.get("theme")) ?? "system";
    const zone = findZone(cookies.get("zone")) ?? "UTC";
    const key = `${path} ${locale} ${theme}`;
    const kept = this.#pages.get(key);
    if (kept) {
      for (const [name, value] of kept.headers) {
        // Preload hints contain the nonce too.
        const own = typeof value === "string" ? value.replaceAll(kept.nonce, nonce) : value;
        res.setHeader(name, own);
      }
      res.end(personal(kept.html.toString(), { from: kept.nonce, nonce, zone }));
      return true;
    }
    req.url = path;
    // defence: kept-page-key
    req.headers.cookie = `locale=${locale}; theme=${theme}`;
    // defence: reference-pages-kept
    this.#keep(key, res, { nonce, zone });
    return false;
  }

  #keep(key: string, res: ServerResponse, { nonce, zone }: { nonce: string; zone: string }): void {
    const { end } = res;
    res.end = (...args: unknown[]) => {
      const [html] = args;
      const headers = Object.entries(res.getHeaders()).flatMap(
        ([name, value]): KeptPage["headers"] =>
          value === undefined || notKept.has(name) ? [] : [[name, value]],
      );
      const isWhole = typeof html === "string" && html.length > 0 && res.statusCode === 200;
      if (!isWhole || res.hasHeader("set-cookie"))
        return end.apply(res, args as Parameters<typeof end>);
      this.#pages.set(key, { headers, html: Buffer.from(html), nonce });
      return end.call(res, personal(html, { from: nonce, nonce, zone }), "utf8");
    };
  }
}

/** Undefined: not kept, or a script asks for a part. The query changes nothing. */
function keptPathOf({ method, url = "", headers }: IncomingMessage): string | undefined {
  // defence: kept-page-query
  const [path = ""] = url.split("?", 1);
  const isKept = method === "GET" && keptPath.test(path) && headers["rsc"] === undefined;
  return isKept ? path : undefined;
}

function personal(
  html: string,
  { from, nonce, zone }: { from: string; nonce: string; zone: string },
): string {
  // defence: kept-page-nonce
  return html.replaceAll(from, nonce).replace(zoneText, () => zoneText.replace("UTC", zone));
}

function cookiesOf({ headers }: IncomingMessage): Map<string, string> {
  const pairs = (headers.cookie ?? "").split(";").map((pair): [string, string] => {
    const at = pair.indexOf("=");
    return [pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())];
  });
  return new Map(pairs);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return "";
  }
}
