"use client";

import { Eye, EyeOff } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useDeferredValue, useState } from "react";
import { type FormAction, useForm } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { DialogActions, DialogClose } from "#components/ui/dialog";
import { FormError } from "#components/ui/form-error";
import { Switch } from "#components/ui/switch";
import { useIsWide } from "#components/ui/use-wide.ts";
import type { Link } from "#lib/links/fields/schema";
import { utmNames, utmOf, withParameters } from "#lib/links/utm/schema";
import { InputField, TextareaField } from "../ui/labeled.tsx";
import { CollapsiblePart, type Controls, type PartProps, TextField } from "./form-fields.tsx";
import { ImageField } from "./image-field.tsx";
import { KeyField } from "./key-field.tsx";
import { PasswordPart, SchedulePart } from "./limit-parts.tsx";
import type { LinkDraft } from "./link-draft.ts";
import { LinkPreview } from "./link-preview.tsx";
import { DeveloperPart, MorePart } from "./more-part.tsx";
import { RulesPart } from "./rules-part.tsx";
import { FolderField, TagsField } from "./tag-folder-fields.tsx";
import { TestPart } from "./test-part.tsx";
import { submitOnEnter, UrlField } from "./url-field.tsx";
import { useSuggestion } from "./use-suggestion.ts";
import { UtmBar } from "./utm-bar.tsx";

type FormLink = Pick<Link, "id" | "key" | "clicks" | "qr" | "qrCode" | "password">;

interface LinkFormProps<Done> {
  workspace: string;
  hosts: readonly string[];
  draft: LinkDraft;
  change: (changes: Partial<LinkDraft>) => void;
  body: Record<string, unknown>;
  link?: FormLink;
  notice?: ReactNode;
  /** Canceling discards the draft; closing the form does not. */
  onDiscard: () => void;
  action: FormAction<Done>;
  onDone: (done: Done) => void;
}

/** All fields of a link next to a preview. On a phone, a button opens the preview. */
export function LinkForm<Done>(props: LinkFormProps<Done>) {
  const { draft, body, link, notice, onDiscard, action, onDone } = props;
  const t = useTranslations("linkForm");
  const common = useTranslations("common");
  const { form, pending, error, errorOf } = useForm(action, onDone, { values: body });
  const page = useSuggestion(props);
  const isWide = useIsWide();
  const [previewed, setPreviewed] = useState(false);
  // The first paint shows what most links need. Everything that takes longer to render follows right after.
  const isPainted = useDeferredValue(true, false);
  const preview = isPainted ? <LinkPreview draft={draft} page={page} link={link} /> : null;
  const Icon = previewed ? EyeOff : Eye;
  return (
    <form {...form} onKeyDown={submitOnEnter} className="gap-4">
      <input type="hidden" name="id" value={link?.id ?? ""} />
      <input type="hidden" name="link" value={JSON.stringify(body)} />
      {notice}
      <FormError>{error}</FormError>
      <div className="grid gap-8 min-[1100px]:grid-cols-[minmax(0,1fr)_22rem]">
        <LinkFields {...props} errorOf={errorOf} isWhole={isPainted} />
        {isWide ? <div className="sticky top-0 self-start">{preview}</div> : null}
      </div>
      <div data-actions>
        {previewed && !isWide ? (
          <div className="max-h-[60dvh] overflow-y-auto py-2">{preview}</div>
        ) : null}
        <DialogActions>
          {isWide ? null : (
            <Button
              variant="ghost"
              className="mr-auto"
              aria-expanded={previewed}
              onClick={() => setPreviewed(!previewed)}
            >
              <Icon aria-hidden />
              {t("preview.label")}
            </Button>
          )}
          <DialogClose asChild>
            <Button onClick={onDiscard}>{common("cancel")}</Button>
          </DialogClose>
          <Button type="submit" variant="solid" pending={pending} aria-keyshortcuts="Control+Enter">
            {link ? common("save") : t("create")}
          </Button>
        </DialogActions>
      </div>
    </form>
  );
}

interface LinkFieldsProps extends PartProps {
  workspace: string;
  hosts: readonly string[];
  link?: FormLink;
  isWhole: boolean;
}

function useBaseControls(props: LinkFieldsProps): Controls<"base"> {
  const { workspace, draft, change, errorOf } = props;
  const part = { draft, change, errorOf };
  const t = useTranslations("linkForm");
  const common = useTranslations("common");
  return {
    title: <TextField {...part} name="title" label={t("title")} optional={common("optional")} />,
    folderId: (
      <FolderField
        workspace={workspace}
        folderId={draft.folderId}
        onFolderId={(folderId) => change({ folderId })}
        error={errorOf("folderId")}
      />
    ),
    comments: <CommentsField {...part} />,
    archived: (
      <Switch
        label={t("archived")}
        hint={t("archivedHint")}
        checked={draft.archived}
        onCheckedChange={(archived) => change({ archived })}
      />
    ),
  };
}

