import type { ReactNode } from "react";
import { Texts } from "../../../texts.tsx";

const texts = ["folders", "named"];

export default function FoldersLayout({ children }: { children: ReactNode }) {
  return <Texts of={texts}>{children}</Texts>;
}
