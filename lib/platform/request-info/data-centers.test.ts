import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { isDataCenter, networksIn, openDataCenters } from "./data-centers.ts";

const folder = mkdtempSync(join(tmpdir(), "networks-"));
afterAll(() => rmSync(folder, { recursive: true }));
const minuteMs = 60_000;

test("an address is found by the networks of the file, at their first and last address", async () => {
  const path = join(folder, "networks.txt");
  const lines = ["# cloud", "203.0.113.0/25", "198.51.100.7", "2001:db8:1::/48 ; other cloud", ""];
  writeFileSync(path, lines.join("\r\n"));
  await openDataCenters(path, minuteMs);
  const inside = [
    ...["203.0.113.0", "203.0.113.127", "::ffff:203.0.113.1", "198.51.100.7"],
    ...["2001:db8:1::", "2001:db8:1:ffff:ffff:ffff:ffff:ffff"],
  ];
  const outside = [
    ...["203.0.112.255", "203.0.113.128", "198.51.100.6", "198.51.100.8"],
    ...["2001:db8:0:ffff::", "2001:db8:2::", "", "nowhere"],
  ];
  expect(inside.filter(isDataCenter)).toEqual(inside);
  expect(outside.filter(isDataCenter)).toEqual([]);
});

test("a changed file is read again after a minute, and a missing one changes nothing", async () => {
  const path = join(folder, "changed.txt");
  writeFileSync(path, "192.0.2.0/24\n");
  await openDataCenters(path, 10 * minuteMs);
  expect(isDataCenter("192.0.2.9")).toBe(true);
  writeFileSync(path, "192.0.2.128/25\n");
  await openDataCenters(path, 11 * minuteMs - 1);
  expect(isDataCenter("192.0.2.9")).toBe(true);
  await openDataCenters(path, 11 * minuteMs);
  expect(isDataCenter("192.0.2.9")).toBe(false);
  rmSync(path);
  await openDataCenters(path, 12 * minuteMs);
  expect(isDataCenter("192.0.2.200")).toBe(true);
});

test("overlapping networks are merged, and lines that are none are told by their number", () => {
  const { networks, invalidLines } = networksIn(
    "10.0.0.0/9\n10.128.0.0/9\n10.1.0.0/16\nnowhere\n10.0.0.0/33\n10.0.0.0/\n1.2.3.4/8/9\n::1/129\n",
  );
  expect(networks).toHaveLength(1);
  expect(invalidLines).toEqual([4, 5, 6, 7, 8]);
});
