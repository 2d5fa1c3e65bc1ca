import { bareUrl } from "#lib/basics/urls/schema";
import type { FilterName } from "./board-query.ts";

export interface ClickCounts {
  clicks: number;
  visitors: number;
  bots: number;
}

export interface ValueCount extends ClickCounts {
  /** The value to filter by. */
  value: string;
  /** Displayed when the value itself has no better name. */
  name: string;
  /** More filters that the value needs: a city belongs to a region. */
  also: readonly (readonly [FilterName, string])[];
  country: string;
  title: string;
}

export interface SeriesPoint extends ClickCounts {
  start: string;
  /** Whether the bucket is not over yet. */
  partial: boolean;
  before: ClickCounts | undefined;
}

export interface HourCount extends ClickCounts {
  weekday: number;
  hour: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** Sound because any object has properties of unknown types. */
function fieldsOf(value: unknown): Fields {
  return { ...Object(value) };
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function countsOf(fields: Fields): ClickCounts {
  return {
    clicks: numberOf(fields["clicks"]),
    visitors: numberOf(fields["visitors"]),
    bots: numberOf(fields["bots"]),
  };
}

export interface TotalCounts extends ClickCounts {
  before: ClickCounts | undefined;
}

function beforeOf(fields: Fields): ClickCounts | undefined {
  return fields["previous"] ? countsOf(fieldsOf(fields["previous"])) : undefined;
}

export function readTotal(answer: unknown): TotalCounts {
  const fields = fieldsOf(answer);
  return { ...countsOf(fields), before: beforeOf(fields) };
}

export interface ConversionCounts {
  clicks: number;
  leads: number;
  sales: number;
  /** In the minor unit of the currency. */
  saleAmount: number;
  currency: string;
}

export function readConversions(answer: unknown): ConversionCounts {
  const fields = fieldsOf(answer);
  return {
    clicks: numberOf(fields["clicks"]),
    leads: numberOf(fields["leads"]),
    sales: numberOf(fields["sales"]),
    saleAmount: numberOf(fields["saleAmount"]),
    currency: textOf(fields["currency"]) || "USD",
  };
}

export interface GoalCount {
  name: string;
  leads: number;
  sales: number;
  saleAmount: number;
}

export function readGoals(answer: unknown): GoalCount[] {
  return rowsOf(answer).map((fields) => ({
    name: textOf(fields["eventName"]),
    leads: numberOf(fields["leads"]),
    sales: numberOf(fields["sales"]),
    saleAmount: numberOf(fields["saleAmount"]),
  }));
}

function rowsOf(answer: unknown): Fields[] {
  return Array.isArray(answer) ? answer.map(fieldsOf) : [];
}

export function readPoints(answer: unknown): SeriesPoint[] {
  return rowsOf(answer).map((fields) => ({
    start: textOf(fields["start"]),
    partial: fields["partial"] === true,
    ...countsOf(fields),
    before: beforeOf(fields),
  }));
}

export function readHours(answer: unknown): HourCount[] {
  return rowsOf(answer).map((fields) => ({
    weekday: numberOf(fields["weekday"]),
    hour: numberOf(fields["hour"]),
    ...countsOf(fields),
  }));
}

const shownValues = 5_000;

/** Rows of a grouping. `field` is the field with the value, or with the object that has it. */
export function readRows(answer: unknown, field: string): ValueCount[] {
  return rowsOf(answer)
    .slice(0, shownValues)
    .map((fields) => {
      const value = textOf(fields[field]);
      const { country, region } = fields;
      return {
        value,
        name: nameOf(fields, value),
        country: textOf(country),
        title: textOf(fields["title"]),
        also: field === "city" && isKnown(region) ? [["region", textOf(region)] as const] : [],
        ...countsOf(fields),
      };
    });
}

function nameOf(fields: Fields, value: string): string {
  return bareUrl(textOf(fields["shortLink"])) || textOf(fields["name"]) || value;
}

function isKnown(value: unknown): boolean {
  return typeof value === "string" && value !== "" && value !== "*";
}
