import type { Metadata } from "next";
import Link from "next/link";
import { getFormatter, getTranslations } from "next-intl/server";
import { DayChart } from "#components/admin/day-chart";
import { Facts } from "#components/admin/facts";
import { Rows } from "#components/admin/rows";
import { PageHead } from "#components/shell/page-head";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { readUsage } from "#lib/office/usage";
import { type Usage, usagePeriods, usageQuery } from "#lib/office/usage/schema";
import { requireOperator } from "../../access.ts";
import { officeMetadata } from "../../title.ts";

const fields = ["links", "clicks", "workspaces", "people"] as const;
const daysPerYear = 365;

export function generateMetadata(): Promise<Metadata> {
  return officeMetadata("usage");
}

interface UsagePageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function UsagePage({ searchParams }: UsagePageProps) {
  const operator = await requireOperator();
  const parsed = usageQuery.safeParse(await searchParams);
  const period = parsed.success ? parsed.data.days : usagePeriods[0];
  const [nav, t, usage] = await Promise.all([
    getTranslations("admin.nav"),
    getTranslations("admin.usage"),
    readUsage(operator, period),
  ]);
  return (
    <>
      <PageHead heading={nav("usage")} note={t("note")} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <nav aria-label={t("period")} className="flex flex-wrap gap-2">
          {usagePeriods.map((days) => (
            <Button key={days} asChild size="sm" variant={days === period ? "solid" : "outline"}>
              <Link
                href={`/admin/usage?days=${days}`}
                prefetch={false}
                aria-current={days === period ? "page" : undefined}
              >
                {t("periodDays", { days })}
              </Link>
            </Button>
          ))}
        </nav>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-2">
          {fields.map((field) => (
            <DayChart key={field} field={field} days={usage.days} />
          ))}
        </div>
        <Days days={usage.days} />
        <Codes codes={usage.codes} />
        <Storage storage={usage.storage} />
      </div>
    </>
  );
}

async function Days({ days }: Pick<Usage, "days">) {
  const [t, format] = await Promise.all([getTranslations("admin.usage"), getFormatter()]);
  return (
    <details className="rounded-xl border border-line bg-surface p-5">
      <summary className="cursor-pointer font-semibold text-base">{t("table")}</summary>
      <div className="mt-4">
        <Rows
          caption={t("table")}
          columns={[t("day"), ...fields.map((field) => t(field))]}
          empty=""
          rows={days.toReversed().map((day) => ({
            id: day.day,
            cells: [day.day, ...fields.map((field) => format.number(day[field]))],
          }))}
        />
      </div>
    </details>
  );
}

async function Codes({ codes }: Pick<Usage, "codes">) {
  const [t, format] = await Promise.all([getTranslations("admin.usage"), getFormatter()]);
  const { block } = codes;
  const pools = codes.pools.map(({ length, leased, left, endsInDays }) => ({
    label: t("pool", { length }),
    value: t("poolText", {
      leased: format.number(leased),
      left: format.number(left),
      end: endsInDays === null ? t("endsLate") : t("endsIn", { days: endsInDays }),
    }),
  }));
  const blockText = block
    ? t("blockText", {
        start: format.number(block.start),
        end: format.number(block.end - 1),
        next: format.number(block.next),
      })
    : t("noBlock");
  return (
    <Card heading={t("forecast")} note={t("forecastNote")}>
      <Facts
        facts={[
          { label: t("speed"), value: format.number(Math.round(codes.perDay)) },
          ...pools,
          { label: t("block"), value: blockText },
          { label: t("nextBlock"), value: format.number(codes.nextBlock) },
        ]}
      />
    </Card>
  );
}

async function Storage({ storage }: Pick<Usage, "storage">) {
  const [t, format] = await Promise.all([getTranslations("admin.usage"), getFormatter()]);
  const sizeOf = (bytes: number) => sizeText(bytes, format.number);
  const { bytesPerDay, redis } = storage;
  const growth =
    bytesPerDay === null
      ? t("growthUnknown")
      : t("growthText", { size: sizeOf(bytesPerDay), year: sizeOf(bytesPerDay * daysPerYear) });
  return (
    <Card heading={t("storage")}>
      <Facts
        facts={[
          { label: t("database"), value: sizeOf(storage.databaseBytes) },
          { label: t("growth"), value: growth },
          { label: t("redis"), value: await memoryText(redis, sizeOf) },
        ]}
      />
      <Rows
        caption={t("tables")}
        columns={[t("tableName"), t("tableSize"), t("tableRows")]}
        empty={t("noTables")}
        rows={storage.tables.map(({ name, bytes, rows }) => ({
          id: name,
          cells: [name, sizeOf(bytes), format.number(rows)],
        }))}
      />
    </Card>
  );
}

async function memoryText(
  redis: Usage["storage"]["redis"],
  sizeOf: (bytes: number) => string,
): Promise<string> {
  const t = await getTranslations("admin.usage");
  if (redis === null) return t("unavailable");
  const used = sizeOf(redis.usedBytes);
  return redis.maxBytes === null ? used : t("redisOf", { used, max: sizeOf(redis.maxBytes) });
}

const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
const unitStep = 1_000;

/** A size in the largest unit that keeps it at 1 or more. */
function sizeText(
  bytes: number,
  number: Awaited<ReturnType<typeof getFormatter>>["number"],
): string {
  const exponent = bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(unitStep));
  const nth = Math.min(exponent, units.length - 1);
  const unit = units[nth] ?? "byte";
  return number(bytes / unitStep ** nth, { style: "unit", unit, maximumFractionDigits: 1 });
}
