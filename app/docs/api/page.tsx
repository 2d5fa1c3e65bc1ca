import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { Method } from "#components/docs/method";
import { Samples } from "#components/docs/samples";
import { Markdown } from "#components/site/markdown";
import { Table, TableCell, TableHead, TableRow } from "#components/ui/table";
import { Texts, titleOf } from "../../pages.tsx";
import { getReference, slugOf } from "./document.ts";
import { firstSamplesOf } from "./samples.ts";

export const generateMetadata = titleOf("reference.title");

export default async function ApiPage() {
  const t = await getTranslations("reference");
  const { server, resources } = getReference();
  return (
    <main id="content" className="pt-8">
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
                <a
                  href="#differences"
                  className="underline decoration-line-strong underline-offset-4 hover:text-accent"
                >
                  {text}
                </a>
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
      <div className="mt-12 grid gap-8">
        {resources.map((resource) => (
          <section key={resource.name} aria-labelledby={slugOf(resource)}>
            <h2 id={slugOf(resource)} className="font-medium text-lg">
              <Link href={`/docs/api/${slugOf(resource)}`} className="rounded-sm hover:text-accent">
                {resource.name}
              </Link>
            </h2>
            <ul className="mt-2 divide-y divide-line border-line border-y">
              {resource.operations.map(({ id, method, path, summary }) => (
                <li key={id}>
                  <Link
                    href={`/docs/api/${slugOf(resource)}#${id}`}
                    className="grid gap-x-4 gap-y-0.5 py-2.5 text-sm hover:bg-hover sm:grid-cols-[4rem_1fr_1fr]"
                  >
                    <Method name={method} />
                    <code className="break-all">{path}</code>
                    <span className="text-ink-muted">{summary}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <Differences />
    </main>
  );
}

const rows = [
  "keys",
  "root",
  "deletion",
  "deepview",
  "query",
  "clicks",
  "sales",
  "programs",
  "addresses",
  "passwords",
  "images",
  "dates",
  "loops",
  "folders",
  "filters",
  "quotas",
  "bulk",
  "left",
  "lookAlikes",
  "unknown",
] as const;
const columns = ["subject", "dub", "fuxi"] as const;

async function Differences() {
  const t = await getTranslations("reference.differences");
  return (
    <div className="mt-12">
      <h2 id="differences" className="font-medium text-lg">
        {t("title")}
      </h2>
      <p className="mt-2 mb-4 max-w-2xl text-ink-muted text-sm">{t("lead")}</p>
      <Table caption={t("title")}>
        <thead>
          <tr>
            <TableHead>{t("subject")}</TableHead>
            <TableHead>Dub</TableHead>
            <TableHead>Fuxi</TableHead>
          </tr>
        </thead>
        <tbody>
          {rows.map((name) => (
            <TableRow key={name}>
              {columns.map((column) => (
                <TableCell key={column} className="min-w-40 align-top">
                  <Markdown text={t(`rows.${name}.${column}`)} />
                </TableCell>
              ))}
            </TableRow>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
