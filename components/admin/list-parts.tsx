/** The parts that lists of the back office share. */
import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "#components/ui/button";
import { InputField } from "#components/ui/labeled";
import type { OfficeCount } from "#lib/office/directory/schema";

interface FiltersProps {
  path: string;
  from: string | undefined;
  /** Whether there is something to clear. */
  filtered: boolean;
  children: ReactNode;
}

/** A form of the browser: what a list shows is recorded, so none loads while someone types. */
export function Filters({ path, from = "", filtered, children }: FiltersProps) {
  const t = useTranslations("admin.filters");
  return (
    <form action={path} className="mb-4 flex flex-wrap items-end gap-3">
      {children}
      <InputField label={t("from")} outerClass="w-40" name="from" type="date" defaultValue={from} />
      <div className="flex gap-2">
        <Button type="submit" variant="solid" className="h-9 pointer-coarse:h-11">
          {t("apply")}
        </Button>
        {filtered ? (
          <Button asChild variant="ghost" className="h-9 pointer-coarse:h-11">
            <Link href={path} prefetch={false}>
              {t("clear")}
            </Link>
          </Button>
        ) : null}
      </div>
    </form>
  );
}

/** Not prefetched, because opening a page is recorded. */
export function MoreButton({ href, children }: { href: string | undefined; children: string }) {
  if (href === undefined) return null;
  return (
    <Button asChild className="mt-4">
      <Link href={href} prefetch={false}>
        {children}
      </Link>
    </Button>
  );
}

/** Says “about” before an estimate. `text` is the number with what it counts. */
export function useCountText(): (count: OfficeCount, text?: string) => string {
  const t = useTranslations("admin.overview");
  const format = useFormatter();
  return ({ count, about }, text = format.number(count)) =>
    about ? t("about", { count: text }) : text;
}
