/// <reference types="chrome" />
/** The entries of the context menu. They open the form in its own window; nothing is created before it is submitted. */
import { text } from "./texts.ts";

const web = ["https://*/*", "http://*/*"];
const size = { width: 400, height: 680 };

chrome.runtime.onInstalled.addListener(() => {
  // After an update, the entries of the previous version still exist.
  chrome.contextMenus.removeAll(() => {
    chrome.contextMenus.create({
      id: "page",
      title: text("shortenPage"),
      contexts: ["page"],
      documentUrlPatterns: web,
    });
    chrome.contextMenus.create({
      id: "link",
      title: text("shortenLink"),
      contexts: ["link"],
      targetUrlPatterns: web,
    });
  });
});

chrome.contextMenus.onClicked.addListener(({ linkUrl, pageUrl }, tab) => {
  // The title of a page does not describe a link on it.
  const title = linkUrl === undefined ? (tab?.title ?? "") : "";
  const page = new URLSearchParams({ url: linkUrl ?? pageUrl ?? "", title });
  void chrome.windows.create({ url: `popup.html?${page}`, type: "popup", ...size });
});
