/**
 * Draws uploaded SVG files. An SVG is parsed, checked, rewritten from its checked parts, and drawn
 * to pixels. No SVG of a user is ever stored, served or part of another drawing.
 *
 * librsvg fetches nothing for a document without a base URL, and runs no scripts. The checks refuse
 * what would make it draw something else than the author saw, or take long: references to other
 * files, entities, and parts that refer to each other so that a few lines draw billions of shapes.
 */
import { Parser } from "htmlparser2";
import { AppError } from "#lib/platform/errors";

/** Bounds the time that one long path takes. */
export const svgBytesMax = 128 * 1024;
/** Drawn shapes; a shared one counts once per use. */
export const svgElementsMax = 1_000;
/** Units per side, before scaling to the size of a logo. */
export const svgSideMax = 10_000;
const depthMax = 50;
/** The density (pixels per inch) at which one unit is one pixel. */
const unitDensity = 72;
const densityMax = 100_000;

/** Their content comes from elsewhere, or takes unlimited time to draw. */
const refusedElements = new Set([
  "feimage",
  "filter",
  "foreignobject",
  "image",
  "marker",
  "pattern",
  "text",
  "tref",
]);
/** These draw nothing in a still picture. */
const droppedElements = /^(script|animate\w*|set|metadata|title|desc)$/;

interface SvgNode {
  name: string;
  references: string[];
  children: SvgNode[];
  /** Collected, because the parser reports a text in parts. */
  css: string;
}

/** Returns a PNG that fits into a square. Throws a 422 with the reason. */
export async function drawSvgFile(bytes: Buffer, sidePixels: number): Promise<Buffer> {
  if (bytes.length > svgBytesMax) {
    throw unusable(`It can have up to ${svgBytesMax / 1024} KB. Simplify its paths.`);
  }
  const svg = Buffer.from(rewriteSvg(textOf(bytes)));
  const { default: sharp } = await import("sharp");
  const { width, height } = await sharp(svg, { limitInputPixels: false }).metadata();
  if (!(width > 0 && height > 0)) throw unusable("Set its width and height, or its viewBox.");
  const side = Math.max(width, height);
  if (side > svgSideMax) {
    throw unusable(
      `It can have up to ${svgSideMax} × ${svgSideMax} units, but has ${width} × ${height}. Scale it down.`,
    );
  }
  const density = Math.min(densityMax, (unitDensity * sidePixels) / side);
  return await sharp(svg, { density: Math.max(1, density) })
    .resize(sidePixels, sidePixels, { fit: "inside" })
    .png()
    .toBuffer();
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw unusable("Save it as UTF-8.");
  }
}

/** Writes the SVG anew from its checked parts: librsvg sees nothing that our parser did not report. */
export function rewriteSvg(text: string): string {
  const parts: string[] = [];
  const root = nodeOf("");
  const open: SvgNode[] = [root];
  const byId = new Map<string, SvgNode>();
  let dropped = 0;
  let elements = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        elements += 1;
        if (elements > svgElementsMax) throw tooManyElements();
        if (open.length > depthMax)
          throw unusable(`Its elements are nested deeper than ${depthMax}.`);
        const node = nodeOf(name);
        open.at(-1)?.children.push(node);
        open.push(node);
        if (refusedElements.has(node.name)) {
          throw unusable(
            `It has <${name}>, which logos can’t have. Remove images, filters, patterns and markers, and convert text to paths.`,
          );
        }
        if (dropped > 0 || droppedElements.test(node.name)) dropped += 1;
        else parts.push(openTag(name, attributes, node, byId));
      },
      onclosetag(name) {
        const node = open.pop();
        // defence: svg-styles
        if (node?.name === "style") checkStyles(node.css);
        if (dropped > 0) dropped -= 1;
        else parts.push(`</${name}>`);
      },
      ontext(data) {
        if (dropped > 0) return;
        const node = open.at(-1);
        if (node?.name === "style") node.css += data;
        parts.push(escapeXml(data));
      },
      onprocessinginstruction(name) {
        // defence: svg-doctype
        if (name.startsWith("!")) throw unusable("Remove its DOCTYPE and entities.");
        if (name.toLowerCase() !== "?xml")
          throw unusable(`Remove <${name}>: styles are never loaded.`);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  if (root.children.length !== 1 || root.children[0]?.name !== "svg") {
    throw unusable("Use a file with one <svg> element.");
  }
  new DrawnElements(byId).count(root);
  return parts.join("");
}

