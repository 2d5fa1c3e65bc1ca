/** From the settings of a workspace to its visitor pages. */
import { createHash, randomBytes } from "node:crypto";
import sharp from "sharp";
import { expect, test, vi } from "vitest";
import { query, sql } from "#lib/platform/postgres";
import { listAudit } from "#lib/tenancy/audit";
import { openTestVisits } from "../../../test/redirect-server.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { editBranding, getBranding } from "./index.ts";
import { editBrandingBody, pageLogoBytesMax } from "./schema.ts";

openTestStores();
const { ask, make, scope } = openTestVisits("looks");

/** An image that does not compress. */
async function noise(side: number): Promise<string> {
  const raw = { width: side, height: side, channels: 3 } as const;
  const png = await sharp(randomBytes(side * side * 3), { raw })
    .png()
    .toBuffer();
  return png.toString("base64");
}

const headers = { Host: "look.example" };

test("pages of a workspace’s own domain have its branding; those of the instance’s domains are neutral", async () => {
  await query(sql`
    INSERT INTO domain (id, workspace_pk, slug, verified_at)
    VALUES ('dom_look', ${scope().workspacePk}, 'look.example', now())`);
  const domain = "look.example";
  const locked = await make({ domain, password: "sesame" });
  const ended = await make({ domain, expiresAt: "2020-01-01T00:00:00Z" });
  const early = await make({ domain, startsAt: "2090-01-01T00:00:00Z" });
  const shared = await make({ password: "sesame" });
  expect((await ask(`/${locked.key}`, { headers })).body).not.toContain("data:image");

  const branding = await editBranding(scope(), { color: "#ffe066", logo: await noise(300) });
  expect(Buffer.from(String(branding.logo), "base64").length).toBeLessThanOrEqual(pageLogoBytesMax);
  for (const path of [`/${locked.key}`, `/${ended.key}`, `/${early.key}`, "/nobody"]) {
    const { body, headers: answered } = await vi.waitFor(async () => {
      const answer = await ask(path, { headers });
      expect(answer.body).toContain("--fill:#ffe066;--ink:#000");
      return answer;
    }, 300_000);
    expect(body).toContain(`src="data:image/png;base64,${branding.logo}"`);
    const policy = String(answered["content-security-policy"]);
    for (const [, css = ""] of body.matchAll(/<style>([\s\S]*?)<\/style>/g)) {
      expect(policy).toContain(createHash("sha256").update(css).digest("base64"));
    }
    expect(policy).toContain("img-src data:;");
  }
  // Pages on the domains of the instance, which must not be imitated, have no branding.
  for (const path of ["/nobody", `/${shared.key}`]) {
    expect((await ask(path)).body).not.toMatch(/#ffe066|data:image/);
  }
  expect((await ask(`/${ended.key}+`, { headers })).body).not.toContain("#ffe066");

  await editBranding(scope(), { color: null, logo: null });
  await vi.waitFor(async () => {
    expect((await ask(`/${locked.key}`, { headers })).body).not.toContain("#ffe066");
  }, 300_000);
});

test("a missing link leads to the home page of its domain, and to that of the instance on its domains", async () => {
  const homes = async (host: string) =>
    /class="button" href="([^"]*)"/.exec(
      (await ask("/nobody", { headers: { Host: host } })).body,
    )?.[1];
  await query(sql`
    INSERT INTO domain (id, workspace_pk, slug, verified_at, placeholder)
    VALUES ('dom_home', ${scope().workspacePk}, 'home.example', now(), 'https://example.com/'),
      ('dom_bare', ${scope().workspacePk}, 'bare.example', now(), NULL)`);
  expect(await homes("home.example")).toBe("/");
  expect(await homes("bare.example")).toBeUndefined();
  expect(await homes("localhost")).toMatch(/^https?:\/\/[^/]+\/$/);
});

test("branding is changed in parts by authorized members, and never for another workspace", async () => {
  const eve = await makeTestScope("eve");
  const vera = await joinTestScope(scope(), "vera", "viewer");
  await editBranding(scope(), { color: "#112233" });
  await editBranding(scope(), { logo: await noise(16) });
  expect(await getBranding(vera)).toMatchObject({ color: "#112233", logo: expect.any(String) });
  expect(await getBranding(eve)).toEqual({ color: null, logo: null });
  await expect(editBranding(vera, { color: null })).rejects.toMatchObject({ code: "forbidden" });
  const [last] = await listAudit(scope(), { pageSize: 1 });
  expect(last).toMatchObject({ action: "workspace.edit", subject: scope().workspaceId });
  expect(Object.keys(Object(last?.details))).toEqual(["pageLogo"]);
});

test("an invalid image or colour is refused with a message", async () => {
  const gif = Buffer.from("GIF89a").toString("base64");
  await expect(editBranding(scope(), { logo: gif })).rejects.toThrow("PNG, JPEG, WebP or SVG");
  const large = Buffer.alloc(512 * 1_024 + 1).toString("base64");
  await expect(editBranding(scope(), { logo: large })).rejects.toThrow("512 KB");
  const accepts = (body: object) => editBrandingBody.safeParse(body).success;
  expect([{ color: "#0F766E" }, { color: null }, {}].map(accepts)).toEqual([true, true, true]);
  const refused = ["red", "#12", "#1122334", "#11223g", "#112233}body{", 7];
  expect(refused.filter((color) => accepts({ color }))).toEqual([]);
  expect(["", "not base64!", "a".repeat(700_004)].map((logo) => accepts({ logo }))).toEqual([
    false,
    false,
    false,
  ]);
});
