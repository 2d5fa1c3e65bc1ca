import { expect, test } from "vitest";
import { FairQueue } from "./fair-queue.ts";

const limits = { runningMax: 1, waitingMax: 6, waitingPerGroupMax: 4, waitingPerMemberMax: 3 };

/** Queues work for groups; each piece ends by itself. Returns the order in which they ran. */
async function orderOf(runningMax: number, groups: readonly string[]): Promise<string> {
  const queue = new FairQueue({ ...limits, runningMax });
  const order: string[] = [];
  await Promise.all(
    groups.map((group) =>
      queue.run({ group, member: group }, async () => {
        order.push(group);
        await Promise.resolve();
      }),
    ),
  );
  return order.join("");
}

test("groups take turns, and within a group the order stays", async () => {
  expect(await orderOf(1, [..."aaaaabc"])).toBe("aabcaaa");
  expect(await orderOf(1, [..."aabbcc"])).toBe("aabcbc");
  expect(await orderOf(2, [..."aaaab"])).toBe("aaaba");
});

test("each limit admits its maximum, and no more", async () => {
  const queue = new FairQueue(limits);
  const owner = (group: string, member: string) => ({ group, member });
  let finish = () => {};
  const started = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const work: Promise<void>[] = [queue.run(owner("a", "x"), () => started)];
  const add = (group: string, member: string) =>
    work.push(queue.run(owner(group, member), () => Promise.resolve()));
  expect(queue.hasRoom(owner("a", "x"), 3)).toBe(true);
  expect(queue.hasRoom(owner("a", "x"), 4)).toBe(false);
  for (let at = 0; at < 3; at++) add("a", "x");
  expect(queue.hasRoom(owner("a", "x"), 1)).toBe(false);
  expect(queue.hasRoom(owner("a", "y"), 1)).toBe(true);
  expect(queue.hasRoom(owner("a", "y"), 2)).toBe(false);
  add("a", "y");
  expect(queue.hasRoom(owner("b", "x"), 2)).toBe(true);
  expect(queue.hasRoom(owner("b", "x"), 3)).toBe(false);
  finish();
  await Promise.all(work);
  expect(queue.hasRoom(owner("a", "x"), 3)).toBe(true);
});

test("work that fails gives its slot to the next", async () => {
  const queue = new FairQueue(limits);
  const owner = { group: "a", member: "x" };
  const failed = queue.run(owner, () => Promise.reject(new Error("no")));
  const next = queue.run(owner, () => Promise.resolve("yes"));
  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe("yes");
});
