"use client";

import { ClipboardPaste, FileUp, Users } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { lazyPart } from "#components/messages/lazy-part";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { Progress } from "#components/ui/progress";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#components/ui/tabs";
import type { RecipientSource } from "#lib/outreach/sources/schema";
import { TextareaField } from "../ui/labeled.tsx";
import { AudiencePart } from "./audience-part.tsx";
import { FileDrop } from "./file-drop.tsx";
import type { SourcePartProps } from "./source-part.ts";
import { useUpload } from "./use-upload.ts";

// With the messages of all problems that a file can have.
const UploadProblem = lazyPart(() =>
  import("./upload-problem.tsx").then((one) => one.UploadProblem),
);

interface AddRecipientsProps extends SourcePartProps {
  /** There are no recipients: the form is open. */
  isOpen: boolean;
  /** Pasted lines. */
  text: string;
  onText: (text: string) => void;
  onAdded: (source: RecipientSource, isPasted: boolean) => void;
}

const ways = ["file", "paste", "campaign"] as const;
const icons = {
  file: <FileUp aria-hidden />,
  paste: <ClipboardPaste aria-hidden />,
  campaign: <Users aria-hidden />,
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
            <TabsTrigger key={one} value={one}>
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

/** Pasted lines are a file: the API knows no other. */
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

/** The upload may be complete while the server still reads. */
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
