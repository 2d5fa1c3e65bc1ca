/** The ICP number on visitor pages: of the instance on its own domains, and of each custom domain on its own. */
import { expect, test } from "vitest";
import { createDomain, editDomain } from "#lib/links/domains";
import { createDomainBody, editDomainBody } from "#lib/links/domains/schema";
import { query, sql } from "#lib/platform/postgres";
import { openTestVisits } from "../../../test/redirect-server.ts";
import { openTestStores } from "../../../test/stores.ts";

openTestStores({
  FUXI_ICP: "京ICP备12345678号",
  FUXI_DOMAINS_TRUSTED: "yes",
  FUXI_DESTINATIONS_WARN: "warned.example",
});
const { ask, make, scope } = openTestVisits("icp");

const register = 'href="https://beian.miit.gov.cn/"';
const bodies: [page: string, body: object][] = [
  ["password", { password: "secret" }],
  ["preview", {}],
  ["expired", { disabled: true }],
  ["scheduled", { startsAt: "2999-01-01T00:00:00.000Z" }],
  ["warning", { url: "https://warned.example/" }],
  ["app", { rules: [{ url: "tel:+4930123456", device: ["desktop"] }] }],
];

async function numberOf(path: string, host: string): Promise<string | undefined> {
  const { body, headers, status } = await ask(path, { headers: { host } });
  expect(Buffer.byteLength(body)).toBe(Number(headers["content-length"]));
  expect(status).not.toBe(302);
  return new RegExp(`${register}[^>]*>([^<]*)</a></p></footer>`).exec(body)?.[1];
}

test.each(bodies)("the %s page has the number of its domain", async (name, body) => {
  const slug = `${name}.icp.example`;
  const icp = "沪ICP备2021000001号-1";
  await createDomain(scope(), createDomainBody.parse({ slug, icp }));
  const own = await make({ ...body, domain: slug });
  const plain = await make(body);
  const suffix = name === "preview" ? "+" : "";
  expect(await numberOf(`/${own.key}${suffix}`, slug)).toBe(icp);
  expect(await numberOf(`/${plain.key}${suffix}`, "localhost")).toBe("京ICP备12345678号");
});

test("missing links and refused methods show it too, and a custom domain without a number shows none", async () => {
  await createDomain(scope(), createDomainBody.parse({ slug: "bare.icp.example" }));
  expect(await numberOf("/nothing-here", "localhost")).toBe("京ICP备12345678号");
  expect(await numberOf("/nothing-here", "bare.icp.example")).toBeUndefined();
  expect(await numberOf("/nothing-here", "unknown.icp.example")).toBeUndefined();
});

test("a change shows at once", async () => {
  const slug = "changed.icp.example";
  await createDomain(scope(), createDomainBody.parse({ slug, icp: "浙ICP备1号" }));
  expect(await numberOf("/none", slug)).toBe("浙ICP备1号");
  await editDomain(scope(), slug, editDomainBody.parse({ icp: "浙ICP备2号-1" }));
  expect(await numberOf("/none", slug)).toBe("浙ICP备2号-1");
  await editDomain(scope(), slug, editDomainBody.parse({ icp: "" }));
  expect(await numberOf("/none", slug)).toBeUndefined();
});

test("a number that is HTML is shown as text", async () => {
  // No verb stores such a number.
  await query(sql`
    INSERT INTO domain (id, workspace_pk, slug, verified_at, icp, revision)
    VALUES (
      'dom_icp', ${scope().workspacePk}, 'evil.icp.example', now(), '<script>alert(1)</script>',
      nextval('revision')
    )`);
  const { body } = await ask("/none", { headers: { host: "evil.icp.example" } });
  expect(body).not.toContain("<script");
  expect(body).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
});
