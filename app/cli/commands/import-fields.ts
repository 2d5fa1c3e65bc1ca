/** Which column of a file becomes which field of its links. */
import { type FieldName, fieldNames } from "#lib/transfer/imports/schema";
import { CliFailure } from "../failures.ts";
import { plain, readAnswer, type Terminal } from "../terminal.ts";

export interface Mapped {
  columns: readonly { name: string; samples: readonly string[] }[];
  /** A field for each column, or null to skip it. */
  mapping: (FieldName | null)[];
}

/** Leaves a column out, where others have the name of a field. */
const skip = "skip";

/** Applies `field=column`. A field moves from its former column to the new one. */
export function withFields(file: Mapped, pairs: readonly string[]): Mapped["mapping"] {
  let { mapping } = file;
  for (const pair of pairs) {
    const [, name = "", heading = ""] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
    const field = fieldOf(name.trim());
    const column = columnOf(file, heading.trim());
    mapping = mapping.map((one, at) => (at === column ? field : one === field ? null : one));
  }
  return mapping;
}

function fieldOf(name: string): FieldName | null {
  const field = fieldNames.find((one) => one.toLowerCase() === name.toLowerCase());
  if (field !== undefined) return field;
  if (name === skip) return null;
  throw new CliFailure(
    "usage",
    `There is no field “${plain(name)}”. Write field=column, such as url=long_url. Fields: ${fieldNames.join(", ")}, or ${skip}.`,
  );
}

function columnOf({ columns }: Mapped, heading: string): number {
  const names = columns.map(({ name }) => name.trim());
  const at = names.indexOf(heading);
  const found = at < 0 ? names.findIndex((name) => isAlike(name, heading)) : at;
  if (found >= 0) return found;
  throw new CliFailure(
    "usage",
    `There is no column “${plain(heading)}”. Columns: ${plain(names.join(", "))}.`,
  );
}

function isAlike(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

const sampleCharsMax = 40;

/** Shows the columns, and takes corrections until the person confirms with Enter. */
export async function chooseFields(terminal: Terminal, file: Mapped): Promise<Mapped["mapping"]> {
  let { mapping } = file;
  for (;;) {
    terminal.stderr.write(`${listFields({ ...file, mapping })}\n`);
    const isComplete = mapping.includes("url");
    const hint = isComplete ? "or press Enter to go on" : "url is required";
    const answer = await readAnswer(terminal, `Map a column (field=column), ${hint}: `);
    if (answer === undefined) throw new CliFailure("usage", "Nothing was imported.");
    if (answer !== "") mapping = tryFields(terminal, { ...file, mapping }, answer);
    else if (isComplete) return mapping;
  }
}

/** Shows what is wrong with a correction, and changes nothing then. */
function tryFields(terminal: Terminal, file: Mapped, answer: string): Mapped["mapping"] {
  try {
    return withFields(file, [answer]);
  } catch (failure) {
    if (!(failure instanceof CliFailure)) throw failure;
    terminal.stderr.write(`${failure.message}\n`);
    return file.mapping;
  }
}

function listFields({ columns, mapping }: Mapped): string {
  const lines = columns.map(({ name, samples: [sample = ""] }, at) => {
    const shown = sample.length > sampleCharsMax ? `${sample.slice(0, sampleCharsMax)}…` : sample;
    return `  ${plain(name)} → ${mapping[at] ?? skip}${shown && `  (${plain(shown)})`}`;
  });
  return lines.join("\n");
}
