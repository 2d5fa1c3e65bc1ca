export { type CompiledBranding, findBranding } from "./branding.ts";
export {
  escapeHtml,
  type Language,
  languageOf,
  pageHead,
  renderPage,
  userLinkNotice,
  visibleText,
} from "./document.ts";
export { rememberIcp, reportHtml, withIcp } from "./footer.ts";
export { outcomes } from "./outcomes.ts";
export { sendDocument, sendPage } from "./pages.ts";
