"use server";

import { z } from "zod";
import { switchFeature } from "#lib/tenancy/features";
import { featureNames } from "#lib/tenancy/features/schema";
import { officeAction, reasonArgument } from "../../office-action.ts";

export const switchFeatureAction = officeAction(
  [z.enum(featureNames), z.boolean(), reasonArgument],
  ["/", "layout"],
  (operator, name, enabled, fields) =>
    switchFeature(operator, name, { enabled, reason: fields.reason }),
);
