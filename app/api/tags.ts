/** Tags over the API, compatible with Dub's SDK. */
import { z } from "@hono/zod-openapi";
import { createTag, deleteTag, editTag, listTags } from "#lib/links/tags";
import { listTagsQuery, tagBody, tagShape } from "#lib/links/tags/schema";
import { access } from "./access.ts";
import { createRoute, jsonBody, newRouter, reportIgnored, responses } from "./router.ts";

const tags = ["Tags"];
// Created again: only schemas created after loading the OpenAPI extension have its methods.
const tag = z.object(tagShape.shape).openapi("Tag");
const params = z.object({ id: z.string().openapi({ example: "tag_01KAYV5M3EJ2Q4R8ZC7D0N6XWB" }) });

const create = createRoute({
  method: "post",
  path: "/tags",
  operationId: "createTag",
  ...access("tags.write"),
  tags,
  summary: "Create a tag",
  description:
    "Names are unique in a workspace, regardless of case. If you omit the color, the least used one is chosen.",
  request: jsonBody(tagBody.loose()),
  responses: responses(201, tag, "The tag."),
});

const list = createRoute({
  method: "get",
  path: "/tags",
  operationId: "listTags",
  ...access("tags.read", { limitedKeys: true }),
  tags,
  summary: "List tags",
  description:
    "Returns a page of tags. `search` matches part of the name; `ids` is a comma-separated list, and unknown ids are ignored.",
  request: { query: listTagsQuery },
  responses: responses(200, z.array(tag), "A page of tags."),
});

const edit = createRoute({
  method: "patch",
  path: "/tags/{id}",
  operationId: "editTag",
  ...access("tags.write"),
  tags,
  summary: "Update a tag",
  description: "Changes the name and color on all links with the tag.",
  request: { params, ...jsonBody(tagBody.loose()) },
  responses: responses(200, tag, "The updated tag."),
});

const remove = createRoute({
  method: "delete",
  path: "/tags/{id}",
  operationId: "deleteTag",
  ...access("tags.write"),
  tags,
  summary: "Delete a tag",
  description: "Removes the tag from all links. The links are kept.",
  request: { params },
  responses: responses(200, z.object({ id: z.string() }), "The id of the deleted tag."),
});

export const tagsApi = newRouter();

tagsApi.openapi(create, async (c) => {
  const body = c.req.valid("json");
  reportIgnored(c, tagBody, body);
  return c.json(await createTag(c.get("scope"), body), 201);
});
tagsApi.openapi(list, async (c) =>
  c.json(await listTags(c.get("scope"), c.req.valid("query")), 200),
);
tagsApi.openapi(edit, async (c) => {
  const body = c.req.valid("json");
  reportIgnored(c, tagBody, body);
  return c.json(await editTag(c.get("scope"), c.req.valid("param").id, body), 200);
});
tagsApi.openapi(remove, async (c) =>
  c.json(await deleteTag(c.get("scope"), c.req.valid("param").id), 200),
);
