import { expect, test } from "vitest";
import { drawChart } from "./chart.ts";
import { type ReportContent, themes, writeReport } from "./email.ts";

const images = { light: "cid:light", dark: "cid:dark", logo: null };

function contentOf(given: Partial<ReportContent> = {}): ReportContent {
  return {
    locale: "en",
    kind: "folder",
    frequency: "weekly",
    period: { startsOn: "2026-11-16", endsOn: "2026-11-22" },
    zone: "Europe/Berlin",
    workspace: "Acme",
    name: "Summer",
    color: "#0f766e",
    figures: {
      clicks: 150,
      visitors: 100,
      previous: { clicks: 100, visitors: 100 },
      series: [],
      links: [{ label: "go.example/sale", clicks: 150 }],
      countries: [
        { label: "DE", clicks: 100 },
        { label: "Unknown", clicks: 50 },
      ],
      referers: [{ label: "(direct)", clicks: 150 }],
    },
    analyticsUrl: "https://fuxi.example/app/acme/analytics",
    stopUrl: "https://fuxi.example/optout/report?t=x",
    ...given,
  };
}

test("the text has everything that the HTML shows", () => {
  // Node writes ranges with thin spaces.
  expect(writeReport(contentOf(), images).text.replaceAll("\u2009", " ")).toBe(
    [
      "Weekly report – Acme · Folder: Summer\nNov 16 – 22, 2026",
      "Clicks: 150 (▲ 50%, compared with the week before)\nVisitors: 100 (No change, compared with the week before)",
      "Top links\ngo.example/sale: 150",
      "Countries\nGermany: 100\nUnknown: 50",
      "Referrers\nDirect: 150",
      "Open analytics: https://fuxi.example/app/acme/analytics",
      "You get this email because you are a recipient of this report in the workspace Acme. Days are those of the time zone Europe/Berlin. Bots aren’t counted.",
      "Unsubscribe: https://fuxi.example/optout/report?t=x",
    ].join("\n\n"),
  );
});

test("it is written in Chinese", () => {
  const { subject, text } = writeReport(contentOf({ locale: "zh" }), images);
  expect(subject).toBe("Acme 每周报告：150 次点击");
  expect(text).toContain("2026年11月16日至2026年11月22日");
  expect(text).toContain("德国: 100\n未知: 50");
});

test.each([
  "<img src=x onerror=alert(1)>",
  "https://evil.example/login",
  "evil.example",
  "x\r\nBcc: eve@example.com",
])("the text %j of other people becomes neither markup nor a link nor a header", (evil) => {
  const figures = {
    ...contentOf().figures,
    links: [{ label: `go.example/${evil.replace(/[\r\n]/g, "")}`, clicks: 1 }],
    referers: [{ label: evil, clicks: 1 }],
  };
  const written = writeReport(contentOf({ workspace: evil, name: evil, figures }), images);
  expect(written.subject).not.toMatch(/[\r\n]|https?:\/\//);
  expect(written.html).not.toMatch(/<img (?!class=)/);
  const own = /https:\/\/fuxi\.example\S*/g;
  const rest = written.html
    .replace(/<style>.*<\/style>/, "")
    .replaceAll(own, "")
    .replace(/<td class="l t"[^>]*>go\.example[^<]*/, "");
  expect(rest).not.toMatch(/https?:\/\/|evil\.example|\S@\S+\.\S/);
});

test.each(["light", "dark"] as const)(
  "the chart is a %s PNG, also without clicks",
  async (theme) => {
    const { quiet: text, line } = themes[theme];
    const colors = { text, line, bar: "#0f766e" };
    for (const series of [[], [{ start: "2026-11-16T00:00:00Z", clicks: 0 }]]) {
      const png = await drawChart(series, colors, { locale: "zh", zone: "Asia/Shanghai" });
      expect(png.subarray(1, 4).toString()).toBe("PNG");
    }
  },
);
