/** Text in lines of a limited width, as paths; what does not fit is cut with an ellipsis. */
import { drawableText, type Lettering, letter } from "./lettering.ts";

const ellipsis = "…";
/** More never fit on a label; each character is measured. */
const measuredCharsMax = 300;
/** A line ends after a space if that leaves at least this share of it. */
const brokenShareMin = 0.5;
/** Characters whose width is known; a workspace uses some thousand of them. */
const widthsKeptMax = 20_000;

export interface LineLimits {
  /** Width in font sizes. */
  emsMax: number;
  linesMax: number;
}

/** Sets texts of one document. It remembers the widths of characters, which are slow to read from a font. */
export class TextSetter {
  readonly #widths = new Map<string, number>();

  /** No lines for a text without characters that a font has. */
  async linesOf(text: string, { emsMax, linesMax }: LineLimits): Promise<Lettering[]> {
    const drawable = (await drawableText(text.slice(0, measuredCharsMax))).normalize();
    const signs = [...drawable.replace(/\s+/g, " ")];
    const rows: string[] = [];
    let at = 0;
    while (at < signs.length && rows.length < linesMax) {
      const rest = signs.slice(at);
      const fitting = await this.#countFitting(rest, emsMax);
      const isLast = rows.length + 1 === linesMax;
      if (fitting < rest.length && isLast) {
        const room = emsMax - (await this.#widthOf(ellipsis));
        rows.push(`${rest.slice(0, await this.#countFitting(rest, room)).join("")}${ellipsis}`);
        break;
      }
      const taken = fitting < rest.length ? breakBefore(rest, fitting) : fitting;
      rows.push(rest.slice(0, taken).join("").trim());
      at += taken;
    }
    return await Promise.all(rows.map(letter));
  }

  /** How many characters fit, at least one. */
  async #countFitting(signs: readonly string[], emsMax: number): Promise<number> {
    let width = 0;
    for (const [at, sign] of signs.entries()) {
      width += await this.#widthOf(sign);
      if (width > emsMax) return Math.max(1, at);
    }
    return signs.length;
  }

  async #widthOf(sign: string): Promise<number> {
    const known = this.#widths.get(sign);
    if (known !== undefined) return known;
    if (this.#widths.size >= widthsKeptMax) this.#widths.clear();
    const { ems } = await letter(sign);
    this.#widths.set(sign, ems);
    return ems;
  }
}

/** Where a line that is full ends: after its last space, unless that leaves too little of it. */
function breakBefore(signs: readonly string[], fitting: number): number {
  const space = signs.lastIndexOf(" ", fitting);
  return space + 1 > fitting * brokenShareMin ? space + 1 : fitting;
}
