"use client";

import { Search } from "lucide-react";
import { useTranslations } from "next-intl";
import { type FormEvent, useState, useTransition } from "react";
import { type FormAnswer, useAction } from "../forms/form.tsx";
import { Button } from "../ui/button.tsx";
import { Input } from "../ui/input.tsx";

interface ExactSearchProps<Thing> {
  messages: "contacts" | "customers" | "optOuts";
  inputMode?: "tel" | "text";
  search: (text: string) => Promise<FormAnswer<Thing | null>>;
  /** Called with undefined to show the list again. */
  onFound: (found: Thing | undefined) => void;
}

/** Finds one entry by personal data. Only whole values can be found, because a keyed hash of them is stored. */
export function ExactSearch<Thing>({
  messages,
  inputMode,
  search,
  onFound,
}: ExactSearchProps<Thing>) {
  const t = useTranslations(messages);
  const runAction = useAction();
  const [text, setText] = useState("");
  const [result, setResult] = useState<"found" | "missing">();
  const [pending, start] = useTransition();

  function submit(event: FormEvent) {
    event.preventDefault();
    if (text.trim() === "") return reset();
    start(async () => {
      const answer = await runAction(() => search(text.trim()));
      if (!answer) return;
      setResult(answer.done ? "found" : "missing");
      onFound(answer.done ?? undefined);
    });
  }

  function reset() {
    setText("");
    setResult(undefined);
    onFound(undefined);
  }

  return (
    <search className="mb-4 grid gap-2">
      <form onSubmit={submit} className="flex max-w-md gap-2">
        <Input
          aria-label={t("search")}
          placeholder={t("searchPlaceholder")}
          inputMode={inputMode ?? "text"}
          autoComplete="off"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Button type="submit" pending={pending} className="h-9 pointer-coarse:h-11">
          <Search aria-hidden />
          {t("find")}
        </Button>
        {result ? (
          <Button variant="ghost" onClick={reset} className="h-9 pointer-coarse:h-11">
            {t("showAll")}
          </Button>
        ) : null}
      </form>
      <p role="status" className="text-sm empty:hidden">
        {result ? t(result) : null}
      </p>
    </search>
  );
}
