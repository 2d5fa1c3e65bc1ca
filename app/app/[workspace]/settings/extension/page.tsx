import { Download } from "lucide-react";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { Bookmarklet } from "#components/links/bookmarklet";
import { bookmarkletOf } from "#components/links/start-of-link.ts";
import { PageHead } from "#components/shell/page-head";
import { Button } from "#components/ui/button";
import { CopyButton } from "#components/ui/copy-button";
import { config } from "#lib/platform/config";
import { type PageOf, titleOf } from "../../../../pages.tsx";
import { requireScope } from "../../../access.ts";

export const generateMetadata = titleOf("browserPage.heading");

const link = "text-accent hover:underline";

export default async function BrowserPage({ params }: PageOf<"workspace">) {
  const { workspace } = await params;
  await requireScope(workspace);
  const t = await getTranslations("browserPage");
  const code = bookmarkletOf(config().FUXI_URL, workspace);
  return (
    <>
      <PageHead heading={t("heading")} note={t("note")} />
      <section className="mb-10 grid max-w-xl gap-4">
        <h2 className="font-medium">{t("extension")}</h2>
        <p className="text-sm">{t("extensionNote")}</p>
        <div>
          <Button asChild variant="solid">
            <a href="/extension.zip" download>
              <Download aria-hidden />
              {t("download")}
            </a>
          </Button>
        </div>
        <ol className="grid list-decimal gap-1.5 pl-5 text-ink-muted text-sm">
          <li>{t("step1")}</li>
          <li>{t("step2")}</li>
          <li>{t("step3")}</li>
        </ol>
        <p className="flex flex-wrap gap-x-4 text-sm">
          <Link href={`/app/${workspace}/settings/api-keys`} className={link}>
            {t("keys")}
          </Link>
          <a href="/docs/extension" className={link}>
            {t("guide")}
          </a>
        </p>
      </section>
      <section className="grid max-w-xl gap-4">
        <h2 className="font-medium">{t("bookmarklet")}</h2>
        <p className="text-sm">{t("drag")}</p>
        <div>
          <Bookmarklet code={code}>{t("button")}</Bookmarklet>
        </div>
        <p className="text-ink-muted text-sm">{t("orCopy")}</p>
        <div className="grid min-w-0 gap-1.5">
          <div className="flex items-center justify-between gap-2">
            <h3 className="font-medium text-sm">{t("code")}</h3>
            <CopyButton text={code} label={t("copy")}>
              {t("copy")}
            </CopyButton>
          </div>
          <code className="break-all rounded-lg bg-sunken p-3 text-xs">{code}</code>
        </div>
      </section>
    </>
  );
}
