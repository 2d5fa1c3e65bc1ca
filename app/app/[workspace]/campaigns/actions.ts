"use server";

import type { FormAnswer } from "#components/forms/form";
import { checkCampaignAgain } from "#lib/links/destination-checks";
import { createCampaign, deleteCampaign, editCampaign } from "#lib/outreach/campaigns";
import {
  createCampaignRequest,
  editCampaignRequest,
  erasePersonBody,
} from "#lib/outreach/campaigns/schema";
import { erasePerson } from "#lib/outreach/erasing";
import { action, formArgument, nameArgument, readBy } from "../../../action.ts";
import { refreshPages, runInWorkspace } from "../../access.ts";
import { answerAction, changeAction, formAction } from "../../workspace-action.ts";
import { failureOf, parseCampaign } from "./parse-campaign.ts";

type Saved = FormAnswer<{ id: string }>;

async function withFields(save: () => Promise<{ id: string }>): Promise<Saved> {
  try {
    const { id } = await save();
    return { ok: true, done: { id } };
  } catch (error) {
    const failure = failureOf(error);
    if (failure) return failure;
    throw error;
  }
}

export const createCampaignAction = formAction(
  [readBy(formArgument(), (data) => parseCampaign(data, createCampaignRequest))],
  async (scope, fields): Promise<Saved> => {
    const saved = await withFields(() => createCampaign(scope, fields));
    return saved;
  },
);

export const editCampaignAction = action(
  [nameArgument, formArgument()],
  async (slug, data): Promise<Saved> => {
    const parsed = parseCampaign(data, editCampaignRequest);
    if (!parsed.ok) return parsed;
    return await runInWorkspace(slug, async (scope) => {
      const id = String(data.get("id"));
      const saved = await withFields(() => editCampaign(scope, id, parsed.value));
      refreshPages(slug);
      return saved;
    });
  },
);

/** Called from a page of the campaign, which no longer exists afterwards. */
export const deleteCampaignAction = answerAction(
  [nameArgument],
  async (scope, id): Promise<FormAnswer<null>> => {
    await deleteCampaign(scope, id);
    return { ok: true, done: null };
  },
);

export const checkCampaignAction = changeAction([nameArgument], (scope, id) =>
  checkCampaignAgain(scope, id),
);

export const erasePersonAction = changeAction([erasePersonBody.shape.phone], (scope, phone) =>
  erasePerson(scope, { phone }),
);
