"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useTransition } from "react";
import { ConfirmButton } from "#components/ui/confirm-dialog";
import { type FormAnswer, useAction } from "../forms/form.tsx";
import { toast } from "../ui/toast.tsx";

interface EraseButtonProps {
  messages: "contacts" | "customers";
  name: string;
  erase: () => Promise<FormAnswer<null>>;
  path: string;
}

export function EraseButton({ messages, name, erase, path }: EraseButtonProps) {
  const t = useTranslations(messages);
  const router = useRouter();
  const runAction = useAction();
  const [pending, start] = useTransition();
  const confirm = () =>
    start(async () => {
      if (!(await runAction(erase, t("notErased", { name })))) return;
      toast.success(t("erased", { name }));
      router.replace(path);
    });
  return (
    <ConfirmButton
      className="text-danger"
      pending={pending}
      title={t("eraseTitle", { name })}
      question={t("eraseText")}
      action={t("eraseAction")}
      onConfirm={confirm}
    >
      {t("erase")}
    </ConfirmButton>
  );
}
