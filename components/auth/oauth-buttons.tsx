import Link from "next/link";
import { useTranslations } from "next-intl";
import { Button } from "#components/ui/button";
import { ProviderButton } from "./provider-button.tsx";

interface OAuthButtonsProps {
  sites: readonly { id: string; name: string }[];
  /** Workspaces have providers of their own. */
  sso: boolean;
  next: string;
}

export function OAuthButtons({ sites, sso, next }: OAuthButtonsProps) {
  const t = useTranslations("entry");
  if (sites.length === 0 && !sso) return null;
  return (
    <div className="mt-4 grid gap-2 border-line border-t pt-4">
      {sites.map((site) => (
        <ProviderButton key={site.id} site={site} next={next} />
      ))}
      {sso ? (
        <Button asChild size="lg" className="w-full">
          <Link href="/signin/sso">{t("sso")}</Link>
        </Button>
      ) : null}
    </div>
  );
}
