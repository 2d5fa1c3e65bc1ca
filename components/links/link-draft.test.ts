import { expect, test } from "vitest";
import { createLinkBody, editLinkBody, type Link } from "#lib/links/fields/schema";
import { editBodyOf, newBodyOf } from "./draft-body.ts";
import {
  applyChanges,
  draftOf,
  emptyDraft,
  emptyRule,
  isDestination,
  type LinkDraft,
  parts,
} from "./link-draft.ts";

const zone = "America/New_York";

const full = {
  url: "https://example.com/?utm_source=mail",
  domain: "go.example",
  key: "autumn",
  title: "Autumn",
  comments: "For the fair",
  folderId: "fold_1",
  tags: [{ id: "tag_1", name: "Fair", color: "red" }],
  archived: false,
  password: "********",
  startsAt: "2026-01-31T12:00:30.500Z",
  expiresAt: "2026-03-31T12:00:00.000Z",
  expiredUrl: "https://example.com/over",
  maxClicks: 20,
  rules: [
    {
      device: ["mobile"],
      country: ["DE"],
      time: { zone: "Europe/Berlin", days: [1, 2], from: "09:00", until: "17:00" },
      url: "https://example.com/de",
    },
    { language: ["fr"], time: { zone: "UTC", from: "22:00", until: "06:00" }, url: "tel:110" },
  ],
  insideApps: {
    open: "miniProgram",
    path: "pages/index/index",
    appId: "wx0123456789abcdef",
    query: "from=mail",
    canContinue: false,
  },
  ios: "tg://x",
  android: "https://example.com/a",
  geo: { AT: "https://example.com/at" },
  testVariants: [
    { url: "https://example.com/1", percentage: 33.5 },
    { url: "https://example.com/2", percentage: 66.5 },
  ],
  testStartedAt: "2026-01-01T00:00:10.000Z",
  testCompletedAt: null,
  proxy: true,
  description: "All of it",
  image: "https://example.com/i.png",
  video: "https://example.com/v.mp4",
  externalId: "a-1",
  tenantId: "t-1",
  redirectStatus: 307,
  rewrite: true,
  doIndex: true,
  trackConversion: true,
  publicStats: true,
  forwardQuery: true,
  forwardPath: true,
  disabledAt: "2026-01-31T12:00:30.500Z",
  webhookIds: ["wh_1"],
  formId: "form_1",
} as unknown as Link;

const blank = {
  ...{ url: "https://example.com/", domain: "go.example", key: "blank", tags: [], webhookIds: [] },
  ...{ archived: true, password: null, proxy: false, rewrite: false, doIndex: false },
  ...{ trackConversion: false, publicStats: false, disabledAt: null },
} as unknown as Link;

test("saving an unchanged link changes nothing, not even seconds or the password", () => {
  expect(editBodyOf(draftOf(full, zone), full)).toEqual({});
});

test("every field that differs is sent", () => {
  const draft = { ...draftOf(full, zone), password: "open sesame" };
  const body = editLinkBody.parse(editBodyOf(draft, blank));
  const { tags, disabledAt: _at, domain: _domain, testCompletedAt: _none, ...same } = full;
  expect(body).toEqual({
    ...same,
    tagIds: tags.map(({ id }) => id),
    disabled: true,
    password: "open sesame",
    startsAt: "2026-01-31T12:00:00.000Z",
    testStartedAt: "2026-01-01T00:00:00.000Z",
    // New variants get the UTM parameters of the destination.
    testVariants: [
      { url: "https://example.com/1?utm_source=mail", percentage: 33.5 },
      { url: "https://example.com/2?utm_source=mail", percentage: 66.5 },
    ],
  });
});

test("only what was changed is sent, so that the changes of two people are both kept", () => {
  const draft = draftOf(full, zone);
  expect(editBodyOf({ ...draft, title: "Winter" }, full)).toEqual({ title: "Winter" });
  expect(editBodyOf({ ...draft, comments: "", tagIds: [] }, full)).toEqual({
    comments: null,
    tagIds: [],
  });
  expect(editBodyOf({ ...draft, startsAt: "2026-02-01T07:00" }, full)).toEqual({
    startsAt: "2026-02-01T12:00:00.000Z",
  });
  expect(editBodyOf({ ...draft, webhookIds: [] }, full)).toEqual({ webhookIds: [] });
  expect(newBodyOf(draft)).toMatchObject({ webhookIds: ["wh_1"] });
});

test("a password is sent where it was entered or taken away", () => {
  const draft = draftOf(full, zone);
  const closed = { ...draft, open: draft.open.filter((part) => part !== "password") };
  expect(editBodyOf({ ...draft, password: "another" }, full)).toEqual({ password: "another" });
  expect(editBodyOf(closed, full)).toEqual({ password: null });
  expect(editBodyOf(closed, { ...full, password: null })).toEqual({});
});

test("closing every part clears its fields, and leaves the texts of the card", () => {
  const body = editBodyOf({ ...draftOf(full, zone), open: [] }, full);
  expect(body).toMatchObject({
    password: null,
    startsAt: null,
    maxClicks: null,
    rules: null,
    insideApps: null,
    ios: null,
    geo: null,
    testVariants: null,
    proxy: false,
    externalId: null,
    redirectStatus: null,
    forwardQuery: null,
    disabled: false,
  });
  expect(body).not.toHaveProperty("description");
});

test("a new link sends only the completed fields, so that the defaults of its workspace apply", () => {
  const draft = {
    ...emptyDraft("go.example", zone),
    url: "example.com",
    open: parts.filter((part) => part !== "card"),
  };
  const fields = { url: "example.com", domain: "go.example", expiresAt: null };
  expect(newBodyOf(draft)).toEqual(fields);
  expect(newBodyOf({ ...draft, open: ["more"] })).not.toHaveProperty("expiresAt");
  const named = { ...draft, key: "x", prefix: "p", keyLength: "9", maxClicks: "many" };
  const body = newBodyOf(named);
  expect(body).toEqual({ ...fields, key: "x", maxClicks: "many" });
  expect(createLinkBody.safeParse(body).success).toBe(false);
});

