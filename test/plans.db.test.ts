/** Each capability and limit of the plans, through the verbs that do it; and what exists after a downgrade. */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { changeForm, createForm, deleteForm } from "#lib/audience/forms";
import { newForm } from "#lib/audience/forms/schema";
import { createMany, startBulkJob } from "#lib/links/bulk-jobs";
import { createLinks, duplicateLink, openLinks } from "#lib/links/creating";
import { changeGroup, editLink, listHistory, restoreState, upsertLink } from "#lib/links/editing";
import { getLink } from "#lib/links/reading";
import { createCampaign } from "#lib/outreach/campaigns";
import { startSending } from "#lib/outreach/sending";
import { type PlanName, planNames } from "#lib/platform/config/schema";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { operatorOfCommandLine } from "#lib/tenancy/operators";
import { setPlan } from "#lib/tenancy/plan-changes";
import { planNamed } from "#lib/tenancy/plans";
import {
  type Capability,
  capabilityNames,
  limitNames,
  type OwnLimits,
} from "#lib/tenancy/plans/schema";
import { callsPerMinuteOf, quotaOf } from "#lib/tenancy/quotas";
import { readSupportContact } from "#lib/tenancy/support";
import { getWorkspace, openWorkspace, updateWorkspace } from "#lib/tenancy/workspaces";
import { startImport, uploadImport } from "#lib/transfer/imports";
import { campaignBody } from "./campaigns.ts";
import { make } from "./links.ts";
import { makeTestScope } from "./scope.ts";
import { openTestStores } from "./stores.ts";

openTestStores();
beforeAll(openLinks);

let names = 0;
let scope: WorkspaceScope;

beforeEach(async () => {
  names += 1;
  scope = await makeTestScope(`planned${names}`);
  await query(sql`UPDATE app_user SET email_proven_at = now()`);
});

async function moveTo(plan: PlanName, limits: OwnLimits | null = null): Promise<WorkspaceScope> {
  await setPlan(operatorOfCommandLine(), scope.workspaceId, { plan, limits, reason: "Test" });
  const opened = await openWorkspace(String(scope.userId), scope.slug);
  if (!opened) throw new Error("The workspace cannot be opened");
  return opened;
}

const url = "https://example.com/planned";
const rules = [{ language: ["de"], url: "https://example.com/de" }];
const testVariants = [
  { url, percentage: 50 },
  { url: "https://example.com/b", percentage: 50 },
];
const options = { source: "api", prefill: false } as const;

/** The error that a verb throws or answers with; undefined: it worked. */
async function failureOf(
  run: Promise<unknown>,
): Promise<{ code: string; message: string } | undefined> {
  try {
    const done = await run;
    const [first] = Array.isArray(done) ? done : [done];
    if (Object(first).ok !== false) return undefined;
    return first;
  } catch (error) {
    const { code, message, problem } = Object(error);
    return { code: problem?.code ?? code, message };
  }
}

type Uses = Readonly<Record<string, (scope: WorkspaceScope) => Promise<unknown>>>;

const csv = (scope: WorkspaceScope) =>
  uploadImport(scope, new Blob([`url\n${url}\n`]).stream(), { name: "links.csv" });

async function editOf(scope: WorkspaceScope, body: Parameters<typeof editLink>[2]) {
  const [link] = await make(scope, [{ url }]);
  return await editLink(scope, String(link?.id), body);
}

const insideApps = { open: "browser", canContinue: true } as const;

let forms = 0;
function ageCheck(more: object = {}) {
  forms += 1;
  const fields = [{ type: "check", label: "I am at least 18 years old" }];
  const named = { name: `Age ${forms}`, title: "Are you of age?" };
  return newForm.parse({ ...named, fields, published: true, ...more });
}

const told = { consent: "C", controller: "C", privacyUrl: "https://acme.example/privacy" };
const sharing = (more: object = {}) => ageCheck({ fields: [{ type: "wechat" }], ...told, ...more });

/** A form from before the plan was changed. */
const formBefore = (more: object = {}) => createForm(scope, ageCheck(more));

/** The plan was checked: what was asked for does not exist. */
function unlessUnknown(error: unknown) {
  if (Object(error).code !== "not_found") throw error;
}

