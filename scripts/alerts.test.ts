/** Alerts and dashboards: valid, each alert fired once, each with a chapter of the runbooks. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { findOrUnpack } from "./debian.ts";
import { run } from "./processes.ts";

interface Rule {
  alert?: string;
  labels?: { severity?: string };
  annotations?: { runbook_url?: string };
}

interface AlertTest {
  alert_rule_test: { alertname: string; exp_alerts: unknown[] }[];
}

const folder = "deploy/prometheus";
const { groups } = parse(readFileSync(`${folder}/alerts.yaml`, "utf8"));
const rules: Rule[] = groups.flatMap((group: { rules: Rule[] }) => group.rules);
const alerts = rules.filter(({ alert }) => alert !== undefined);

async function promtool(...args: string[]): Promise<void> {
  const { program, env } = await findOrUnpack("promtool", "usr/bin/promtool", "prometheus");
  const ended = await run(program, args, { env, timeoutMs: 220_000 });
  expect(`${ended.code} ${ended.stdout}${ended.stderr}`).toMatch(/^0 /);
}

test("Prometheus accepts the rules and its configurations", async () => {
  await promtool("check", "rules", `${folder}/alerts.yaml`);
  // The token is a file of the machine where Prometheus runs.
  for (const file of ["prometheus.yml", "npm-start.yml"]) {
    await promtool("check", "config", "--syntax-only", `${folder}/${file}`);
  }
});

test("each alert fires when it should, and none on a healthy instance", async () => {
  const { tests }: { tests: AlertTest[] } = parse(
    readFileSync(`${folder}/alerts.test.yaml`, "utf8"),
  );
  const expected = tests.flatMap((one) => one.alert_rule_test);
  const fired = expected.filter(({ exp_alerts }) => exp_alerts.length > 0);
  const names = alerts.map(({ alert }) => alert).sort();
  expect([...new Set(fired.map(({ alertname }) => alertname))].sort()).toEqual(names);
  const silent = expected.filter(({ exp_alerts }) => exp_alerts.length === 0);
  expect([...new Set(silent.map(({ alertname }) => alertname))].sort()).toEqual(names);
  await promtool("test", "rules", `${folder}/alerts.test.yaml`);
});

test("each alert has a severity and a chapter of the runbooks, and each chapter an alert", () => {
  const chapters = [...readFileSync("docs/runbooks.md", "utf8").matchAll(/^## (Fuxi\w+)$/gm)];
  expect(chapters.map(([, name]) => name).sort()).toEqual(alerts.map(({ alert }) => alert).sort());
  for (const { alert = "", labels, annotations } of alerts) {
    expect(["page", "ticket"], alert).toContain(labels?.severity);
    expect(annotations?.runbook_url).toBe(`docs/runbooks.md#${alert.toLowerCase()}`);
  }
});
