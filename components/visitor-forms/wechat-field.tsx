"use client";

import { useTranslations } from "next-intl";
import { LockNote, useLocked } from "#components/plans/locked";
import { Choice } from "#components/ui/choice";
import type { FieldDraft } from "./form-draft.ts";

/** The domains where forms can ask for a visitor’s WeChat account. */
export interface WechatDomains {
  /** Callback domains; null if this member may not see them. */
  domains: readonly string[] | null;
  settingsPath: string;
}

interface WechatFieldProps {
  profile: boolean;
  change: (changes: Partial<FieldDraft>) => void;
  wechat: WechatDomains;
}

/** Chooses what visitors share of their WeChat account, and shows where they are asked and what they see. */
export function WechatField({ profile, change, wechat }: WechatFieldProps) {
  const t = useTranslations("forms.wechat");
  const isLocked = useLocked("wechatUserInfo");
  return (
    <>
      <Choice
        label={t("share")}
        hint={t(profile ? "profileHint" : "openidHint")}
        name="wechat-share"
        disabled={isLocked}
        options={[
          { value: "profile", label: t("profile") },
          { value: "openid", label: t("openid") },
        ]}
        value={profile ? "profile" : "openid"}
        onValueChange={(value) => change({ profile: value === "profile" })}
      />
      <div className="grid gap-1 text-ink-muted text-sm">
        {isLocked ? (
          <p>
            <LockNote text="removable" />
          </p>
        ) : null}
        <p>{t("optional")}</p>
        <p>{t("where")}</p>
        <Domains {...wechat} />
      </div>
      <Preview profile={profile} />
    </>
  );
}

function Domains({ domains, settingsPath }: WechatDomains) {
  const t = useTranslations("forms.wechat");
  if (domains === null) return null;
  if (domains.length > 0) return <p>{t("domains", { domains: domains.join(", ") })}</p>;
  return (
    <p>
      {t("noDomain")}{" "}
      <a
        href={settingsPath}
        target="_blank"
        rel="noreferrer"
        className="rounded-xs text-ink underline underline-offset-2"
      >
        {t("settings")}
      </a>
    </p>
  );
}

/** The buttons that visitors see. Only a picture, so nothing in it can be pressed. */
function Preview({ profile }: { profile: boolean }) {
  const t = useTranslations("forms.wechat");
  const kind = profile ? "profile" : "openid";
  return (
    <figure className="grid gap-2">
      <figcaption className="font-medium text-sm">{t("preview")}</figcaption>
      <div className="grid max-w-72 gap-2 rounded-lg border border-line bg-sunken p-3 text-center text-sm">
        <p className="text-left text-ink-muted text-xs">{t(`shown.${kind}Note`)}</p>
        <p className="rounded-md bg-ink px-3 py-2 font-medium text-canvas">{t(`shown.${kind}`)}</p>
        <p className="rounded-md border border-line-strong px-3 py-2 font-medium">
          {t("shown.without")}
        </p>
      </div>
    </figure>
  );
}
