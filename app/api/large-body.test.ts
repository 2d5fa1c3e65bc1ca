import fc from "fast-check";
import { expect, test } from "vitest";
import { AppError } from "#lib/platform/errors";
import { mapInTurns, readJsonArray } from "./large-body.ts";

const wide = { itemsMax: 1_000_000, bytesMax: 64 * 1024 * 1024 };

const headers = { "Content-Type": "application/json; charset=utf-8" };

/** A request whose body arrives in parts of these lengths, repeated. */
function requestOf(body: string | Uint8Array, lengths: readonly number[] = [1_000_000]): Request {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  let at = 0;
  let count = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      const length = lengths[count++ % lengths.length] ?? 1;
      controller.enqueue(bytes.subarray(at, at + length));
      at += length;
    },
  });
  const init: RequestInit & { duplex: "half" } = {
    method: "POST",
    headers,
    body: stream,
    duplex: "half",
  };
  return new Request("http://localhost", init);
}

async function outcomeOf(request: Request, limits = wide): Promise<unknown> {
  try {
    return await readJsonArray(request, limits);
  } catch (error) {
    if (error instanceof AppError) return error.status;
    throw error;
  }
}

const cuts = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 });
const spaces = fc.constantFrom(undefined, 0, 1, "\t");

test("any array gives the elements that JSON.parse gives, at whatever bytes it is split", async () => {
  const value = fc.jsonValue({ maxDepth: 6 });
  await fc.assert(
    fc.asyncProperty(fc.array(value, { maxLength: 12 }), cuts, spaces, async (items, at, space) => {
      const text = JSON.stringify(items, null, space);
      expect(await readJsonArray(requestOf(text, at), wide)).toEqual(JSON.parse(text));
    }),
    { numRuns: 500 },
  );
});

test("texts with escapes, quotes, brackets and characters of every length survive the splits", async () => {
  const text = fc.string({
    unit: fc.constantFrom('"', "\\", "[", "]", "{", "}", ",", "é", "点", "😀", "\n", "\u0001", "a"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.dictionary(text, text)), cuts, async (items, at) => {
      const json = JSON.stringify(items);
      expect(await readJsonArray(requestOf(json, at), wide)).toEqual(JSON.parse(json));
    }),
    { numRuns: 300 },
  );
});

test("what JSON.parse refuses, or what is not an array, is a 400", async () => {
  const noise = fc.string({ unit: fc.constantFrom(...'[]{},:"\\ \n0a1-.eEtrufalsn'.split("")) });
  await fc.assert(
    fc.asyncProperty(noise, fc.boolean(), cuts, async (inner, wrapped, at) => {
      const text = wrapped ? `[${inner}]` : inner;
      expect(await outcomeOf(requestOf(text, at))).toEqual(expectedOf(text));
    }),
    { numRuns: 3_000 },
  );
});

function expectedOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : 400;
  } catch {
    return 400;
  }
}

test.each([
  ["", 400],
  [" ", 400],
  ["[", 400],
  ["[1", 400],
  ['["', 400],
  ["[1,]", 400],
  ["[,1]", 400],
  ["[1 2]", 400],
  ["[1]]", 400],
  ["[1],", 400],
  ["[{]}]", 400],
  ["[}]", 400],
  ["{}", 400],
  ["null", 400],
  ["[]", []],
  [" [ ] \n", []],
  ["\ufeff[1]", [1]],
  ['[{"__proto__":1}]', [JSON.parse('{"__proto__":1}')]],
])("%j is answered by %j", async (text, expected) => {
  expect(await outcomeOf(requestOf(text))).toEqual(expected);
  expect(await outcomeOf(requestOf(text, [1]))).toEqual(expected);
});

test("without a body, or with one of another type, it is a 400", async () => {
  const ask = (init: RequestInit) =>
    outcomeOf(new Request("http://localhost", { method: "POST", ...init }));
  expect(await ask({ headers })).toBe(400);
  expect(await ask({ headers, body: "[]" })).toEqual([]);
  expect(await ask({ body: "[]" })).toBe(400);
  expect(await ask({ headers: { "Content-Type": "text/csv" }, body: "[]" })).toBe(400);
});

