"use client";

import { Trash2 } from "lucide-react";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState, useTransition } from "react";
import { useAction } from "#components/forms/form";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { Badge } from "#components/ui/badge";
import { Button } from "#components/ui/button";
import { Switch } from "#components/ui/switch";
import { nameCharsMax } from "#lib/links/saved-views/schema";
import { InputField } from "../ui/labeled.tsx";
import type { ViewsMenuProps } from "./views-menu.tsx";

interface ViewsListProps extends ViewsMenuProps {
  onOpened: () => void;
}

export function ViewsList({ views, actions, mayShare, params, onOpened }: ViewsListProps) {
  const t = useTranslations("savedViews");
  const path = usePathname();
  const runAction = useAction();
  const [pending, start] = useTransition();
  const remove = (id: string) =>
    start(async () => void (await runAction(() => actions.remove(id))));
  return (
    <>
      {views.length > 0 ? (
        <ul className="grid max-h-60 gap-1 overflow-y-auto">
          {views.map(({ id, name, search, shared, mayDelete }) => (
            <li key={id} className="flex items-center gap-2">
              <PrefetchLink
                href={search === "" ? path : `${path}?${search}`}
                onClick={onOpened}
                className="min-w-0 flex-1 truncate rounded-md px-2 py-1.5 text-sm hover:bg-hover"
              >
                {name}
              </PrefetchLink>
              {shared ? <Badge>{t("shared")}</Badge> : null}
              {mayDelete ? (
                <Button
                  variant="ghost"
                  size="icon"
                  aria-label={t("delete", { name })}
                  onClick={() => remove(id)}
                >
                  <Trash2 aria-hidden />
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-ink-muted text-sm">{t("none")}</p>
      )}
      <SaveForm actions={actions} mayShare={mayShare} params={params} pending={pending} />
    </>
  );
}

interface SaveFormProps extends Pick<ViewsMenuProps, "actions" | "mayShare" | "params"> {
  pending: boolean;
}

function SaveForm({ actions, mayShare, params, pending }: SaveFormProps) {
  const t = useTranslations("savedViews");
  const [name, setName] = useState("");
  const [shared, setShared] = useState(false);
  const [saving, start] = useTransition();
  const runAction = useAction();
  const save = () =>
    start(async () => {
      const view = { name, search: params.toString(), shared };
      const saved = await runAction(() => actions.create(view));
      if (saved) setName("");
    });
  return (
    <form
      className="grid gap-3 border-line border-t pt-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "") save();
      }}
    >
      <InputField
        label={t("name")}
        maxLength={nameCharsMax}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      {mayShare ? <Switch label={t("share")} checked={shared} onCheckedChange={setShared} /> : null}
      <Button type="submit" pending={saving || pending} disabled={name.trim() === ""}>
        {t("save")}
      </Button>
    </form>
  );
}
