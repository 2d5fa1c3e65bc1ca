import fc from "fast-check";
import { expect, test } from "vitest";
import { type Piece, Slabs } from "./slabs.ts";

interface Held {
  piece: Piece;
  text: string;
}

const size = fc.oneof(
  fc.integer({ min: 0, max: 2_000 }),
  fc.integer({ min: 100_000, max: 400_000 }),
  fc.constantFrom(0, 1024 * 1024 - 1, 1024 * 1024, 1024 * 1024 + 1, 3_000_000),
);
const step = fc.record({ size, asText: fc.boolean(), releases: fc.integer({ min: 0, max: 3 }) });

test("a held value stays unchanged, however much is held and released around it", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
      const slabs = new Slabs();
      const held: Held[] = [];
      steps.forEach(({ size, asText, releases }, at) => {
        const text = String.fromCharCode(33 + (at % 200)).repeat(size);
        const piece = asText ? slabs.holdText(text) : slabs.hold(Buffer.from(text, "latin1"));
        held.push({ piece, text });
        for (const { piece } of held.splice(0, releases)) slabs.release(piece);
        for (const { piece, text } of held) {
          expect(piece.bytes.equals(Buffer.from(text, "latin1"))).toBe(true);
        }
      });
    }),
    { numRuns: 30 },
  );
});

test("released room is used again", () => {
  const slabs = new Slabs();
  const buffers = new Set<ArrayBufferLike>();
  const held: Piece[] = [];
  for (let round = 0; round < 1_000; round++) {
    held.push(slabs.holdText("x".repeat(10_000)));
    for (const piece of held.splice(0, held.length - 200)) slabs.release(piece);
    buffers.add(held.at(-1)?.bytes.buffer ?? new ArrayBuffer());
  }
  // Two hundred pieces of 10 kB fill two slabs; a third is being emptied, and one is filled.
  expect(buffers.size).toBeLessThanOrEqual(4);
});