test("bytes that are not UTF-8 are a 400", async () => {
  for (const bad of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98]]) {
    const bytes = Uint8Array.from([0x5b, 0x22, ...bad, 0x22, 0x5d]);
    expect(await outcomeOf(requestOf(bytes))).toBe(400);
  }
});

test("U+0000 and unpaired surrogates are a 422 that names the field", async () => {
  for (const bad of ["\\u0000", "\\ud800", "\\udc00x", "\\ud83d\\u0041"]) {
    const reading = readJsonArray(requestOf(`[{"a":1},{"b":{"c":"x${bad}"}}]`), wide);
    await expect(reading).rejects.toMatchObject({ status: 422, message: /^1\.b\.c: / });
    expect(await outcomeOf(requestOf(`[{"${bad}":1}]`))).toBe(422);
  }
  expect(await outcomeOf(requestOf('["\\ud83d\\ude00","\\\\u0000"]'))).toEqual(["😀", "\\u0000"]);
});

test("items, bytes, bytes of an item and depth have their limits", async () => {
  const limits = { itemsMax: 3, bytesMax: 1024 * 1024 };
  expect(await outcomeOf(requestOf("[1,2,3]"), limits)).toEqual([1, 2, 3]);
  expect(await outcomeOf(requestOf("[1,2,3,4]"), limits)).toBe(422);
  const ofBytes = (bytes: number) => `["${"x".repeat(bytes - 4)}"]`;
  expect(await outcomeOf(requestOf(ofBytes(limits.bytesMax)), limits)).toHaveLength(1);
  expect(await outcomeOf(requestOf(ofBytes(limits.bytesMax + 1)), limits)).toBe(400);
  // The brackets around an item are not part of it.
  expect(await outcomeOf(requestOf(ofBytes(1024 * 1024 + 2)))).toHaveLength(1);
  expect(await outcomeOf(requestOf(ofBytes(1024 * 1024 + 3)))).toBe(400);
  const ofDepth = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  expect(await outcomeOf(requestOf(ofDepth(32)))).toHaveLength(1);
  expect(await outcomeOf(requestOf(ofDepth(33)))).toBe(400);
  expect(await outcomeOf(requestOf(ofDepth(500_000)))).toBe(400);
});

test("10,000 links of 8 MB are read while other work runs every 10 ms", async () => {
  const link = {
    url: `https://example.com/${"path/".repeat(140)}`,
    tagNames: ["spring", "summer"],
    comments: 'Ünïcode 点击 "quoted" \\ '.repeat(2),
  };
  const body = JSON.stringify(
    Array.from({ length: 10_000 }, (_, at) => ({ ...link, externalId: `${at}` })),
  );
  const bytes = new TextEncoder().encode(body);
  expect(bytes.length).toBeGreaterThan(8_000_000);
  // The best of ten, and nine turns of ten: garbage collection blocks a loop too.
  let delayMs = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 10 && delayMs >= 10; tries++) {
    delayMs = Math.min(delayMs, await delayWhile(() => readAndMap(bytes)));
  }
  expect(delayMs).toBeLessThan(10);
});

async function readAndMap(bytes: Uint8Array): Promise<void> {
  const request = requestOf(bytes, [bytes.length]);
  const items = await readJsonArray(request, { itemsMax: 10_000, bytesMax: 16 * 1024 * 1024 });
  expect(await mapInTurns(items, (item) => JSON.stringify(item).length)).toHaveLength(10_000);
}

/**
 * The maximum milliseconds of work between two turns of other work, in nine turns of ten. CPU time: other load on the
 * machine is not included.
 */
async function delayWhile(work: () => Promise<void>): Promise<number> {
  const delays: number[] = [];
  let before = process.cpuUsage();
  let working = true;
  const others = (async () => {
    while (working) {
      await new Promise(setImmediate);
      const { user, system } = process.cpuUsage(before);
      delays.push((user + system) / 1_000);
      before = process.cpuUsage();
    }
  })();
  await work();
  working = false;
  await others;
  const sorted = delays.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.9)] ?? Number.POSITIVE_INFINITY;
}
