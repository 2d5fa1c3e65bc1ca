/**
 * The attributes of clicks that statistics filter and group by: what the API, rollups, exports, shares and the page of
 * statistics know of each. How a click gets its value is in `ingest`.
 */
import { namesIn } from "#lib/basics/variants/schema";

/** The fields of a row that name its value. */
export type ValueNames = Record<string, string | null>;

interface Attribute {
  /** Of its filter, and of its field in rows, where it is not its own. */
  filter?: string;
  /** What its values are, in the API document. */
  described: string;
  /** The groupings by it; the first is that of its tab. */
  groupings: readonly [string, ...string[]];
  /** The name of its tab, and its place where it is not that among the attributes of its card. */
  tab: string;
  tabAt?: number;
  /** The name of a value that a click does not have. */
  unknown: "Unknown" | "(direct)" | "(none)";
  /** Whether clicks have a column of its name. */
  column: boolean;
  /** Whether days that are over have an index of it. URLs exceed the size of an entry. */
  indexed: boolean;
  /** Whether it may have a hundred thousand values, which are not all added up. */
  wide: boolean;
  /** Filters that are true or false, and what they say in the API document. */
  flags?: Readonly<Record<string, string>>;
  /** How clicks spell its values. */
  spell?: (value: string) => string;
  /** The columns of its rows in exports, where it is not one. */
  fields?: readonly string[];
  /** The names of a value; undefined: it has no row. */
  nameOf?: (value: string) => ValueNames | undefined;
}

const upper = (text: string) => text.toUpperCase();
const lower = (text: string) => text.toLowerCase();
const wholeWorld = "*";

const few = { unknown: "Unknown", column: true, indexed: true, wide: false } as const;
const many = { ...few, wide: true } as const;
const utm = { ...many, unknown: "(none)" } as const;
const direct = { ...many, unknown: "(direct)" } as const;

/** In the order of the API document. */
export const attributes = {
  continent: {
    ...few,
    indexed: false,
    groupings: ["continents"],
    tab: "continents",
    tabAt: 3,
    described: "Continents: AF, AN, AS, EU, NA, OC, SA",
    spell: upper,
    // Only the seven continents have names.
    nameOf: (value) => (value === "" ? undefined : { continent: value }),
  },
  country: {
    ...few,
    groupings: ["countries"],
    tab: "countries",
    described: "ISO 3166-1 country codes, such as DE",
    spell: upper,
    nameOf: (value) => ({ country: value, region: wholeWorld, city: wholeWorld }),
  },
  region: {
    ...many,
    groupings: ["regions"],
    tab: "regions",
    fields: ["country", "region"],
    described: "ISO 3166-2 region codes, such as US-CA",
    spell: upper,
    nameOf: (value) => ({ ...namePlace(value), region: value || "Unknown", city: wholeWorld }),
  },
  city: {
    ...many,
    groupings: ["cities"],
    tab: "cities",
    fields: ["country", "region", "city"],
    described: "City names",
    nameOf: nameCity,
  },
  device: {
    ...few,
    groupings: ["devices"],
    tab: "devices",
    described: "Devices: Desktop, Mobile, Tablet, TV",
  },
  browser: { ...few, groupings: ["browsers"], tab: "browsers", described: "Browser names" },
  os: { ...few, groupings: ["os"], tab: "systems", described: "OS names" },
  trigger: {
    ...few,
    column: false,
    indexed: false,
    groupings: ["triggers"],
    tab: "triggers",
    described: "Triggers: link, qr",
    flags: { qr: "true: same as trigger=qr. false: same as trigger=link." },
    spell: lower,
  },
  referer: {
    ...direct,
    groupings: ["referers"],
    tab: "referers",
    described: "Referrer domains; (direct) for none",
  },
  referer_url: {
    ...direct,
    indexed: false,
    filter: "refererUrl",
    groupings: ["referer_urls"],
    tab: "pages",
    described: "Referrer URLs",
  },
  url: {
    ...many,
    indexed: false,
    groupings: ["top_urls", "top_base_urls"],
    tab: "destinations",
    described: "Destination URLs",
  },
  utm_source: { ...utm, groupings: ["utm_sources"], tab: "utmSources", described: "UTM source" },
  utm_medium: {
    ...utm,
    wide: false,
    groupings: ["utm_mediums"],
    tab: "media",
    described: "UTM medium",
  },
  utm_campaign: {
    ...utm,
    groupings: ["utm_campaigns"],
    tab: "campaigns",
    tabAt: 2,
    described: "UTM campaign",
  },
  utm_term: { ...utm, groupings: ["utm_terms"], tab: "terms", described: "UTM term" },
  utm_content: { ...utm, groupings: ["utm_contents"], tab: "contents", described: "UTM content" },
  language: {
    ...few,
    groupings: ["languages"],
    tab: "languages",
    described: "ISO 639 language codes, such as de",
    spell: lower,
  },
} as const satisfies Record<string, Attribute>;

