/** Secrets, people, sign-in and mail. */
import {
  address,
  email,
  hex,
  integer,
  longerThan,
  mailbox,
  oneOf,
  optional,
  secret,
  secrets,
  setting,
  text,
} from "../parsers.ts";
import { sessionBounds } from "../schema.ts";

const graceHoursMin = 1;
const graceHoursMax = 168;

export const peopleSettings = {
  FUXI_CODE_KEY: secret(
    setting(
      "Key for generating random slugs. Created once by npm start. Fuxi doesn’t start with a different key.",
      hex(16, 24, 32),
    ),
  ),
  FUXI_CODE_TWEAK: secret(setting("Tweak for FUXI_CODE_KEY.", hex(7, 8))),
  FUXI_SESSION_SECRET: secret(
    setting(
      "Signs sessions, and seals the keys and secrets in the database. Created once by npm start. To change it, see “Change the secret” in docs/operations/upgrade.md.",
      longerThan(32),
    ),
  ),
  FUXI_SESSION_SECRET_PREVIOUS: secret(
    setting(
      "Comma-separated earlier values of FUXI_SESSION_SECRET, until npm run fuxi -- secret reseal has replaced them in the database.",
      secrets,
      "",
    ),
  ),
  FUXI_OWNER_EMAIL: optional("Email address of the first account, for unattended setup.", email),
  FUXI_OWNER_PASSWORD: secret(
    optional("Password of the first account, for unattended setup.", longerThan(10)),
  ),
  FUXI_API_KEY: secret(
    optional(
      "API key with all scopes in the first workspace, for unattended setup.",
      longerThan(24),
    ),
  ),
  FUXI_DEMO: setting(
    "Workspace with example data. auto: the first start creates it for the first account, if npm start runs its own PostgreSQL. public: as auto, and everyone can look around in it without an account, but change nothing. off: none is created.",
    oneOf("auto", "public", "off"),
    "auto",
  ),
  FUXI_SIGNUP: setting(
    "open: anyone can sign up. closed: only the first account can sign up without an invitation.",
    oneOf("open", "closed"),
    "open",
  ),
  FUXI_WORKSPACES: optional(
    "Who may create workspaces. everyone: every account. administrators: only the administrators of this instance. Empty: everyone with FUXI_SIGNUP=open, administrators with FUXI_SIGNUP=closed.",
    oneOf("everyone", "administrators"),
  ),
  FUXI_INVITATIONS: setting(
    "Who may invite people. workspaces: owners and admins, each to their workspace. administrators: of these only the administrators of this instance.",
    oneOf("workspaces", "administrators"),
    "workspaces",
  ),
  FUXI_KEY_APPROVAL: setting(
    "on: new API keys work only after an administrator of this instance has approved them. Existing keys continue to work.",
    oneOf("on", "off"),
    "off",
  ),
  FUXI_SESSION_IDLE_MINUTES: setting(
    "Minutes of inactivity after which people have to sign in again. A workspace can set a shorter time.",
    integer(sessionBounds.idleMinutesMin, sessionBounds.idleMinutesMax),
    "20160",
  ),
  FUXI_SESSION_HOURS: setting(
    "Hours after which people have to sign in again, even if they are active. A workspace can set a shorter time.",
    integer(sessionBounds.hoursMin, sessionBounds.hoursMax),
    "720",
  ),
  FUXI_SMTP_URL: secret(
    optional(
      "Mail server, such as smtps://user:password@mail.example.com. Empty: emails are saved in the outbox folder of FUXI_DATA_DIR.",
      address("smtp", "smtps"),
    ),
  ),
  FUXI_MAIL_FROM: setting("Sender of emails.", mailbox, "Fuxi <fuxi@localhost>"),
  FUXI_GOOGLE_ID: optional("Google OAuth client ID, to sign in with Google.", text),
  FUXI_GOOGLE_SECRET: secret(optional("Google OAuth client secret.", text)),
  FUXI_GITHUB_ID: optional("GitHub OAuth client ID, to sign in with GitHub.", text),
  FUXI_GITHUB_SECRET: secret(optional("GitHub OAuth client secret.", text)),
  FUXI_OIDC_ISSUER: optional(
    "Issuer of an OpenID Connect provider at which everyone may sign in, such as https://login.example.com/realms/main. It may be in a private network. Workspaces add providers of their own in their settings.",
    address("http", "https"),
  ),
  FUXI_OIDC_CLIENT_ID: optional("Client ID at that provider.", text),
  FUXI_OIDC_CLIENT_SECRET: secret(optional("Client secret at that provider.", text)),
  FUXI_OIDC_NAME: setting("Name of that provider on the sign-in page.", text, "SSO"),
  FUXI_OIDC_GRACE_HOURS: setting(
    "Hours for which sessions of OpenID Connect stay open while their provider can’t be reached.",
    integer(graceHoursMin, graceHoursMax),
    "4",
  ),
};
