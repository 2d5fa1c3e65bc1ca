/** Helpers for tables of variants (one object per name), from which lists and types derive. */

type NameOf<Table> = keyof Table & string;

/** In order. Sound because an object literal has only the keys of its type, at least one. */
export function namesIn<Table extends object>(
  table: Table,
): readonly [NameOf<Table>, ...NameOf<Table>[]] {
  return Object.keys(table) as [NameOf<Table>, ...NameOf<Table>[]];
}

/** In order. Sound for the same reasons. */
export function valuesIn<Table extends object>(
  table: Table,
): [Table[keyof Table], ...Table[keyof Table][]] {
  return Object.values(table) as [Table[keyof Table], ...Table[keyof Table][]];
}

/** Sound because the result has the names of the table. */
export function mapTable<Table extends object, Value>(
  table: Table,
  read: (variant: Table[keyof Table], name: NameOf<Table>) => Value,
): Record<NameOf<Table>, Value> {
  const values = namesIn(table).map((name) => [name, read(table[name], name)]);
  return Object.fromEntries(values) as Record<NameOf<Table>, Value>;
}

export function assertNever(variant: never): never {
  throw new Error(`Unknown variant: ${JSON.stringify(variant)}`);
}

/** `link.created` → `linkCreated`: message keys have no dot. */
export type Camel<Name extends string> = Name extends `${infer Head}.${infer Tail}`
  ? `${Camel<Head>}${Capitalize<Camel<Tail>>}`
  : Name extends `${infer Head}_${infer Tail}`
    ? `${Head}${Capitalize<Camel<Tail>>}`
    : Name;

/** `linkCreated` → `link_created`: the code of a message key. */
export type Snake<Key extends string> = Key extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Tail>}`
  : Key;

/** The message key of a variant. Sound because it does what the type says. */
export function camelOf<Name extends string>(name: Name): Camel<Name> {
  return name.replace(/[._](.)/g, (_, char: string) => char.toUpperCase()) as Camel<Name>;
}
