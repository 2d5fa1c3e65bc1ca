/** Tags over the API, compatible with Dub's SDK. */
import { z } from "@hono/zod-openapi";
import { createTag, deleteTag, editTag, listTags } from "#lib/links/tags";
import { listTagsQuery, tagBody, tagShape } from "#lib/links/tags/schema";
import { access } from "./access.ts";
import { idParams, named, Resource } from "./router.ts";

const tag = named("Tag", tagShape);
const params = idParams("tag", "The id of the tag.");

export const tagsApi = new Resource("Tags");

tagsApi.answer("createTag", "post /tags", {
  ...access("tags.write"),
  summary: "Create a tag",
  description:
    "Names are unique in a workspace, regardless of case. If you omit the color, the least used one is chosen.",
  request: { looseBody: tagBody },
  returns: [201, tag, "The tag."],
  run: ({ scope, body }) => createTag(scope, body),
});

tagsApi.answer("listTags", "get /tags", {
  ...access("tags.read", { limitedKeys: true }),
  summary: "List tags",
  description:
    "Returns a page of tags. `search` matches part of the name; `ids` is a comma-separated list, and unknown ids are ignored.",
  request: { query: listTagsQuery },
  returns: [200, z.array(tag), "A page of tags."],
  run: ({ scope, query }) => listTags(scope, query),
});

tagsApi.answer("editTag", "patch /tags/{id}", {
  ...access("tags.write"),
  summary: "Update a tag",
  description: "Changes the name and color on all links with the tag.",
  request: { params, looseBody: tagBody },
  returns: [200, tag, "The updated tag."],
  run: ({ scope, params, body }) => editTag(scope, params.id, body),
});

tagsApi.answer("deleteTag", "delete /tags/{id}", {
  ...access("tags.write"),
  summary: "Delete a tag",
  description: "Removes the tag from all links. The links are kept.",
  request: { params },
  returns: [200, z.object({ id: z.string() }), "The id of the deleted tag."],
  run: ({ scope, params }) => deleteTag(scope, params.id),
});
