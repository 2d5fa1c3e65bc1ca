import { CircleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useTransition } from "react";
import { useAction } from "#components/forms/form";
import { CardTools } from "#components/named/card-manager";
import { Badge } from "#components/ui/badge";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { CopyButton } from "#components/ui/copy-button";
import { toast } from "#components/ui/toast";
import type { WechatAccount } from "#lib/audience/wechat-accounts/schema";
import type { WechatDomain } from "#lib/audience/wechat-domains/schema";
import type { WechatProblem } from "#lib/platform/wechat/schema";
import { AccountDomains, type DomainChanges } from "./account-domains.tsx";
import { WechatForm } from "./wechat-form.tsx";
import type { RefusedPage, WechatChanges } from "./wechat-manager.tsx";

interface WechatCardProps {
  account: WechatAccount;
  pages: readonly RefusedPage[];
  domains: readonly WechatDomain[];
  change: WechatChanges | null;
  domainChange: DomainChanges | null;
  onDelete: () => void;
}

export function WechatCard(props: WechatCardProps) {
  const { account, pages, domains, change, domainChange, onDelete } = props;
  const t = useTranslations("wechat");
  const { id, name, appId, kind, problem } = account;
  return (
    <Card heading={name} note={appId} aside={<Badge>{t(`kinds.${kind}`)}</Badge>}>
      {problem ? (
        <Problem problem={problem} label={t("problem")} text={t(`problems.${problem.code}`)} />
      ) : null}
      {pages.length > 0 ? (
        <ul aria-label={t("pages")} className="grid gap-1 text-sm">
          {pages.map(({ path, problem: code }) => (
            <Alert key={path}>
              <code className="break-all font-mono text-xs">{path}</code> {t(`problems.${code}`)}
            </Alert>
          ))}
        </ul>
      ) : null}
      {kind === "officialAccount" ? (
        <>
          <AccountDomains account={account} domains={domains} change={domainChange} />
          <UserInfo account={account} isCallback={domains.some(({ callback }) => callback)} />
        </>
      ) : null}
      {change ? (
        <div className="flex flex-wrap items-start gap-2">
          <CheckAccount name={name} check={() => change.check(id)} />
          <CardTools
            messages="wechat"
            name={account.name}
            form={(onDone) => (
              <WechatForm
                edited={account}
                save={(data) => change.edit(account.id, data)}
                onDone={onDone}
              />
            )}
            onDelete={onDelete}
          />
        </div>
      ) : null}
    </Card>
  );
}

function Alert({ children }: { children: ReactNode }) {
  return (
    <li className="flex gap-2 text-sm">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
      <span className="min-w-0 break-words">{children}</span>
    </li>
  );
}

/** What is missing before forms can ask for visitors’ WeChat accounts, and why the last code failed. */
function UserInfo({ account, isCallback }: { account: WechatAccount; isCallback: boolean }) {
  const t = useTranslations("wechat");
  const { userProblem, virtualUsers } = account;
  const isReady = isCallback && userProblem === null;
  return (
    <div className="grid gap-2">
      <h3 className="font-medium text-sm">{t("userInfo")}</h3>
      <p className="max-w-prose text-ink-muted text-sm">
        {t(isReady ? "userInfoReady" : "userInfoNeeds")}
      </p>
      {userProblem ? (
        <Problem
          problem={userProblem}
          label={t("userProblem")}
          text={t(`userProblems.${userTextOf(userProblem.code)}`)}
        />
      ) : null}
      {virtualUsers > 0 ? (
        <p className="text-ink-muted text-sm">{t("virtualUsers", { count: virtualUsers })}</p>
      ) : null}
    </div>
  );
}

interface ProblemProps {
  problem: NonNullable<WechatAccount["problem"]>;
  label: string;
  text: string;
}

const userTexts = ["secret", "appId", "address", "permission", "busy", "unreachable"] as const;

/** Codes that are not listed are about mini programs. */
function userTextOf(code: WechatProblem): (typeof userTexts)[number] | "refused" {
  return userTexts.find((one) => one === code) ?? "refused";
}

function Problem({ problem, label, text }: ProblemProps) {
  const t = useTranslations("wechat");
  const { code, errcode, address } = problem;
  return (
    <div className="grid gap-2">
      <ul aria-label={label}>
        <Alert>
          {text}
          {code === "refused" && errcode !== null
            ? ` ${t("errcode", { errcode: `${errcode}` })}`
            : null}
        </Alert>
      </ul>
      {address ? (
        <p className="flex items-center gap-2 text-sm">
          {t("address")}: <code className="break-all font-mono text-xs">{address}</code>
          <CopyButton text={address} label={t("copyAddress")} />
        </p>
      ) : null}
    </div>
  );
}

function CheckAccount({
  name,
  check,
}: {
  name: string;
  check: () => ReturnType<WechatChanges["check"]>;
}) {
  const t = useTranslations("wechat");
  const runAction = useAction();
  const [pending, start] = useTransition();
  const run = () =>
    start(async () => {
      const answer = await runAction(check);
      if (answer?.done.problem) toast.error(t("checkFailed", { name }));
      else if (answer) toast.success(t("checked", { name }));
    });
  return (
    <Button size="sm" pending={pending} aria-label={t("checkNamed", { name })} onClick={run}>
      {t("check")}
    </Button>
  );
}
