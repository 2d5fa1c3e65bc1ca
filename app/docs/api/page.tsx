import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { DocsCards } from "#components/docs/docs-cards";
import { DocsPage } from "#components/docs/docs-page";
import { Samples } from "#components/docs/samples";
import { Texts, titleOf } from "../../pages.tsx";
import { getReference, slugOf } from "./document.ts";
import { firstSamplesOf } from "./samples.ts";

export const generateMetadata = titleOf("reference.title");

export default async function ApiPage() {
  const t = await getTranslations("reference");
  const { server, resources } = getReference();
  return (
    <DocsPage>
      <h1 className="font-semibold text-2xl tracking-tight">{t("heading")}</h1>
      <p className="mt-3 max-w-2xl text-ink-muted">{t("lead")}</p>
      <section className="mt-10 grid gap-6 md:grid-cols-2">
        <div>
          <h2 className="font-medium text-lg">{t("start")}</h2>
          <ol className="mt-3 grid list-decimal gap-2 pl-5 text-sm">
            <li>{t("startKey")}</li>
            <li>{t("startCall")}</li>
            <li>{t.rich("startSdk", { code: (text) => <code>{text}</code> })}</li>
          </ol>
          <p className="mt-4 text-sm">
            {t.rich("startSamples", { code: (text) => <code>{text}</code> })}
          </p>
          <p className="mt-4 text-sm">
            {t.rich("machine", {
              differences: (text) => (
                <Link
                  href="/docs/api/differences"
                  className="underline decoration-line-strong underline-offset-4 hover:text-accent"
                >
                  {text}
                </Link>
              ),
              document: (text) => (
                <a
                  href="/api/openapi.json"
                  className="underline decoration-line-strong underline-offset-4 hover:text-accent"
                >
                  {text}
                </a>
              ),
              errors: (text) => (
                <Link
                  href="/docs/api/errors"
                  className="underline decoration-line-strong underline-offset-4 hover:text-accent"
                >
                  {text}
                </Link>
              ),
            })}
          </p>
          <p className="mt-4 text-sm">
            {t.rich("apps", { code: (text) => <code className="break-all">{text}</code> })}
          </p>
        </div>
        <Texts of={["reference"]}>
          <Samples {...firstSamplesOf(server)} />
        </Texts>
      </section>
      <h2 className="mt-12 font-medium text-lg">{t("resources")}</h2>
      <DocsCards
        pages={resources.map((resource) => ({
          href: `/docs/api/${slugOf(resource)}`,
          title: resource.name,
          text: resource.description,
        }))}
      />
    </DocsPage>
  );
}
