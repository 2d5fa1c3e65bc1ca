import { getTranslations } from "next-intl/server";
import { DocsPage } from "#components/docs/docs-page";
import { errorCodes, errorStatus } from "#lib/platform/errors";
import { titleOf } from "../../../pages.tsx";

export const generateMetadata = titleOf("apiErrors.title");

/** The target of `doc_url` in every error: one row per code, with its anchor. */
export default async function ErrorsPage() {
  const t = await getTranslations("apiErrors");
  return (
    <DocsPage>
      <h1 className="font-semibold text-2xl tracking-tight">{t("heading")}</h1>
      <p className="mt-3 text-ink-muted">{t("lead")}</p>
      <dl className="mt-8 divide-y divide-line border-line border-y">
        {errorCodes.map((code) => (
          <div key={code} id={code} className="grid gap-1 py-4 sm:grid-cols-[16rem_1fr] sm:gap-6">
            <dt className="flex items-baseline gap-3">
              <code className="text-sm">{code}</code>
              <span className="text-ink-muted text-sm tabular-nums">{errorStatus[code]}</span>
            </dt>
            <dd className="text-sm">{t(`codes.${code}`)}</dd>
          </div>
        ))}
      </dl>
    </DocsPage>
  );
}
