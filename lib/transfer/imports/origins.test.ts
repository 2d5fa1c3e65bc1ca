import { expect, test } from "vitest";
import type { FieldName } from "./fields.ts";
import { originOf } from "./origins.ts";

const about = { zone: "Europe/Berlin", hosts: new Set(["go.example.com"]) };

function originIn(cells: Partial<Record<FieldName, string>>) {
  return originOf((field) => cells[field] ?? "", about);
}

test("a link of another domain keeps what it was, with its clicks and its date", () => {
  const cells = {
    shortLink: "https://Bit.ly/3abc?x",
    originClicks: "1,234",
    originCreatedAt: "2020-06-01 12:00",
  };
  expect(originIn(cells)).toEqual({
    system: "file",
    shortLink: "bit.ly/3abc",
    clicks: 1_234,
    createdAt: "2020-06-01T10:00:00.000Z",
  });
});

test("what cannot be read is left out, and refuses nothing", () => {
  expect(
    originIn({ originSystem: "dub", originClicks: "many", originCreatedAt: "long ago" }),
  ).toEqual({
    system: "dub",
    shortLink: null,
    clicks: null,
    createdAt: null,
  });
});

test.each([
  ["1600000000", "2020-09-13T12:26:40.000Z"],
  ["1600000000000", "2020-09-13T12:26:40.000Z"],
  ["2020-01-02T03:04:05+0000", "2020-01-02T03:04:05.000Z"],
])("a creation date may be written as %s", (given, createdAt) => {
  expect(originIn({ originCreatedAt: given })).toMatchObject({ createdAt });
});

test("a new link on a domain of the workspace comes from nowhere", () => {
  expect(originIn({ shortLink: "go.example.com/sale" })).toBeUndefined();
  expect(originIn({})).toBeUndefined();
});
