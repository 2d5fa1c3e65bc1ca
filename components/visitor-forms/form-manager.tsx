"use client";

import { ClipboardList } from "lucide-react";
import { useTranslations } from "next-intl";
import { type NamedActions, NamedManager } from "#components/named/named-manager";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { Badge } from "#components/ui/badge";
import type { Form } from "#lib/audience/forms/schema";
import { EditorFields } from "./form-fields.tsx";
import type { GatewayChoice } from "./phone-confirmation.tsx";
import type { WechatDomains } from "./wechat-field.tsx";

interface FormManagerProps {
  forms: readonly Form[];
  /** That can send codes. */
  gateways: readonly GatewayChoice[];
  wechat: WechatDomains;
  /** Of the contacts; null: may not see them. */
  contactsPath: string | null;
  /** Null: read-only. */
  actions: NamedActions | null;
}

/** The forms of a workspace. */
export function FormManager(props: FormManagerProps) {
  const { forms, gateways, wechat, contactsPath, actions } = props;
  const t = useTranslations("forms");
  return (
    <NamedManager
      messages="forms"
      icon={<ClipboardList aria-hidden />}
      things={forms}
      columns={[
        {
          heading: t("name"),
          cellClass: "max-w-32 truncate font-medium sm:max-w-60",
          cell: ({ name }) => name,
        },
        {
          heading: t("fields"),
          className: "hidden md:table-cell",
          cellClass: "max-w-72 truncate text-ink-muted",
          cell: ({ fields }) => fields.map(({ type }) => t(`types.${type}`)).join(" · "),
        },
        {
          heading: t("state"),
          cell: ({ published }) =>
            published ? (
              <Badge tone="success">{t("isPublished")}</Badge>
            ) : (
              <Badge>{t("isDraft")}</Badge>
            ),
        },
        ...(contactsPath === null
          ? []
          : [
              {
                heading: t("contacts"),
                cell: ({ id, name }: Form) => (
                  <PrefetchLink
                    href={`${contactsPath}?form=${id}`}
                    className="text-accent underline"
                  >
                    {t("showContacts")}
                    <span className="sr-only"> {name}</span>
                  </PrefetchLink>
                ),
              },
            ]),
      ]}
      loss={() => t("deleteText")}
      nameHint={t("nameHint")}
      fields={(edited, { errorOf }) => (
        <EditorFields edited={edited} gateways={gateways} wechat={wechat} errorOf={errorOf} />
      )}
      actions={actions}
      capability="forms"
    />
  );
}