function LinkFields(props: LinkFieldsProps) {
  const { workspace, hosts, draft, change, errorOf, link, isWhole } = props;
  const t = useTranslations("linkForm");
  const common = useTranslations("common");
  const part = { draft, change, errorOf };
  const controls = useBaseControls(props);
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <UrlField {...part} hosts={hosts} isNew={!link} />
      <KeyField
        workspace={workspace}
        hosts={hosts}
        host={draft.domain}
        value={draft.key}
        error={errorOf("key") ?? errorOf("domain")}
        hint={t(link ? "keyEditHint" : "keyHint")}
        onHost={(domain) => change({ domain })}
        onValue={(key) => change({ key })}
        {...(link ? { own: link } : { optional: common("optional") })}
      />
      {controls.title}
      <TagsField
        workspace={workspace}
        tagIds={draft.tagIds}
        onTagIds={(tagIds) => change({ tagIds })}
        error={errorOf("tagIds")}
      />
      {controls.folderId}
      {controls.comments}
      {isWhole ? (
        <div>
          <RareParts {...props} />
          {link ? <div className="border-line border-t py-3">{controls.archived}</div> : null}
        </div>
      ) : null}
    </div>
  );
}

function RareParts({ workspace, draft, change, errorOf, link }: LinkFieldsProps) {
  const part = { draft, change, errorOf };
  return (
    <>
      <UtmPart {...part} workspace={workspace} isNew={!link} />
      <PasswordPart {...part} isSet={(link?.password ?? null) !== null} />
      <SchedulePart {...part} linkId={link?.id ?? ""} />
      <RulesPart {...part} workspace={workspace} />
      <TestPart {...part} />
      <CardPart {...part} workspace={workspace} />
      <MorePart {...part} workspace={workspace} />
      <DeveloperPart {...part} isNew={!link} />
    </>
  );
}

function CommentsField({ draft, change, errorOf }: PartProps) {
  const t = useTranslations("linkForm");
  const common = useTranslations("common");
  return (
    <TextareaField
      label={t("comments")}
      optional={common("optional")}
      hint={t("commentsHint")}
      error={errorOf("comments")}
      rows={1}
      className="min-h-9"
      value={draft.comments}
      onChange={({ target }) => change({ comments: target.value })}
    />
  );
}

function CardPart({ workspace, ...part }: PartProps & { workspace: string }) {
  const { draft, change, errorOf } = part;
  const t = useTranslations("linkForm.card");
  const controls: Controls<"card"> = {
    description: (
      <TextareaField
        label={t("description")}
        error={errorOf("description")}
        rows={2}
        value={draft.description}
        onChange={({ target }) => change({ description: target.value })}
      />
    ),
    image: <ImageField {...part} workspace={workspace} />,
    video: (
      <TextField {...part} name="video" inputMode="url" label={t("video")} placeholder="https://" />
    ),
  };
  return (
    <CollapsiblePart {...part} part="card" label={t("label")} hint={t("hint")}>
      <TextField {...part} name="title" label={t("title")} hint={t("titleHint")} />
      {controls.description}
      {controls.image}
      {controls.video}
    </CollapsiblePart>
  );
}

interface UtmPartProps extends PartProps {
  workspace: string;
  isNew: boolean;
}

/** UTM parameters are only stored in the URL, so the fields and the URL update each other. */
function UtmPart({ workspace, isNew, draft, change, errorOf }: UtmPartProps) {
  const t = useTranslations("linkForm.utm");
  const utm = utmOf(draft.url);
  return (
    <CollapsiblePart
      part="utm"
      draft={draft}
      change={change}
      capability={isNew ? undefined : "destinationEdits"}
      label={t("label")}
      hint={t("hint")}
    >
      <UtmBar workspace={workspace} url={draft.url} onUrl={(url) => change({ url })} />
      <div className="grid gap-3 sm:grid-cols-2">
        {utmNames.map((name) => (
          <InputField
            key={name}
            label={t(name)}
            error={errorOf(name)}
            autoComplete="off"
            disabled={draft.url.trim() === ""}
            placeholder={t(`${name}_example`)}
            value={utm[name] ?? ""}
            onChange={({ target }) =>
              change({ url: withParameters(draft.url, { [name]: target.value }, "drop") })
            }
          />
        ))}
      </div>
    </CollapsiblePart>
  );
}
