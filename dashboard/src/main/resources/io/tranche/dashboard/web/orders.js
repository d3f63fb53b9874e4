// The explorer of judged orders: a list that the server sorts and pages, and one order step by step.
import {get} from "./api.js";
import {bps, count, empty, h, link, percent, runLink, section, table} from "./dom.js";
import {t} from "./words.js";

const {large, number} = TrancheCharts;
const PAGE = 50;

export async function ordersPage(at) {
  const id = at.rest[0];
  if (id == null) return chooseRun(at);
  const wish = {sort: at.query.get("sort") || "net", down: at.query.get("down") ?? "1", instrument: at.query.get("instrument"), day: at.query.get("day"),
    side: at.query.get("side"), least: at.query.get("least"), most: at.query.get("most"), recorded: at.query.get("recorded"), offset: Number(at.query.get("offset") || 0)};
  const answer = await get("orders", {run: id, ...wish, limit: PAGE}, at.signal);
  const title = h("div", {class: "title"}, h("h1", {}, t("Orders")), h("span", {class: "note"}, runLink(id)));
  if (answer.missing) {
    return h("div", {}, title, empty(t("No record of orders"), t("This run was judged without a record. This command makes one:"), "tranche judge RUN --record 100"));
  }
  const go = changes => {
    const next = {...wish, offset: 0, ...changes};
    const query = new URLSearchParams();
    for (const [name, each] of Object.entries(next)) if (each != null && each !== "" && !(name === "offset" && !each)) query.set(name, each);
    location.hash = "/orders/" + encodeURIComponent(id) + "?" + query;
  };
  const field = (name, label, attributes) => h("label", {class: "field"}, h("span", {}, label), h("input", {...attributes, id: "field-" + name, value: wish[name] ?? "",
    onchange: event => go({[name]: event.target.value})}));
  const column = (sort, name, cell) => ({name, number: true, cell, sorted: wish.sort === sort ? (wish.down === "1" ? "descending" : "ascending") : null,
    sort: () => go({sort, down: wish.sort === sort && wish.down === "1" ? "0" : "1"})});
  const last = Math.min(answer.found, wish.offset + PAGE);
  return h("div", {}, title,
    h("form", {class: "controls fields", onsubmit: event => event.preventDefault()},
      field("instrument", t("Instrument"), {type: "search"}),
      field("day", t("Day"), {type: "date"}),
      h("label", {class: "field"}, h("span", {}, t("Side")), h("select", {id: "field-side", onchange: event => go({side: event.target.value})},
        [["", t("any side")], ["BUY", t("BUY")], ["SELL", t("SELL")]].map(([key, text]) => h("option", {value: key, selected: (wish.side || "") === key}, text)))),
      field("least", t("Size") + " ≥", {type: "number", min: 0, step: "any"}),
      field("most", t("Size") + " ≤", {type: "number", min: 0, step: "any"}),
      h("label", {class: "check"}, h("input", {type: "checkbox", id: "field-recorded", checked: wish.recorded === "1", onchange: event => go({recorded: event.target.checked ? "1" : ""})}), t("only recorded") + " (" + count(answer.recorded) + ")")),
    answer.rows.length ? table([
      {name: t("Instrument"), cell: row => link("order/" + encodeURIComponent(id) + "/" + row.index, row.instrument)},
      {name: t("Side"), cell: row => t(row.side)},
      column("start", t("Day"), row => row.day),
      {name: t("Window"), number: true, cell: row => row.start.slice(11, 16) + "–" + row.end.slice(11, 16)},
      column("amount", t("Amount"), row => large(row.amount)),
      column("participation", t("Size"), row => row.participation == null ? "–" : number(100 * row.participation, 2) + " %"),
      column("completion", t("Filled"), row => percent(row.completion)),
      column("advantage", t("Advantage, bps"), row => bps(row.advantage)),
      column("cost", t("Cost, bps"), row => number(row.cost, 2)),
      column("net", t("Net, bps"), row => bps(row.net)),
      ...answer.references.map(name => ({name: name + ", bps", number: true, cell: row => bps(row.references[name])})),
      {name: t("recorded"), cell: row => row.recorded ? "●" : ""},
    ], answer.rows, {label: t("Orders")}) : empty(t("{0} orders", 0)),
    h("div", {class: "pager"}, h("span", {id: "found"}, answer.found ? `${count(wish.offset + 1)}–${count(last)} ` + t("of {0}", count(answer.found)) : ""),
      h("button", {type: "button", id: "previous", disabled: wish.offset === 0, onclick: () => go({offset: Math.max(0, wish.offset - PAGE)})}, t("Previous")),
      h("button", {type: "button", id: "next", disabled: last >= answer.found, onclick: () => go({offset: wish.offset + PAGE})}, t("Next"))));
}

