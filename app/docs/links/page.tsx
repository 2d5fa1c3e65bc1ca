import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { DocsPage } from "#components/docs/docs-page";
import { appSchemes } from "#lib/basics/urls";
import { titleOf } from "../../pages.tsx";

/** Copies of limits in the redirect and the server, whose modules pages may not import. */
const limits = { perAddress: 10, misses: 300, head: 144, path: 2_048 };

const steps = ["found", "open", "card", "apps", "password", "limit", "choice", "way"] as const;
const answers = [302, 200, 204, 400, 401, 404, 405, 410, 429, 431, 451, 503] as const;
const spellings = ["plus", "scan", "slash", "escape", "text", "host", "files"] as const;

const sections = [
  ["order", "orderTitle"],
  ["answers", "answersTitle"],
  ["addresses", "addressTitle"],
  ["search-engines", "indexTitle"],
  ["frames", "frameTitle"],
  ["apps", "appTitle"],
] as const;

export const generateMetadata = titleOf("linkGuide.title");

export default async function LinkGuide() {
  const t = await getTranslations("linkGuide");
  const code = (text: ReactNode) => <code>{text}</code>;
  return (
    <DocsPage contents={sections.map(([id, title]) => ({ id, title: t(title) }))}>
      <h1 className="font-semibold text-2xl tracking-tight">{t("title")}</h1>
      <p className="mt-3 text-ink-muted">{t("lead")}</p>
      <Section id="order" title={t("orderTitle")}>
        <ol className="grid list-decimal gap-2 pl-5">
          {steps.map((step) => (
            <li key={step}>{t(`order.${step}`)}</li>
          ))}
        </ol>
      </Section>
      <Section id="answers" title={t("answersTitle")}>
        <dl className="divide-y divide-line border-line border-y">
          {answers.map((status) => (
            <div key={status} className="grid grid-cols-[4rem_1fr] gap-4 py-2.5">
              <dt className="tabular-nums">{status}</dt>
              <dd>{t(`answers.s${status}`, limits)}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section id="addresses" title={t("addressTitle")}>
        <ul className="grid list-disc gap-2 pl-5">
          {spellings.map((spelling) => (
            <li key={spelling}>{t.rich(`address.${spelling}`, { ...limits, code })}</li>
          ))}
        </ul>
      </Section>
      <Section id="search-engines" title={t("indexTitle")}>
        <p>{t.rich("index", { code })}</p>
      </Section>
      <Section id="frames" title={t("frameTitle")}>
        <p>{t("frame")}</p>
      </Section>
      <Section id="apps" title={t("appTitle")}>
        <p>{t("app")}</p>
        <ul className="mt-3 flex flex-wrap gap-x-3 gap-y-1">
          {[...appSchemes].sort().map((scheme) => (
            <li key={scheme}>
              <code>{scheme}</code>
            </li>
          ))}
        </ul>
      </Section>
    </DocsPage>
  );
}

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section id={id} className="mt-10 text-sm" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className="mb-3 font-medium text-lg">
        {title}
      </h2>
      {children}
    </section>
  );
}