/** Every way to use a capability. One without an entry does not compile. */
const uses: Readonly<Record<Capability, Uses>> = {
  bulk: {
    "a bulk create": (own) => createMany(own, [{ url }], options),
    "a bulk create in the background": (own) => startBulkJob(own, [{ url }], undefined),
    "an upload": csv,
  },
  passwords: {
    "a create": (own) => createLinks(own, [{ url, password: "open" }]),
    "an edit": (own) => editOf(own, { password: "open" }),
  },
  rules: {
    "a create with rules": (own) => createLinks(own, [{ url, rules }]),
    "a create with countries": (own) => createLinks(own, [{ url, geo: { DE: url } }]),
    "a create with a device": (own) => createLinks(own, [{ url, ios: url }]),
    "an edit": (own) => editOf(own, { rules }),
    "an edit of a device": (own) => editOf(own, { android: url }),
  },
  abTests: {
    "a create": (own) => createLinks(own, [{ url, testVariants }]),
    "an edit": (own) => editOf(own, { testVariants }),
  },
  destinationEdits: {
    "an edit": (own) => editOf(own, { url: `${url}/other` }),
    "an edit of a UTM parameter": (own) => editOf(own, { utm_source: "letter" }),
  },
  forms: {
    "a new form": (own) => createForm(own, ageCheck()),
    "an edit": async (own) => editOf(own, { formId: (await formBefore()).id }),
    "a changed text": async (own) => changeForm(own, (await formBefore()).id, { title: "Other" }),
    "a publication": async (own) =>
      changeForm(own, (await formBefore({ published: false })).id, { published: true }),
  },
  insideApps: {
    "a create": (own) => createLinks(own, [{ url, insideApps }]),
    "an edit": (own) => editOf(own, { insideApps }),
  },
  wechatUserInfo: {
    "a new form": (own) => createForm(own, sharing()),
    "an added field": async (own) =>
      changeForm(own, (await formBefore(told)).id, { fields: sharing().fields }),
    "a change of what is shared": async (own) =>
      changeForm(own, (await createForm(scope, sharing())).id, {
        fields: [{ type: "wechat", profile: false, required: false }],
      }),
    "a publication": async (own) => {
      const { id } = await createForm(scope, sharing({ published: false }));
      return changeForm(own, id, { published: true });
    },
  },
  campaigns: {
    "a new campaign": (own) => createCampaign(own, campaignBody()),
    sending: (own) =>
      startSending(own, "none", { gatewayId: "none", rate: 1 }).catch(unlessUnknown),
  },
  support: {
    "the contact": async (own) => readSupportContact(own),
  },
  repeatFilter: {
    "a change of the settings": (own) => updateWorkspace(own, { repeatSeconds: 60 }),
  },
};

describe("a capability works in the plans that include it, and is refused in the others with the plan that has it", () => {
  const cases = capabilityNames.flatMap((name) =>
    Object.entries(uses[name]).map(([how, use]) => ({ name, how, use })),
  );
  test.each(cases)("$name: $how", async ({ name, use }) => {
    for (const plan of planNames) {
      const failure = await failureOf(use(await moveTo(plan)));
      if (planNamed(plan).capabilities.includes(name)) expect(failure).toBeUndefined();
      else {
        expect(failure?.code).toBe("plan_limit");
        expect(failure?.message).toMatch(
          /isn’t included in the Free plan.*included in Personal\. Change the plan under Settings/,
        );
      }
    }
  });

  test("no capability is without a use, and Free lacks each of them", () => {
    expect(Object.keys(uses).sort()).toEqual([...capabilityNames].sort());
    for (const name of capabilityNames) expect(Object.keys(uses[name]).length).toBeGreaterThan(0);
  });
});

