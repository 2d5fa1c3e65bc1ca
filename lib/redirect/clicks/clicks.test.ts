import { randomBytes } from "node:crypto";
import { appendFile, mkdtemp, readdir, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { eventEnd, fieldEnd, openAddresses, parseEvents, sealAddresses } from "./event.ts";
import { readSpool, Spool } from "./spool.ts";

const field = fc.string({
  unit: fc.constantFrom("a", "é", " ", ",", '"', "\\", "%", "中"),
  maxLength: 20,
});

test("every value that a header may have passes a group unchanged", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(field, field, field, field, field), { maxLength: 5 }),
      (visits) => {
        const text = visits
          .map((fields) => [1_700_000_000_000, 1, 2, 3, "q", ...fields].join(fieldEnd) + eventEnd)
          .join("");
        const events = parseEvents(Buffer.from(text, "utf8").toString("latin1"), []);
        expect(events.map((e) => [e.userAgent, e.referer, e.language, e.query, e.url])).toEqual(
          visits,
        );
      },
    ),
  );
});

test("a text that was truncated or has other fields is refused", () => {
  expect(() => parseEvents("1", [])).toThrow(SyntaxError);
  expect(() => parseEvents(`1${fieldEnd}2${eventEnd}`, [])).toThrow(SyntaxError);
  expect(() => parseEvents(`${"x\x1f".repeat(9)}x${eventEnd}`, [])).toThrow(SyntaxError);
});

test("addresses are read with the key of their day and with no other", () => {
  const key = randomBytes(32);
  const sealed = sealAddresses(["203.0.113.7", "2001:db8::1"].join(fieldEnd), key);
  expect(sealed.includes("203.0.113.7")).toBe(false);
  expect(openAddresses(sealed, key)).toEqual(["203.0.113.7", "2001:db8::1"]);
  expect(openAddresses(sealed, randomBytes(32))).toEqual([]);
  expect(openAddresses(Buffer.alloc(3), key)).toEqual([]);
});

test("records of a spool are read in order, up to one that a crash truncated", async () => {
  const folder = await mkdtemp(join(tmpdir(), "spool-"));
  const spool = new Spool(folder, "a");
  await spool.append(Buffer.from("one"));
  await spool.append(Buffer.from("two"));
  const [path = ""] = await spool.collect();
  await appendFile(path, Buffer.from([9, 0, 0, 0, 1, 2]));
  expect((await readSpool(path)).map(String)).toEqual(["one", "two"]);
});

test("a spool of a dead process is adopted by exactly one other", async () => {
  const folder = await mkdtemp(join(tmpdir(), "spool-"));
  const dead = new Spool(folder, "dead");
  await dead.append(Buffer.from("left behind"));
  await dead.close();
  const [name = ""] = await readdir(folder);
  // No process has this number: it is above the maximum of Linux.
  await rename(join(folder, name), join(folder, "4999999.dead.1.spool"));
  const successors = [new Spool(folder, "b"), new Spool(folder, "c")];
  const adopted = await Promise.all(successors.map((successor) => successor.collect()));
  expect(adopted.flat()).toHaveLength(1);
  const [path = ""] = adopted.flat();
  expect((await readSpool(path)).map(String)).toEqual(["left behind"]);
});
