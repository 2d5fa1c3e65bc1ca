import { expect, test } from "vitest";
import { openTestStores } from "../../../test/stores.ts";
import { seal, unseal } from "./index.ts";

openTestStores();

const secret = Buffer.from("the secret");

test("a secret is read again with its purpose and its row, and with nothing else", () => {
  const sealed = seal("shares", secret, "share_1");
  expect(unseal("shares", sealed, "share_1")).toEqual(secret);
  expect(() => unseal("keys", sealed, "share_1")).toThrow();
  expect(() => unseal("shares", sealed, "share_2")).toThrow();
  expect(() => unseal("shares", sealed)).toThrow();
});

test("a changed secret is refused at every byte, and so is a shortened one", () => {
  const sealed = seal("shares", secret);
  for (const at of sealed.keys()) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => unseal("shares", changed), `byte ${at}`).toThrow();
  }
  for (let bytes = 0; bytes < sealed.length; bytes++) {
    expect(() => unseal("shares", sealed.subarray(0, bytes)), `${bytes} bytes`).toThrow();
  }
});

test("the same secret never looks the same twice, and is nowhere in it", () => {
  const [one, two] = [seal("shares", secret), seal("shares", secret)];
  expect(one.equals(two)).toBe(false);
  expect(one.includes(secret)).toBe(false);
});
