/** The branding of visitor pages: a color, with ensured contrast, and a logo. */
import { createHash } from "node:crypto";
import { withTimeout } from "#lib/basics/bounds";
import { inkOn } from "#lib/basics/formats/schema";
import { brandingEntry, workspaceOfBranding } from "#lib/links/link-cache";
import type { LoadedValue } from "#lib/platform/cache-sync";
import { log } from "#lib/platform/log";
import { type Connection, query } from "#lib/platform/postgres";
import { openCache } from "#lib/redirect/targets";

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

/** Undefined: the default, also if the stores are unavailable. */
export async function findBranding(
  workspacePk: number | undefined,
): Promise<CompiledBranding | undefined> {
  if (workspacePk === undefined) return undefined;
  try {
    return await withTimeout(
      waitMs,
      () => brandings.find(brandingEntry(workspacePk)),
      () => timedOut,
    );
  } catch (error) {
    if (error !== timedOut) log.warn({ event: "look.unavailable", error: String(error) });
    return undefined;
  }
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
  ".logo{margin:0 0 16px}.logo img{max-width:96px;max-height:96px;background:#fff;border-radius:8px;padding:8px}";

/** The border keeps a button visible if it has the color of the page. */
function colorCss(color: string): string {
  return (
    `body{border-top:4px solid ${color}}` +
    `button,.button{background:${color};color:${inkOn(color)};border-color:var(--line)}` +
    ".other{background:none;color:var(--text)}"
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
