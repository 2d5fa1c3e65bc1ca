import { expect, test } from "vitest";
import { WorkLimit } from "./work-limit.ts";

/** Tasks that end on request. */
function openTasks() {
  const ends: ((value: string) => void)[] = [];
  const work = () => new Promise<string>((resolve) => ends.push(resolve));
  return { ends, work };
}

const turn = () => new Promise(setImmediate);

test("work within the running and waiting limits is done, and one more is refused at once", async () => {
  const gate = new WorkLimit({ runningMax: 2, waitingMax: 3 });
  const { ends, work } = openTasks();
  const passes = Array.from({ length: 5 }, () => gate.pass(work));
  expect(await gate.pass(work)).toBeUndefined();
  expect(ends).toHaveLength(2);
  for (let done = 0; done < 5; done++) {
    ends[done]?.(`work ${done}`);
    await turn();
  }
  expect(await Promise.all(passes)).toEqual(["work 0", "work 1", "work 2", "work 3", "work 4"]);
});

test("a place is free again after work that failed", async () => {
  const gate = new WorkLimit({ runningMax: 1, waitingMax: 0 });
  await expect(gate.pass(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await gate.pass(() => Promise.resolve("done"))).toBe("done");
});
