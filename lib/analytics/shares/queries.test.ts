import { describe, expect, test } from "vitest";
import { keepShownFields, restrictQuery, type ShareLimits, tableOf } from "./queries.ts";

const now = Date.parse("2026-05-15T12:00:00Z");
const link: ShareLimits = {
  kind: "link",
  subjectId: "link_1",
  parts: ["figures", "places"],
  daysMax: 30,
};
const whole: ShareLimits = { ...link, kind: "workspace", subjectId: undefined, daysMax: null };
const ask = (text: string, shown: ShareLimits = link) =>
  restrictQuery(new URLSearchParams(text), shown, now).toString();

describe("a query through a share", () => {
  test("has the subject as a filter, whatever else it names", () => {
    expect(ask("groupBy=cities&interval=7d&country=DE")).toBe(
      "groupBy=cities&interval=7d&country=DE&linkId=link_1",
    );
    expect(ask("", { ...link, kind: "tag", subjectId: "tag_1" })).toBe(
      "groupBy=count&interval=24h&tagId=tag_1",
    );
    expect(ask("groupBy=count", whole)).toBe("groupBy=count");
    expect(ask("groupBy=cities&limit=250", whole)).toBe("groupBy=cities&limit=250");
  });

  test("may be of several groupings, each of which the share shows", () => {
    expect(ask("groupBy=count,countries&interval=7d")).toContain("groupBy=count%2Ccountries");
    expect(() => ask("groupBy=count,browsers&interval=7d")).toThrow();
    expect(() => ask("groupBy=count,&interval=7d")).toThrow();
  });

  test.each([
    "groupBy=browsers",
    "groupBy=triggers,top_links",
    "country=%00",
    "groupBy=top_links",
    "groupBy=nonsense",
    "linkId=link_2",
    "linkId=-link_1",
    "tagId=tag_1",
    "device=Mobile",
    "workspace=other",
    "country=DE&country=FR",
  ])("%s is refused when it is not part of the share", (text) => {
    expect(() => ask(`${text}&interval=7d`)).toThrow(
      "This share link doesn’t include these stats.",
    );
  });

  test("searches the shown values, and no links, whose titles are not shown", () => {
    expect(ask("groupBy=cities&interval=7d&search=ber")).toContain("search=ber");
    const top: ShareLimits = { ...whole, parts: ["top"] };
    expect(ask("groupBy=top_urls&search=secret", top)).toContain("search=secret");
    for (const groupBy of ["top_links", "top_urls,top_links"]) {
      expect(() => ask(`groupBy=${groupBy}&search=secret`, top)).toThrow("doesn’t include");
    }
  });

  test.each([
    ["folder", "top_tags"],
    ["tag", "top_folders"],
    ["link", "top_links"],
  ] as const)("of a %s never returns %s", (kind, groupBy) => {
    const shown: ShareLimits = { ...link, kind, parts: ["top"] };
    expect(() => ask(`groupBy=${groupBy}&interval=7d`, shown)).toThrow();
    expect(ask("groupBy=top_urls&interval=7d", shown)).toContain("top_urls");
  });

  test.each([
    "interval=30d",
    "interval=mtd",
    "interval=today",
    "interval=yesterday",
    "interval=7d&granularity=hour",
    "start=2026-04-15",
    "start=2026-04-20&end=2026-04-21",
  ])("%s is within 30 days", (text) => {
    expect(ask(text)).toContain(text);
  });

  test.each([
    "interval=90d",
    "interval=qtd",
    "interval=ytd",
    "interval=all",
    "interval=nonsense",
    "start=2026-04-13",
    "start=1",
    "start=nonsense",
    "end=2026-01-31",
    "interval=7d&start=2026-05-01",
    "start=2026-05-01&interval=all",
    "interval=7d&compare=previous",
  ])("%s is not within 30 days", (text) => {
    expect(() => ask(text)).toThrow("This share link doesn’t include these stats.");
  });

  test("without a limit of days may reach as far back as clicks exist, and compare", () => {
    expect(ask("interval=all&compare=previous", whole)).toContain("interval=all&compare=previous");
  });
});

test("a response has the totals and what its card shows, and nothing else", () => {
  const row = {
    clicks: 1,
    visitors: 1,
    bots: 0,
    sales: 3,
    saleAmount: 9,
    id: "link_1",
    shortLink: "https://fx.test/a",
    url: "https://example.com/secret",
    comments: "internal",
    folderId: "fold_1",
    title: "plan",
  };
  expect(keepShownFields("top_links", [row])).toEqual([
    { clicks: 1, visitors: 1, bots: 0, id: "link_1", shortLink: "https://fx.test/a" },
  ]);
  expect(keepShownFields("count", row)).toEqual({ clicks: 1, visitors: 1, bots: 0 });
  expect(keepShownFields("nonsense", [row, null, 3])).toEqual([
    { clicks: 1, visitors: 1, bots: 0 },
    {},
    {},
  ]);
});

test("a file escapes text that a spreadsheet would read as a formula", () => {
  const rows = [
    { referer: "=cmd|'/c calc'!A1", clicks: 2 },
    { referer: 'a,"b"', clicks: 1 },
  ];
  expect(tableOf("referers", rows)).toBe(
    '\u{feff}referer,clicks\r\n\'=cmd|\'/c calc\'!A1,2\r\n"a,""b""",1\r\n',
  );
});

test("leads and sales are shown only by a share that includes them", () => {
  const asked = new URLSearchParams({ groupBy: "count", event: "composite", interval: "7d" });
  expect(() => restrictQuery(asked, link, now)).toThrow("doesn’t include");
  const shown = restrictQuery(asked, { ...link, parts: ["figures", "conversions"] }, now);
  expect(shown.get("event")).toBe("composite");
  const row = { clicks: 1, leads: 2, sales: 3, saleAmount: 4, currency: "USD", url: "x" };
  expect(keepShownFields("count", row)).toEqual({ clicks: 1 });
  const { url: _url, ...counted } = row;
  expect(keepShownFields("count", row, "composite")).toEqual(counted);
});
