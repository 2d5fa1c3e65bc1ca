import { beforeAll, expect, test } from "vitest";
import { createFolder } from "#lib/links/folders";
import { createFolderBody } from "#lib/links/folders/schema";
import { getLink } from "#lib/links/reading";
import { createTag } from "#lib/links/tags";
import { tagBody } from "#lib/links/tags/schema";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { make } from "../../../test/links.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { duplicateLink } from "./duplicate.ts";
import { openLinks } from "./index.ts";

openTestStores();

let ownScope: WorkspaceScope;

beforeAll(async () => {
  await openLinks();
  ownScope = await makeTestScope("copy-ada");
});

test("a copy has everything of its link, the password too, but its key, its externalId and its clicks", async () => {
  const tag = await createTag(ownScope, tagBody.parse({ name: "T" }));
  const folder = await createFolder(ownScope, createFolderBody.parse({ name: "F" }));
  const [link] = await make(ownScope, [
    {
      url: "https://a.example/?utm_source=letter&x=1",
      key: "original",
      externalId: "mine",
      title: "Spring",
      tagIds: [tag.id],
      folderId: folder.id,
      password: "open",
      geo: { DE: "https://a.example/de" },
      rules: [{ language: ["de"], url: "https://a.example/phone" }],
      maxClicks: 5,
      redirectStatus: 301,
      archived: true,
    },
  ]);
  if (!link) throw new Error("no link");
  const copied = await duplicateLink(ownScope, link.id);
  if (!copied.ok) throw new Error(copied.message);
  const { link: copy } = await getLink(ownScope, copied.link.id);
  expect(copy).toEqual(copied.link);
  const plain = { id: "", key: "", shortLink: "", qrCode: "", createdAt: "", updatedAt: "" };
  expect({ ...copy, ...plain }).toEqual({ ...link, ...plain, externalId: null, archived: false });
  expect(copy.key).not.toBe(link.key);
  const hashes = await query(sql`
    SELECT DISTINCT password_hash FROM link WHERE workspace_pk = ${ownScope.workspacePk}`);
  expect(hashes).toHaveLength(1);
});

test("viewers create no copies, and links of other workspaces and of hidden folders do not exist", async () => {
  const viewer = await joinTestScope(ownScope, "copy-vic", "viewer");
  const member = await joinTestScope(ownScope, "copy-mel", "member");
  const otherScope = await makeTestScope("copy-bob");
  const folder = await createFolder(
    ownScope,
    createFolderBody.parse({ name: "Hidden", accessLevel: null }),
  );
  const [link] = await make(ownScope, [{ url: "https://a.example/", folderId: folder.id }]);
  const id = link?.id ?? "";
  await expect(duplicateLink(viewer, id)).rejects.toMatchObject({ code: "forbidden" });
  await expect(duplicateLink(member, id)).rejects.toMatchObject({ code: "not_found" });
  await expect(duplicateLink(otherScope, id)).rejects.toMatchObject({ code: "not_found" });
  await expect(duplicateLink(ownScope, "nonsense")).rejects.toMatchObject({ code: "not_found" });
});
