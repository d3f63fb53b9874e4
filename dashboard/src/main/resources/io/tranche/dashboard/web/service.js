// A decision service: latency, fallbacks, limits, drift, orders, switches.
import {get} from "./api.js";
import {bps, count, empty, h, interval, link, problem, section, table, value, words} from "./dom.js";
import {t} from "./words.js";

const {number} = TrancheCharts;
const seconds = each => each == null ? "> 10 s" : each === 0 ? "–" : each < 1e-3 ? "≤ " + number(each * 1e6, 0) + " µs" : each < 1 ? "≤ " + number(each * 1e3, 1) + " ms" : "≤ " + number(each, 1) + " s";
const EVERY = 2000;

export async function servicePage(at) {
  const body = h("div", {id: "service"});
  const first = await load(at, body);
  if (first?.missing) {
    return h("div", {}, empty(t("No service"), t("This dashboard was started without a service. Start it with:"), "tranche dashboard --service http://127.0.0.1:8700 --service-token-file FILE"));
  }
  const timer = setInterval(() => load(at, body), EVERY);
  at.signal.addEventListener("abort", () => clearInterval(timer));
  return h("div", {}, h("div", {class: "title"}, h("h1", {}, t("Service")), h("span", {class: "note path"}, first?.url || "")), body);
}

let open = null; // the order whose children are shown

async function load(at, body) {
  let service, children = null;
  try {
    service = await get("service", {}, at.signal);
    if (service.missing) return service;
    if (open && service.orders.some(order => order.id === open)) children = await get("service/order", {id: open}, at.signal).catch(() => null);
  } catch (error) {
    if (error.name !== "AbortError") body.replaceChildren(problem(error.message));
    return null;
  }
  if (at.signal.aborted) return null;
  const focused = document.activeElement?.id;
  body.replaceChildren(...view(service, children, () => load(at, body)));
  if (focused) document.getElementById(focused)?.focus();
  return service;
}

const total = rows => rows.reduce((sum, row) => sum + row.count, 0);

function view(service, children, again) {
  const decisions = total(service.decisions), fallbacks = total(service.fallbacks);
  const latency = service.latency[0];
  const isOpen = order => !/^(done|filled|cancelled|expired)$/i.test(order.status);
  const orders = service.orders.filter(isOpen);
  const off = service.switches.off ?? service.switches.switches ?? [];
  const fact = (name, text, detail) => h("div", {}, h("dt", {}, name), h("dd", {}, h("b", {}, text), h("span", {}, detail || "")));
  return [
    h("dl", {class: "facts"},
      fact(t("Decisions "), count(decisions), service.decisions.map(each => `${words(each.name)} ${count(each.count)}`).join(", ")),
      fact(t("Latency"), seconds(latency.median), "99 %: " + seconds(latency.p99)),
      fact(t("Fallbacks to TWAP"), count(fallbacks), decisions ? number(100 * fallbacks / decisions, 2) + " %" : ""),
      fact(t("Limits hit"), count(service.limited)),
      fact(t("Open orders"), count(orders.length)),
      fact(t("Drift"), count(service.driftAlarms))),
    service.diagnoses.length ? section(t("Symptom"), table([
      {name: t("Symptom"), cell: each => each.name}, {name: t("What was seen"), cell: each => each.symptom}, {name: t("Likely cause"), cell: each => each.cause}, {name: t("What helps"), cell: each => each.cure},
    ], service.diagnoses, {label: t("Symptom")})) : null,
    section(t("Switches"), off.length ? table([
      {name: t("Scope"), cell: each => words(each.scope)}, {name: t("Name"), cell: each => each.name ?? "–"}, {name: t("State "), cell: () => h("span", {class: "badge broken"}, t("off"))},
    ], off, {label: t("Switches")}) : h("p", {class: "note"}, t("Everything is switched on."))),
    section(t("Latency"), table([
      {name: t("Name"), cell: each => each.name}, {name: t("median"), number: true, cell: each => seconds(each.median)},
      {name: "99 %", number: true, cell: each => seconds(each.p99)}, {name: t("Reached"), number: true, cell: each => count(each.count)},
    ], service.latency, {label: t("Latency")})),
    section(t("Fallbacks to TWAP"), table([
      {name: t("Reason"), cell: each => words(each.name)}, {name: t("Reached"), number: true, cell: each => count(each.count)},
    ], service.fallbacks, {label: t("Fallbacks to TWAP")})),
    service.comparison.length > 1 ? section(t("Canary against default"),
      h("p", {class: "note"}, t("Prices of orders of the same instrument, day and side, in basis points; positive is better than the model with most orders.")), table([
        {name: t("Model"), cell: each => each.model}, {name: t("Orders "), number: true, cell: each => count(each.orders)},
        {name: t("Mean, bps"), number: true, cell: each => each.difference ? bps(each.difference.meanBps) : "–"},
        {name: t("95 % interval"), number: true, cell: each => interval(each.difference)},
      ], service.comparison, {label: t("Canary against default")})) : null,
    service.drift.length ? section(t("Drift"), table([
      {name: t("Model"), cell: each => each.model}, {name: "σ", number: true, cell: each => value(each.features)},
      {name: "PSI", number: true, cell: each => value(each.feature_index)}, {name: "PSI, " + t("Action"), number: true, cell: each => value(each.actions)},
    ], service.drift, {label: t("Drift")})) : null,
    section(t("Open orders"), orders.length ? table([
      {name: t("Order"), cell: order => h("button", {type: "button", class: "sort link", id: "order-" + order.id, "aria-expanded": String(open === order.id),
        onclick: () => { open = open === order.id ? null : order.id; again(); }}, order.id)},
      {name: t("Instrument"), cell: order => order.instrument}, {name: t("Side"), cell: order => t(String(order.side).toUpperCase())},
      {name: t("Amount"), number: true, cell: order => count(order.amount)}, {name: t("Filled"), number: true, cell: order => count(order.filled)},
      {name: t("Remaining"), number: true, cell: order => count(order.remaining)}, {name: t("Paid"), number: true, cell: order => number(order.average_price, 4)},
      {name: t("Model"), cell: order => order.model}, {name: t("State "), cell: order => words(String(order.status))},
    ], orders, {label: t("Open orders")}) : h("p", {class: "note"}, t("There are no open orders.")),
    children ? [h("h3", {}, t("Children"), ": ", open), table([
      {name: t("Step"), number: true, cell: child => child.step}, {name: t("Volume"), number: true, cell: child => count(child.volume)},
      {name: t("Filled"), number: true, cell: child => count(child.filled)}, {name: t("State "), cell: child => words(String(child.phase))},
      {name: t("Reason"), cell: child => [words(String(child.source)), child.limited ? " · " + child.limited : ""]},
    ], children.children, {label: t("Children")})] : null),
    service.limits?.length ? section(t("Limits"), h("pre", {tabindex: 0}, service.limits.map(each => JSON.stringify(each)).join("\n"))) : null,
    section(t("Models"), table([
      {name: t("Model"), cell: each => each.name}, {name: t("Step"), number: true, cell: each => each.max_steps ?? each.maxSteps ?? "–"},
    ], service.models || [], {label: t("Models")})),
  ].flat().filter(Boolean);
}
