/**
 * The tokens of an SQL dump as MySQL and MariaDB write it, while it is read: texts with their escapes, names, words and
 * signs, without comments. A token that is not complete waits for the next part of the file.
 */
import { tableError } from "./problems.ts";
import { rowTooLong } from "./row-sink.ts";
import { rowCharsMax } from "./schema.ts";

export interface SqlToken {
  /** sign: one of ( ) , ; and other punctuation. word: also a number. */
  kind: "text" | "name" | "word" | "sign";
  value: string;
  /** Of the file, where it starts. */
  line: number;
}

/** Of a text or a comment, in any table. */
const tokenCharsMax = 4 * rowCharsMax;

/** As MySQL escapes them. Of any other character, the backslash is dropped. */
const escapes: Readonly<Record<string, string>> = {
  "0": "\0",
  b: "\b",
  n: "\n",
  r: "\r",
  t: "\t",
  Z: "\x1a",
};
/** A quote within a text is escaped or doubled. */
const escapePatterns = { "'": /\\([\s\S])|''/g, '"': /\\([\s\S])|""/g } as const;
const wordPattern = /[-+]?[\p{L}\p{N}_.$@]+/uy;

export class SqlTokens {
  #rest = "";
  #line = 1;

  /** The tokens of the next part. The last one may go on in the part after it. */
  read(part: string): SqlToken[] {
    return this.#take(this.#rest + part, false);
  }

  /** The last token. Throws when a text or a comment is open. */
  end(): SqlToken[] {
    const found = this.#take(`${this.#rest}\n`, true);
    if (this.#rest !== "") throw tableError("sql_cut", { line: this.#line });
    return found;
  }

  #take(text: string, isLast: boolean): SqlToken[] {
    const found: SqlToken[] = [];
    let at = 0;
    while (at < text.length) {
      const end = endOf(text, at);
      // What reaches the end of a part may go on.
      if (end === 0 || (end === text.length && !isLast)) break;
      const piece = text.slice(at, end);
      const token = tokenOf(piece);
      if (token) found.push({ ...token, line: this.#line });
      this.#line += newlinesIn(piece);
      at = end;
    }
    this.#rest = text.slice(at);
    if (this.#rest.length > tokenCharsMax) throw rowTooLong(this.#line, false);
    return found;
  }
}

/** Where the token or comment at a place ends; 0: not in this text. */
function endOf(text: string, at: number): number {
  const sign = text[at] ?? "";
  if (sign === "'" || sign === '"') return endOfText(text, at + 1, sign);
  if (sign === "`") return text.indexOf("`", at + 1) + 1;
  if (sign === "#" || text.startsWith("--", at)) return text.indexOf("\n", at) + 1;
  if (text.startsWith("/*", at)) return endOfComment(text, at);
  wordPattern.lastIndex = at;
  return wordPattern.test(text) ? wordPattern.lastIndex : at + 1;
}

function endOfComment(text: string, at: number): number {
  const end = text.indexOf("*/", at + 2);
  return end < 0 ? 0 : end + 2;
}

function endOfText(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === quote) {
      if (text[at + 1] !== quote) return at + 1;
      at += 1;
    }
  }
  return 0;
}

/** Undefined: a space or a comment. */
function tokenOf(text: string): Omit<SqlToken, "line"> | undefined {
  const [first = ""] = text;
  if (/\s/.test(first) || first === "#" || /^(?:--|\/\*)/.test(text)) return undefined;
  const inside = text.slice(1, -1);
  if (first === "`") return { kind: "name", value: inside };
  if (first === "'" || first === '"') {
    return { kind: "text", value: inside.replace(escapePatterns[first], unescaped) };
  }
  return { kind: /[\p{L}\p{N}_.$@]/u.test(text) ? "word" : "sign", value: text };
}

function unescaped(found: string, sign: string | undefined): string {
  return sign === undefined ? found.slice(1) : (escapes[sign] ?? sign);
}

function newlinesIn(token: string): number {
  let lines = 0;
  for (let at = token.indexOf("\n"); at >= 0; at = token.indexOf("\n", at + 1)) lines += 1;
  return lines;
}
