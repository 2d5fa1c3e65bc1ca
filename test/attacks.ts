/**
 * The attacks that Fuxi has to withstand, each with the tests that carry it out. `npm run test:security` runs them and
 * prints a report; `npm test` fails when one of them has no test that ran. docs/security.md explains the defences.
 */
export interface Attack {
  name: string;
  /** What was tried. */
  inputs: string;
  defence: string;
  /** A file, or a file and the beginning or a part of test names: `file > name`. */
  tests: string[];
}

export const attacks: Attack[] = [
  {
    name: "Schemes",
    inputs:
      "javascript:, data:, vbscript:, file:, blob:, about:, //host and \\\\host, with capitals, blanks and line breaks, in every field with a URL",
    defence: "One parser for all URLs accepts http and https; app schemes come from a list",
    tests: ["lib/links/fields/urls.test.ts", "lib/links/domains/schema.test.ts"],
  },
  {
    name: "Header injection",
    inputs:
      "CR, LF and NUL in destinations, slugs, titles, domains, request ids and names of fields",
    defence: "Control characters are refused when something is written, and encoded in Location",
    tests: [
      "lib/links/domains/schema.test.ts > control characters",
      "app/api/errors.test.ts > names that no header may contain",
      "lib/redirect/visits/redirect.test.ts > a Location is ASCII",
      "e2e/chaos/hostile.chaos.test.ts",
    ],
  },
  {
    name: "Requests into private networks (SSRF)",
    inputs:
      "loopback, private, shared, link-local and metadata addresses, decimal, octal, hex, IPv6 and mapped forms, names that resolve there, redirects and rebinding",
    defence: "Every address is checked when the connection is made, at each redirect",
    tests: [
      "lib/platform/safe-fetch/closed.test.ts",
      "lib/links/page-metadata/suggestions.db.test.ts > redirects are followed five times",
      "lib/links/page-metadata/suggestions.db.test.ts > a name connects to its checked address",
      "lib/links/page-metadata/suggestions.db.test.ts > an endless page costs half a megabyte",
      "lib/links/page-metadata/icon.db.test.ts > only origins are sites",
    ],
  },
  {
    name: "Redirect loops",
    inputs:
      "destinations on any short domain and on the addresses of the instance, in every notation",
    defence: "Destinations on hosts that serve short links are refused in every field",
    tests: ["lib/links/creating/loops.db.test.ts"],
  },
  {
    name: "Misleading destinations",
    inputs: "user:password@host, homographs, right-to-left overrides, zero-width characters",
    defence: "The preview shows the host in ASCII and drops invisible characters",
    tests: ["lib/redirect/visits/preview.db.test.ts", "lib/redirect/visits/document.test.ts"],
  },
  {
    name: "Slugs of the instance",
    inputs:
      "login, admin, account, security and others, with look-alike letters, other scripts, separators and capitals; paths of the app, escaped",
    defence:
      "Reserved on the domain that all workspaces share; paths of the app are reserved everywhere",
    tests: [
      "lib/links/keys/impersonation.test.ts",
      "lib/platform/codes/permutation.test.ts > reserved segments are reserved in any case",
      "lib/platform/http/front.contract.test.ts",
    ],
  },
  {
    name: "Another workspace's objects",
    inputs:
      "every operation, server action, download and stream with ids of another workspace, as its owner, a viewer, a removed member and an expired key",
    defence:
      "Every function on tenant data takes a scope; foreign objects are answered like missing ones",
    tests: [
      "app/api/walk.db.test.ts",
      "app/api/roles.db.test.ts",
      "app/actions.db.test.ts",
      "app/api/foreign-domains.db.test.ts",
      "lib/redirect/visits/isolation.db.test.ts",
      "lib/links/resolve-link/expansion.db.test.ts > a code of another domain",
      "lib/links/reading/exports.db.test.ts > links of another workspace",
    ],
  },
  {
    name: "Side doors to hidden folders",
    inputs:
      "expand, reuse, upsert, counts, cursors, bulk jobs, samples, results and stored files of imports",
    defence:
      "Only links that the caller may read are looked at; imports belong to their uploader and to admins",
    tests: [
      "lib/links/folders/hidden.db.test.ts",
      "lib/transfer/imports/passwords.db.test.ts",
      "lib/analytics/click-feed/live.db.test.ts > folders that a member may not see",
      "app/api/roles.db.test.ts > of a closed folder",
    ],
  },
  {
    name: "Accounts made before their owner comes",
    inputs:
      "sign-up with the address of another person, then keys, shares, invitations and a second factor",
    defence:
      "The first proof of the address ends all of it; where mail is configured, it cannot be made before",
    tests: ["lib/identity/first-proof/first-proof.db.test.ts"],
  },
  {
    name: "Rights that outlive their giver",
    inputs:
      "invitations and shares of admins who were demoted or removed, and their sessions and keys",
    defence: "They end with the role, and the role of the inviter is looked at again on acceptance",
    tests: [
      "lib/tenancy/members/rights.db.test.ts",
      "app/api/roles.db.test.ts > a removed member is refused",
    ],
  },
  {
    name: "Closed instances",
    inputs: "workspaces, invitations and second sign-ups by people who were invited once",
    defence: "Settings say who may create workspaces and invite; an invitation is used once",
    tests: ["lib/identity/auth/closed.db.test.ts"],
  },
  {
    name: "Lockout as a weapon",
    inputs:
      "wrong passwords and email requests for the account of another person, from many networks",
    defence:
      "Limits per account and network together, an allowance for known browsers, and an emailed link",
    tests: [
      "lib/identity/known-devices/lockout.db.test.ts",
      "lib/identity/known-devices/known-devices.test.ts",
    ],
  },
  {
    name: "A session in the wrong hands",
    inputs: "changing the address, setting a password and deleting an account that has no password",
    defence: "A password, or a sign-in of the last ten minutes",
    tests: ["lib/identity/accounts/presence.db.test.ts"],
  },
  {
    name: "Noisy neighbours",
    inputs: "a workspace and a key that store as many passwords as they can",
    defence: "Checks of visitors have threads of their own; hashing takes turns between workspaces",
    tests: [
      "lib/platform/passwords/fair-queue.test.ts",
      "lib/platform/passwords/passwords.test.ts",
    ],
  },
  {
    name: "API keys",
    inputs:
      "revoked, expired, guessed and foreign keys, keys that make or widen keys, other networks",
    defence:
      "Keys are stored as hashes, checked against the database within a second, and never manage keys",
    tests: [
      "lib/identity/api-keys/keys.db.test.ts",
      "lib/identity/api-keys/admission.db.test.ts",
      "app/api/live.db.test.ts > a stream ends when its key is revoked",
    ],
  },
  {
    name: "Guessing",
    inputs: "passwords of accounts, links and shares, second factors, email tokens, recovery codes",
    defence: "Limits per account and per network before the check, also without Redis",
    tests: [
      "lib/platform/limits/limits.db.test.ts",
      "lib/identity/auth/people.db.test.ts",
      "lib/identity/accounts/factor.db.test.ts > guessing codes stops",
      "lib/identity/accounts/accounts.db.test.ts > guessing tokens stops",
      "lib/redirect/visits/extras.db.test.ts > after ten wrong passwords",
      "lib/analytics/shares/shares.db.test.ts > accepts as many passwords",
    ],
  },
  {
    name: "Links with a password",
    inputs:
      "HEAD, previews, cards, the API, forged, foreign and expired grants, a changed password",
    defence:
      "The destination is in no answer before the password; grants are signed and belong to one link and password",
    tests: [
      "lib/redirect/visits/extras.db.test.ts",
      "lib/redirect/visits/grants.test.ts",
      "lib/redirect/visits/password.contract.test.ts",
      "lib/redirect/visits/preview.db.test.ts > a link with a password",
    ],
  },
  {
    name: "Enumeration",
    inputs: "many missing slugs from one network; missing, foreign and malformed ones compared",
    defence: "Misses are limited per network, existing links never; the answers are the same",
    tests: [
      "lib/redirect/visits/misses.db.test.ts",
      "lib/redirect/visits/misses.test.ts",
      "lib/redirect/visits/visit.db.test.ts > missing, foreign and malformed keys",
    ],
  },
  {
    name: "Markup and formulas in texts",
    inputs:
      "hostile referrers, user agents, titles, tags and file names in pages, emails and files",
    defence: "React and one escaping function; cells that begin like a formula are escaped",
    tests: [
      "lib/links/reading/exports.db.test.ts > no cell is a formula",
      "lib/tenancy/audit/audit.db.test.ts > no formula",
      "lib/analytics/shares/queries.test.ts > a formula",
      "lib/transfer/workspace-export/workspace-export.db.test.ts > no formula",
      "lib/platform/mail/mail.db.test.ts > names that people chose",
      "lib/analytics/ingest/hostile.db.test.ts",
    ],
  },
  {
    name: "Other sites in the browser",
    inputs:
      "sign-in sent by another site, frames, other hosts in callback addresses and forwarded headers",
    defence:
      "CSRF token, same-site cookies, a policy without inline scripts, frame-ancestors 'none'",
    tests: [
      "app/api/entry.contract.test.ts",
      "lib/platform/http/headers.test.ts",
      "lib/identity/sessions/sessions.db.test.ts > after signing in",
    ],
  },
  {
    name: "Proxy headers",
    inputs:
      "X-Forwarded-For, -Host and -Proto from clients and from proxies that are not configured",
    defence: "Believed only from FUXI_TRUSTED_PROXIES; nginx and Caddy run as the guide says",
    tests: ["lib/platform/http/proxy.test.ts", "e2e/chaos/proxies.chaos.test.ts"],
  },
  {
    name: "First run",
    inputs: "setting up twice, also at once, and after an owner exists",
    defence: "A lock in the database; the first account is the owner",
    tests: ["lib/identity/auth/people.db.test.ts > setting up the owner twice"],
  },
  {
    name: "Types and sizes",
    inputs:
      "arrays and objects for texts, __proto__, deep and huge JSON, huge and slow headers and bodies",
    defence: "Every input is parsed by a schema; the server has limits for time and size",
    tests: [
      "app/api/edges.db.test.ts",
      "app/api/fuzz.db.test.ts",
      "app/api/large-body.test.ts",
      "lib/platform/http/http.test.ts",
      "lib/platform/http/connection.contract.test.ts",
    ],
  },
  {
    name: "Counting",
    inputs: "parallel visits, bots, prefetch, malformed and huge headers, groups delivered twice",
    defence: "A group of clicks is written once with its id; limits are reserved in the database",
    tests: [
      "lib/analytics/ingest/ingest.db.test.ts",
      "e2e/chaos/limits.chaos.test.ts",
      "e2e/chaos/clicks.chaos.test.ts",
      "lib/links/creating/links.db.test.ts > one alias requested by 50 clients",
    ],
  },
  {
    name: "Outages",
    inputs:
      "Redis and PostgreSQL stopped, hanging and empty, a full stream and a full disk, kill -9",
    defence: "The stated answer meanwhile, and nothing lost afterwards",
    tests: [
      "e2e/chaos/faults.chaos.test.ts",
      "e2e/chaos/disk.chaos.test.ts",
      "e2e/chaos/pks.chaos.test.ts",
    ],
  },
  {
    name: "Secrets in answers",
    inputs: "failing requests with secrets in their errors; rows of the database",
    defence: "Errors are shown without details; tokens, keys and codes are stored as hashes",
    tests: [
      "app/api/errors.test.ts > an internal error is a 500 without details",
      "lib/identity/accounts/accounts.db.test.ts > the database stores no plain token",
      "lib/analytics/shares/shares.db.test.ts > stores no plain token",
      "lib/analytics/ingest/ingest.db.test.ts > no stored field contains an IP address",
    ],
  },
  {
    name: "Pages that cost too much",
    inputs:
      "thousands of query parameters, cookies and form fields, long paths and headers, many requests of one network",
    defence: "Limits at the front before a page is rendered; networks take turns",
    tests: [
      "lib/platform/http/page-gate.test.ts",
      "lib/platform/http/front.contract.test.ts > a page query of more than 100 parameters",
    ],
  },
  {
    name: "Borrowed trust",
    inputs:
      "frames, password and app pages on the host of the dashboard; URLs in names of people and workspaces",
    defence:
      "No frames on that host, a line that names the author, names in emails without anything that becomes a link",
    tests: [
      "lib/redirect/visits/redirecting.db.test.ts > on the host of the dashboard",
      "lib/platform/mail/mail.db.test.ts > becomes no link in an email",
    ],
  },
  {
    name: "Paths",
    inputs: "dot segments, escapes, double slashes and whole addresses in request lines",
    defence: "Refused or reduced once, before anything decides by the path",
    tests: [
      "lib/platform/http/front.contract.test.ts > is refused before anything reads it",
      "lib/platform/http/request-line.test.ts",
    ],
  },
  {
    name: "Operator endpoints",
    inputs:
      "/metrics, /status and certificate requests, from this machine, through proxies, with wrong tokens",
    defence: "A token on the public port, or a port on loopback",
    tests: [
      "lib/platform/http/operator.test.ts",
      "e2e/chaos/proxies.chaos.test.ts > is answered like a missing link",
    ],
  },
];
