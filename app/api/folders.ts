/** Folders over the API, compatible with Dub's SDK. */
import { z } from "@hono/zod-openapi";
import { createFolder, deleteFolder, editFolder, getFolder, listFolders } from "#lib/links/folders";
import {
  createFolderBody,
  editFolderBody,
  folderShape,
  listFoldersQuery,
} from "#lib/links/folders/schema";
import { access } from "./access.ts";
import { createRoute, jsonBody, newRouter, reportIgnored, responses } from "./router.ts";

const tags = ["Folders"];
// Created again: only schemas created after loading the OpenAPI extension have its methods.
const folder = z.object(folderShape.shape).openapi("Folder");
const params = z.object({ id: z.string().openapi({ example: "fold_01KAYV5M3EJ2Q4R8ZC7D0N6XWB" }) });

const create = createRoute({
  method: "post",
  path: "/folders",
  operationId: "createFolder",
  ...access("folders.write"),
  tags,
  summary: "Create a folder",
  description:
    "`accessLevel` is the access of other members: `write` (default) to add and edit links, `read` to view them, null for no access. Owners and admins have full access.",
  request: jsonBody(createFolderBody.loose()),
  responses: responses(201, folder, "The folder."),
});

const list = createRoute({
  method: "get",
  path: "/folders",
  operationId: "listFolders",
  ...access("folders.read", { limitedKeys: true }),
  tags,
  summary: "List folders",
  description:
    "Returns a page of the folders you have access to, sorted by name. `search` matches part of the name.",
  request: { query: listFoldersQuery },
  responses: responses(200, z.array(folder), "A page of folders."),
});

const get = createRoute({
  method: "get",
  path: "/folders/{id}",
  operationId: "getFolder",
  ...access("folders.read", { limitedKeys: true }),
  tags,
  summary: "Get a folder",
  request: { params },
  responses: responses(200, folder, "The folder."),
});

const edit = createRoute({
  method: "patch",
  path: "/folders/{id}",
  operationId: "editFolder",
  ...access("folders.write"),
  tags,
  summary: "Update a folder",
  description: "For the folder’s creator, owners and admins. Omitted fields don’t change.",
  request: { params, ...jsonBody(editFolderBody.loose()) },
  responses: responses(200, folder, "The updated folder."),
});

const remove = createRoute({
  method: "delete",
  path: "/folders/{id}",
  operationId: "deleteFolder",
  ...access("folders.write"),
  tags,
  summary: "Delete a folder",
  description:
    "Its links are kept without a folder and become visible to all members. For the folder’s creator, owners and admins.",
  request: { params },
  responses: responses(200, z.object({ id: z.string() }), "The id of the deleted folder."),
});

export const folders = newRouter();

folders.openapi(create, async (c) => {
  const body = c.req.valid("json");
  reportIgnored(c, createFolderBody, body);
  return c.json(await createFolder(c.get("scope"), body), 201);
});
folders.openapi(list, async (c) =>
  c.json(await listFolders(c.get("scope"), c.req.valid("query")), 200),
);
folders.openapi(get, async (c) =>
  c.json(await getFolder(c.get("scope"), c.req.valid("param").id), 200),
);
folders.openapi(edit, async (c) => {
  const body = c.req.valid("json");
  reportIgnored(c, editFolderBody, body);
  return c.json(await editFolder(c.get("scope"), c.req.valid("param").id, body), 200);
});
folders.openapi(remove, async (c) =>
  c.json(await deleteFolder(c.get("scope"), c.req.valid("param").id), 200),
);
