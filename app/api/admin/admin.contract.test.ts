/** /api/admin of a running server, with the token of scripts. */
import { expect, test } from "vitest";
import { call, makeLink } from "../../../test/contract-server.ts";
import { send } from "../../../test/http-client.ts";

const base = process.env["TEST_BASE_URL"] ?? "";

async function ask(path: string, token = process.env["TEST_ADMIN_TOKEN"] ?? "") {
  const answer = await send(`${base}/api/admin${path}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return { ...answer, json: JSON.parse(answer.text) };
}

test("200: a script finds a link by its code, and sees it with its workspace", async () => {
  const link = await makeLink({ url: "https://example.com/office" });
  const { status, json, headers } = await ask(`/search?text=${link.key}`);
  expect(status).toBe(200);
  expect(json.links[0]).toMatchObject({ id: link.id, shortLink: link.shortLink, state: "active" });
  expect(json.codes[0]).toMatchObject({ code: link.key, state: "in_use" });
  expect(headers["x-ratelimit-limit"]).toBe("600");
  const view = await ask(`/links/${link.id}`);
  expect(view.json).toMatchObject({ link: { id: link.id }, apiKey: { name: expect.any(String) } });
  expect((await ask(`/workspaces/${view.json.workspace.id}`)).json.members).toHaveLength(1);
});

test("401 and 404: other tokens and API keys of workspaces meet no back office", async () => {
  expect((await ask("/me", "wrong")).status).toBe(401);
  expect((await ask("/me", process.env["TEST_OPERATOR_TOKEN"])).status).toBe(401);
  expect((await call("GET", "/admin/me")).status).toBe(404);
  expect((await ask("/nothing")).status).toBe(404);
  expect((await ask("/links/link_00000000000000000000000000")).status).toBe(404);
});

test("422: a search without a text names the field", async () => {
  const { status, json } = await ask("/search");
  expect([status, json.error.code]).toEqual([422, "unprocessable_entity"]);
  expect(json.error.message).toMatch(/text/);
});
