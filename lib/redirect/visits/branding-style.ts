/** The branding of visitor pages: a color, with ensured contrast, and a logo. */
import { createHash } from "node:crypto";
import { inkOn } from "#lib/platform/colors/schema";

export interface CompiledBranding {
  /** Rendered in a style element of its own. */
  css: string;
  /** The hash that the page's policy allows. */
  source: string;
  logoHtml: string;
  /** Pages rendered with this branding. */
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

/** The border keeps a button visible where its color is that of the page. */
function colorCss(color: string): string {
  return (
    `body{border-top:4px solid ${color}}` +
    `button,.button{background:${color};color:${inkOn(color)};border-color:var(--line)}` +
    ".other{background:none;color:var(--text)}"
  );
}
