/** How a workspace's pages differ from plain ones: a colour, whose contrast is looked after, and a picture. */
import { createHash } from "node:crypto";
import { inkOn } from "#lib/platform/colors/schema";

export interface Look {
  /** Stands in a style element of its own. */
  css: string;
  /** By which the policy of the page allows it. */
  source: string;
  logoHtml: string;
  /** Pages that were made in this look. */
  pages: Map<string, Buffer>;
}

export function compileLook(color: string | null, logo: Buffer | null): Look {
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

/** Some logos are dark and have no ground of their own. */
const logoCss =
  ".logo{margin:0 0 16px}.logo img{max-width:96px;max-height:96px;background:#fff;border-radius:8px;padding:8px}";

/** The line around a button keeps it in sight where its colour is that of the page. */
function colorCss(color: string): string {
  return (
    `body{border-top:4px solid ${color}}` +
    `button,.button{background:${color};color:${inkOn(color)};border-color:var(--line)}` +
    ".other{background:none;color:var(--text)}"
  );
}
