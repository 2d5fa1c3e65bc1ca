import { expect, test } from "vitest";
import { icpCharsMax, isIcpNumber } from "./schema.ts";

test("an ICP number has a province, a kind and a number", () => {
  for (const right of [
    "京ICP备12345678号-1",
    "沪ICP备2021000001号",
    "粤ICP证030173号",
    "京ICP备1号-2A",
  ]) {
    expect(isIcpNumber(right)).toBe(true);
  }
  for (const wrong of [
    "",
    "ICP备12345678号",
    "京ICP备号-1",
    "京icp备12345678号",
    "京ICP备12345678",
    "京ICP备12345678号-",
    "京ICP备12345678号-1<b>",
    '京ICP备12345678号"',
    "京ICP备12345678号-1\n",
  ]) {
    expect(isIcpNumber(wrong)).toBe(false);
  }
});

test("an ICP number has at most 32 characters", () => {
  const ofLength = (chars: number) => `京ICP备${"1".repeat(chars - 6)}号`;
  expect(ofLength(icpCharsMax)).toHaveLength(32);
  expect(isIcpNumber(ofLength(icpCharsMax))).toBe(true);
  expect(isIcpNumber(ofLength(icpCharsMax + 1))).toBe(false);
});
