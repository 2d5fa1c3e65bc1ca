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

/** What these fields are, unless they are sent. */
const following: { [Name in keyof Link]?: (link: Link) => Link[Name] } = {
  projectId: ({ workspaceId }) => workspaceId,
  tagId: ({ tags }) => tags[0]?.id ?? null,
  updatedAt: ({ createdAt }) => createdAt,
};

export function withoutEmptyFields(links: readonly Link[]): Partial<Link>[] {
  return links.map((link) => {
    const follows = new Map<string, unknown>(followingOf(link));
    // The browser draws a QR code without a design from the short link.
    if (!link.qr) follows.set("qrCode", link.qrCode);
    const isSent = ([name, value]: [string, unknown]) =>
      (follows.has(name) ? follows : emptyFields).get(name) !== value;
    return Object.fromEntries(Object.entries(link).filter(isSent));
  });
}

function followingOf(link: Link): [string, unknown][] {
  return Object.entries(following).map(([name, follow]) => [name, follow(link)]);
}

export function withEmptyFields(rows: SentRows): ListRows {
  return { ...rows, links: rows.links.map(asLink) };
}

/** Sound because only fields with their usual value were left out. */
function asLink(sent: Partial<Link>): Link {
  const link = { ...Object.fromEntries(emptyFields), qrCode: "", ...sent } as Link;
  return { ...link, ...Object.fromEntries(followingOf(link)), ...sent };
}
