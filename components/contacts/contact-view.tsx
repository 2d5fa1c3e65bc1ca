"use client";

import { useFormatter, useTranslations } from "next-intl";
import type { FormAnswer } from "#components/forms/form";
import { withoutScheme } from "#components/links/names.ts";
import { PageHead } from "#components/shell/page-head";
import { Card } from "#components/ui/card";
import type { ContactAnswer, ContactDetails, ContactWechat } from "#lib/audience/contacts/schema";
import { EraseButton } from "../named/erase-button.tsx";
import { Detail } from "../ui/detail.tsx";
import { contactName } from "./contact-names.ts";

interface ContactViewProps {
  contact: ContactDetails;
  zone: string;
  path: string;
  erase: (() => Promise<FormAnswer<null>>) | null;
}

export function ContactView({ contact, zone, path, erase }: ContactViewProps) {
  const t = useTranslations("contacts");
  const name = contactName(contact);
  return (
    <>
      <PageHead heading={name}>
        {erase ? <EraseButton messages="contacts" name={name} erase={erase} path={path} /> : null}
      </PageHead>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid gap-4">
          <Card heading={t("answers")}>
            <ol className="grid gap-4">
              {contact.history.map((answer) => (
                <AnswerItem key={answer.at} answer={answer} zone={zone} />
              ))}
            </ol>
          </Card>
          <Card heading={t("visits")}>
            <Visits contact={contact} zone={zone} />
          </Card>
        </div>
        <div className="grid gap-4">
          <Card heading={t("details")}>
            <Details contact={contact} zone={zone} />
          </Card>
          {contact.wechat.map((user) => (
            <Card key={`${user.appId} ${user.openid}`} heading={t("wechat")}>
              <WechatUser user={user} zone={zone} />
            </Card>
          ))}
        </div>
      </div>
    </>
  );
}

function useMoment(zone: string) {
  const format = useFormatter();
  return (at: string) =>
    format.dateTime(new Date(at), { dateStyle: "medium", timeStyle: "short", timeZone: zone });
}

function AnswerItem({ answer, zone }: { answer: ContactAnswer; zone: string }) {
  const t = useTranslations("contacts");
  const moment = useMoment(zone);
  const { form, version, at, shortLink, given, consent, marketing } = answer;
  return (
    <li className="grid gap-1 border-line border-l-2 pl-3 text-sm">
      <span className="break-words font-medium">{t("answered", { form, version })}</span>
      <span className="text-ink-muted text-xs">
        <time dateTime={at}>{moment(at)}</time>
        {shortLink ? ` · ${withoutScheme(shortLink)}` : null}
      </span>
      {given.map(({ label, text }) => (
        <span key={label} className="break-words">
          {label}: <span className="font-medium">{text}</span>
        </span>
      ))}
      {consent === "" ? null : (
        <span className="break-words text-ink-muted">{t("agreed", { consent })}</span>
      )}
      <span className="text-ink-muted">{t(marketing ? "withMarketing" : "withoutMarketing")}</span>
    </li>
  );
}

function Visits({ contact, zone }: { contact: ContactDetails; zone: string }) {
  const t = useTranslations("contacts");
  const moment = useMoment(zone);
  if (contact.visits.length === 0) return <p className="text-ink-muted text-sm">{t("noVisits")}</p>;
  return (
    <ol className="grid gap-2 text-sm">
      {contact.visits.map(({ at, shortLink }) => (
        <li key={`${at} ${shortLink}`} className="flex flex-wrap justify-between gap-x-4">
          <span className="min-w-0 break-words font-medium">{withoutScheme(shortLink)}</span>
          <time dateTime={at} className="text-ink-muted">
            {moment(at)}
          </time>
        </li>
      ))}
    </ol>
  );
}

function Details({ contact, zone }: { contact: ContactDetails; zone: string }) {
  const t = useTranslations("contacts");
  const moment = useMoment(zone);
  const { phone, phoneConfirmed, email, name, country, marketing, createdAt } = contact;
  return (
    <dl className="grid gap-3 text-sm">
      <Detail name={t("name")}>{name}</Detail>
      <Detail name={t("phone")}>{phone}</Detail>
      {phone === null ? null : (
        <Detail name={t("confirmed")}>{t(phoneConfirmed ? "bySms" : "notConfirmed")}</Detail>
      )}
      <Detail name={t("email")}>{email}</Detail>
      <Detail name={t("country")}>{country}</Detail>
      <Detail name={t("marketing")}>{t(marketing ? "yes" : "no")}</Detail>
      <Detail name={t("since")}>{moment(createdAt)}</Detail>
    </dl>
  );
}

/** The picture is not shown here: WeChat would learn who looks at which contact, and when. */
function WechatUser({ user, zone }: { user: ContactWechat; zone: string }) {
  const t = useTranslations("contacts");
  const moment = useMoment(zone);
  const { nickname, openid, unionid, picture, appId, at } = user;
  return (
    <dl className="grid gap-3 text-sm">
      <Detail name={t("wechatName")}>{nickname}</Detail>
      <Detail name="openid">{openid}</Detail>
      <Detail name="unionid">{unionid}</Detail>
      <Detail name={t("wechatPicture")}>
        {picture === null ? null : (
          <a
            href={picture}
            target="_blank"
            rel="noopener noreferrer"
            className="rounded-xs text-accent underline underline-offset-2"
          >
            {t("openPicture")}
          </a>
        )}
      </Detail>
      <Detail name={t("wechatAccount")}>{appId}</Detail>
      <Detail name={t("wechatSince")}>{moment(at)}</Detail>
    </dl>
  );
}
