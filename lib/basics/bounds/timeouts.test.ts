import { expect, test, vi } from "vitest";
import { TimeoutError, withTimeout } from "./index.ts";

test("work that ends in time keeps its outcome, and its timer is cleared", async () => {
  vi.useFakeTimers();
  await expect(withTimeout(1_000, () => Promise.resolve("done"))).resolves.toBe("done");
  const refuse = () => Promise.reject(new Error("refused"));
  await expect(withTimeout(1_000, refuse)).rejects.toThrow("refused");
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

test("late work ends in an error: that of a lost connection, or the caller's own", async () => {
  const never = () => new Promise(() => undefined);
  const error = await withTimeout(1, never).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error).toMatchObject({ code: "ETIMEDOUT", message: "No answer within 1 ms" });
  await expect(withTimeout(1, never, () => new Error("stalled"))).rejects.toThrow("stalled");
});
