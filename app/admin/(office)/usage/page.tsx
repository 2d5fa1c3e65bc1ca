import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import { getFormatter, getTranslations } from "next-intl/server";
import { Facts, OfficeLink, Rows } from "#components/admin/tables";
import { PageHead } from "#components/shell/page-head";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { readUsage } from "#lib/office/usage";
import { type Usage, type UsageDay, usagePeriods, usageQuery } from "#lib/office/usage/schema";
import type { PageQuery } from "../../../pages.tsx";
import { requireOperator } from "../../access.ts";
import { officeTitle } from "../../title.ts";

const fields = ["links", "clicks", "workspaces", "people"] as const;
const daysPerYear = 365;

export const generateMetadata = officeTitle("usage");

export default async function UsagePage({ searchParams }: PageQuery) {
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

interface DayChartProps {
  field: "links" | "clicks" | "workspaces" | "people";
  days: readonly UsageDay[];
}

const height = 100;
/** Shows a day without any data as a thin line. */
const barMin = 0.75;

/** One bar per day. Works without JavaScript; the page’s table also has every number. */
function DayChart({ field, days }: DayChartProps) {
  const t = useTranslations("admin.usage");
  const format = useFormatter();
  const values = days.map((day) => day[field]);
  const most = Math.max(0, ...values);
  const total = format.number(values.reduce((sum, value) => sum + value, 0));
  const dateOf = (day: UsageDay | undefined) =>
    day ? format.dateTime(new Date(day.day), { dateStyle: "medium", timeZone: "UTC" }) : "";
  const [from, to] = [dateOf(days.at(0)), dateOf(days.at(-1))];
  const label = t("chart", { name: t(field), from, to, total, most: format.number(most) });
  return (
    <figure className="grid min-w-0 gap-2 rounded-xl border border-line bg-surface p-5">
      <figcaption className="flex items-baseline justify-between gap-3 text-sm">
        <span className="font-semibold">{t(field)}</span>
        <span className="font-semibold text-base tabular-nums">
          {field === "clicks" ? (
            total
          ) : (
            <OfficeLink href={`/admin/${field}?from=${days.at(0)?.day}`}>{total}</OfficeLink>
          )}
        </span>
      </figcaption>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${days.length} ${height}`}
        preserveAspectRatio="none"
        className="h-32 w-full text-accent"
      >
        <title>{label}</title>
        {days.map((day, at) => {
          const size = Math.max(barMin, (day[field] / Math.max(1, most)) * (height - barMin));
          return (
            <rect
              key={day.day}
              x={at + 0.1}
              y={height - size}
              width={0.8}
              height={size}
              fill="currentColor"
            />
          );
        })}
      </svg>
      <p className="flex justify-between text-ink-muted text-xs">
        <span>{from}</span>
        <span>{to}</span>
      </p>
    </figure>
  );
}
