import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { DocsPage } from "#components/docs/docs-page";
import { Method } from "#components/docs/method";
import { Samples } from "#components/docs/samples";
import { TryIt } from "#components/docs/try-it";
import { type PageOf, Texts } from "../../../pages.tsx";
import { getReference, slugOf } from "../document.ts";
import { bodyOf, type CodeSamples, samplesOf } from "../samples.ts";

async function findResource({ params }: PageOf<"resource">) {
  const { resource: slug } = await params;
  return getReference().resources.find((resource) => slugOf(resource) === slug);
}

export async function generateMetadata(props: PageOf<"resource">): Promise<Metadata> {
  const t = await getTranslations("reference");
  const resource = await findResource(props);
  return { title: resource ? `${resource.name} · ${t("title")}` : t("title") };
}

export default async function ResourcePage(props: PageOf<"resource">) {
  const resource = await findResource(props);
  if (!resource) notFound();
  const { server } = getReference();
  return (
    <DocsPage contents={resource.operations.map(({ id, summary }) => ({ id, title: summary }))}>
      <h1 className="font-semibold text-2xl tracking-tight">{resource.name}</h1>
      <p className="mt-3 max-w-2xl text-ink-muted">{resource.description}</p>
      <div className="mt-4 divide-y divide-line">
        <Texts of={["reference"]}>
          {resource.operations.map((operation) => (
            <Operation
              key={operation.id}
              operation={{ ...operation, example: bodyOf(operation) }}
              samples={samplesOf(server, operation)}
            />
          ))}
        </Texts>
      </div>
    </DocsPage>
  );
}

interface FieldDoc {
  name: string;
  type: string;
  required: boolean;
  description: string | undefined;
}

interface OperationProps {
  operation: {
    id: string;
    method: string;
    path: string;
    summary: string;
    description: string | undefined;
    parameters: (FieldDoc & { in: "path" | "query" | "header" })[];
    body: FieldDoc[];
    example: string | undefined;
    answers: { status: string; description: string; type: string | undefined }[];
  };
  /** Undefined if an API key may not make this call. */
  samples: CodeSamples | undefined;
}

function Operation({ operation, samples }: OperationProps) {
  const t = useTranslations("reference");
  const { id, method, path, summary, description, parameters, body, answers } = operation;
  return (
    <section id={id} aria-labelledby={`${id}-name`} className="scroll-mt-4 py-8">
      <h2 id={`${id}-name`} className="font-medium text-lg">
        {summary}
      </h2>
      <p className="mt-1 flex flex-wrap items-baseline gap-2 text-sm">
        <Method name={method} />
        <code className="break-all">{path}</code>
      </p>
      {description ? (
        <p className="mt-3 max-w-2xl text-ink-muted text-sm">
          <WithCode text={description} />
        </p>
      ) : null}
      <div className="mt-5 grid gap-8 md:grid-cols-2">
        <div className="grid min-w-0 content-start gap-6">
          <Fields title={t("parameters")} fields={parameters} />
          <Fields title={t("body")} fields={body} />
          <div>
            <h3 className="font-medium text-sm">{t("answers")}</h3>
            <dl className="mt-1 text-sm">
              {answers.map((answer) => (
                <div key={answer.status} className="flex gap-3 py-1">
                  <dt className="tabular-nums">{answer.status}</dt>
                  <dd className="min-w-0 text-ink-muted">
                    {answer.description}
                    {answer.type && answer.status.startsWith("2") ? (
                      <code className="ml-2 break-all text-ink">{answer.type}</code>
                    ) : null}
                  </dd>
                </div>
              ))}
            </dl>
          </div>
        </div>
        <div className="grid min-w-0 content-start gap-4">
          {samples ? (
            <>
              <Samples {...samples} />
              <details className="rounded-lg border border-line">
                <summary className="cursor-pointer rounded-lg px-3 py-2 font-medium text-sm hover:bg-hover">
                  {t("tryIt")}
                </summary>
                <div className="p-3">
                  <TryIt
                    method={method}
                    path={path}
                    parameters={parameters}
                    example={operation.example}
                  />
                </div>
              </details>
            </>
          ) : (
            <p className="text-ink-muted text-sm">{t("peopleOnly")}</p>
          )}
        </div>
      </div>
    </section>
  );
}

function Fields({ title, fields }: { title: string; fields: readonly FieldDoc[] }) {
  const t = useTranslations("reference");
  if (fields.length === 0) return null;
  return (
    <div>
      <h3 className="font-medium text-sm">{title}</h3>
      <dl className="mt-1 divide-y divide-line text-sm">
        {fields.map(({ name, type, required, description }) => (
          <div key={name} className="py-1.5">
            <dt className="flex flex-wrap items-baseline gap-2">
              <code className="break-all font-medium">{name}</code>
              <code className="break-all text-ink-muted text-xs">{type}</code>
              {required ? <span className="text-xs">{t("required")}</span> : null}
            </dt>
            {description ? (
              <dd className="mt-0.5 text-ink-muted">
                <WithCode text={description} />
              </dd>
            ) : null}
          </div>
        ))}
      </dl>
    </div>
  );
}

function WithCode({ text }: { text: string }) {
  const parts = text.split("`");
  return parts.map((part, at) => {
    const place = parts.slice(0, at + 1).join("`");
    return at % 2 === 1 ? <code key={place}>{part}</code> : part;
  });
}
