/** Compares test runs with the table of attacks: tests of each attack must have run and passed. */
import { type Attack, attacks } from "../test/attacks.ts";
import type { TestRun } from "./test-outcome.ts";

export interface AttackResult {
  attack: Attack;
  passed: number;
  failed: number;
  missing: string[];
}

export function attackFiles(): string[] {
  return [...new Set(attacks.flatMap(({ tests }) => tests.map((one) => splitReference(one).file)))];
}

export function judgeAttacks(
  runs: readonly TestRun[],
  list: readonly Attack[] = attacks,
): AttackResult[] {
  return list.map((attack) => {
    const fitting = attack.tests.map((reference) => {
      const { file, name } = splitReference(reference);
      return runs.filter((run) => run.file === file && run.name.includes(name));
    });
    const found = [...new Set(fitting.flat())];
    return {
      attack,
      passed: found.filter(({ passed }) => passed).length,
      failed: found.filter(({ passed }) => !passed).length,
      missing: attack.tests.filter((_, at) => fitting[at]?.length === 0),
    };
  });
}

export function hasHeld({ failed, missing }: AttackResult): boolean {
  return failed === 0 && missing.length === 0;
}

function splitReference(reference: string): { file: string; name: string } {
  const [file = "", name = ""] = reference.split(" > ");
  return { file, name };
}

export function shortReport(results: readonly AttackResult[]): string {
  const broken = results.filter((result) => !hasHeld(result));
  const lines = broken.map(
    ({ attack, failed, missing }) =>
      `  FAILED attack ${attack.name}: ${failed} tests failed${missing.map((one) => `; no test ran for ${one}`).join("")}\n`,
  );
  const tests = results.reduce((sum, { passed }) => sum + passed, 0);
  return `${lines.join("")}  security  ${results.length - broken.length} of ${results.length} attacks refused, by ${tests} tests`;
}

export function longReport(results: readonly AttackResult[]): string {
  return results
    .map((result) => {
      const { attack, passed, failed, missing } = result;
      return [
        `${hasHeld(result) ? "refused " : "FAILED  "} ${attack.name}`,
        `          tried     ${attack.inputs}`,
        `          defence   ${attack.defence}`,
        `          result    ${passed} tests passed, ${failed} failed`,
        ...missing.map((one) => `          no test   ${one}`),
      ].join("\n");
    })
    .join("\n\n");
}
