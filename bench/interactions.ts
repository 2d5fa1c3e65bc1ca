/**
 * From an input to the next paint, as the browser's Event Timing has it, in steps of 8 ms: filters, search and keys of the list
 * of links. The longest event of each counts; one of less than 16 ms is not reported.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "@playwright/test";

const rounds = 5;
const settleMs = 500;
const shortestMs = 16;

const press = (key: string) => (page: Page) => page.keyboard.press(key);

/** In order: each continues where the one before ends. */
const interactions: Record<string, (page: Page) => Promise<void>> = {
  "open the filters": (page) => page.getByRole("button", { name: /^Filter/ }).click(),
  "show archived links": (page) =>
    page.getByRole("checkbox", { name: "Show archived links" }).click(),
  "hide archived links": (page) =>
    page.getByRole("checkbox", { name: "Show archived links" }).click(),
  "close the filters": press("Escape"),
  "go to the first link": press("j"),
  "go to the next link": press("j"),
  "select it": press("x"),
  "tags of selected links": press("t"),
  "close them": press("Escape"),
  "end the selection": press("Escape"),
  "open the form of a new link": press("c"),
  "type a destination": (page) => page.keyboard.type("https://example.com/shop", { delay: 40 }),
  "close the form": press("Escape"),
  "go to the search": press("/"),
  "type a search": (page) => page.keyboard.type("products/421", { delay: 40 }),
  "clear the search": async (page) => {
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Backspace");
  },
  "command menu": press("Control+k"),
  "close the menu": press("Escape"),
};

/** On a page whose rows are ready: the longest event of each round. */
export async function measureInteractions(page: Page): Promise<Map<string, number[]>> {
  await page.evaluate((durationThreshold) => {
    Reflect.set(window, "eventTimes", []);
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries())
        Reflect.get(window, "eventTimes").push(duration);
    }).observe(Object.assign({ type: "event" }, { durationThreshold }));
  }, shortestMs);
  const times = new Map<string, number[]>();
  // The first round also loads scripts of parts that are shown for the first time.
  for (let round = 0; round < rounds; round++) {
    for (const [name, act] of Object.entries(interactions)) {
      await act(page);
      await sleep(settleMs);
      times.set(name, [...(times.get(name) ?? []), await longestEvent(page)]);
    }
  }
  return times;
}

async function longestEvent(page: Page): Promise<number> {
  return await page.evaluate((shortest) => {
    const times: number[] = Reflect.get(window, "eventTimes").splice(0);
    return Math.max(shortest, ...times);
  }, shortestMs);
}
