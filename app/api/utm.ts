/** Templates of campaign parameters over the API. */
import { createRoute, z } from "@hono/zod-openapi";
import {
  changeUtmTemplate,
  createUtmTemplate,
  deleteUtmTemplate,
  listUtmTemplates,
} from "#lib/links/utm";
import { editUtmTemplate, newUtmTemplate, utmTemplateShape } from "#lib/links/utm/schema";
import { answers, jsonBody, newRouter } from "./router.ts";

const tags = ["UTM templates"];
// Made anew: only schemas that are made after the OpenAPI extension was loaded know its methods.
const template = z.object(utmTemplateShape.shape).openapi("UtmTemplate");
const params = z.object({ id: z.string().openapi({ example: "utm_01KAYV5M3EJ2Q4R8ZC7D0N6XWB" }) });

const list = createRoute({
  method: "get",
  path: "/utm",
  operationId: "listUtmTemplates",
  tags,
  summary: "The UTM templates of the workspace",
  description: "All of them, by their names.",
  responses: answers(200, z.array(template), "The templates."),
});

const create = createRoute({
  method: "post",
  path: "/utm",
  operationId: "createUtmTemplate",
  tags,
  summary: "Make a UTM template",
  description: "Keeps campaign parameters under a name. A workspace has at most 200 templates.",
  request: jsonBody(newUtmTemplate),
  responses: answers(201, template, "The template."),
});

const edit = createRoute({
  method: "patch",
  path: "/utm/{id}",
  operationId: "editUtmTemplate",
  tags,
  summary: "Change a UTM template",
  description: "What is left out stays and null clears. Links that were made with it stay.",
  request: { params, ...jsonBody(editUtmTemplate) },
  responses: answers(200, template, "The template as it is now."),
});

const remove = createRoute({
  method: "delete",
  path: "/utm/{id}",
  operationId: "deleteUtmTemplate",
  tags,
  summary: "Delete a UTM template",
  description: "Links that were made with it stay as they are.",
  request: { params },
  responses: answers(200, z.object({ id: z.string() }), "The id of the template that is gone."),
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
