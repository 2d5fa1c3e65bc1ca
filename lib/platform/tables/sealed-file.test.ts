import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { openParsers } from "#lib/platform/parsers";
import { openerOf } from "./files.ts";
import { readSealed, readStoredRows, receiveTable } from "./index.ts";

openParsers({ warm: 0 });

const folder = mkdtempSync(join(tmpdir(), "fuxi-sealed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const key = randomBytes(32);
const phone = "13812345678";

test("a sealed file is read from any position, and only with its key", async () => {
  const path = join(folder, "any");
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 50 }), { minLength: 1, maxLength: 9 }),
      fc.nat(400),
      async (parts, from) => {
        const whole = Buffer.concat(parts);
        const writer = await openerOf(key)(path, "w+");
        for (const part of parts) await writer.write(part, 0, part.length);
        await writer.close();
        const read = async (used: Buffer) => {
          const reader = await readSealed(used, await openerOf(undefined)(path, "r"));
          const buffer = Buffer.alloc(500);
          const { bytesRead } = await reader.read(buffer, 0, buffer.length, from);
          await reader.close();
          return buffer.subarray(0, bytesRead);
        };
        expect(await read(key)).toEqual(whole.subarray(from));
        if (whole.length - from > 8)
          expect(await read(randomBytes(32))).not.toEqual(whole.subarray(from));
      },
    ),
    { numRuns: 50 },
  );
});

const gb18030 = Buffer.from([0xc4, 0xe3, 0xba, 0xc3]);

test.each([
  ["UTF-8", Buffer.from(`phone,name\n${phone},你好\n`)],
  ["GB18030", Buffer.concat([Buffer.from(`phone,name\n${phone},`), gb18030, Buffer.from("\n")])],
])("a table in %s is received without its text ever being on disk", async (_, bytes) => {
  const seen: string[] = [];
  const look = () => {
    for (const name of readdirSync(folder)) seen.push(readFileSync(join(folder, name), "latin1"));
  };
  const parts = [bytes.subarray(0, 20), bytes.subarray(20)];
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        look();
        const part = parts.shift();
        if (part) controller.enqueue(part);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const path = join(folder, "table");
  const table = await receiveTable(body, {
    path,
    store: async (part) => {
      look();
      await rename(part, path);
    },
    key,
    delimiter: undefined,
    declaredBytes: bytes.length,
    bytesMax: 1_000,
    rules: {},
    hasHeading: () => true,
    assertRoom: () => Promise.resolve(),
    sender: { workspaceId: "ws_test" },
  });
  look();
  expect(table).toMatchObject({ records: 2, width: 2 });
  expect(seen.length).toBeGreaterThan(2);
  expect(seen.filter((text) => text.includes(phone))).toEqual([]);
  const file = await readSealed(key, await openerOf(undefined)(path, "r"));
  const rows: string[][] = [];
  for await (const batch of readStoredRows(file, 0)) rows.push(...batch.map(({ cells }) => cells));
  await file.close();
  expect(rows).toEqual([
    ["phone", "name"],
    [phone, "你好"],
  ]);
});
