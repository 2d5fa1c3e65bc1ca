import type { ReactNode } from "react";
import { Texts } from "../../../texts.tsx";

const texts = [
  "imports",
  "importers",
  "linkForm.folderWords",
  "linkForm.tagWords",
  "listJob",
  "namePicker",
];

export default function ImportsLayout({ children }: { children: ReactNode }) {
  return <Texts of={texts}>{children}</Texts>;
}
