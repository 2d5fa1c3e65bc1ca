/** Every defence of test/defences.json still exists: its text occurs exactly once, and its test exists. */
import { existsSync, readFileSync } from "node:fs";
import { type Defence, defences } from "../test/defences.ts";

export function findLostDefences(list: readonly Defence[] = defences): string[] {
  return list.flatMap(({ name, file, text, test }) => {
    const count = existsSync(file) ? readFileSync(file, "utf8").split(text).length - 1 : 0;
    return [
      ...(count === 1
        ? []
        : [`test/defences.json: "${name}" occurs ${count} times in ${file}. Update its text.`]),
      ...(existsSync(test) ? [] : [`test/defences.json: "${name}" has no test ${test}.`]),
    ];
  });
}
