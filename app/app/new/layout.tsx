import type { ReactNode } from "react";
import { Texts } from "../../texts.tsx";

const texts = ["announcements", "languages", "themes", "workspaces"];

export default function NewWorkspaceLayout({ children }: { children: ReactNode }) {
  return <Texts of={texts}>{children}</Texts>;
}
