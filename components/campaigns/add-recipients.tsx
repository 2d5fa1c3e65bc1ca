"use client";

import { ClipboardPaste, FileUp, Users } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId, useRef, useState, useTransition } from "react";
import { useAction } from "#components/forms/form";
import type { FileUpload } from "#components/forms/send-file.ts";
import { useFileDrop } from "#components/forms/use-file-drop.ts";
import { NameField } from "#components/links/name-field";
import type { NamedOption } from "#components/links/names.ts";
import { lazyPart } from "#components/messages/lazy-part";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { Choice } from "#components/ui/choice";
import { classNames } from "#components/ui/class-names.ts";
import { Progress } from "#components/ui/progress";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#components/ui/tabs";
import type { Audience, RecipientSource } from "#lib/outreach/sources/schema";
import { TextareaField } from "../ui/labeled.tsx";
import { sendRecipients } from "./source-calls.ts";
import type { SourcePartProps } from "./source-part.ts";

// Loaded on demand, with the messages of all problems that a file can have.
const UploadProblem = lazyPart(() =>
  import("./upload-problem.tsx").then((one) => one.UploadProblem),
);

interface AddRecipientsProps extends SourcePartProps {
  isOpen: boolean;
  text: string;
  onText: (text: string) => void;
  onAdded: (source: RecipientSource, isPasted: boolean) => void;
}

const ways = ["file", "paste", "campaign"] as const;
const icons = {
  file: <FileUp aria-hidden className="hidden sm:block" />,
  paste: <ClipboardPaste aria-hidden className="hidden sm:block" />,
  campaign: <Users aria-hidden className="hidden sm:block" />,
};

