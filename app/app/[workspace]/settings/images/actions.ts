"use server";

import { deleteSocialImage } from "#lib/links/social-images";
import { nameArgument } from "../../../../action.ts";
import { changeAction } from "../../../workspace-action.ts";

export const deleteImageAction = changeAction([nameArgument], deleteSocialImage);
