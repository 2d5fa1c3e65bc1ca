import { ExternalLink, Mail } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { LockNote } from "./locked.tsx";

interface SupportCardProps {
  /** An email address or an https URL; undefined: the plan does not include it. */
  contact: string | undefined;
}

/** Where to ask for help and for custom development. */
export function SupportCard({ contact }: SupportCardProps) {
  const t = useTranslations("plans.support");
  const isPage = contact?.startsWith("https:");
  const Icon = isPage ? ExternalLink : Mail;
  return (
    <Card heading={t("heading")} note={contact ? t("note") : <LockNote />}>
      {contact ? (
        <Button asChild className="justify-self-start">
          <a href={isPage ? contact : `mailto:${contact}`}>
            <Icon aria-hidden />
            {isPage ? t("open") : t("write", { contact })}
          </a>
        </Button>
      ) : null}
    </Card>
  );
}
