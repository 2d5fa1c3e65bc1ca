import { Parser } from "htmlparser2";
import { isWebUrl } from "#lib/basics/urls";
import { parseUrl } from "#lib/basics/urls/schema";

const titleCharsMax = 500;
const descriptionCharsMax = 500;
const addressCharsMax = 2_000;
/** We look for the charset in this many bytes, like the HTML standard. */
const sniffedBytes = 1_024;

const sources = {
  title: ["og:title", "twitter:title", "title"],
  description: ["og:description", "twitter:description", "description"],
  image: ["og:image", "og:image:url", "og:image:secure_url", "twitter:image"],
} as const;
const knownNames = new Set<string>(Object.values(sources).flat());
const iconsMax = 2;
const linksMax = 20;
/** Nested elements: heads of pages have three. Everything after a deeper element is ignored. */
export const depthMax = 32;

export interface PageBytes {
  bytes: Buffer;
  url: string;
  type: string;
}

export interface PageHead {
  title: string | null;
  description: string | null;
  image: string | null;
  /** URLs. Icons for phones come first, because they are never SVG. */
  icons: string[];
  /** The color of the site as `#rrggbb`. Null if it is missing or in another notation. */
  themeColor: string | null;
  ended: boolean;
}

export function parseHead({ bytes, url, type }: PageBytes): PageHead {
  const reader = new HeadReader(url);
  reader.read(decoderOf(type, bytes).decode(bytes));
  return reader.head;
}

class HeadReader {
  readonly #url: string;
  readonly #found = new Map<string, string>();
  readonly #parser: Parser;
  #title: string | undefined;
  readonly #icons: string[] = [];
  #themeColor: string | null = null;
  #depth = 0;
  #done = false;

  constructor(url: string) {
    this.#url = url;
    this.#parser = new Parser({
      onopentagname: () => this.#deepen(),
      onopentag: (name, attributes) => this.#open(name, attributes),
      ontext: (text) => this.#text(text),
      onclosetag: (name) => this.#close(name),
    });
  }

  read(html: string): void {
    this.#parser.write(html);
  }

  get head(): PageHead {
    const image = this.#first(sources.image, addressCharsMax);
    return {
      title: this.#first(sources.title, titleCharsMax),
      description: this.#first(sources.description, descriptionCharsMax),
      image: image && addressOf(image, this.#url),
      icons: this.#icons.slice(0, iconsMax),
      themeColor: this.#themeColor,
      ended: this.#done,
    };
  }

  /** The parser searches its open elements at each tag, so many of them would take minutes. */
  #deepen(): void {
    this.#depth += 1;
    // defence: fetched-page-depth
    if (this.#depth > depthMax) this.#end();
  }

  /** Stops the parser, which would otherwise read to the end of the text. */
  #end(): void {
    this.#done = true;
    // defence: page-head-end
    this.#parser.pause();
  }

  #open(name: string, attributes: Record<string, string>): void {
    if (name === "body") this.#end();
    if (this.#done) return;
    if (name === "title") this.#title = "";
    if (name === "link") this.#link(attributes);
    if (name !== "meta") return;
    const named = (attributes["property"] ?? attributes["name"] ?? "").toLowerCase();
    const content = attributes["content"];
    if (content && named === "theme-color") this.#themeColor ??= hexColor(content);
    if (content && knownNames.has(named) && !this.#found.has(named)) {
      this.#found.set(named, content.slice(0, addressCharsMax));
    }
  }

  #link({ rel = "", href = "" }: Record<string, string>): void {
    const kinds = rel.toLowerCase().split(/\s+/);
    const url = addressOf(href, this.#url);
    if (!url || this.#icons.length > linksMax) return;
    if (kinds.includes("apple-touch-icon")) this.#icons.unshift(url);
    else if (kinds.includes("icon")) this.#icons.push(url);
  }

  #text(text: string): void {
    if (this.#done || this.#title === undefined) return;
    this.#title = (this.#title + text).slice(0, addressCharsMax);
  }

  #close(name: string): void {
    this.#depth -= 1;
    if (this.#done) return;
    if (name === "head") this.#end();
    if (name !== "title" || this.#title === undefined) return;
    if (!this.#found.has("title")) this.#found.set("title", this.#title);
    this.#title = undefined;
  }

  #first(names: readonly string[], charsMax: number): string | null {
    for (const name of names) {
      const text = plainText(this.#found.get(name) ?? "", charsMax);
      if (text !== "") return text;
    }
    return null;
  }
}

// defence: page-look-colors
const hexPattern = /^\s*#([0-9a-f]{6}|[0-9a-f]{3})\s*$/i;

function hexColor(text: string): string | null {
  const [, hex = ""] = hexPattern.exec(text) ?? [];
  const long = hex.length === 3 ? hex.replace(/./g, "$&$&") : hex;
  return long === "" ? null : `#${long.toLowerCase()}`;
}

// Control characters, direction marks and invisible characters, which must not reach forms.
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu;

function plainText(text: string, charsMax: number): string {
  const plain = text.replace(/\s+/g, " ").replace(invisible, "").trim();
  return [...plain].slice(0, charsMax).join("");
}

function addressOf(text: string, base: string): string | null {
  const { href = "" } = parseUrl(text, base) ?? {};
  return href.length <= addressCharsMax && isWebUrl(href) ? href : null;
}

const charsetPattern = /charset\s*=\s*["']?\s*([\w.:-]+)/i;

/** The first of: byte order mark, header, meta element, UTF-8. */
function decoderOf(type: string, start: Uint8Array): TextDecoder {
  const beginning = Buffer.from(start.subarray(0, sniffedBytes)).toString("latin1");
  const marked = markOf(start);
  const charset = charsetPattern.exec(type)?.[1] ?? charsetPattern.exec(beginning)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(marked ?? charset);
  } catch {
    return new TextDecoder(); // RangeError: unknown charset
  }
}

function markOf([first, second]: Uint8Array): string | undefined {
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xef && second === 0xbb ? "utf-8" : undefined;
}
