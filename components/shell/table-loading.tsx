import { useTranslations } from "next-intl";
import { Skeleton } from "#components/ui/skeleton";
import { PageHead } from "./page-head.tsx";

const rows = ["w-32", "w-40", "w-28", "w-36", "w-44"];

export function TableLoading({ heading, note }: { heading: string; note?: string }) {
  const t = useTranslations("common");
  return (
    <>
      <PageHead heading={heading} {...(note === undefined ? {} : { note })} />
      <p role="status" className="sr-only">
        {t("loading")}
      </p>
      <div className="rounded-lg border border-line">
        <div className="h-9 rounded-t-lg border-line border-b bg-sunken" />
        {rows.map((width) => (
          <div
            key={width}
            className="flex h-11 items-center gap-3 border-line border-b px-3 last:border-b-0"
          >
            <Skeleton className={`h-3.5 ${width}`} />
            <Skeleton className="ml-auto h-3.5 w-14" />
          </div>
        ))}
      </div>
    </>
  );
}
