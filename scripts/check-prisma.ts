/**
 * Reports every code path that uses Prisma while a transaction is open. Prisma has its own connection, so it would wait for the
 * transaction’s locks and not see its rows.
 */
import { fileOf, type SourceFile } from "./imports.ts";

/** A top-level declaration without comments. */
interface Block {
  file: string;
  name: string;
  text: string;
}

const declarationStart =
  /^(?=(?:export )?(?:default )?(?:async )?(?:function\*?|const|let|class) \w)/m;
const declaredName = /^(?:(?:export|default|async) )*(?:function\*?|const|let|class) (\w+)/;
const namedImport = /^(?:import|export) (?:type )?\{([^}]*)\} from "([^"]+)"/gm;
const comment = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const takesConnection = /\b\w+\??: (?:Connection|Transaction)\b/;
const inTransaction = /\btransaction(?:<.*?>)?(?=\()|\(tx\b[^()]*\) =>/g;

/** The formatter puts top-level declarations in the first column. */
function blocksOf({ name: file, text }: SourceFile): Block[] {
  return text
    .replace(comment, "")
    .split(declarationStart)
    .flatMap((part) => {
      const name = declaredName.exec(part)?.[1];
      return name === undefined ? [] : [{ file, name, text: part }];
    });
}

function resolverOf(sources: readonly SourceFile[], blocks: readonly Block[]) {
  const own = new Map(blocks.map((block) => [`${block.file}#${block.name}`, block]));
  const imported = new Map<string, string>();
  for (const { name: file, text } of sources) {
    for (const [, names = "", spec = ""] of text.matchAll(namedImport)) {
      for (const one of names.split(",")) {
        const [original = "", local = original] = one.trim().split(" as ");
        imported.set(`${file}#${local}`, `${fileOf(file, spec)}#${original}`);
      }
    }
  }
  return (file: string, name: string): Block | undefined => {
    let key = `${file}#${name}`;
    for (let steps = 0; steps < 3 && !own.has(key); steps++) key = imported.get(key) ?? key;
    return own.get(key);
  };
}

function partsInTransaction(text: string): string[] {
  const head = text.split(/[^(]\{\n/, 1)[0] ?? "";
  if (takesConnection.test(head)) return [text];
  return [...text.matchAll(inTransaction)].map(({ index, 0: opening }) =>
    text.slice(index, endOf(text, index + opening.length, opening.startsWith("t") ? 0 : 1)),
  );
}

/** Finds the closing parenthesis of the call that contains, or starts at, a position. */
function endOf(text: string, from: number, open: number): number {
  let depth = open;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")") depth -= 1;
    if (text[at] === ")" && depth <= 0) return at;
  }
  return text.length;
}

export function findMixed(sources: readonly SourceFile[]): string[] {
  const rooms = sources.filter(({ name }) => name.startsWith("lib/") && !name.includes(".test."));
  const blocks = rooms.flatMap(blocksOf);
  const resolve = resolverOf(rooms, blocks);
  const namedBy = (file: string, text: string) =>
    [...new Set(text.match(/(?<![.\w])[A-Za-z_]\w*\b/g))].flatMap(
      (name) => resolve(file, name) ?? [],
    );

  const callers = new Map<Block, Block[]>();
  for (const block of blocks) {
    for (const named of namedBy(block.file, block.text)) {
      callers.set(named, [...(callers.get(named) ?? []), block]);
    }
  }
  const ways = new Map<Block, string>();
  const follow = (block: Block, way: string) => {
    if (ways.has(block)) return;
    ways.set(block, way);
    for (const caller of callers.get(block) ?? []) follow(caller, `${caller.name} → ${way}`);
  };
  for (const block of blocks) {
    if (block.name !== "prisma" && /\bprisma\(\)/.test(block.text))
      follow(block, `${block.name} → prisma()`);
  }
  const mixed = blocks.flatMap((block) =>
    partsInTransaction(block.text).flatMap((part) => {
      const direct = /\bprisma\(\)/.test(part) ? ["prisma()"] : [];
      const others = namedBy(block.file, part).filter((other) => other !== block);
      const indirect = others.flatMap((other) => ways.get(other) ?? []);
      return [...direct, ...indirect].map(
        (way) => `${block.file}: ${block.name}, in a transaction: ${way}`,
      );
    }),
  );
  return [...new Set(mixed)];
}
