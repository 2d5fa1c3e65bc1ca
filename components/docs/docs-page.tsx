import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";

interface DocsPageProps {
  /** The sections of the page, by their anchors. */
  contents?: readonly { id: string; title: string }[];
  children: ReactNode;
}

/** A page of the documentation, with its contents beside it on wide screens. */
export async function DocsPage({ contents = [], children }: DocsPageProps) {
  const t = await getTranslations("docsFrame");
  return (
    <div className="xl:grid xl:grid-cols-[minmax(0,1fr)_12rem] xl:gap-10">
      <main id="content" className="min-w-0 pt-8">
        {children}
      </main>
      {contents.length < 2 ? null : (
        <nav
          aria-label={t("contents")}
          className="sticky top-0 hidden max-h-dvh self-start overflow-y-auto py-9 text-sm xl:block"
        >
          <p className="pb-2 font-medium text-xs">{t("contents")}</p>
          <ul className="grid gap-2 border-line border-l pl-3">
            {contents.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`} className="rounded-sm text-ink-muted hover:text-ink">
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  );
}