function nodeOf(name: string): SvgNode {
  return { name: localName(name), references: [], children: [], css: "" };
}

/** librsvg would read other names differently. */
const namePattern = /^[a-z_][\w.:-]*$/i;

function openTag(
  name: string,
  attributes: Readonly<Record<string, string>>,
  node: SvgNode,
  byId: Map<string, SvgNode>,
): string {
  if (!namePattern.test(name)) throw unusable("Its elements have invalid names.");
  let tag = `<${name}`;
  for (const [attribute, value] of Object.entries(attributes)) {
    const local = localName(attribute);
    if (local.startsWith("on") || attribute === "xml:base") continue;
    node.references.push(...referencesIn(attribute, value));
    if (local === "id") {
      if (byId.has(value)) throw unusable(`Its id "${value}" is used twice. Rename one of them.`);
      byId.set(value, node);
    }
    tag += ` ${attribute}="${escapeXml(value)}"`;
  }
  return `${tag}>`;
}

function referencesIn(attribute: string, value: string): string[] {
  if (!namePattern.test(attribute)) throw unusable("Its attributes have invalid names.");
  const found = localName(attribute) === "href" ? hrefReference(value) : findReferences(value);
  if (found) return found;
  throw unusable(
    `Its attribute ${attribute} refers to another file. Only parts of the file itself can be used.`,
  );
}

function hrefReference(value: string): string[] | undefined {
  const text = value.trim();
  // defence: svg-own-references
  return text.startsWith("#") ? [text.slice(1)] : undefined;
}

/** A CSS rule may apply to any element, so references to drawn parts must be attributes. */
function checkStyles(styles: string): void {
  const css = styles.replace(/\/\*[\s\S]*?\*\//g, " ");
  if (/@import|@font-face/i.test(css))
    throw unusable("Remove @import and @font-face from its styles.");
  const found = findReferences(css);
  if (found === undefined)
    throw unusable("Its styles refer to another file. Remove that reference.");
  if (/(?:mask|clip-path|filter|marker[\w-]*)\s*:/i.test(css)) {
    throw unusable("Its styles have masks or clip paths. Export it with presentation attributes.");
  }
}

/** Counts a referenced element once for each reference. */
class DrawnElements {
  readonly #byId: ReadonlyMap<string, SvgNode>;
  readonly #known = new Map<SvgNode, number>();
  readonly #active = new Set<SvgNode>();

  constructor(byId: ReadonlyMap<string, SvgNode>) {
    this.#byId = byId;
  }

  count(node: SvgNode): number {
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    if (this.#active.has(node)) throw unusable("Its parts refer to each other in a circle.");
    this.#active.add(node);
    let sum = 1;
    for (const child of node.children) sum += this.count(child);
    for (const id of node.references) {
      const referenced = this.#byId.get(id);
      // defence: svg-shared-parts-count
      if (referenced) sum += this.count(referenced);
    }
    this.#active.delete(node);
    if (sum > svgElementsMax + 1) throw tooManyElements();
    this.#known.set(node, sum);
    return sum;
  }
}

function localName(name: string): string {
  return name.slice(name.lastIndexOf(":") + 1).toLowerCase();
}

function tooManyElements(): AppError {
  return unusable(
    `It draws more than ${svgElementsMax} elements, each use of a shared one counted. Simplify it.`,
  );
}

function unusable(reason: string): AppError {
  return new AppError("unprocessable_entity", `This SVG can’t be used. ${reason}`);
}

/** Returns the ids in `url(#id)`. Undefined: something refers elsewhere, or cannot be read. */
function findReferences(text: string): string[] | undefined {
  const ids: string[] = [];
  // CSS escapes could hide a reference.
  if (text.includes("\\")) return undefined;
  for (const [, inside = ""] of text.matchAll(/url\s*\(([^)]*)\)?/gi)) {
    const name = inside.trim().replace(/^(["'])(.*)\1$/, "$2");
    if (!name.startsWith("#")) return undefined;
    ids.push(name.slice(1));
  }
  if (/(?:image|image-set|src)\s*\(/i.test(text)) return undefined;
  return ids;
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Removes characters that XML cannot contain. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replace(/[&<>"]/g, (sign) => escapes[sign] ?? "");
}
