/** The values of a statement that is put together of parts: each becomes a parameter, never text. */
export class Values {
  readonly list: unknown[] = [];

  /** The place that stands for a value. A type is needed where PostgreSQL cannot infer one. */
  readonly place = (value: unknown, type?: string): string => {
    this.list.push(value);
    return `$${this.list.length}${type === undefined ? "" : `::${type}`}`;
  };
}
