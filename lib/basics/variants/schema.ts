/** What code needs to read a table of variants: one object per name, from which lists and types are derived. */

type NameOf<Table> = keyof Table & string;

/**
 * The names of a table in its order, as zod and loops take them. Sound because an object literal has only the keys of its
 * type, and a table has at least one.
 */
export function namesIn<Table extends object>(
  table: Table,
): readonly [NameOf<Table>, ...NameOf<Table>[]] {
  return Object.keys(table) as [NameOf<Table>, ...NameOf<Table>[]];
}

/** The variants of a table in its order. Sound for the same reasons. */
export function valuesIn<Table extends object>(
  table: Table,
): [Table[keyof Table], ...Table[keyof Table][]] {
  return Object.values(table) as [Table[keyof Table], ...Table[keyof Table][]];
}

/** A value for each variant. Sound because it has the names of the table. */
export function mapTable<Table extends object, Value>(
  table: Table,
  read: (variant: Table[keyof Table], name: NameOf<Table>) => Value,
): Record<NameOf<Table>, Value> {
  const values = namesIn(table).map((name) => [name, read(table[name], name)]);
  return Object.fromEntries(values) as Record<NameOf<Table>, Value>;
}

/** The end of a switch over all variants. */
export function assertNever(variant: never): never {
  throw new Error(`Unknown variant: ${JSON.stringify(variant)}`);
}

/** `link.created` → `linkCreated`: keys of messages have no dot. */
export type Camel<Name extends string> = Name extends `${infer Head}.${infer Tail}`
  ? `${Camel<Head>}${Capitalize<Camel<Tail>>}`
  : Name extends `${infer Head}_${infer Tail}`
    ? `${Head}${Capitalize<Camel<Tail>>}`
    : Name;

/** `linkCreated` → `link_created`: the code whose message has this key. */
export type Snake<Key extends string> = Key extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Tail>}`
  : Key;

/** The key of the message of a variant. Sound because it does what the type says. */
export function camelOf<Name extends string>(name: Name): Camel<Name> {
  return name.replace(/[._](.)/g, (_, char: string) => char.toUpperCase()) as Camel<Name>;
}
