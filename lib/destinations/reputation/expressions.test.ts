/**
 * The examples of “URLs and Hashing”, Safe Browsing v5 and v4, developers.google.com/safe-browsing, and of “Hashing URLs”,
 * cloud.google.com/web-risk/docs/urls-hashing.
 */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import {
  canonicalOf,
  expressionsOf,
  hashesOf,
  lastHosts,
  registrableHosts,
} from "./expressions.ts";

function canonical(url: string): string {
  const { host, path, query } = canonicalOf(url);
  return `http://${host}${path}${query}`;
}

test.each([
  ["http://host/%25%32%35", "http://host/%25"],
  ["http://host/%25%32%35%25%32%35", "http://host/%25%25"],
  ["http://host/%2525252525252525", "http://host/%25"],
  ["http://host/asdf%25%32%35asd", "http://host/asdf%25asd"],
  ["http://host/%%%25%32%35asd%%", "http://host/%25%25%25asd%25%25"],
  ["http://www.google.com/", "http://www.google.com/"],
  [
    "http://%31%36%38%2e%31%38%38%2e%39%39%2e%32%36/%2E%73%65%63%75%72%65/%77%77%77%2E%65%62%61%79%2E%63%6F%6D/",
    "http://168.188.99.26/.secure/www.ebay.com/",
  ],
  [
    "http://host%23.com/%257Ea%2521b%2540c%2523d%2524e%25f%255E00%252611%252A22%252833%252944_55%252B",
    "http://host%23.com/~a!b@c%23d$e%25f^00&11*22(33)44_55+",
  ],
  ["http://3279880203/blah", "http://195.127.0.11/blah"],
  ["http://www.google.com/blah/..", "http://www.google.com/"],
  ["www.google.com/", "http://www.google.com/"],
  ["http://www.evil.com/blah#frag", "http://www.evil.com/blah"],
  ["http://www.GOOgle.com/", "http://www.google.com/"],
  ["http://www.google.com.../", "http://www.google.com/"],
  ["http://www.google.com/foo\tbar\rbaz\n2", "http://www.google.com/foobarbaz2"],
  ["http://www.google.com/q?", "http://www.google.com/q?"],
  ["http://www.google.com/q?r?s", "http://www.google.com/q?r?s"],
  ["http://evil.com/foo#bar#baz", "http://evil.com/foo"],
  ["http://evil.com/foo;", "http://evil.com/foo;"],
  ["http://evil.com/foo?bar;", "http://evil.com/foo?bar;"],
  ["http://notrailingslash.com", "http://notrailingslash.com/"],
  ["http://www.gotaport.com:1234/", "http://www.gotaport.com/"],
  ["  http://www.google.com/  ", "http://www.google.com/"],
  ["http:// leadingspace.com/", "http://%20leadingspace.com/"],
  ["https://www.securesite.com/", "http://www.securesite.com/"],
  ["http://host.com/ab%23cd", "http://host.com/ab%23cd"],
  ["http://host.com//twoslashes?more//slashes", "http://host.com/twoslashes?more//slashes"],
  ["http://[2001:0db8:0000::1]/", "http://[2001:db8::1]/"],
  ["http://[::ffff:1.2.3.4]/", "http://1.2.3.4/"],
  ["http://[64:ff9b::1.2.3.4]/", "http://1.2.3.4/"],
])("%j is canonicalized as documented", (url, wanted) => {
  expect(canonical(url)).toBe(wanted);
});

test.each([
  [
    "http://a.b.com/1/2.html?param=1",
    [
      ...["a.b.com/1/2.html?param=1", "a.b.com/1/2.html", "a.b.com/", "a.b.com/1/"],
      ...["b.com/1/2.html?param=1", "b.com/1/2.html", "b.com/", "b.com/1/"],
    ],
  ],
  [
    "http://a.b.c.d.e.f.com/1.html",
    [
      ...["a.b.c.d.e.f.com/1.html", "a.b.c.d.e.f.com/", "c.d.e.f.com/1.html", "c.d.e.f.com/"],
      ...["d.e.f.com/1.html", "d.e.f.com/", "e.f.com/1.html", "e.f.com/", "f.com/1.html", "f.com/"],
    ],
  ],
  ["http://1.2.3.4/1/", ["1.2.3.4/1/", "1.2.3.4/"]],
  ["http://example.co.uk/1", ["example.co.uk/1", "example.co.uk/"]],
])("the expressions of %s are the documented ones of Safe Browsing", (url, wanted) => {
  expect(expressionsOf(url, registrableHosts).toSorted()).toEqual(wanted.toSorted());
});

test.each([
  [
    "http://a.b.c.d.e.f.g/1.html",
    [
      ...["a.b.c.d.e.f.g/1.html", "a.b.c.d.e.f.g/", "c.d.e.f.g/1.html", "c.d.e.f.g/"],
      ...["d.e.f.g/1.html", "d.e.f.g/", "e.f.g/1.html", "e.f.g/", "f.g/1.html", "f.g/"],
    ],
  ],
  ["http://1.2.3.4/1/", ["1.2.3.4/1/", "1.2.3.4/"]],
  ["http://a.b.c.d.e/", ["a.b.c.d.e/", "b.c.d.e/", "c.d.e/", "d.e/"]],
  ["http://example.co.uk/1", ["example.co.uk/1", "example.co.uk/", "co.uk/1", "co.uk/"]],
])("the expressions of %s are the documented ones of Web Risk", (url, wanted) => {
  expect(expressionsOf(url, lastHosts).toSorted()).toEqual(wanted.toSorted());
});

test.each([registrableHosts, lastHosts])("a URL has at most 30 expressions", (hostsOf) => {
  const many = "https://a.b.c.d.e.f.example.com/1/2/3/4/5/6.html?q";
  expect(expressionsOf(many, hostsOf)).toHaveLength(30);
});

test("expressions are hashed with SHA-256 as bytes", () => {
  const wanted = createHash("sha256").update("example.com/").digest();
  expect(hashesOf("https://example.com/", registrableHosts)).toEqual([wanted]);
});
