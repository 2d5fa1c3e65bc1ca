import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { reduceToPath } from "./index.ts";

function ask(url: string): IncomingMessage {
  const req = new IncomingMessage(new Socket());
  req.url = url;
  req.headers.host = "header.example";
  return req;
}

test.each([
  ["http://go.example/x", "go.example", "/x"],
  ["HTTPS://Go.Example:8443/x?y=http://z/#f", "Go.Example:8443", "/x?y=http://z/#f"],
  ["http://go.example", "go.example", "/"],
  ["http://go.example?x", "go.example", "/?x"],
])("of %s the host is read and the path remains", (url, host, path) => {
  const req = ask(url);
  expect(reduceToPath(req)).toBe(true);
  expect([req.url, req.headers.host]).toEqual([path, host]);
});

test.each(["/", "/x", "//go.example/x", "/http://go.example/x", "/\\go.example"])(
  "%s is a path already, and the header names the host",
  (url) => {
    const req = ask(url);
    expect(reduceToPath(req)).toBe(true);
    expect([req.url, req.headers.host]).toEqual([url, "header.example"]);
  },
);

test.each(["*", "", "ftp://go.example/x", "http:///x", "http://a@go.example/x"])(
  "%j has no path",
  (url) => expect(reduceToPath(ask(url))).toBe(false),
);
