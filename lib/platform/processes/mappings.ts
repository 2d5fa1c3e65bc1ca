/**
 * Source maps (https://tc39.es/ecma426): a group per compiled line, ended by `;`, with segments of
 * base-64 numbers, relative to the previous ones.
 */
export interface SourceMap {
  sources: string[];
  mappings: string;
}

interface Position {
  source: string;
  line: number;
  column: number;
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const values = new Map([...digits].map((digit, value) => [digit, value]));
const bits = 5;
const more = 1 << bits;

interface Segment {
  compiledLine: number;
  compiledColumn: number;
  source: string | undefined;
  line: number;
  column: number;
}

export function findPosition(
  map: SourceMap,
  compiledLine: number,
  compiledColumn: number,
): Position | undefined {
  let last: Segment | undefined;
  for (const segment of segmentsOf(map, compiledLine + 1)) {
    if (segment.compiledLine < compiledLine) continue;
    if (segment.compiledColumn > compiledColumn) break;
    last = segment;
  }
  if (last?.source === undefined) return undefined;
  return { source: last.source, line: last.line, column: last.column };
}

function* segmentsOf({ sources, mappings }: SourceMap, lines: number): Generator<Segment> {
  let [source, line, column] = [0, 0, 0];
  for (const [compiledLine, group] of mappings.split(";", lines).entries()) {
    let compiledColumn = 0;
    for (const [columns = 0, ...steps] of group.split(",").map(readNumbers)) {
      compiledColumn += columns;
      source += steps[0] ?? 0;
      line += steps[1] ?? 0;
      column += steps[2] ?? 0;
      const name = steps.length > 0 ? sources[source] : undefined;
      yield { compiledLine, compiledColumn, source: name, line, column };
    }
  }
}

function readNumbers(segment: string): number[] {
  const numbers: number[] = [];
  let [number, shift] = [0, 0];
  for (const sign of segment) {
    const digit = values.get(sign) ?? 0;
    number += (digit & (more - 1)) << shift;
    shift += bits;
    if (digit >= more) continue;
    numbers.push(number & 1 ? -(number >> 1) : number >> 1);
    [number, shift] = [0, 0];
  }
  return numbers;
}
