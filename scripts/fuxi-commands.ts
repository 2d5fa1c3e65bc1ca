/** The commands of `npm run fuxi`, which appear without a person in the audit log. They return what is printed. */
import { parseArgs } from "node:util";
import { abuseReasons } from "#lib/basics/abuse/schema";
import { createBan, liftBan, listBans } from "#lib/office/bans";
import { readOverview } from "#lib/office/overview";
import { addOperator, findPersonId, listOperators, removeOperator } from "#lib/office/people";
import { searchOffice } from "#lib/office/search";
import { searchText } from "#lib/office/search/schema";
import { forgetSecret, resealSecrets } from "#lib/office/secrets";
import { planNames } from "#lib/platform/config/schema";
import { AppError } from "#lib/platform/errors";
import { type Ban, banBody, banKinds, bansQuery } from "#lib/tenancy/bans/schema";
import { listFeatures, switchFeature } from "#lib/tenancy/features";
import { featureNames } from "#lib/tenancy/features/schema";
import { type OperatorScope, operatorOfCommandLine } from "#lib/tenancy/operators";
import { reasonField } from "#lib/tenancy/operators/schema";
import { readPlanOf, setPlan } from "#lib/tenancy/plan-changes";
import { type PlanState, setPlanBody } from "#lib/tenancy/plan-changes/schema";
import { Advice, explain } from "./processes.ts";

interface Call {
  operator: OperatorScope;
  args: readonly string[];
  reason: string;
  until: string | undefined;
}

interface Answer {
  lines: readonly string[];
  json: unknown;
}

type Command = (call: Call) => Promise<Answer>;

/** Also add new commands to the help of `fuxi` in help.mjs. */
const commands: Readonly<Record<string, Command>> = {
  stats: showStats,
  find: findAnything,
  operator: manageOperators,
  ban: manageBans,
  lift: endBan,
  plan: managePlan,
  features: manageFeatures,
  secret: manageSecret,
};

async function showStats({ operator, args }: Call): Promise<Answer> {
  if (args.length > 0) throw usage();
  const stats = await readOverview(operator);
  const { workspaces, people, links, clicksToday, codes, jobsFailed } = stats;
  const counted = { workspaces, accounts: people, links };
  return {
    json: { ...stats },
    lines: [
      ...Object.entries(counted).map(([name, { count, about }]) =>
        line(name, `${about ? "about " : ""}${count}`),
      ),
      line("reports", `${stats.reports} open`),
      line("bans", `${stats.bans} active`),
      line("clicks", `${clicksToday} today (UTC)`),
      ...codes.map(({ length, leased, left }) =>
        line("slugs", `${length} characters: ${leased} issued, ${left} left`),
      ),
      line("jobs", jobsFailed === null ? "not available" : `${jobsFailed} failed`),
    ],
  };
}

async function findAnything({ operator, args }: Call): Promise<Answer> {
  const text = searchText.safeParse(args.join(" "));
  if (!text.success) throw usage();
  const found = await searchOffice(operator, text.data);
  const lines = [
    ...found.links.map((one) =>
      line("link", `${one.shortLink}  ${one.state}  ${one.workspace.slug}  ${one.id}`),
    ),
    ...found.codes.map((one) =>
      line("slug", `${one.code}  pk ${one.pk}  ${one.state}${one.recycled ? ", recycled" : ""}`),
    ),
    ...found.domains.map((one) =>
      line("domain", `${one.slug}  ${one.workspace?.slug ?? "of the instance"}  ${one.id}`),
    ),
    ...found.workspaces.map((one) => line("workspace", `${one.slug}  ${one.name}  ${one.id}`)),
    ...found.people.map((one) => line("account", `${one.email}  ${one.name}  ${one.id}`)),
  ];
  return { json: found, lines: lines.length > 0 ? lines : ["No results"] };
}

async function manageOperators({ operator, args, reason }: Call): Promise<Answer> {
  const [verb, email, ...more] = args;
  if (verb === "list" && email === undefined) {
    const all = await listOperators(operator);
    const lines = all.map((one) =>
      line("admin", `${one.email}  ${one.factor ? "two-factor on" : "two-factor off"}  ${one.id}`),
    );
    return { json: all, lines: lines.length > 0 ? lines : ["No administrators"] };
  }
  const change = verb === "add" ? addOperator : verb === "remove" ? removeOperator : undefined;
  if (!change || email === undefined || more.length > 0) throw usage();
  const id = await findPersonId(operator, email);
  if (id === undefined) throw new Advice(`No account has the email address ${email}.`);
  await change(operator, id, reason);
  const done = verb === "add" ? "is an administrator now" : "is no longer an administrator";
  return { json: { id, email }, lines: [`${email} ${done}.`] };
}

async function managePlan({ operator, args, reason, until }: Call): Promise<Answer> {
  const [workspace, plan, ...more] = args;
  if (workspace === undefined || more.length > 0) throw usage();
  const before = await readPlanOf(operator, workspace);
  if (plan === undefined) return presentPlan(workspace, before);
  const { limits } = before;
  const endsAt = until === undefined ? null : `${until}T00:00:00Z`;
  const body = setPlanBody.safeParse({ plan, limits, endsAt, reason });
  if (!body.success) {
    throw new Advice(
      `Use one of the plans ${planNames.join(", ")}, and a date such as 2026-01-31.`,
    );
  }
  return presentPlan(workspace, await setPlan(operator, workspace, body.data));
}

