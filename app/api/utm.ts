import { z } from "@hono/zod-openapi";
import * as verbs from "#lib/links/utm";
import { editUtmTemplate, newUtmTemplate, utmTemplateShape } from "#lib/links/utm/schema";
import { access } from "./access.ts";
import { idParams, named, Resource } from "./router.ts";

const template = named("UtmTemplate", utmTemplateShape);
const params = idParams("utm", "The id of the UTM template.");

export const utm = new Resource("UTM templates");

utm.answer("listUtmTemplates", "get /utm", {
  ...access("links.read", { limitedKeys: true }),
  summary: "List UTM templates",
  description: "Returns all templates, sorted by name.",
  returns: [200, z.array(template), "The templates."],
  run: ({ scope }) => verbs.listUtmTemplates(scope),
});

utm.answer("createUtmTemplate", "post /utm", {
  ...access("links.write"),
  summary: "Create a UTM template",
  description: "Saves campaign parameters under a name. A workspace can have up to 200 templates.",
  request: { body: newUtmTemplate },
  returns: [201, template, "The template."],
  run: ({ scope, body }) => verbs.createUtmTemplate(scope, body),
});

utm.answer("editUtmTemplate", "patch /utm/{id}", {
  ...access("links.write"),
  summary: "Update a UTM template",
  description: "Omitted fields don’t change; null clears a field. Existing links don’t change.",
  request: { params, body: editUtmTemplate },
  returns: [200, template, "The updated template."],
  run: ({ scope, params, body }) => verbs.changeUtmTemplate(scope, params.id, body),
});

utm.answer("deleteUtmTemplate", "delete /utm/{id}", {
  ...access("links.write"),
  summary: "Delete a UTM template",
  description: "Existing links don’t change.",
  request: { params },
  returns: [200, z.object({ id: z.string() }), "The id of the deleted template."],
  run: ({ scope, params }) => verbs.deleteUtmTemplate(scope, params.id),
});
