/** The branding of visitor pages: a color, with ensured contrast, and a logo. */
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { withTimeout } from "#lib/basics/bounds";
import { inkOn, readableOn } from "#lib/basics/formats/schema";
import { brandingEntry, hostEntry, workspaceOfBranding } from "#lib/links/link-cache";
import type { LoadedValue } from "#lib/platform/cache-sync";
import { log } from "#lib/platform/log";
import { type Connection, query } from "#lib/platform/postgres";
import { canonicalHost } from "#lib/redirect/requests";
import { hosts, openCache } from "#lib/redirect/targets";
import { cards } from "./document.ts";

/** About 6 KB each, with their rendered pages. */
const brandingsMax = 1_000;
const waitMs = 300;
const timedOut = new Error("Loading the branding timed out");

/** Most workspaces have none. That is cached as well. */
const brandings = openCache<CompiledBranding>({
  name: "looks",
  entriesMax: brandingsMax,
  load: loadBrandings,
});

/**
 * The branding of the workspace that owns the domain. Undefined: the neutral design. The domains of the instance always have it,
 * so that no workspace looks like the instance or like another workspace there. It is also used if the stores are unavailable.
 */
export async function findBranding(req: IncomingMessage): Promise<CompiledBranding | undefined> {
  try {
    return await withTimeout(
      waitMs,
      () => loadBranding(req),
      () => timedOut,
    );
  } catch (error) {
    if (error !== timedOut) log.warn({ event: "look.unavailable", error: String(error) });
    return undefined;
  }
}

async function loadBranding(req: IncomingMessage): Promise<CompiledBranding | undefined> {
  const host = await hosts.find(hostEntry(canonicalHost(req.headers.host ?? "")));
  if (host?.workspacePk === undefined) return undefined;
  return await brandings.find(brandingEntry(host.workspacePk));
}

export interface CompiledBranding {
  /** Rendered in its own style element. */
  css: string;
  /** The hash of the style for the policy of the page. */
  source: string;
  logoHtml: string;
  pages: Map<string, Buffer>;
}

export function compileBranding(color: string | null, logo: Buffer | null): CompiledBranding {
  const css = (color ? colorCss(color) : "") + (logo ? logoCss : "");
  return {
    css,
    source: `'sha256-${createHash("sha256").update(css).digest("base64")}'`,
    logoHtml: logo
      ? `<p class="logo"><img src="data:image/png;base64,${logo.toString("base64")}" alt=""></p>`
      : "",
    pages: new Map(),
  };
}

/** Some logos are dark with a transparent background. */
const logoCss =
  ".logo img{display:block;margin:auto;max-width:96px;max-height:72px;background:#fff;border-radius:10px;padding:8px}";

/** Buttons use the color itself. Links and edges use a shade that is readable on the card. */
function colorCss(color: string): string {
  const shade = (theme: keyof typeof cards) => `--link:${readableOn(color, cards[theme])}`;
  return (
    `:root{--fill:${color};--ink:${inkOn(color)};${shade("light")}}` +
    `@media(prefers-color-scheme:dark){:root{${shade("dark")}}}` +
    `main{border-top:4px solid ${color}}:is(button,.button):not(.other){border-color:var(--link)}.sign:not(.alert){color:var(--link)}`
  );
}

interface BrandingRow {
  workspace_pk: number;
  revision: number;
  color: string | null;
  logo: Buffer | null;
}

async function loadBrandings(
  entries: string[],
  on?: Connection,
): Promise<Map<string, LoadedValue<CompiledBranding>>> {
  const rows = await query.on(on).query<BrandingRow>({
    name: "redirect-looks",
    // Answered by page_look_pkey.
    text: `
    SELECT workspace_pk, revision, color, logo
    FROM page_look
    WHERE workspace_pk = ANY($1::int[])`,
    values: [entries.map(workspaceOfBranding)],
  });
  return new Map(
    rows.map(({ workspace_pk, revision, color, logo }) => [
      brandingEntry(workspace_pk),
      { revision, value: compileBranding(color, logo) },
    ]),
  );
}
