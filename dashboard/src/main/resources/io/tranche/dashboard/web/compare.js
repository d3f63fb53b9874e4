// Several runs side by side.
import {get} from "./api.js";
import {CurveGrid} from "./curves.js";
import {badge, count, empty, h, runLink, section, table, value} from "./dom.js";
import {comparisonTable} from "./run.js";
import {t} from "./words.js";

export async function comparePage(at) {
  const ids = at.query.getAll("run");
  if (!ids.length) return h("div", {}, empty(t("Nothing is chosen"), t("Choose runs in the list to compare them.")));
  const {runs, settings} = await get("compare", {run: ids}, at.signal);
  const metrics = [...new Set(runs.flatMap(run => Object.keys(run.last)))].concat("throughput", "process/heap_bytes");
  const grid = new CurveGrid(ids, metrics);
  at.signal.addEventListener("abort", () => grid.close());
  at.onChange(changed => { if (!changed || changed.some(id => ids.includes(id))) grid.load(); });
  at.onResize(() => grid.draw());
  at.ready = () => grid.load();
  const judged = runs.filter(run => run.overTwap).map(run => ({...run.overTwap, name: run.id}));
  const shown = [...new Set(runs.flatMap(run => Object.keys(run.last)))].filter(name => /^(val\/)?(reward|pa|net_pa|ffr)$|^loss/.test(name)).sort();
  return h("div", {},
    h("div", {class: "title"}, h("h1", {}, t("Compare"))),
    h("ul", {class: "chosen"}, runs.map((run, i) => {
      const mark = h("i", {class: "mark", "aria-hidden": "true"});
      mark.style.background = TrancheCharts.lineColours()[i % 6];
      return h("li", {}, mark, runLink(run.id), " ", badge(run.state), run.seed == null ? null : h("span", {class: "note"}, " ", t("Seed"), " ", run.seed));
    })),
    section(t("Curves"), grid.element),
    judged.length ? section(t("Results") + ", " + t("Over TWAP, bps"), comparisonTable(judged, t("Name"))) : null,
    section(t("Latest values"), table([
      {name: t("Metric"), cell: name => name},
      ...runs.map(run => ({name: run.id, number: true, cell: name => value(run.last[name])})),
    ], ["iteration", ...shown].filter(name => name !== "iteration"), {label: t("Latest values")}),
      h("p", {class: "note"}, runs.map(run => run.id + ": " + t("iteration {0}", count(run.iterations))).join(" · "))),
    section(t("Differences of configuration"), settings.length ? table([
      {name: t("Setting"), cell: each => each.path},
      ...runs.map((run, i) => ({name: run.id, cell: each => each.values[i] ?? "–"})),
    ], settings, {label: t("Differences of configuration")}) : h("p", {class: "note"}, t("All settings are the same."))));
}
