"use server";

import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import { findCampaignNames } from "#lib/outreach/campaign-overview";
import { type CampaignName, searchNames } from "#lib/outreach/campaign-overview/schema";
import {
  addAudience,
  cancelSource,
  changeSource,
  pauseSource,
  startSource,
  undoSource,
} from "#lib/outreach/sources";
import {
  addAudienceBody,
  changeSourceBody,
  type RecipientSource,
  sourceSteps,
} from "#lib/outreach/sources/schema";
import { action, nameArgument, plainAction } from "../../../action.ts";
import { refreshPages, requireScope, runInWorkspace } from "../../access.ts";

/** Campaigns whose recipients can be taken. */
export const findCampaignsAction = plainAction(
  [nameArgument, searchNames],
  [],
  async (slug, search): Promise<CampaignName[]> =>
    await findCampaignNames(await requireScope(slug), search),
);

export const addAudienceAction = action(
  [nameArgument, nameArgument, addAudienceBody],
  async (slug, id, body): Promise<FormAnswer<RecipientSource>> => {
    return await runInWorkspace(slug, async (scope) => {
      return { ok: true, done: await addAudience(scope, id, body) };
    });
  },
);

export const changeSourceAction = action(
  [nameArgument, nameArgument, changeSourceBody],
  async (slug, id, body): Promise<FormAnswer<RecipientSource>> => {
    return await runInWorkspace(slug, async (scope) => {
      return { ok: true, done: await changeSource(scope, id, body) };
    });
  },
);

const steps = {
  start: startSource,
  pause: pauseSource,
  cancel: cancelSource,
  undo: undoSource,
};

/** Starts, pauses, cancels or undoes a source. */
export const stepSourceAction = action(
  [nameArgument, nameArgument, z.enum(sourceSteps)],
  async (slug, id, step): Promise<FormAnswer<RecipientSource>> => {
    return await runInWorkspace(slug, async (scope) => {
      const done = await steps[step](scope, id);
      refreshPages(slug);
      return { ok: true, done };
    });
  },
);
