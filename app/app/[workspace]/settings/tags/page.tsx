import { Pager } from "#components/links/pager";
import { TagManager } from "#components/tags/tag-manager";
import { countTagLinks, listTags, tagLinksCountedMax } from "#lib/links/tags";
import { listTagsQuery } from "#lib/links/tags/schema";
import { type ListPageOf, Texts, titleOf } from "../../../../pages.tsx";
import { requireScope } from "../../../access.ts";
import { neighborPages, parseListing, readPage } from "../../listing.ts";
import { QuotaNote } from "../../quota-note.tsx";
import { deleteTagAction, saveTagAction } from "./actions.ts";

export const generateMetadata = titleOf("tags.heading");

export default async function TagsPage({ params, searchParams }: ListPageOf<"workspace">) {
  const { workspace: slug } = await params;
  const listing = parseListing(await searchParams);
  const scope = await requireScope(slug);
  const { rows: tags, found } = await readPage(listing, ({ search, ...page }) =>
    listTags(scope, { ...listTagsQuery.parse({ search }), ...page }),
  );
  const links = await countTagLinks(
    scope,
    tags.map(({ id }) => id),
  );
  const path = `/app/${slug}/settings/tags`;
  return (
    <Texts of={["named", "tags"]}>
      <QuotaNote scope={scope} name="tags" />
      <TagManager
        tags={tags.map((tag) => ({ ...tag, links: links.get(tag.id) ?? 0 }))}
        countedMax={tagLinksCountedMax}
        search={listing.search}
        actions={
          scope.permissions.has("tags.write")
            ? { save: saveTagAction.bind(null, slug), remove: deleteTagAction.bind(null, slug) }
            : null
        }
      />
      <div className="mt-4 flex">
        <Pager {...neighborPages(path, listing, found)} />
      </div>
    </Texts>
  );
}
