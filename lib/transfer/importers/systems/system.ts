/** What the readers of all systems share: the links of a page as cells of an import. */
import type { z } from "zod";
import type { FieldName, LeftOutReason } from "#lib/transfer/imports/schema";
import type { Api } from "../calls.ts";
import { Paused, problemOf } from "../problems.ts";
import { type SystemName, systemLabels } from "../schema.ts";

export type Cells = Partial<Record<FieldName, string>>;

export interface LeftOut {
  property: string;
  reason: LeftOutReason;
}

export interface FoundLink {
  cells: Cells;
  leftOut: LeftOut[];
}

export interface FoundPage {
  links: FoundLink[];
  /** Where the next page starts; null after the last one. */
  next: object | null;
  total: number | null;
}

export interface Reading {
  api: Api;
  token: string;
  address: string;
  wantsClicks: boolean;
}

export interface System {
  /** The address of its API; null if people host it themselves. */
  address: string | null;
  newestFirst: boolean;
  readPage(reading: Reading, cursor: unknown): Promise<FoundPage>;
}

/** Throws Paused for a broken answer, because it may be complete the next time. */
export function readAs<Schema extends z.ZodType>(
  system: SystemName,
  schema: Schema,
  answer: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new Paused(problemOf("page_unreadable", { system: systemLabels[system] }));
}

const titleCharsMax = 500;
const textCharsMax = 2_000;

type Value = string | number | boolean | null | undefined | readonly unknown[] | object;

export class LinkCells {
  readonly cells: Cells = {};
  readonly leftOut: LeftOut[] = [];

  put(field: FieldName, value: Value): this {
    const text = textOf(value);
    if (text !== "") this.cells[field] = text;
    return this;
  }

  flag(field: FieldName, value: boolean | null | undefined): this {
    return value ? this.put(field, "yes") : this;
  }

  title(value: string | null | undefined): this {
    return this.#shortened("title", value, titleCharsMax);
  }

  text(field: "description" | "comments", value: string | null | undefined): this {
    return this.#shortened(field, value, textCharsMax);
  }

  #shortened(field: FieldName, value: string | null | undefined, max: number): this {
    const text = value?.trim() ?? "";
    if (text.length > max) this.without(field, "shortened");
    return this.put(field, text.slice(0, max));
  }

  /** Removes commas, because a name with a comma would become two tags. */
  tags(names: readonly string[]): this {
    return this.put(
      "tagNames",
      names.map((name) => name.replaceAll(",", " ").replace(/\s+/g, " ").trim()).filter(Boolean),
    );
  }

  /** Stores a short link as domain and slug, and as its name at the other system. */
  shortLink(system: SystemName, link: string): this {
    const [, host = "", path = ""] = /^(?:https?:\/\/)?([^/?#]+)\/([^?#]*)/i.exec(link) ?? [];
    this.put("domain", host.replace(/:\d+$/, "").toLowerCase());
    this.put("key", decoded(path));
    this.put("originSystem", system);
    return this.put("originShortLink", `${host.toLowerCase()}/${path}`);
  }

  /** Turns the link off, because the password is unknown here, and without one everyone could open the link. */
  turnedOff(): this {
    this.put("disabled", "yes");
    return this.without("password", "turned_off");
  }

  without(property: string, reason: LeftOut["reason"]): this {
    this.leftOut.push({ property, reason });
    return this;
  }

  withoutIf(isThere: boolean, property: string): this {
    return isThere ? this.without(property, "unsupported") : this;
  }

  get found(): FoundLink {
    return { cells: this.cells, leftOut: this.leftOut };
  }
}

function textOf(value: Value): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0) return "";
  return JSON.stringify(value);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

export function dateOf(value: string | number | null | undefined): string | null {
  if (value === null || value === undefined || value === "") return null;
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
