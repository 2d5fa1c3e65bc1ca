import { expect, test } from "vitest";
import { provesOwnership } from "#lib/platform/dns";
import {
  type DnsTarget,
  type Findings,
  isApex,
  isGone,
  isVerified,
  problemsOf,
  recordsOf,
  trafficOf,
} from "./records.ts";

const target: DnsTarget = { name: "links.fuxi.example", addresses: ["203.0.113.7", "2001:db8::7"] };
const nowhere: DnsTarget = { name: undefined, addresses: [] };

function findings(more: Partial<Findings>): Findings {
  return { owned: true, traffic: "here", txt: [], cnames: [], addresses: [], ...more };
}

test("a name below a zone gets a CNAME; the zone itself gets addresses, or an alias where none are known", () => {
  const types = (host: string, to: DnsTarget) =>
    recordsOf(host, "t", to, undefined).map(({ type, name, value }) => `${type} ${name} ${value}`);
  const txt = (host: string) => `TXT _fuxi.${host} fuxi-verify=t`;
  expect(types("go.acme.co.uk", target)).toEqual([
    txt("go.acme.co.uk"),
    "CNAME go.acme.co.uk links.fuxi.example",
  ]);
  expect(types("acme.co.uk", target)).toEqual([
    txt("acme.co.uk"),
    "A acme.co.uk 203.0.113.7",
    "AAAA acme.co.uk 2001:db8::7",
  ]);
  expect(types("acme.com", { ...target, addresses: [] })).toEqual([
    txt("acme.com"),
    "ALIAS acme.com links.fuxi.example",
  ]);
  expect(types("go.acme.com", { ...target, name: undefined })[1]).toBe("A go.acme.com 203.0.113.7");
  expect(types("go.acme.com", nowhere)).toEqual([txt("go.acme.com")]);
  expect([isApex("acme.com"), isApex("go.acme.com"), isApex("com")]).toEqual([true, false, false]);
});

test("ownership is the whole text of one record, with quotes that were copied along", () => {
  const value = "fuxi-verify=abc";
  for (const text of [value, ` ${value} `, `"${value}"`]) {
    expect(provesOwnership(["v=spf1 -all", text], value)).toBe(true);
  }
  for (const text of [
    `${value}d`,
    `x${value}`,
    value.toUpperCase(),
    "abc",
    "",
    `${value};${value}`,
  ]) {
    expect(provesOwnership([text], value)).toBe(false);
  }
});

test("traffic arrives by a CNAME or by addresses that are all this installation's", () => {
  expect(trafficOf(["links.fuxi.example"], [], target)).toBe("here");
  expect(trafficOf(["other.example", "links.fuxi.example"], ["192.0.2.1"], target)).toBe("here");
  expect(trafficOf([], ["203.0.113.7"], target)).toBe("here");
  expect(trafficOf([], ["2001:DB8:0::7", "203.0.113.7"], target)).toBe("here");
  expect(trafficOf([], ["203.0.113.7", "192.0.2.1"], target)).toBe("elsewhere");
  expect(trafficOf(["other.example"], ["192.0.2.1"], target)).toBe("elsewhere");
  expect(trafficOf(["other.example"], [], target)).toBe("none");
  expect(trafficOf([], ["192.0.2.1"], nowhere)).toBe("elsewhere");
});

test("a claim serves with ownership and any traffic; without ownership it never does", () => {
  expect(isVerified(findings({}), target)).toBe(true);
  expect(isVerified(findings({ traffic: "elsewhere" }), target)).toBe(true);
  expect(isVerified(findings({ traffic: "none" }), target)).toBe(false);
  expect(isVerified(findings({ traffic: "none" }), nowhere)).toBe(true);
  for (const traffic of ["here", "elsewhere", "none"] as const) {
    expect(isVerified(findings({ owned: false, traffic }), target)).toBe(false);
    expect(isGone(findings({ owned: false, traffic }))).toBe(traffic !== "here");
    expect(isGone(findings({ traffic }))).toBe(false);
  }
});

test("each problem is reported once", () => {
  expect(problemsOf(findings({}), target)).toEqual([]);
  expect(problemsOf(findings({ owned: false, traffic: "none" }), target)).toEqual([
    "ownership_missing",
    "traffic_missing",
  ]);
  expect(problemsOf(findings({ owned: false, txt: ["x"], traffic: "elsewhere" }), target)).toEqual([
    "ownership_wrong",
    "traffic_elsewhere",
  ]);
  expect(problemsOf(findings({ taken: true }), nowhere)).toEqual(["taken", "target_unknown"]);
});
