import { beforeAll, beforeEach, expect, test } from "vitest";
import { changeDestinationList } from "#lib/destinations/lists";
import { changeListBody } from "#lib/destinations/lists/schema";
import { openLinks } from "#lib/links/creating";
import { changeGroup, editLink } from "#lib/links/editing";
import { editLinkBody } from "#lib/links/fields/schema";
import { createFolder } from "#lib/links/folders";
import { createFolderBody } from "#lib/links/folders/schema";
import {
  previewReplaceHost,
  previewReplaceHostOf,
  runListJob,
  startListJob,
  undoListJob,
} from "#lib/links/list-jobs";
import { getLink } from "#lib/links/reading";
import { countLinksQuery } from "#lib/links/reading/schema";
import { openCoherence } from "#lib/platform/cache-sync";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { make } from "../../../test/links.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { replaceHost } from "./schema.ts";

openTestStores();

let ada: WorkspaceScope;
let made = 0;
const step = replaceHost.parse({ from: "old.example", to: "new.example" });

beforeAll(async () => {
  openCoherence();
  await openLinks();
});
beforeEach(async () => {
  made += 1;
  ada = await makeTestScope(`ada-${made}`);
});

const linkOf = async (id: string) => (await getLink(ada, id)).link;

/** Destinations on both hosts, some of them equal after the change. */
const body = {
  url: "https://old.example:8443/a?x=https://old.example/#old.example",
  expiredUrl: "https://old.example/over",
  ios: "https://new.example/ios",
  android: "intent://old.example/x#Intent;scheme=https;end",
  geo: { DE: "https://OLD.example/de", FR: "https://sub.old.example/fr" },
  rules: [{ url: "https://old.example/rule", device: ["mobile" as const] }],
};

test("the host of every web destination changes, and an undo brings back exactly what was there", async () => {
  const [link] = await make(ada, [body]);
  const id = link?.id ?? "";
  const { outcomes, undo } = await changeGroup(ada, [{ linkIds: [id], replaceHost: step }]);
  expect(outcomes).toEqual([{ id, ok: true, changed: true }]);
  expect(await linkOf(id)).toMatchObject({
    url: "https://new.example:8443/a?x=https://old.example/#old.example",
    expiredUrl: "https://new.example/over",
    ios: "https://new.example/ios",
    android: body.android,
    geo: { DE: "https://new.example/de", FR: "https://sub.old.example/fr" },
    rules: [{ url: "https://new.example/rule" }],
  });
  await changeGroup(ada, undo);
  expect(await linkOf(id)).toMatchObject({
    ...body,
    geo: { ...body.geo, DE: "https://old.example/de" },
    rules: [{ url: "https://old.example/rule" }],
  });
});

test("an undo leaves destinations alone that others have changed meanwhile", async () => {
  const [link] = await make(ada, [{ url: "https://old.example/a" }]);
  const id = link?.id ?? "";
  const { undo } = await changeGroup(ada, [{ linkIds: [id], replaceHost: step }]);
  const url = "https://new.example/other";
  await editLink(ada, id, editLinkBody.parse({ url }));
  await changeGroup(ada, undo);
  expect((await linkOf(id)).url).toBe(url);
});

test("links whose new destination is refused or a short link stay as they are", async () => {
  const [link] = await make(ada, [{ url: "https://old.example/a" }]);
  const id = link?.id ?? "";
  await changeDestinationList(ada, "block", changeListBody.parse({ add: ["new.example"] }));
  const codeTo = async (to: string) => {
    const one = replaceHost.parse({ from: "old.example", to });
    const { outcomes } = await changeGroup(ada, [{ linkIds: [id], replaceHost: one }]);
    return outcomes.map((outcome) => ("code" in outcome ? outcome.code : "ok"));
  };
  expect(await codeTo("new.example")).toEqual(["destination_refused"]);
  expect(await codeTo("localhost")).toEqual(["url_loops"]);
  expect((await linkOf(id)).url).toBe("https://old.example/a");
});

test("a whole list changes in a job that can be undone, as its preview says", async () => {
  const urls = ["https://old.example/1", "https://old.example/2", "https://kept.example/3"];
  const links = await make(
    ada,
    urls.map((url) => ({ url })),
  );
  const filters = countLinksQuery.parse({});
  expect(await previewReplaceHost(ada, filters, step)).toMatchObject({
    links: 2,
    checked: 3,
    more: false,
  });
  const urlsNow = async () =>
    await Promise.all(links.map(async ({ id }) => (await linkOf(id)).url));
  const { id, kind } = await startListJob(ada, filters, { replaceHost: step });
  expect(kind).toBe("replaceHost");
  await runListJob(id);
  await runListJob(id);
  expect(await urlsNow()).toEqual([
    "https://new.example/1",
    "https://new.example/2",
    "https://kept.example/3",
  ]);
  await undoListJob(ada, id);
  await runListJob(id);
  expect(await urlsNow()).toEqual(urls);
});

test("a preview shows samples of visible links only", async () => {
  const member = await joinTestScope(ada, `member-${made}`, "member");
  const viewer = await joinTestScope(ada, `viewer-${made}`, "viewer");
  const folder = await createFolder(
    ada,
    createFolderBody.parse({ name: "closed", accessLevel: null }),
  );
  const links = await make(ada, [
    { url: "https://old.example/secret", folderId: folder.id },
    { url: "https://old.example/open" },
  ]);
  const ids = links.map(({ id }) => id);
  expect(await previewReplaceHostOf(member, ids, step)).toEqual({
    links: 1,
    checked: 1,
    more: false,
    samples: [{ from: "https://old.example/open", to: "https://new.example/open" }],
  });
  await expect(previewReplaceHostOf(viewer, ids, step)).rejects.toMatchObject({
    code: "forbidden",
  });
});

test.each(["", "a b", "shop.example/x", "user@shop.example", "shop.example:80", "[::1]"])(
  "“%s” is not a host",
  (to) => {
    expect(replaceHost.safeParse({ from: "old.example", to }).success).toBe(false);
  },
);

test("a host is compared as browsers write it", () => {
  expect(replaceHost.parse({ from: " OLD.example ", to: "bücher.example" })).toEqual({
    from: "old.example",
    to: "xn--bcher-kva.example",
  });
});
