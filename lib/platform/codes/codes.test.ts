import { beforeAll, expect, test } from "vitest";
import { codeFingerprint, codeOfPk, makeCodes, pkOfCode, pksFrom } from "./index.ts";

beforeAll(() => {
  Object.assign(process.env, {
    DATABASE_URL: "postgres://nowhere/fuxi",
    REDIS_URL: "redis://nowhere",
    FUXI_CODE_KEY: "0".repeat(64),
    FUXI_CODE_TWEAK: "0".repeat(14),
    FUXI_SESSION_SECRET: "0".repeat(64),
  });
});

test("the thread generates the same codes as the process itself", async () => {
  const ready = await makeCodes(pksFrom(1_000, 300));
  expect(ready.length).toBeGreaterThan(290);
  for (const { pk, code } of ready) expect(code).toBe(codeOfPk(pk));
});

test.each(["signin", "Signup", "STATUS", "fuckit", "xSh1tx", "n4z1ab", "healthz", "metrics"])(
  "the pk that spells %s is left out, in a small range and in a large one",
  async (code) => {
    const pk = pkOfCode(code);
    if (pk === undefined) throw new Error("no code");
    for (const [before, count] of [
      [2, 5],
      [100, 200],
    ] as const) {
      const ready = await makeCodes(pksFrom(pk - before, count));
      expect(ready.some((one) => one.pk === pk || one.code === code)).toBe(false);
      expect(ready.some((one) => one.pk === pk - 1 || one.pk === pk + 1)).toBe(true);
    }
  },
);

test("the fingerprint does not contain the key", () => {
  expect(codeFingerprint()).toMatch(/^[0-9a-f]{16}$/);
  expect("0".repeat(64)).not.toContain(codeFingerprint());
});
