/** List rows as they are sent with a page, without the fields that most links leave empty. */
import type { Link } from "#lib/links/fields/schema";
import { dubFieldList } from "#lib/links/link-columns/schema";
import type { Creator } from "./link-parts.tsx";

const emptyFields = new Map<string, unknown>(dubFieldList.map(({ name, usual }) => [name, usual]));

interface ListRows<L = Link> {
  links: readonly L[];
  daily: readonly (readonly number[] | null)[];
  creators: ReadonlyMap<string, Creator>;
}

export type SentRows = ListRows<Partial<Link>>;

export function withoutEmptyFields(links: readonly Link[]): Partial<Link>[] {
  return links.map((link) =>
    Object.fromEntries(
      Object.entries(link).filter(([name, value]) => emptyFields.get(name) !== value),
    ),
  );
}

export function withEmptyFields(rows: SentRows): ListRows {
  return { ...rows, links: rows.links.map(asLink) };
}

/** Sound because only fields with their usual value were left out. */
function asLink(sent: Partial<Link>): Link {
  return { ...Object.fromEntries(emptyFields), ...sent } as Link;
}
