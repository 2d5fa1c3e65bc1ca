"use server";

import { z } from "zod";
import { htmlRows } from "#components/links/page-size.ts";
import { readAction } from "../../workspace-action.ts";
import { parseQueryText } from "./query.ts";
import { readPage, rowsOf } from "./read-list.ts";

/** As long as a URL that the front accepts. */
const queryCharsMax = 16_384;

/** The rows of a page that its HTML does not contain. */
export const listLaterAction = readAction([z.string().max(queryCharsMax)], async (scope, query) => {
  const page = await readPage(scope, parseQueryText(query));
  return rowsOf(page, htmlRows);
});