test("a link forwards query parameters, never does, or does as its workspace", () => {
  const given = { ...emptyDraft("go.example", zone), url: "example.com" };
  const draft: LinkDraft = { ...given, open: ["more"] };
  for (const [chosen, sent] of [
    ["", undefined],
    ["on", true],
    ["off", false],
  ] as const) {
    expect(newBodyOf({ ...draft, forwardQuery: chosen })["forwardQuery"]).toBe(sent);
    const link = { ...full, forwardQuery: sent } as Link;
    const saved = draftOf(link, zone);
    expect(saved.forwardQuery).toBe(chosen);
    const other = { ...full, forwardQuery: sent === true ? undefined : true } as Link;
    expect(editBodyOf(saved, other)["forwardQuery"]).toBe(sent ?? null);
  }
});

test("a link retires on a date, never, or as its workspace, and an unchanged choice is not sent", () => {
  const given = { ...emptyDraft("go.example", zone), url: "example.com" };
  const draft: LinkDraft = { ...given, open: ["schedule"] };
  expect(newBodyOf(draft)).not.toHaveProperty("retiresAt");
  expect(newBodyOf({ ...draft, retirement: "never" })["retiresAt"]).toBeNull();
  expect(newBodyOf({ ...draft, retirement: "never", open: [] })).not.toHaveProperty("retiresAt");
  const dated: LinkDraft = { ...draft, retirement: "date", retiresAt: "2027-01-31T23:59" };
  expect(newBodyOf(dated)["retiresAt"]).toBe("2027-02-01T04:59:00.000Z");
  expect(createLinkBody.safeParse(newBodyOf({ ...dated, retiresAt: "" })).success).toBe(false);
  for (const retiresAt of ["2027-01-31T12:00:30.500Z", null]) {
    const link = { ...full, retiresAt } as Link;
    const saved = draftOf(link, zone);
    expect(saved.open).toContain("schedule");
    expect(editBodyOf(saved, link)).not.toHaveProperty("retiresAt");
    expect(editBodyOf({ ...saved, retirement: "" }, link)["retiresAt"]).toBe("default");
    expect(editBodyOf({ ...saved, open: [] }, link)["retiresAt"]).toBe("default");
  }
  expect(editBodyOf({ ...draftOf(full, zone), retirement: "never" }, full)["retiresAt"]).toBeNull();
});

test("the rules of the form are rules of the API", () => {
  const rule = { ...emptyRule(7), os: ["iOS"], url: "https://example.com/i" };
  const draft = { ...emptyDraft("go.example", zone), url: "example.com", rules: [rule] };
  expect(newBodyOf(draft)).not.toHaveProperty("rules");
  const { rules } = createLinkBody.parse(newBodyOf({ ...draft, open: ["rules"] }));
  expect(rules).toEqual([{ os: ["ios"], url: "https://example.com/i" }]);
});

const url = "https://example.com/a";
const tagged = `${url}?utm_source=mail`;
const other = "https://example.com/b";

function variantDraft(urls: readonly string[]): LinkDraft {
  const variants = urls.map((one, id) => ({ id, name: "50", url: one }));
  return { ...emptyDraft("go.example", zone), open: ["test"], url, variants };
}

test("the first variant of a test stays the destination, however both are edited", () => {
  let draft = variantDraft([url, other]);
  expect(isDestination(draft, 0)).toBe(true);
  draft = applyChanges(draft, { url: tagged });
  expect(draft.variants.map((one) => one.url)).toEqual([tagged, `${other}?utm_source=mail`]);
  draft = applyChanges(draft, { url: "https://example.com/c" });
  expect(draft.variants.map((one) => one.url)).toEqual(["https://example.com/c", other]);
  expect(isDestination(draft, 0)).toBe(true);
  expect(isDestination(draft, 1)).toBe(false);
});

test("a variant typed after the UTM parameters has them when it is saved", () => {
  const draft = applyChanges(variantDraft([url, ""]), { url: tagged });
  const [first, second] = draft.variants;
  const typed = applyChanges(draft, {
    variants: [first, { ...second, url: other }] as typeof draft.variants,
  });
  const expected = [
    { url: tagged, percentage: 50 },
    { url: `${other}?utm_source=mail`, percentage: 50 },
  ];
  expect(newBodyOf(typed)["testVariants"]).toEqual(expected);
  const link = { ...full, url, testVariants: [{ url, percentage: 50 }] } as unknown as Link;
  expect(editBodyOf(typed, link)["testVariants"]).toEqual(expected);
});

test("times are those of the workspace’s zone, wherever the browser is", () => {
  const draft: LinkDraft = {
    ...emptyDraft("go.example", "Asia/Tokyo"),
    open: ["schedule", "test"],
    url: "https://example.com/",
    startsAt: "2026-01-31T00:00",
    expiresAt: "2026-02-28T23:59",
    testStartedAt: "2026-02-01T09:00",
    testCompletedAt: "2026-02-02T09:00",
  };
  expect(newBodyOf(draft)).toMatchObject({
    startsAt: "2026-01-30T15:00:00.000Z",
    expiresAt: "2026-02-28T14:59:00.000Z",
    testStartedAt: "2026-02-01T00:00:00.000Z",
    testCompletedAt: "2026-02-02T00:00:00.000Z",
  });
  expect(draftOf(full, "Asia/Tokyo").expiresAt).toBe("2026-03-31T21:00");
});
