// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of code contain placeholders
/**
 * Defences, each with a text of the code that makes it up and a replacement that removes it. `npm run test:mutation`
 * shows that the test fails without it; `npm run check` that every text occurs exactly once.
 */
export interface Defence {
  name: string;
  file: string;
  text: string;
  /** Valid code without the defence. */
  replacement: string;
  /** The file of the test that fails without it. */
  test: string;
}

export const defences: Defence[] = [
  {
    name: "Query parameters of a page are limited",
    file: "lib/platform/http/page-gate.ts",
    text: 'if (count(query, "&") > pageLimits.parametersMax) return 414;',
    replacement: "",
    test: "lib/platform/http/page-gate.test.ts",
  },
  {
    name: "Headers of a page are limited",
    file: "lib/platform/http/page-gate.ts",
    text: "String(value).length > pageLimits.headerCharsMax",
    replacement: "String(value).length > 1e9",
    test: "lib/platform/http/page-gate.test.ts",
  },
  {
    name: "Cookies of a page are limited",
    file: "lib/platform/http/page-gate.ts",
    text: 'if (count(req.headers.cookie ?? "", ";") > pageLimits.cookiesMax) return 431;',
    replacement: "",
    test: "lib/platform/http/page-gate.test.ts",
  },
  {
    name: "Forms of a page are limited",
    file: "lib/platform/http/page-gate.ts",
    text: 'return Number(headers["content-length"] ?? 0) > bytesMax ? 413 : undefined;',
    replacement: "return undefined;",
    test: "lib/platform/http/page-gate.test.ts",
  },
  {
    name: "Forms need a length",
    file: "lib/platform/http/page-gate.ts",
    text: 'if (headers["transfer-encoding"] !== undefined) return 411;',
    replacement: "",
    test: "lib/platform/http/page-gate.test.ts",
  },
  {
    name: "Dot segments are refused",
    file: "lib/platform/http/page-gate.ts",
    text: "if (hasDotSegment(path)) return 400;",
    replacement: "",
    test: "lib/platform/http/page-gate.test.ts",
  },
  {
    name: "One network does not take every turn of the page process",
    file: "lib/platform/http/fair-queue.ts",
    text: "waiting.length > 0 && running < this.#limits.runningPerNetworkMax,",
    replacement: "waiting.length > 0 && running >= 0,",
    test: "lib/platform/http/page-gate.test.ts",
  },
  {
    name: "A response that is read slowly frees its turn",
    file: "lib/platform/http/fair-queue.ts",
    text: "const timer = setTimeout(release, this.#limits.heldMsMax);",
    replacement: "const timer = setTimeout(() => undefined, this.#limits.heldMsMax);",
    test: "lib/platform/http/page-gate.test.ts",
  },
  {
    name: "Metrics need the token on the public port",
    file: "lib/platform/http/operator.ts",
    text: "return isToken(bearerOf(req), config().FUXI_OPERATOR_TOKEN);",
    replacement: "return bearerOf(req) !== undefined;",
    test: "lib/platform/http/operator.test.ts",
  },
  {
    name: "Certificate requests need the token on the public port",
    file: "lib/platform/http/operator.ts",
    text: "return isToken(token ?? bearerOf(req), config().FUXI_CERTIFICATE_TOKEN);",
    replacement: "return token !== undefined;",
    test: "lib/platform/http/operator.test.ts",
  },
  {
    name: "No page is shown in a frame of another site",
    file: "lib/platform/http/headers.ts",
    text: "\"frame-ancestors 'none'\",",
    replacement: "",
    test: "lib/platform/http/headers.test.ts",
  },
  {
    name: "No frame on the host of the dashboard",
    file: "lib/redirect/visits/redirecting.ts",
    text: "const frame = isOnDashboardHost(req) ? undefined : target.extras?.frame;",
    replacement: "const frame = target.extras?.frame;",
    test: "lib/redirect/visits/redirecting.db.test.ts",
  },
  {
    name: "Cloaking is refused on the host of the dashboard",
    file: "lib/links/fields/index.ts",
    text: "if (!row.rewrite || host !== dashboardHost()) return undefined;",
    replacement: 'if (row.rewrite || host !== "") return undefined;',
    test: "lib/redirect/visits/redirecting.db.test.ts",
  },
  {
    name: "Password pages on the host of the dashboard name their author",
    file: "lib/redirect/visits/pages.ts",
    text: "const hasNotice = onDashboardHost && pagesWithForm.has(name);",
    replacement: "const hasNotice = !onDashboardHost && !pagesWithForm.has(name);",
    test: "lib/redirect/visits/redirecting.db.test.ts",
  },
  {
    name: "Slugs that look like pages of the instance are refused",
    file: "lib/links/keys/impersonation.ts",
    text: "return skeletons.has(skeletonOf(first));",
    replacement: "return first === skeletonOf(first) && first.length > 1_000;",
    test: "lib/links/keys/impersonation.test.ts",
  },
  {
    name: "Names in emails become no links",
    file: "lib/platform/mail/emails.ts",
    text: '.replace(/[.\\u3002\\uff0e\\uff61](?=\\S)/g, ". ");',
    replacement: ".trim();",
    test: "lib/platform/mail/mail.db.test.ts",
  },
  {
    name: "Addresses of the provider's machine are private",
    file: "lib/platform/safe-fetch/addresses.ts",
    text: 'if (range !== "unicast" || providerAddresses.has(parsed.toString())) return "private";',
    replacement: 'if (range !== "unicast") return "private";',
    test: "lib/platform/safe-fetch/closed.test.ts",
  },
  {
    name: "Each redirect of an outgoing request is checked",
    file: "lib/platform/safe-fetch/index.ts",
    text: 'if (!isAllowedUrl(url)) return { ok: false, code: "unreachable" };',
    replacement: 'if (hop === 0 && !isAllowedUrl(url)) return { ok: false, code: "unreachable" };',
    test: "lib/links/page-metadata/suggestions.db.test.ts",
  },
  {
    name: "Only web URLs and apps of a list are destinations",
    file: "lib/platform/urls/index.ts",
    text: "return !unsafe.test(text) && /^https?:\\/\\//i.test(text) && URL.canParse(text);",
    replacement: "return URL.canParse(text);",
    test: "lib/links/fields/urls.test.ts",
  },
  {
    name: "Addresses of the instance are loops",
    file: "lib/links/fields/index.ts",
    text: "|| isOwnAddress(url),",
    replacement: '|| (url === "" && isOwnAddress(url)),',
    test: "lib/links/creating/loops.db.test.ts",
  },
  {
    name: "Cells of a file are no formulas",
    file: "lib/platform/downloads/csv.ts",
    text: "const text = /^[=+\\-@\\t\\r\\n]/.test(cell) ? `'${cell}` : cell;",
    replacement: "const text = cell;",
    test: "lib/links/reading/exports.db.test.ts",
  },
  {
    name: "A grant belongs to one link and password",
    file: "lib/redirect/visits/grants.ts",
    text: ".update(`${linkPk}\\n${ends}\\n${passwordHash}`)",
    replacement: ".update(`${ends}\\n${linkPk > 0}\\n${passwordHash.length > 0}`)",
    test: "lib/redirect/visits/extras.db.test.ts",
  },
  {
    name: "A grant ends",
    file: "lib/redirect/visits/grants.ts",
    text: "|| Number.parseInt(ends, 36) * 1_000 <= now) return false;",
    replacement: "|| now < 0) return false;",
    test: "lib/redirect/visits/extras.db.test.ts",
  },
  {
    name: "An API key ends at its time",
    file: "lib/identity/api-keys/admission.ts",
    text: "if (key.endsAt > 0 && key.endsAt <= now) return unknown;",
    replacement: "",
    test: "lib/identity/api-keys/keys.db.test.ts",
  },
  {
    name: "An API key is used from its networks only",
    file: "lib/identity/api-keys/admission.ts",
    text: "if (!isAllowedAddress(key.addresses, address)) {",
    replacement: "if (!isAllowedAddress(undefined, address)) {",
    test: "lib/identity/api-keys/admission.db.test.ts",
  },
  {
    name: "Guessing of API keys costs no lookups",
    file: "lib/identity/api-keys/admission.ts",
    text: "if (guesser && now < guesser.until && !accepted.has(entry) && !mayLookUp(guesser, now)) {",
    replacement: "if (guesser && now < 0) {",
    test: "lib/identity/api-keys/admission.db.test.ts",
  },
  {
    name: "An unknown account costs as much as a known one",
    file: "lib/platform/passwords/index.ts",
    text: "return timingSafeEqual(found, wanted) && stored !== null;",
    replacement: "return timingSafeEqual(found, wanted) || stored === null;",
    test: "lib/platform/passwords/passwords.test.ts",
  },
  {
    name: "A code of the second factor works once",
    file: "lib/identity/second-factor/index.ts",
    text: "return step > (row.step ?? 0) ? step : undefined;",
    replacement: "return step;",
    test: "lib/identity/accounts/factor.db.test.ts",
  },
  {
    name: "A session does not begin with a password that changed meanwhile",
    file: "lib/identity/sessions/index.ts",
    text: "insertSession(id, userId, shortenAgent(userAgent), provenHash);",
    replacement: "insertSession(id, userId, shortenAgent(userAgent), null && provenHash);",
    test: "lib/identity/accounts/accounts.db.test.ts",
  },
  {
    name: "A group of clicks that is delivered twice counts once",
    file: "lib/analytics/ingest/drain.ts",
    text: "const unseen = named.filter(({ group }) => fresh.delete(`${group.producer}:${group.number}`));",
    replacement: "const unseen = named.filter(() => fresh.size >= 0);",
    test: "lib/analytics/ingest/ingest.db.test.ts",
  },
  {
    name: "Misses of a network are limited",
    file: "lib/redirect/visits/misses.ts",
    text: "if (waitSeconds === 0) return false;",
    replacement: "if (waitSeconds >= 0) return false;",
    test: "lib/redirect/visits/misses.db.test.ts",
  },
  {
    name: "Links are listed for their workspace only",
    file: "lib/links/reading/conditions.ts",
    text: "const where = [`link.workspace_pk = ${place(filter.workspacePk)}`];",
    replacement: "const where = [`${place(filter.workspacePk)}::int > 0`];",
    test: "lib/links/reading/list.db.test.ts",
  },
  {
    name: "The audit log is read by its workspace only",
    file: "lib/tenancy/audit/store.ts",
    text: "const where = [`audit.workspace_pk = ${place(workspacePk)}`];",
    replacement: "const where = [`${place(workspacePk)}::int > 0`];",
    test: "lib/tenancy/audit/audit.db.test.ts",
  },
  {
    name: "Invitations are revoked by their workspace only",
    file: "lib/tenancy/members/store.ts",
    text: "sql`DELETE FROM invitation WHERE id = ${id} AND workspace_pk = ${workspacePk} RETURNING id`,",
    replacement:
      "sql`DELETE FROM invitation WHERE id = ${id} AND ${workspacePk}::int > 0 RETURNING id`,",
    test: "lib/tenancy/members/members.db.test.ts",
  },
];
