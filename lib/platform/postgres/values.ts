/** The values of a statement that is assembled from parts: each becomes a parameter, never text. */
export class SqlValues {
  readonly list: unknown[] = [];

  /** The placeholder of a value. A type is needed where PostgreSQL cannot infer one. */
  readonly place = (value: unknown, type?: string): string => {
    this.list.push(value);
    return `$${this.list.length}${type === undefined ? "" : `::${type}`}`;
  };
}
