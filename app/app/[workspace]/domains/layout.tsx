import type { ReactNode } from "react";
import { Texts } from "../../../texts.tsx";

const texts = ["domainHealth", "domains", "named"];

export default function DomainsLayout({ children }: { children: ReactNode }) {
  return <Texts of={texts}>{children}</Texts>;
}
