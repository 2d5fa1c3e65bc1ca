import { editBranding, getBranding, suggestBranding } from "#lib/links/branding";
import {
  brandingShape,
  brandingSuggestionShape,
  editBrandingBody,
} from "#lib/links/branding/schema";
import { access } from "./access.ts";
import { named, Resource } from "./router.ts";

const shape = named("PageLook", brandingShape);

const suggestion = named("PageLookSuggestion", brandingSuggestionShape);

export const branding = new Resource("Workspaces");

branding.answer("getPageLook", "get /page-look", {
  ...access("any"),
  summary: "Get the branding of visitor pages",
  description: "Null is the default.",
  returns: [200, shape, "The color and logo."],
  run: ({ scope }) => getBranding(scope),
});

branding.answer("suggestPageLook", "get /page-look/suggestion", {
  ...access("workspace.write", { people: true }),
  summary: "Suggest branding for visitor pages",
  description:
    "Reads the theme color and icon of the site that the workspace’s domain belongs to, or that most of its newest links redirect to. Nothing is stored. For owners and admins, in the dashboard only; not available to API keys.",
  returns: [200, suggestion, "The suggested color and logo."],
  run: ({ scope }) => suggestBranding(scope),
});

branding.answer("editPageLook", "patch /page-look", {
  ...access("workspace.write", { people: true }),
  summary: "Update the branding of visitor pages",
  description:
    "Applies to the pages and forms of links on the workspace’s own domains, and to missing links there. On shared domains these pages are neutral. Omitted fields don’t change; null restores the default. For owners and admins, in the dashboard only; not available to API keys.",
  request: { body: editBrandingBody },
  returns: [200, shape, "The updated color and logo."],
  run: ({ scope, body }) => editBranding(scope, body),
});
