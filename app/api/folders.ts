/** Folders over the API, compatible with Dub's SDK. */
import { z } from "@hono/zod-openapi";
import { createFolder, deleteFolder, editFolder, getFolder, listFolders } from "#lib/links/folders";
import * as fields from "#lib/links/folders/schema";
import { access } from "./access.ts";
import { idParams, named, Resource } from "./router.ts";

const folder = named("Folder", fields.folderShape);
const params = idParams("fold", "The id of the folder.");

export const folders = new Resource("Folders");

folders.answer("createFolder", "post /folders", {
  ...access("folders.write"),
  summary: "Create a folder",
  description:
    "`accessLevel` is the access of other members: `write` (default) to add and edit links, `read` to view them, null for no access. Owners and admins have full access.",
  request: { looseBody: fields.createFolderBody },
  returns: [201, folder, "The folder."],
  run: ({ scope, body }) => createFolder(scope, body),
});

folders.answer("listFolders", "get /folders", {
  ...access("folders.read", { limitedKeys: true }),
  summary: "List folders",
  description:
    "Returns a page of the folders you have access to, sorted by name. `search` matches part of the name.",
  request: { query: fields.listFoldersQuery },
  returns: [200, z.array(folder), "A page of folders."],
  run: ({ scope, query }) => listFolders(scope, query),
});

folders.answer("getFolder", "get /folders/{id}", {
  ...access("folders.read", { limitedKeys: true }),
  summary: "Get a folder",
  description: "Returns the name, description and access level of the folder.",
  request: { params },
  returns: [200, folder, "The folder."],
  run: ({ scope, params }) => getFolder(scope, params.id),
});

folders.answer("editFolder", "patch /folders/{id}", {
  ...access("folders.write"),
  summary: "Update a folder",
  description: "For the folder’s creator, owners and admins. Omitted fields don’t change.",
  request: { params, looseBody: fields.editFolderBody },
  returns: [200, folder, "The updated folder."],
  run: ({ scope, params, body }) => editFolder(scope, params.id, body),
});

folders.answer("deleteFolder", "delete /folders/{id}", {
  ...access("folders.write"),
  summary: "Delete a folder",
  description:
    "Its links are kept without a folder and become visible to all members. For the folder’s creator, owners and admins.",
  request: { params },
  returns: [200, z.object({ id: z.string() }), "The id of the deleted folder."],
  run: ({ scope, params }) => deleteFolder(scope, params.id),
});
