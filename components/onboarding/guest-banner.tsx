import { FlaskConical } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { PageBanner } from "#components/shell/page-banner";
import { Button } from "#components/ui/button";

/** Above the pages of the public demo. */
export function GuestBanner({ entry }: { entry: string }) {
  const t = useTranslations("demo");
  return (
    <PageBanner id="demo" Icon={FlaskConical} heading={t("heading")} text={t("guest.text")}>
      <Button asChild variant="solid">
        <Link href={entry}>{t("guest.signUp")}</Link>
      </Button>
    </PageBanner>
  );
}
