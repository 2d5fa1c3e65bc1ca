"use client";

import { Download } from "lucide-react";
import { Button } from "./button.tsx";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "./menu.tsx";

/** Not translated, because all languages use the same names. */
export const formatNames = { csv: "CSV", xlsx: "Excel (.xlsx)", jsonl: "JSON Lines" };
type Format = keyof typeof formatNames;

interface ExportMenuProps {
  label: React.ReactNode;
  title?: string;
  icon?: React.ReactNode;
  className?: string;
  formats: readonly Format[];
  hrefOf: (format: Format) => string;
}

export function ExportMenu({ label, title, icon, className, formats, hrefOf }: ExportMenuProps) {
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button title={title} className={className}>
          {icon ?? <Download aria-hidden />}
          {label}
        </Button>
      </MenuTrigger>
      <MenuContent align="end">
        {formats.map((format) => (
          <MenuItem key={format} asChild>
            <a href={hrefOf(format)} download>
              {formatNames[format]}
            </a>
          </MenuItem>
        ))}
      </MenuContent>
    </Menu>
  );
}