async function chooseRun(at) {
  const {runs} = await get("runs", {}, at.signal);
  const judged = runs.filter(run => run.verdict);
  return h("div", {}, h("div", {class: "title"}, h("h1", {}, t("Orders"))),
    judged.length ? table([
      {name: t("Name"), cell: run => link("orders/" + encodeURIComponent(run.id), run.id)},
      {name: t("Over TWAP, bps"), number: true, cell: run => bps(run.overTwap?.together.meanBps)},
      {name: t("Verdict"), cell: run => run.verdict.sentence},
    ], judged, {label: t("Runs")})
      : empty(t("Not judged yet"), t("No report is here. Judge the run to see how it does against TWAP, VWAP and the oracle:"), "tranche judge RUN --record 100"));
}

export async function orderPage(at) {
  const [id, index] = at.rest;
  const {order, scores, features, steps, times} = await get("order", {run: id, index}, at.signal);
  const facts = [[t("Filled"), percent(order.completion)], [t("Advantage, bps"), bps(order.advantage)], [t("Cost, bps"), number(order.cost, 2)], [t("Net, bps"), bps(order.net)],
    ...Object.entries(order.references).map(([name, net]) => [name + ", bps", bps(net)])];
  const head = [
    h("div", {class: "title"}, h("h1", {}, order.instrument), h("span", {class: "badge"}, t(order.side)),
      h("span", {class: "note"}, `${order.day} ${order.start.slice(11, 16)}–${order.end.slice(11, 16)} · ${count(order.amount)}`)),
    h("p", {class: "note"}, link("orders/" + encodeURIComponent(id), t("Back to the list")), " · ", runLink(id)),
    h("dl", {class: "facts"}, facts.map(([name, text]) => h("div", {}, h("dt", {}, name), h("dd", {}, h("b", {}, text))))),
  ];
  if (!steps) return h("div", {}, head, empty(t("No record of orders"), t("This order was not recorded step by step. This command records all of them:"), "tranche judge RUN --record all"));
  const target = h("div", {class: "chart day", role: "img", "aria-label": t("Price and fills")});
  let plots = [];
  const draw = () => {
    plots.forEach(plot => plot.destroy());
    plots = TrancheCharts.draw(dayChart(order, steps, times), target);
    document.documentElement.dataset.drawn = String(plots.length);
  };
  at.signal.addEventListener("abort", () => plots.forEach(plot => plot.destroy()));
  at.onResize(draw);
  at.ready = draw;
  const isProbability = scores === "PROBABILITIES";
  return h("div", {}, head,
    section(t("Price and fills"), target),
    section(t("Decisions"), table([
      {name: t("Step"), number: true, cell: step => steps.steps.indexOf(step) + 1},
      {name: t("Time"), number: true, cell: step => times[step.tick] ?? "–"},
      {name: t("Remaining"), number: true, cell: step => large(step.remaining)},
      {name: t("Chosen"), number: true, cell: step => step.action == null ? "–" : scores === "NUMBERS" ? number(step.action, 3) : String(step.action)},
      ...(scores === "NONE" || scores === "NUMBERS" ? [] : [{name: t(isProbability ? "Probabilities" : "Values"), cell: step => scoreCell(step, isProbability)}]),
      {name: t("Volume"), number: true, cell: step => large(step.wanted)},
      {name: t("Filled"), number: true, cell: step => large(step.filled)},
      {name: t("Paid"), number: true, cell: step => number(step.price, 4)},
    ], steps.steps, {label: t("Decisions")})),
    features.length ? section(t("What the agent saw"), featureTable(features, steps.steps, times, step => step.features, false)) : null,
    features.length && steps.steps.some(step => step.effects.length) ? section(t("What each feature did to the decision"),
      h("p", {class: "note"}, t(isProbability ? "Occlusion: by how many percentage points the probability of the choice falls when the agent sees the day’s mean instead of the feature." : "Occlusion: by how much the score of the choice falls when the agent sees the day’s mean instead of the feature.")),
      featureTable(features, steps.steps, times, step => step.effects.map(each => isProbability && each != null ? 100 * each : each), true)) : null);
}