function presentPlan(workspace: string, state: PlanState): Answer {
  const end = state.endsAt === null ? "no end" : `until ${state.endsAt}`;
  const own = state.limits === null ? "" : `, own limits ${JSON.stringify(state.limits)}`;
  return { json: state, lines: [line("plan", `${workspace}  ${state.plan}  ${end}${own}`)] };
}

async function manageFeatures({ operator, args, reason }: Call): Promise<Answer> {
  const [verb, name, ...more] = args;
  if (verb !== undefined) {
    const feature = featureNames.find((one) => one === name);
    if ((verb !== "on" && verb !== "off") || more.length > 0) throw usage();
    if (!feature) throw new Advice(`Use one of the features ${featureNames.join(", ")}.`);
    await switchFeature(operator, feature, { enabled: verb === "on", reason });
  }
  const all = await listFeatures(operator);
  const lines = all.map(({ name: one, enabled, reason: why }) =>
    line(one, `${enabled ? "on" : "off"}${why === null ? "" : `  ${why}`}`),
  );
  return { json: all, lines };
}

async function manageBans({ operator, args, reason, until }: Call): Promise<Answer> {
  const [kind, subject, category, ...more] = args;
  if (kind === "list" && subject === undefined) {
    const bans = await listBans(operator, bansQuery.parse({}));
    const lines = bans.map(presentBan);
    return { json: bans, lines: lines.length > 0 ? lines : ["No active bans"] };
  }
  if (subject === undefined || more.length > 0) throw usage();
  const endsAt = until === undefined ? null : `${until}T00:00:00Z`;
  const body = banBody.safeParse({ kind, subject, reason: category, note: reason, endsAt });
  if (!body.success) {
    throw new Advice(
      `Use ban <${banKinds.join("|")}> <subject> <${abuseReasons.join("|")}>, and a date such as 2026-01-31.`,
    );
  }
  const ban = await createBan(operator, body.data);
  return { json: ban, lines: [presentBan(ban)] };
}

async function endBan({ operator, args, reason }: Call): Promise<Answer> {
  const [id, ...more] = args;
  if (id === undefined || more.length > 0) throw usage();
  const ban = await liftBan(operator, id, reason);
  return { json: ban, lines: [`The ban on ${ban.name} was lifted.`] };
}

function presentBan({ id, kind, name, reason, endsAt }: Ban): string {
  return line(
    "ban",
    `${kind}  ${name}  ${reason}  ${endsAt ? `until ${endsAt}` : "no end"}  ${id}`,
  );
}

function line(name: string, text: string): string {
  return `${name.padEnd(10)} ${text}`;
}

function usage(): Advice {
  return new Advice(
    "Unknown command. Use stats, find <text>, operator list, operator add <email>, operator remove <email>, ban list, ban <kind> <subject> <category>, lift <id>, plan <workspace> [<plan>], secret reseal, secret forget or help.",
  );
}

interface Parsed {
  words: string[];
  json: boolean;
  reason: string;
  until: string | undefined;
}

function parseArguments(args: readonly string[]): Parsed {
  const { values, positionals } = readOptions(args);
  const reason = reasonField.safeParse(values.reason ?? "Command line");
  if (!reason.success) throw new Advice("Enter a reason of 3 to 500 characters.");
  const { json = false, until } = values;
  return { words: positionals, json, reason: reason.data, until };
}

function readOptions(args: readonly string[]) {
  const text = { type: "string" } as const;
  const options = { json: { type: "boolean" }, reason: text, until: text } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch {
    throw usage();
  }
}

interface Outcome {
  code: 0 | 1;
  stdout: string;
  stderr: string;
}

export async function runFuxi(
  given: readonly string[],
  open: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<Outcome> {
  try {
    const { words, json, reason, until } = parseArguments(given);
    const [name = "help", ...args] = words;
    if (name === "help") {
      const { help } = await import("./help.mjs");
      return { code: 0, stdout: `${help["fuxi"]}\n`, stderr: "" };
    }
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command) throw usage();
    const answer = await open(() =>
      command({ operator: operatorOfCommandLine(), args, reason, until }),
    );
    const text = json ? JSON.stringify(answer.json, undefined, 2) : answer.lines.join("\n");
    return { code: 0, stdout: `${text}\n`, stderr: "" };
  } catch (error) {
    const text = error instanceof AppError ? error.message : explain(error);
    return { code: 1, stdout: "", stderr: `${text}\n` };
  }
}

async function manageSecret({ operator, args, reason }: Call): Promise<Answer> {
  const [verb, ...more] = args;
  if (verb === "reseal" && more.length === 0) {
    const tables = await resealSecrets(operator, reason);
    const lines = tables.map(
      ({ table, current, resealed }) =>
        `${table.padEnd(17)} ${resealed} sealed again, ${current} before`,
    );
    const last = "FUXI_SESSION_SECRET_PREVIOUS is not needed any more.";
    return { json: tables, lines: [...lines, last] };
  }
  if (verb === "forget" && more.length === 0) {
    await forgetSecret(operator, reason);
    return {
      json: { forgotten: true },
      lines: ["Fuxi starts with this secret. What another one has sealed can’t be read any more."],
    };
  }
  throw new Advice("Use secret reseal or secret forget.");
}