export function AddRecipients(props: AddRecipientsProps) {
  const { workspace, campaign, text, onText, onAdded } = props;
  const t = useTranslations("recipients");
  const upload = useUpload(workspace, campaign.id);
  const [opened, setOpened] = useState(false);
  const [way, setWay] = useState<string>("file");
  if (!props.isOpen && !opened && text === "") {
    return (
      <Button className="justify-self-start" onClick={() => setOpened(true)}>
        <FileUp aria-hidden />
        {t("addMore")}
      </Button>
    );
  }
  const close = () => setOpened(false);
  const names = campaign.columns.map(({ name }) => name);
  return (
    <Card
      heading={t("add")}
      note={names.length > 0 ? t("addNote", { columns: names.join(", ") }) : t("addNotePlain")}
      aside={opened && text === "" ? <Button onClick={close}>{t("close")}</Button> : null}
    >
      <Tabs value={way} onValueChange={setWay} className="grid gap-4">
        <TabsList aria-label={t("add")} className="justify-self-start max-w-full overflow-x-auto">
          {ways.map((one) => (
            <TabsTrigger key={one} value={one} className="whitespace-nowrap">
              {icons[one]}
              {t(`ways.${one}`)}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value="file">
          <FileDrop
            disabled={upload.sent !== undefined}
            onFile={(file) => upload.send(file, (source) => onAdded(source, false), close)}
          />
        </TabsContent>
        <TabsContent value="paste" className="grid gap-3">
          <PasteField text={text} onText={onText} columns={names} />
          <Button
            variant="solid"
            className="justify-self-start"
            disabled={text.trim() === ""}
            pending={upload.sent !== undefined}
            onClick={() =>
              upload.send(fileOf(text, t("pasted")), (source) => onAdded(source, true), close)
            }
          >
            {t("check")}
          </Button>
        </TabsContent>
        <TabsContent value="campaign">
          <AudiencePart
            {...props}
            onAdded={(source) => {
              onAdded(source, false);
              close();
            }}
          />
        </TabsContent>
      </Tabs>
      {upload.sent === undefined ? null : (
        <UploadProgress share={upload.sent} onStop={upload.abort} />
      )}
      {upload.error ? <UploadProblem error={upload.error} /> : null}
    </Card>
  );
}

/** The API only takes files, so pasted lines become one. */
function fileOf(text: string, name: string): File {
  return new File([text], name, { type: "text/csv" });
}

interface PasteFieldProps {
  text: string;
  onText: (text: string) => void;
  columns: readonly string[];
}

function PasteField({ text, onText, columns }: PasteFieldProps) {
  const t = useTranslations("recipients");
  return (
    <TextareaField
      label={t("paste")}
      hint={t("pasteHint")}
      rows={6}
      spellCheck={false}
      className="max-h-96 min-h-32 font-mono text-sm"
      placeholder={[t("phone"), ...columns].join(",")}
      value={text}
      onChange={({ target }) => onText(target.value)}
    />
  );
}

/** The upload may be complete while the server is still reading. */
function UploadProgress({ share, onStop }: { share: number; onStop: () => void }) {
  const t = useTranslations("recipients");
  const percent = `${Math.floor(share * 100)}%`;
  return (
    <div className="grid gap-2">
      <Progress
        label={share >= 1 ? t("reading") : t("sending", { percent })}
        share={share >= 1 ? undefined : share}
      />
      <Button className="justify-self-start" onClick={onStop}>
        {t("stop")}
      </Button>
    </div>
  );
}

const audiences = ["not_clicked", "clicked", "all"] as const satisfies readonly Audience[];

interface AudiencePartProps extends SourcePartProps {
  onAdded: (source: RecipientSource) => void;
}

function AudiencePart({ campaign, actions, onAdded }: AudiencePartProps) {
  const t = useTranslations("recipients");
  const runAction = useAction();
  const [chosen, setChosen] = useState<NamedOption>();
  const [audience, setAudience] = useState<Audience>("not_clicked");
  const [pending, start] = useTransition();
  const add = (campaignId: string) =>
    start(async () => {
      const answer = await runAction(() => actions.addAudience({ campaignId, audience }));
      if (answer) onAdded(answer.done);
    });
  return (
    <div className="grid max-w-xl gap-4">
      <NameField
        label={t("otherCampaign")}
        any={t("chooseCampaign")}
        chosen={chosen}
        read={async (search) =>
          (await actions.findCampaigns(search)).filter(({ id }) => id !== campaign.id)
        }
        onChoose={(id, named) => setChosen(id === "" ? undefined : named)}
      />
      <Choice
        label={t("audience")}
        hint={t("audienceHint")}
        name="audience"
        options={audiences.map((value) => ({ value, label: t(`audiences.${value}`) }))}
        value={audience}
        onValueChange={setAudience}
      />
      <Button
        variant="solid"
        className="justify-self-start"
        disabled={chosen === undefined}
        pending={pending}
        onClick={() => chosen && add(chosen.id)}
      >
        {t("takeAudience")}
      </Button>
    </div>
  );
}

function FileDrop({ disabled, onFile }: { disabled: boolean; onFile: (file: File) => void }) {
  const t = useTranslations("recipients");
  const hint = useId();
  const { area, field, isOver, choose } = useFileDrop({ disabled, onFile });
  return (
    <section
      aria-label={t("upload")}
      {...area}
      className={classNames(
        "grid justify-items-center gap-3 rounded-lg border border-line border-dashed px-4 py-8 text-center",
        isOver && "border-accent bg-hover",
      )}
    >
      <p className="font-medium text-sm">{t("dropHere")}</p>
      <p id={hint} className="max-w-md text-balance text-ink-muted text-sm">
        {t("uploadHint")}
      </p>
      <input {...field} aria-label={t("file")} aria-describedby={hint} />
      <Button variant="solid" disabled={disabled} onClick={choose}>
        {t("choose")}
      </Button>
    </section>
  );
}

function useUpload(workspace: string, campaignId: string) {
  const sending = useRef<FileUpload<RecipientSource>>(undefined);
  const [sent, setSent] = useState<number>();
  const [error, setError] = useState<Error>();
  function send(file: File, onAdded: (source: RecipientSource) => void, after: () => void) {
    setError(undefined);
    setSent(0);
    sending.current = sendRecipients({ workspace, campaignId, file }, setSent);
    sending.current.answer.then(
      (source) => {
        setSent(undefined);
        onAdded(source);
        after();
      },
      (failure: Error) => {
        setSent(undefined);
        setError(failure);
      },
    );
  }
  return { sent, error, send, abort: () => sending.current?.abort() };
}
