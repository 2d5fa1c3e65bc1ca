/** UTM templates over the API. */
import { z } from "@hono/zod-openapi";
import {
  changeUtmTemplate,
  createUtmTemplate,
  deleteUtmTemplate,
  listUtmTemplates,
} from "#lib/links/utm";
import { editUtmTemplate, newUtmTemplate, utmTemplateShape } from "#lib/links/utm/schema";
import { access } from "./access.ts";
import { createRoute, jsonBody, newRouter, responses } from "./router.ts";

const tags = ["UTM templates"];
// Created again: only schemas created after loading the OpenAPI extension have its methods.
const template = z.object(utmTemplateShape.shape).openapi("UtmTemplate");
const params = z.object({ id: z.string().openapi({ example: "utm_01KAYV5M3EJ2Q4R8ZC7D0N6XWB" }) });

const list = createRoute({
  method: "get",
  path: "/utm",
  operationId: "listUtmTemplates",
  ...access("links.read", { limitedKeys: true }),
  tags,
  summary: "List UTM templates",
  description: "Returns all templates, sorted by name.",
  responses: responses(200, z.array(template), "The templates."),
});

const create = createRoute({
  method: "post",
  path: "/utm",
  operationId: "createUtmTemplate",
  ...access("links.write"),
  tags,
  summary: "Create a UTM template",
  description: "Saves campaign parameters under a name. A workspace can have up to 200 templates.",
  request: jsonBody(newUtmTemplate),
  responses: responses(201, template, "The template."),
});

const edit = createRoute({
  method: "patch",
  path: "/utm/{id}",
  operationId: "editUtmTemplate",
  ...access("links.write"),
  tags,
  summary: "Update a UTM template",
  description: "Omitted fields don’t change; null clears a field. Existing links don’t change.",
  request: { params, ...jsonBody(editUtmTemplate) },
  responses: responses(200, template, "The updated template."),
});

const remove = createRoute({
  method: "delete",
  path: "/utm/{id}",
  operationId: "deleteUtmTemplate",
  ...access("links.write"),
  tags,
  summary: "Delete a UTM template",
  description: "Existing links don’t change.",
  request: { params },
  responses: responses(200, z.object({ id: z.string() }), "The id of the deleted template."),
});

export const utm = newRouter();

utm.openapi(list, async (c) => c.json(await listUtmTemplates(c.get("scope")), 200));
utm.openapi(create, async (c) =>
  c.json(await createUtmTemplate(c.get("scope"), c.req.valid("json")), 201),
);
utm.openapi(edit, async (c) =>
  c.json(
    await changeUtmTemplate(c.get("scope"), c.req.valid("param").id, c.req.valid("json")),
    200,
  ),
);
utm.openapi(remove, async (c) =>
  c.json(await deleteUtmTemplate(c.get("scope"), c.req.valid("param").id), 200),
);
