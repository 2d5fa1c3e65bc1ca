/** Branding of the pages that visitors of the workspace's links see. */
import { z } from "@hono/zod-openapi";
import { editBranding, getBranding, suggestBranding } from "#lib/links/branding";
import {
  brandingShape,
  brandingSuggestionShape,
  editBrandingBody,
} from "#lib/links/branding/schema";
import { access } from "./access.ts";
import { createRoute, jsonBody, newRouter, responses } from "./router.ts";

const tags = ["Workspaces"];
// Created again: only schemas created after loading the OpenAPI extension have its methods.
const shape = z.object(brandingShape.shape).openapi("PageLook");

const get = createRoute({
  method: "get",
  path: "/page-look",
  operationId: "getPageLook",
  ...access("any"),
  tags,
  summary: "Get the branding of visitor pages",
  description: "Null is the default.",
  responses: responses(200, shape, "The color and logo."),
});

const suggestion = z.object(brandingSuggestionShape.shape).openapi("PageLookSuggestion");

const suggest = createRoute({
  method: "get",
  path: "/page-look/suggestion",
  operationId: "suggestPageLook",
  ...access("workspace.write", { people: true }),
  tags,
  summary: "Suggest branding for visitor pages",
  description:
    "Reads the theme color and icon of the site that the workspace’s domain belongs to, or that most of its newest links redirect to. Nothing is stored. For owners and admins, in the dashboard only; not available to API keys.",
  responses: responses(200, suggestion, "The suggested color and logo."),
});

const edit = createRoute({
  method: "patch",
  path: "/page-look",
  operationId: "editPageLook",
  ...access("workspace.write", { people: true }),
  tags,
  summary: "Update the branding of visitor pages",
  description:
    "Applies to the pages for password-protected, expired and scheduled links, and for missing links on the workspace’s domains. Omitted fields don’t change; null restores the default. For owners and admins, in the dashboard only; not available to API keys.",
  request: jsonBody(editBrandingBody),
  responses: responses(200, shape, "The updated color and logo."),
});

export const branding = newRouter();

branding.openapi(get, async (c) => c.json(await getBranding(c.get("scope")), 200));
branding.openapi(suggest, async (c) => c.json(await suggestBranding(c.get("scope")), 200));
branding.openapi(edit, async (c) =>
  c.json(await editBranding(c.get("scope"), c.req.valid("json")), 200),
);
