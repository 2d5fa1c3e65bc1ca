/** Reads what processes report about themselves. */

import { withTimeout } from "#lib/basics/bounds";
import { reportEveryMs } from "#lib/platform/instance";
import { type ProcessReport, processReport } from "#lib/platform/instance/schema";
import { log } from "#lib/platform/log";
import { redis, redisKeys } from "#lib/platform/redis";

/** Three reports are missing. */
export const lostAfterMs = 3 * reportEveryMs + 5_000;
export const forgottenAfterMs = 3_600_000;
const timeoutMs = 1_000;

/** The reports of all processes, by name. Throws when Redis does not answer in time. */
export async function listReports(now: number): Promise<ProcessReport[]> {
  return await withTimeout(timeoutMs, async () => {
    const stored = await redis().hgetall(redisKeys.processes);
    const reports: ProcessReport[] = [];
    const forgotten: string[] = [];
    for (const [id, text] of Object.entries(stored)) {
      const report = readReport(text);
      if (report && now - Date.parse(report.at) < forgottenAfterMs) reports.push(report);
      else forgotten.push(id);
    }
    if (forgotten.length > 0) await redis().hdel(redisKeys.processes, ...forgotten);
    return reports.sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
  });
}

/** Another version of the program may have written it. */
function readReport(text: string): ProcessReport | undefined {
  try {
    return processReport.parse(JSON.parse(text));
  } catch (error) {
    log.debug({ event: "report.unreadable", error: String(error) });
    return undefined;
  }
}

export function isLost({ at }: ProcessReport, now: number): boolean {
  return now - Date.parse(at) > lostAfterMs;
}
