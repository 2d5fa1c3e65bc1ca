"use client";

import { Check, Copy } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Button } from "./button.tsx";
import { copyText } from "./clipboard.ts";
import { toast } from "./toast.tsx";
import { Tooltip } from "./tooltip.tsx";

const copiedMs = 1_500;

interface CopyButtonProps {
  text: string;
  label: string;
  children?: string;
  size?: "sm" | "md";
  className?: string;
  autoFocus?: boolean;
}

export function CopyButton(props: CopyButtonProps) {
  const { text, label, children, size = "md", className, autoFocus } = props;
  const t = useTranslations("common");
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), copiedMs);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    if (await copyText(text)) setCopied(true);
    else toast.error(t("copyFailed"));
  }

  const Icon = copied ? Check : Copy;
  const button = (
    <Button
      variant={children ? "outline" : "ghost"}
      size={children ? size : "icon"}
      aria-label={label}
      className={className}
      autoFocus={autoFocus}
      onClick={() => void copy()}
    >
      <Icon aria-hidden className={copied ? "text-accent" : ""} />
      {children}
    </Button>
  );
  return (
    <>
      {children ? button : <Tooltip content={copied ? t("copied") : label}>{button}</Tooltip>}
      <span role="status" className="sr-only">
        {copied ? t("copied") : ""}
      </span>
    </>
  );
}
