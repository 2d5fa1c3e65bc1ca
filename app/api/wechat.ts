import { z } from "@hono/zod-openapi";
import { getProgramCode } from "#lib/audience/mini-programs";
import { programCodeQuery } from "#lib/audience/mini-programs/schema";
import * as verbs from "#lib/audience/wechat-accounts";
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
import { linkParams } from "./links-read.ts";
import { fileResponses, idParams, named, Resource } from "./router.ts";

const account = named("WechatAccount", wechatAccountShape);
const domain = named("WechatDomain", wechatDomainShape);
const params = idParams("wxa", "The id of the WeChat account.");

const domainParams = z.object({
  slug: z.string().openapi({ description: "The domain.", example: "go.example.com" }),
});

export const wechat = new Resource("WeChat");

wechat.answer("listWechatDomains", "get /wechat-domains", {
  ...access("domains.read"),
  summary: "List domains of official accounts",
  description: "The domains that official accounts have as JS-secure domains, by name.",
  returns: [200, z.array(domain), "The domains."],
  run: ({ scope }) => listWechatDomains(scope),
});

wechat.answer("putWechatDomain", "put /wechat-domains/{slug}", {
  ...access("domains.write"),
  summary: "Add a domain to an official account",
  description:
    "For a verified domain of the workspace. `file` is what WeChat asks for before it accepts a JS-secure domain: it’s served at the root of the domain. Inside WeChat, links of the domain then open mini programs with a button. With `callback`, forms of its links can ask for the WeChat account of visitors. What the domain had is replaced.",
  request: { params: domainParams, body: putWechatDomainBody },
  returns: [200, domain, "The domain."],
  run: ({ scope, params, body }) => putWechatDomain(scope, params.slug, body),
});

wechat.answer("deleteWechatDomain", "delete /wechat-domains/{slug}", {
  ...access("domains.write"),
  summary: "Remove a domain from its official account",
  description: "Its file is no longer served.",
  request: { params: domainParams },
  returns: [200, z.object({ slug: z.string() }), "The domain."],
  run: ({ scope, params }) => deleteWechatDomain(scope, params.slug),
});

wechat.answer("listWechatAccounts", "get /wechat-accounts", {
  ...access("links.read"),
  summary: "List WeChat accounts",
  description: "By name. AppSecrets are never returned.",
  returns: [200, z.array(account), "The accounts."],
  run: ({ scope }) => verbs.listWechatAccounts(scope),
});

wechat.answer("createWechatAccount", "post /wechat-accounts", {
  ...access("workspace.write", { people: true }),
  summary: "Add a WeChat account",
  description:
    "For owners and admins. Links that open pages of a mini program get URL Links within a minute. An official account is for pages inside WeChat.",
  request: { body: createWechatAccountBody },
  returns: [201, account, "The account."],
  run: ({ scope, body }) => verbs.createWechatAccount(scope, body),
});

wechat.answer("editWechatAccount", "patch /wechat-accounts/{id}", {
  ...access("workspace.write", { people: true }),
  summary: "Update a WeChat account",
  description: "For owners and admins. Omitted fields don’t change.",
  request: { params, body: editWechatAccountBody },
  returns: [200, account, "The updated account."],
  run: ({ scope, params, body }) => verbs.editWechatAccount(scope, params.id, body),
});

wechat.answer("deleteWechatAccount", "delete /wechat-accounts/{id}", {
  ...access("workspace.write", { people: true }),
  summary: "Delete a WeChat account",
  description: "For owners and admins. Links no longer use it.",
  request: { params },
  returns: [200, z.object({ id: z.string() }), "The id of the deleted account."],
  run: ({ scope, params }) => verbs.deleteWechatAccount(scope, params.id),
});

wechat.answer("checkWechatAccount", "post /wechat-accounts/{id}/check", {
  ...access("workspace.write", { people: true }),
  summary: "Check a WeChat account",
  description:
    "For owners and admins. Checks whether WeChat accepts the AppID and the AppSecret, and gives an official account its ticket. If so, everything that waited for it is tried again.",
  request: { params },
  returns: [200, account, "The account, with what is wrong."],
  run: ({ scope, params }) => verbs.checkWechatAccount(scope, params.id),
});

wechat.respond("getMiniProgramCode", "get /links/{id}/mini-program-code", {
  ...access("links.read"),
  summary: "Get the code of a mini program",
  description:
    "For links that open a mini program of an account of the workspace. WeChat draws the code; it opens the page of the mini program without the short link, so scans aren’t counted here. The mini program gets the query of the link as `scene`, or the slug where there is no query: up to 32 characters.",
  request: { params: linkParams, query: programCodeQuery },
  responses: fileResponses(["image/jpeg", "image/png"], "The image."),
  run: async ({ scope, params, query: { width } }) => {
    const { type, body } = await getProgramCode(scope, params.id, width);
    const head = { "Content-Type": type, "X-Content-Type-Options": "nosniff" };
    return new Response(body, { headers: head });
  },
});
