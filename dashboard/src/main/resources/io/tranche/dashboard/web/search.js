// Searches as parallel coordinates and rungs, rolls as windows.
import {get} from "./api.js";
import {bps, count, h, problem, runLink, section, table, value} from "./dom.js";
import {t} from "./words.js";

const guarded = async work => {
  try {
    return await work();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    return problem(error.message);
  }
};

export const rollSection = (id, at) => guarded(async () => {
  const {windows} = await get("roll", {run: id}, at.signal);
  if (!windows.length) return null;
  const target = h("div", {class: "chart", role: "img", "aria-label": t("Walk forward")});
  const chart = {kind: "Intervals", items: windows.map(each => ({label: `${each.window}: ${each.judged_from}`, mean: each.over_twap_bps, low: each.low, high: each.high}))};
  requestAnimationFrame(() => target.isConnected && TrancheCharts.draw(chart, target));
  return section(t("Windows"), h("div", {class: "two"}, table([
    {name: t("Window"), number: true, cell: each => runLink(`${id}/windows/${String(each.window).padStart(3, "0")}/run`, String(each.window))},
    {name: t("Judged days"), cell: each => each.judged_from + " – " + each.judged_to},
    {name: t("Checkpoint"), cell: each => each.checkpoint},
    {name: t("Over TWAP, bps"), number: true, cell: each => bps(each.over_twap_bps)},
    {name: t("95 % interval"), number: true, cell: each => each.low == null ? "–" : bps(each.low) + " … " + bps(each.high)},
    {name: t("Orders "), number: true, cell: each => count(each.orders)},
    {name: t("Days"), number: true, cell: each => count(each.days)},
  ], windows, {label: t("Windows")}), target));
});

export const searchSection = (id, at) => guarded(async () => {
  const search = await get("search", {run: id}, at.signal);
  if (!search.trials.length) return null;
  return [
    section(t("Tuning"), parallel(search)),
    section(t("Rungs"), table([
      {name: t("Iterations"), number: true, cell: rung => count(rung.iterations)},
      {name: t("Trial"), number: true, cell: rung => count(rung.trials)},
      {name: "", cell: rung => {
        const bar = h("span", {class: "meter wide", "aria-hidden": "true"}, h("span", {}));
        bar.firstChild.style.width = 100 * rung.trials / search.trials.length + "%";
        return bar;
      }},
    ], search.rungs, {label: t("Rungs")})),
    section(t("Trial"), table([
      {name: t("Trial"), number: true, cell: each => each.trial < 0 || each.trial === 0 ? String(each.trial) : runLink(`${id}/trials/${String(each.trial).padStart(3, "0")}`, String(each.trial))},
      {name: search.metric, number: true, cell: each => value(each.value)},
      {name: t("Iterations"), number: true, cell: each => count(each.iterations)},
      {name: t("State"), cell: each => each.state},
      ...search.settings.map((name, i) => ({name, number: true, cell: each => each.values[i]})),
      {name: t("Reason"), cell: each => each.reason || ""},
    ], search.trials, {label: t("Tuning")})),
  ];
});

/** One line per trial over an axis per setting; the better half of the metric is darker. */
function parallel(search) {
  const NS = "http://www.w3.org/2000/svg";
  const names = [...search.settings, search.metric];
  const width = Math.max(600, 170 * names.length), height = 260, top = 34, bottom = height - 18, side = 80;
  const svg = document.createElementNS(NS, "svg");
  const make = (tag, attributes, text) => {
    const element = document.createElementNS(NS, tag);
    for (const [name, each] of Object.entries(attributes)) element.setAttribute(name, each);
    if (text != null) element.textContent = text;
    return svg.appendChild(element);
  };
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("class", "parallel");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", t("Tuning"));
  const x = axis => side + axis * (width - 2 * side) / Math.max(1, names.length - 1);
  const columns = names.map((_, axis) => {
    const texts = search.trials.map(each => axis < search.settings.length ? each.values[axis] : each.value);
    const numbers = texts.map(Number);
    const words = numbers.some((each, i) => texts[i] != null && Number.isNaN(each)) ? [...new Set(texts.map(String))].sort() : null;
    const places = words ? texts.map(each => words.indexOf(String(each))) : numbers;
    const known = places.filter((each, i) => texts[i] != null && Number.isFinite(each));
    const low = Math.min(...known), high = Math.max(...known);
    const log = !words && low > 0 && high / low > 50;
    const scale = each => log ? Math.log(each) : each;
    const part = each => high > low ? (scale(each) - scale(low)) / (scale(high) - scale(low)) : 0.5;
    return {places, texts, part, ends: words ? [words[0], words.at(-1)] : [value(low), value(high)]};
  });
  const scored = search.trials.map(each => each.value).filter(each => each != null).sort((a, b) => a - b);
  const colours = TrancheCharts.colour;
  search.trials.toReversed().forEach((trial, reversed) => {
    const row = search.trials.length - 1 - reversed;
    const points = columns.map((column, axis) => column.texts[row] == null || !Number.isFinite(column.places[row]) ? null
      : `${x(axis).toFixed(1)},${(bottom - column.part(column.places[row]) * (bottom - top)).toFixed(1)}`).filter(Boolean);
    if (points.length < 2) return;
    const rank = row === 0 ? 1 : trial.value == null ? 0 : scored.indexOf(trial.value) / Math.max(1, scored.length - 1);
    make("polyline", {points: points.join(" "), fill: "none", stroke: row === 0 ? colours("line2") : colours("line1"), "stroke-width": row === 0 ? 2.5 : 1.25,
      "stroke-opacity": row === 0 ? 1 : (0.18 + 0.6 * rank).toFixed(2)});
  });
  names.forEach((name, axis) => {
    make("line", {x1: x(axis), x2: x(axis), y1: top, y2: bottom, class: "axis"});
    make("text", {x: x(axis), y: 14, "text-anchor": "middle", class: "name"}, name.length > 26 ? "…" + name.slice(-25) : name);
    make("text", {x: x(axis), y: top - 6, "text-anchor": "middle", class: "end"}, columns[axis].ends[1]);
    make("text", {x: x(axis), y: bottom + 14, "text-anchor": "middle", class: "end"}, columns[axis].ends[0]);
  });
  return h("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": t("Tuning")}, svg);
}
