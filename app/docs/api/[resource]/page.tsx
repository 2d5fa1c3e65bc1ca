import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { Operation } from "#components/docs/operation";
import type { PageOf } from "../../../pages.ts";
import { Texts } from "../../../texts.tsx";
import { getReference, slugOf } from "../document.ts";
import { bodyOf, samplesOf } from "../samples.ts";

async function findResource({ params }: PageOf<"resource">) {
  const { resource: slug } = await params;
  return getReference().resources.find((resource) => slugOf(resource) === slug);
}

export async function generateMetadata(props: PageOf<"resource">): Promise<Metadata> {
  const t = await getTranslations("reference");
  const resource = await findResource(props);
  return { title: resource ? `${resource.name} · ${t("title")}` : t("title") };
}

/** A resource of the API: each call with its fields, samples and a form that sends it. */
export default async function ResourcePage(props: PageOf<"resource">) {
  const resource = await findResource(props);
  if (!resource) notFound();
  const { server } = getReference();
  return (
    <main id="content" className="pt-8">
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
    </main>
  );
}
