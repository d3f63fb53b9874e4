// Which page is shown, and the header.
import {get, hasToken, listen, setToken, Unanswered} from "./api.js";
import {empty, h, link} from "./dom.js";
import {comparePage} from "./compare.js";
import {orderPage, ordersPage} from "./orders.js";
import {runPage} from "./run.js";
import {runsPage} from "./runs.js";
import {servicePage} from "./service.js";
import {isChinese, setLanguage, t} from "./words.js";

const content = document.getElementById("content");
const pages = {runs: runsPage, run: runPage, compare: comparePage, orders: ordersPage, order: orderPage, service: servicePage};
let shown = null; // the page that is there: its place, and what it wants to be told

function place() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, ...rest] = (path || "runs").split("/");
  return {name: pages[name] ? name : "runs", rest: rest.map(decodeURIComponent), query: new URLSearchParams(query || "")};
}

/** Shows the page of the address. A page is put in at once when it is ready, so that nothing jumps. */
async function show({keepsScroll = false} = {}) {
  const at = place();
  shown?.stop.abort();
  const stop = new AbortController();
  at.signal = stop.signal;
  const current = shown = {at, stop, changed: null, resized: null, isThere: false, missed: false};
  at.onChange = tell => { current.changed = tell; };
  at.onResize = tell => { current.resized = tell; };
  at.again = () => show({keepsScroll: true});
  header(at);
  let page;
  try {
    page = await pages[at.name](at);
  } catch (error) {
    if (error.name === "AbortError" || stop.signal.aborted) return;
    page = failure(error);
  }
  if (stop.signal.aborted) return;
  const scroll = scrollY, focused = document.activeElement?.id;
  content.replaceChildren(page);
  if (keepsScroll) scrollTo(0, scroll);
  else scrollTo(0, 0);
  if (focused) document.getElementById(focused)?.focus();
  document.title = (at.rest[0] || t(at.name[0].toUpperCase() + at.name.slice(1))) + " · Tranche";
  document.documentElement.dataset.page = at.name;
  await at.ready?.();
  current.isThere = true;
  if (current.missed) changed(null);
}

/** Tells the page which runs have changed; null if any may have. What comes while a page is being made is told when it is there. */
function changed(ids) {
  if (shown?.isThere) shown.changed?.(ids);
  else if (shown) shown.missed = true;
}

function failure(error) {
  const again = h("button", {type: "button", onclick: () => show()}, t("Try again"));
  if (error instanceof Unanswered) {
    return h("div", {}, empty(t("The server does not answer"), t("It may have been stopped. The page goes on by itself when it is back.")), h("div", {class: "controls centre"}, again));
  }
  const ask = error.status === 401 ? h("button", {type: "button", onclick: askToken}, t("Token")) : null;
  return h("div", {}, empty(t("Something cannot be read"), error.message), h("div", {class: "controls centre"}, again, ask, link("runs", t("Back to the list"))));
}

function header(at) {
  document.documentElement.lang = isChinese() ? "zh" : "en";
  const tabs = [["runs", t("Runs")], ["compare", t("Compare")], ["orders", t("Orders")], ["service", t("Service")]];
  const own = {run: "runs", order: "orders"}[at.name] || at.name;
  const nav = document.querySelector(".tabs");
  nav.setAttribute("aria-label", t("Runs"));
  nav.replaceChildren(...tabs.map(([name, text]) => h("a", {href: "#/" + name, "aria-current": own === name ? "page" : null}, text)));
  document.querySelector(".skip").textContent = t("Skip to content");
  const language = document.querySelector(".language");
  language.textContent = isChinese() ? "English" : "中文";
  language.lang = isChinese() ? "en" : "zh";
  const key = document.querySelector(".key");
  key.textContent = t("Token");
  key.classList.toggle("held", hasToken());
  live();
}

let isLive = false;
function live() {
  const light = document.querySelector(".live");
  light.textContent = t(isLive ? "live" : "not connected");
  light.classList.toggle("on", isLive);
}

export function askToken() {
  const field = h("input", {type: "password", id: "token", autocomplete: "off"});
  const dialog = h("dialog", {"aria-labelledby": "token-title"}, h("form", {method: "dialog", onsubmit: () => { setToken(field.value.trim()); show({keepsScroll: true}); }},
    h("h2", {id: "token-title"}, t("Token of the dashboard")),
    h("p", {class: "note"}, t("The token that the dashboard was started with; it is kept until this tab is closed.")),
    h("label", {for: "token"}, t("Token")), field,
    h("div", {class: "controls"}, h("button", {type: "submit", class: "main"}, t("Save")), h("button", {type: "button", onclick: () => dialog.close()}, t("Cancel")))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

document.querySelector(".key").addEventListener("click", askToken);
document.querySelector(".language").addEventListener("click", () => {
  setLanguage(isChinese() ? "en" : "zh");
  show({keepsScroll: true});
});
document.querySelector(".skip").addEventListener("click", event => {
  event.preventDefault();
  content.focus();
});
addEventListener("hashchange", () => show());
let width = innerWidth;
addEventListener("resize", () => {
  if (innerWidth !== width) {
    width = innerWidth;
    shown?.resized?.();
  }
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => shown?.resized?.());

await show();
listen(message => {
  document.documentElement.dataset.heard = String(Number(document.documentElement.dataset.heard || 0) + 1);
  changed(message.changed || []);
}, connected => {
  const back = connected && !isLive && document.documentElement.dataset.lost;
  isLive = connected;
  if (!connected) document.documentElement.dataset.lost = "1";
  live();
  if (back) show({keepsScroll: true});
  else if (connected) changed(null);
});
