import { FileQuestion } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";

/** A page that does not exist, or is hidden from this person: both look the same. */
export function NotFound({ home, label }: { home: string; label: string }) {
  const t = useTranslations("missing");
  return (
    <EmptyState
      icon={<FileQuestion aria-hidden />}
      title={t("heading")}
      wholePage
      actions={
        <Button asChild variant="solid">
          <Link href={home}>{label}</Link>
        </Button>
      }
    >
      {t("text")}
    </EmptyState>
  );
}
