import { expect, test } from "vitest";
import { describeImageNode, otherNode } from "./node-builds.ts";

test("long runs repeat tests with the oldest version of Node, or with that of the image", () => {
  const { version } = describeImageNode();
  expect(otherNode("20.20.2")).toBe(version);
  expect(otherNode(version)).toBe("20.19");
});