describe("after a downgrade", () => {
  async function downgraded() {
    const full = {
      ...{ url, password: "open", rules, ios: url, testVariants },
      geo: { DE: `${url}/de`, FR: `${url}/fr` },
    };
    const [link] = await make(scope, [full]);
    if (!link) throw new Error("no link");
    return { id: link.id, link, free: await moveTo("free") };
  }

  test("a link keeps everything, and its other fields can be edited with the whole link sent back", async () => {
    const { id, link, free } = await downgraded();
    const { rules: sameRules, geo, ios, testVariants: sameVariants } = link;
    const body = { title: "New", url, password: "********", ios, geo, rules: sameRules };
    const edited = await editLink(free, id, { ...body, testVariants: sameVariants });
    expect(edited).toMatchObject({ ok: true });
    const { link: after } = await getLink(free, id);
    expect(after).toMatchObject({ url, password: "********", rules: sameRules, geo, ios });
    expect(after.testVariants).toEqual(link.testVariants);
  });

  test("each part can be removed, and not be added again", async () => {
    const { id, free } = await downgraded();
    for (const [removed, added] of [
      [{ password: null }, { password: "open" }],
      [{ rules: null }, { rules }],
      [{ geo: { DE: `${url}/de` } }, { geo: { DE: `${url}/de`, FR: `${url}/fr` } }],
      [{ ios: null }, { ios: url }],
      [{ testVariants: null }, { testVariants }],
    ] as const) {
      expect(await failureOf(editLink(free, id, { ...removed }))).toBeUndefined();
      expect(await failureOf(editLink(free, id, { ...added }))).toMatchObject({
        code: "plan_limit",
      });
    }
  });

  test("a form can be renamed, turned off and deleted, and a link lose it and its page inside apps", async () => {
    const form = await formBefore();
    const [link] = await make(scope, [{ url, formId: form.id, insideApps }]);
    const free = await moveTo("free");
    expect(await failureOf(changeForm(free, form.id, { name: "Renamed" }))).toBeUndefined();
    expect(await failureOf(changeForm(free, form.id, { published: false }))).toBeUndefined();
    const without = { formId: null, insideApps: null };
    expect(await failureOf(editLink(free, String(link?.id), without))).toBeUndefined();
    expect(await failureOf(deleteForm(free, form.id))).toBeUndefined();
  });

  test("no other way changes what is not included: copies, upserts and restored states are refused too", async () => {
    const [link] = await make(scope, [{ url, password: "open" }]);
    const id = String(link?.id);
    await editLink(scope, id, { url: `${url}/later` });
    const free = await moveTo("free");
    expect(await failureOf(duplicateLink(free, id))).toMatchObject({ code: "plan_limit" });
    const upsert = { url: `${url}/later`, password: "other" };
    expect(await failureOf(upsertLink(free, upsert))).toMatchObject({ code: "plan_limit" });
    const { link: now } = await getLink(free, id);
    expect(now.url).toBe(`${url}/later`);
    const history = await listHistory(free, id);
    const restored = restoreState(free, id, null, history.revision);
    expect(await failureOf(restored)).toMatchObject({ code: "plan_limit" });
    // Archiving and tagging are in every plan.
    const group = await changeGroup(free, [{ linkIds: [id], archived: true }]);
    expect(group.outcomes).toMatchObject([{ ok: true, changed: true }]);
  });

  test("an uploaded import cannot be started, and the filter of repeated visits stays until it is turned off", async () => {
    const uploaded = await csv(scope);
    await updateWorkspace(scope, { repeatSeconds: 60 });
    const free = await moveTo("free");
    expect(await failureOf(startImport(free, uploaded.id))).toMatchObject({ code: "plan_limit" });
    expect((await getWorkspace(free)).repeatSeconds).toBe(60);
    expect(
      await failureOf(updateWorkspace(free, { name: "New", repeatSeconds: 60 })),
    ).toBeUndefined();
    expect(await failureOf(updateWorkspace(free, { repeatSeconds: 10 }))).toMatchObject({
      code: "plan_limit",
    });
    expect(await failureOf(updateWorkspace(free, { repeatSeconds: null }))).toBeUndefined();
  });
});

describe("limits of a workspace", () => {
  test("replace those of its plan one by one, in both directions", async () => {
    const limits = { links: 2, members: null, callsPerMinute: 5, clicksKeptDays: 7 };
    const own = await moveTo("free", limits);
    expect(quotaOf(own, "links")).toBe(2);
    expect(quotaOf(own, "members")).toBeNull();
    expect(quotaOf(own, "tags")).toBe(planNamed("free").limits.tags);
    expect(callsPerMinuteOf(own)).toBe(5);
    expect(Object.keys(limits).every((name) => limitNames.some((one) => one === name))).toBe(true);
    await make(own, [{ url }, { url }]);
    expect(await failureOf(createLinks(own, [{ url }]))).toMatchObject({ code: "quota_used_up" });
    const again = await moveTo("free");
    expect(await failureOf(createLinks(again, [{ url }]))).toBeUndefined();
  });
});
