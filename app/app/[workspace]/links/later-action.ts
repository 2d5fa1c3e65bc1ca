"use server";

import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import { htmlRows } from "#components/links/page-size.ts";
import type { SentRows } from "#components/links/sent-rows.ts";
import { action, nameArgument } from "../../../action.ts";
import { runInWorkspace } from "../../access.ts";
import { parseQueryText } from "./query.ts";
import { readPage, rowsOf } from "./read-list.ts";

/** As long as a URL that the front accepts. */
const queryCharsMax = 16_384;

/** The rows of a page that its HTML does not contain. */
export const listLaterAction = action(
  [nameArgument, z.string().max(queryCharsMax)],
  async (slug, query): Promise<FormAnswer<SentRows>> => {
    return await runInWorkspace(slug, async (scope) => {
      const page = await readPage(scope, parseQueryText(query));
      return { ok: true, done: rowsOf(page, htmlRows) };
    });
  },
);
