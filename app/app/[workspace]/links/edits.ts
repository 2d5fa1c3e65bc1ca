import type { LinkEdits } from "#components/links/editor-drawer";
import { editLinkAction, undoEditAction } from "./actions.ts";

export function editsOf(workspace: string): LinkEdits {
  return {
    save: editLinkAction.bind(null, workspace),
    undo: undoEditAction.bind(null, workspace),
  };
}
