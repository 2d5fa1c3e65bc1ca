/** The accounts of a workspace at WeChat over the API. */
import { z } from "@hono/zod-openapi";
import { getProgramCode } from "#lib/audience/mini-programs";
import { programCodeQuery } from "#lib/audience/mini-programs/schema";
import {
  checkWechatAccount,
  createWechatAccount,
  deleteWechatAccount,
  editWechatAccount,
  listWechatAccounts,
} from "#lib/audience/wechat-accounts";
import {
  createWechatAccountBody,
  editWechatAccountBody,
  wechatAccountShape,
} from "#lib/audience/wechat-accounts/schema";
import {
  deleteWechatDomain,
  listWechatDomains,
  putWechatDomain,
} from "#lib/audience/wechat-domains";
import { putWechatDomainBody, wechatDomainShape } from "#lib/audience/wechat-domains/schema";
import { access } from "./access.ts";
import { createRoute, fileResponses, jsonBody, newRouter, responses } from "./router.ts";

const tags = ["WeChat"];
// Created again: only schemas created after loading the OpenAPI extension have its methods.
const account = z.object(wechatAccountShape.shape).openapi("WechatAccount");
const domain = z.object(wechatDomainShape.shape).openapi("WechatDomain");
const params = z.object({ id: z.string().openapi({ example: "wxa_01KAYV5M3EJ2Q4R8ZC7D0N6XWB" }) });

const list = createRoute({
  method: "get",
  path: "/wechat-accounts",
  operationId: "listWechatAccounts",
  ...access("links.read"),
  tags,
  summary: "List WeChat accounts",
  description: "By name. AppSecrets are never returned.",
  responses: responses(200, z.array(account), "The accounts."),
});

const create = createRoute({
  method: "post",
  path: "/wechat-accounts",
  operationId: "createWechatAccount",
  ...access("workspace.write", { people: true }),
  tags,
  summary: "Add a WeChat account",
  description:
    "For owners and admins. Links that open pages of a mini program get URL Links within a minute. An official account is for pages inside WeChat.",
  request: jsonBody(createWechatAccountBody),
  responses: responses(201, account, "The account."),
});

const edit = createRoute({
  method: "patch",
  path: "/wechat-accounts/{id}",
  operationId: "editWechatAccount",
  ...access("workspace.write", { people: true }),
  tags,
  summary: "Update a WeChat account",
  description: "For owners and admins. Omitted fields don’t change.",
  request: { params, ...jsonBody(editWechatAccountBody) },
  responses: responses(200, account, "The updated account."),
});

const remove = createRoute({
  method: "delete",
  path: "/wechat-accounts/{id}",
  operationId: "deleteWechatAccount",
  ...access("workspace.write", { people: true }),
  tags,
  summary: "Delete a WeChat account",
  description: "For owners and admins. Links work without it again.",
  request: { params },
  responses: responses(200, z.object({ id: z.string() }), "The id of the deleted account."),
});

const check = createRoute({
  method: "post",
  path: "/wechat-accounts/{id}/check",
  operationId: "checkWechatAccount",
  ...access("workspace.write", { people: true }),
  tags,
  summary: "Check a WeChat account",
  description:
    "For owners and admins. Whether WeChat accepts the AppID and the AppSecret, and gives an official account its ticket; what waited for it is tried again.",
  request: { params },
  responses: responses(200, account, "The account, with what is wrong."),
});

const code = createRoute({
  method: "get",
  path: "/links/{id}/mini-program-code",
  operationId: "getMiniProgramCode",
  ...access("links.read"),
  tags,
  summary: "Get the code of a mini program",
  description:
    "For links that open a mini program of an account of the workspace. WeChat draws the code; it opens the page of the mini program without the short link, so scans aren’t counted here. The mini program gets the query of the link as `scene`, or the slug where there is no query: up to 32 characters.",
  request: { params: z.object({ id: z.string() }), query: programCodeQuery },
  responses: fileResponses(["image/jpeg", "image/png"], "The image."),
});

const domainParams = z.object({ slug: z.string().openapi({ example: "go.example.com" }) });

const listDomains = createRoute({
  method: "get",
  path: "/wechat-domains",
  operationId: "listWechatDomains",
  ...access("domains.read"),
  tags,
  summary: "List domains of official accounts",
  description: "The domains that official accounts have as JS-secure domains, by name.",
  responses: responses(200, z.array(domain), "The domains."),
});

const putDomain = createRoute({
  method: "put",
  path: "/wechat-domains/{slug}",
  operationId: "putWechatDomain",
  ...access("domains.write"),
  tags,
  summary: "Add a domain to an official account",
  description:
    "For a verified domain of the workspace. `file` is what WeChat asks for before it accepts a JS-secure domain: it’s served at the root of the domain. Inside WeChat, links of the domain then open mini programs with a button. With `callback`, forms of its links can ask for the WeChat account of visitors. What the domain had is replaced.",
  request: { params: domainParams, ...jsonBody(putWechatDomainBody) },
  responses: responses(200, domain, "The domain."),
});

const removeDomain = createRoute({
  method: "delete",
  path: "/wechat-domains/{slug}",
  operationId: "deleteWechatDomain",
  ...access("domains.write"),
  tags,
  summary: "Remove a domain from its official account",
  description: "Its file isn’t served any more.",
  request: { params: domainParams },
  responses: responses(200, z.object({ slug: z.string() }), "The domain."),
});

export const wechat = newRouter();

wechat.openapi(listDomains, async (c) => c.json(await listWechatDomains(c.get("scope")), 200));
wechat.openapi(putDomain, async (c) =>
  c.json(
    await putWechatDomain(c.get("scope"), c.req.valid("param").slug, c.req.valid("json")),
    200,
  ),
);
wechat.openapi(removeDomain, async (c) =>
  c.json(await deleteWechatDomain(c.get("scope"), c.req.valid("param").slug), 200),
);

wechat.openapi(list, async (c) => c.json(await listWechatAccounts(c.get("scope")), 200));
wechat.openapi(create, async (c) =>
  c.json(await createWechatAccount(c.get("scope"), c.req.valid("json")), 201),
);
wechat.openapi(edit, async (c) =>
  c.json(
    await editWechatAccount(c.get("scope"), c.req.valid("param").id, c.req.valid("json")),
    200,
  ),
);
wechat.openapi(remove, async (c) =>
  c.json(await deleteWechatAccount(c.get("scope"), c.req.valid("param").id), 200),
);
wechat.openapi(check, async (c) =>
  c.json(await checkWechatAccount(c.get("scope"), c.req.valid("param").id), 200),
);
wechat.openapi(code, async (c) => {
  const { width } = c.req.valid("query");
  const { type, body } = await getProgramCode(c.get("scope"), c.req.valid("param").id, width);
  const head = { "Content-Type": type, "X-Content-Type-Options": "nosniff" };
  return new Response(body, { headers: head });
});
