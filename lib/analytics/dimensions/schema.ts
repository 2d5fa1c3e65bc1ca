/** The attributes of clicks that statistics filter and group by. `ingest` fills their values. */
import { namesIn } from "#lib/basics/variants/schema";

export type ValueNames = Record<string, string | null>;

interface DimensionFacts {
  unknown: "Unknown" | "(direct)" | "(none)";
  /** Whether it may have a hundred thousand values, which are too many to add up. */
  wide: boolean;
  column: boolean;
  /** Whether its values follow their region and a slash, as in `US-OR/Portland`. */
  prefixed?: boolean;
  /** Whether rows keep the empty text for a missing value, because `nameOf` or a lookup needs it. */
  keepsUnknown?: boolean;
  /** For values that are pks: the column of `click`, the table that it refers to, and the column with the name. */
  object?: { column: string; table: string; name: string };
}

interface Attribute extends DimensionFacts {
  /** The name of its filter and of its field in rows, if it differs. */
  filter?: string;
  described: string;
  /** The groupings by this attribute, starting with the one of its tab. */
  groupings: readonly [string, ...string[]];
  /** `tabAt`: its position among the tabs, if different from its position in the card. */
  tab: string;
  tabAt?: number;
  /** Whether past days are indexed by it. URLs are too long for an index entry. */
  indexed: boolean;
  flags?: Readonly<Record<string, string>>;
  /** Converts a value to the spelling that clicks store. */
  spell?: (value: string) => string;
  fields?: readonly string[];
  /** The names of a value; undefined if it gets no row. */
  nameOf?: (value: string) => ValueNames | undefined;
}

const upper = (text: string) => text.toUpperCase();
const lower = (text: string) => text.toLowerCase();
const wholeWorld = "*";

const few = { unknown: "Unknown", column: true, indexed: true, wide: false } as const;
const many = { ...few, wide: true } as const;
const utm = { ...many, unknown: "(none)" } as const;
const direct = { ...many, unknown: "(direct)" } as const;

export const attributes = {
  continent: {
    ...few,
    indexed: false,
    groupings: ["continents"],
    tab: "continents",
    tabAt: 3,
    described: "Continents: AF, AN, AS, EU, NA, OC, SA",
    spell: upper,
    keepsUnknown: true,
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
    keepsUnknown: true,
    nameOf: (value) => ({ ...namePlace(value), region: value || "Unknown", city: wholeWorld }),
  },
  city: {
    ...many,
    groupings: ["cities"],
    tab: "cities",
    fields: ["country", "region", "city"],
    described: "City names",
    prefixed: true,
    keepsUnknown: true,
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
export type Dimension = AttributeName | "domain";
export type ValueFilter = FilterOf<AttributeName>;
export type AttributeGrouping = Attributes[AttributeName]["groupings"][number];
export type ClickColumn = {
  [Name in AttributeName]: Attributes[Name]["column"] extends true ? Name : never;
}[AttributeName];

/** Fails to compile if an attribute is on no card. */
function onCards<const Cards extends Readonly<Record<string, readonly AttributeName[]>>>(
  cards: [AttributeName] extends [Cards[keyof Cards][number]] ? Cards : never,
): Cards {
  return cards;
}

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

/** Sound because FilterOf reads the same table. */
export function filterOf<Name extends AttributeName>(name: Name): FilterOf<Name> {
  return (attributeOf(name).filter ?? name) as FilterOf<Name>;
}

export function listTabs(card: AttributeCard): AttributeName[] {
  const names: readonly AttributeName[] = attributesOfCard[card];
  const listed = names.filter((name) => attributeOf(name).tabAt === undefined);
  for (const name of names) {
    const { tabAt } = attributeOf(name);
    if (tabAt !== undefined) listed.splice(tabAt, 0, name);
  }
  return listed;
}

/** Sound because ClickColumn reads the same table. */
export const clickColumns = attributeNames.filter(
  (name): name is ClickColumn => attributes[name].column,
);

/** Sound because both are from the same entries. */
export const attributeOfGrouping = Object.fromEntries(
  attributeNames.flatMap((name) => attributes[name].groupings.map((grouping) => [grouping, name])),
) as Readonly<Record<AttributeGrouping, AttributeName>>;

const domain: DimensionFacts = {
  unknown: "Unknown",
  wide: false,
  column: false,
  keepsUnknown: true,
  object: { column: "domain_pk", table: "domain", name: "slug" },
};

export function dimensionOf(dimension: Dimension): DimensionFacts {
  return dimension === "domain" ? domain : attributes[dimension];
}

export function tabGroupingOf(name: AttributeName): AttributeGrouping {
  return attributes[name].groupings[0];
}

export function fieldsOf(name: AttributeName): readonly string[] {
  return attributeOf(name).fields ?? [filterOf(name)];
}

export function nameValue(name: AttributeName, value: string): ValueNames | undefined {
  const { nameOf } = attributeOf(name);
  return nameOf ? nameOf(value) : { [filterOf(name)]: value };
}

/** `US-OR`, or a country without a region. */
function namePlace(place: string): ValueNames {
  const country = place.split("-")[0] || "Unknown";
  return { country, region: (place.includes("-") ? place : "") || "Unknown" };
}

/** `US-OR/Portland`, or `US/Portland` if the region is unknown. */
function nameCity(value: string): ValueNames {
  const slash = value.indexOf("/");
  const [place, city] = [value.slice(0, Math.max(slash, 0)), value.slice(slash + 1)];
  return { ...namePlace(place), city: city || "Unknown" };
}
