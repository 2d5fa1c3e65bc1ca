/** Texts of a form, and what visitors enter, that look like HTML: they are shown as text. */
import { expect, test } from "vitest";
import { openFormVisitors } from "../../../test/form-visitors.ts";
import { openTestVisits } from "../../../test/redirect-server.ts";
import { openTestStores } from "../../../test/stores.ts";

openTestStores();
const visits = openTestVisits("form-hostile");
const { asking, post } = openFormVisitors(visits);

/** Closes attributes and elements, and starts a script of its own. `at` tells the fields apart. */
const hostile = (at: number) => `${at}"'></p></title></style><img src=x onerror=go()><script>`;
const shown = (at: number) =>
  `${at}&quot;&#39;&gt;&lt;/p&gt;&lt;/title&gt;&lt;/style&gt;&lt;img src=x onerror=go()&gt;&lt;script&gt;`;
const privacyUrl = `https://acme.example/?q="'><script>`;

const content = {
  title: hostile(0),
  text: hostile(1),
  consent: hostile(2),
  controller: hostile(3),
  marketing: hostile(4),
  button: "\"'><script>",
  privacyUrl,
  fields: [
    { type: "choice", label: hostile(5), options: [hostile(6), hostile(7)], required: false },
    { type: "check", label: hostile(8), url: privacyUrl, required: false },
    { type: "phone", required: false },
    { type: "email", required: false },
    { type: "name", required: false },
  ],
};
const texts = 9;
const entered = { f2: hostile(20), f3: hostile(21), f4: hostile(22) };

function expectText(body: string, numbers: readonly number[]): void {
  for (const at of numbers) expect(body).toContain(shown(at));
  expect(body).not.toMatch(/<img|<script|onerror=go\(\)>/);
}

test("each text of a form is a text, in the page and in the page with errors", async () => {
  const { link } = await asking(content);
  const page = await visits.ask(`/${link.key}`);
  expect(page.status).toBe(200);
  expectText(
    page.body,
    Array.from({ length: texts }, (_, at) => at),
  );
  expect(page.body).not.toContain('?q="');
  const refused = await post(link.key, entered);
  expect(refused.status).toBe(422);
  expectText(refused.body, [0, 1, 2, 3, 4, 5, 6, 7, 8, 20, 21, 22]);
});
