"use server";

import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import { findCampaignNames } from "#lib/outreach/campaign-overview";
import { type CampaignName, searchNames } from "#lib/outreach/campaign-overview/schema";
import * as verbs from "#lib/outreach/sources";
import {
  addAudienceBody,
  changeSourceBody,
  type RecipientSource,
  sourceSteps,
} from "#lib/outreach/sources/schema";
import { nameArgument, plainAction } from "../../../action.ts";
import { requireScope } from "../../access.ts";
import { formAction, readAction } from "../../workspace-action.ts";

export const findCampaignsAction = plainAction(
  [nameArgument, searchNames],
  [],
  async (slug, search): Promise<CampaignName[]> =>
    await findCampaignNames(await requireScope(slug), search),
);

export const addAudienceAction = readAction([nameArgument, addAudienceBody], verbs.addAudience);

export const changeSourceAction = readAction([nameArgument, changeSourceBody], verbs.changeSource);

const steps = {
  start: verbs.startSource,
  pause: verbs.pauseSource,
  cancel: verbs.cancelSource,
  undo: verbs.undoSource,
};

export const stepSourceAction = formAction(
  [nameArgument, z.enum(sourceSteps)],
  async (scope, id, step): Promise<FormAnswer<RecipientSource>> => {
    const done = await steps[step](scope, id);
    return { ok: true, done };
  },
);