function scoreCell(step, isProbability) {
  const text = step.scores.map(score => isProbability ? number(100 * score, 0) + " %" : number(score, 3)).join("  ");
  if (!isProbability) return text;
  const swatch = h("span", {class: "swatch", "aria-hidden": "true"}, step.scores.map((score, i) => {
    const bar = h("i", {class: i === step.action ? "taken" : null});
    bar.style.width = 100 * score + "%";
    return bar;
  }));
  return [swatch, h("span", {class: "scores"}, text)];
}

function featureTable(features, steps, times, of, isSigned) {
  const most = Math.max(1e-9, ...steps.flatMap(step => of(step).filter(each => each != null).map(Math.abs)));
  return h("div", {class: "heat"}, table([
    {name: t("Feature"), cell: row => row.name},
    ...steps.map((step, i) => ({name: times[step.tick] ?? String(i + 1), number: true, cell: row => {
      const each = of(step)[row.at];
      const cell = h("span", {class: "cell"}, each == null ? "–" : number(each, Math.abs(each) >= 10 ? 1 : 3));
      if (isSigned && each != null) {
        cell.style.background = TrancheCharts.colour(each >= 0 ? "line1" : "line2") + Math.round(64 * Math.abs(each) / most).toString(16).padStart(2, "0");
      }
      return cell;
    }})),
  ], features.map((name, row) => ({name, at: row})), {label: t("Feature")}));
}

/** The chart of the report's example orders, with what the other policies left. */
function dayChart(order, steps, times) {
  const prices = steps.ticks.map(tick => tick.price), volumes = steps.ticks.map(tick => tick.volume);
  const first = steps.firstTick, rows = Math.max(...steps.fills.map(each => each.amounts.length));
  const remaining = policy => {
    const fills = steps.fills.find(each => each.policy === policy);
    if (!fills) return null;
    let left = order.amount;
    return prices.map((_, tick) => {
      const row = tick - first;
      if (row < 0 || row >= rows) return null;
      left -= fills.amounts[row] || 0;
      return Math.max(0, left);
    });
  };
  const own = steps.fills[0];
  const placed = values => prices.map((_, tick) => values[tick - first] > 0 ? values[tick - first] : null);
  return {
    kind: "OrderDay", isBuy: order.side === "BUY", labels: times.map(time => time.slice(0, 5)), prices, volumes, from: first, to: first + rows,
    filled: placed(own.amounts), fillPrices: prices.map((_, tick) => own.prices[tick - first] ?? null),
    remaining: remaining(own.policy), twapRemaining: remaining("TWAP"),
    others: steps.fills.slice(1).filter(each => each.policy !== "TWAP").map(each => ({name: each.policy, values: remaining(each.policy)})),
  };
}
