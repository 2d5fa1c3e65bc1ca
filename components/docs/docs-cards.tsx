import Link from "next/link";

interface DocsCardsProps {
  pages: readonly { href: string; title: string; text: string }[];
}

/** Pages of the documentation with a sentence about each. */
export function DocsCards({ pages }: DocsCardsProps) {
  return (
    <ul className="mt-3 grid gap-3 sm:grid-cols-2">
      {pages.map(({ href, title, text }) => (
        <li key={href}>
          <Link
            href={href}
            className="grid h-full content-start gap-1 rounded-xl border border-line bg-surface p-5 transition-colors hover:bg-hover"
          >
            <span className="font-medium text-base">{title}</span>
            <span className="text-ink-muted text-sm">{text}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