type Attributes = typeof attributes;
export type AttributeName = keyof Attributes;
type FilterOf<Name extends AttributeName> = Name extends AttributeName
  ? Attributes[Name] extends { filter: infer Filter extends string }
    ? Filter
    : Name
  : never;
/** What clicks are counted by: their attributes, and the domain of their link. */
export type Dimension = AttributeName | "domain";
export type ValueFilter = FilterOf<AttributeName>;
export type AttributeGrouping = Attributes[AttributeName]["groupings"][number];
/** The attributes with a column of their name. */
export type ClickColumn = {
  [Name in AttributeName]: Attributes[Name]["column"] extends true ? Name : never;
}[AttributeName];

/** Does not compile if an attribute is on no card. */
function onCards<const Cards extends Readonly<Record<string, readonly AttributeName[]>>>(
  cards: [AttributeName] extends [Cards[keyof Cards][number]] ? Cards : never,
): Cards {
  return cards;
}

/** The attributes of each card of the page. */
export const attributesOfCard = onCards({
  top: ["url"],
  places: ["continent", "country", "region", "city"],
  sources: [
    "referer",
    "referer_url",
    "utm_source",
    "utm_medium",
    "utm_campaign",
    "utm_term",
    "utm_content",
  ],
  devices: ["device", "browser", "os", "language", "trigger"],
});
export type AttributeCard = keyof typeof attributesOfCard;

export const attributeNames = namesIn(attributes);

export function attributeOf(name: AttributeName): Attribute {
  return attributes[name];
}

/** The name of the filter of an attribute. Sound because the type says where it comes from. */
export function filterOf<Name extends AttributeName>(name: Name): FilterOf<Name> {
  return (attributeOf(name).filter ?? name) as FilterOf<Name>;
}

/** Those of a card, in the order of its tabs. */
export function listTabs(card: AttributeCard): AttributeName[] {
  const names: readonly AttributeName[] = attributesOfCard[card];
  const listed = names.filter((name) => attributeOf(name).tabAt === undefined);
  for (const name of names) {
    const { tabAt } = attributeOf(name);
    if (tabAt !== undefined) listed.splice(tabAt, 0, name);
  }
  return listed;
}

/** Sound because the table says which attributes have a column. */
export const clickColumns = attributeNames.filter(
  (name): name is ClickColumn => attributes[name].column,
);

/** The attribute of each grouping. Sound because both are from the same entries. */
export const attributeOfGrouping = Object.fromEntries(
  attributeNames.flatMap((name) => attributes[name].groupings.map((grouping) => [grouping, name])),
) as Readonly<Record<AttributeGrouping, AttributeName>>;

/** The name shown for a value that a click does not have. */
export function unknownName(dimension: Dimension): string {
  return dimension === "domain" ? "Unknown" : attributes[dimension].unknown;
}

/** The grouping that the tab of an attribute shows. */
export function tabGroupingOf(name: AttributeName): AttributeGrouping {
  return attributes[name].groupings[0];
}

/** The columns of the rows of a grouping in exports. */
export function fieldsOf(name: AttributeName): readonly string[] {
  return attributeOf(name).fields ?? [filterOf(name)];
}

/** The fields of a row that name a value. */
export function nameValue(name: AttributeName, value: string): ValueNames | undefined {
  const { nameOf } = attributeOf(name);
  return nameOf ? nameOf(value) : { [filterOf(name)]: value };
}

/** The names of `US-OR`, or of a country without region. */
function namePlace(place: string): ValueNames {
  const country = place.split("-")[0] || "Unknown";
  return { country, region: (place.includes("-") ? place : "") || "Unknown" };
}

/** `US-OR/Portland`, or `US/Portland` where the region is not known. */
function nameCity(value: string): ValueNames {
  const slash = value.indexOf("/");
  const [place, city] = [value.slice(0, Math.max(slash, 0)), value.slice(slash + 1)];
  return { ...namePlace(place), city: city || "Unknown" };
}
