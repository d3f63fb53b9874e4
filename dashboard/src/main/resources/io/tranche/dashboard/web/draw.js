// Curves of runs over iterations.
import {h, value} from "./dom.js";
import {t} from "./words.js";

const {colour, lineColours, dashes, axis, ticks} = TrancheCharts;

/** What each metric is drawn with; the first pattern that fits. */
const GROUPS = [
  ["Advantage", /^(val\/)?(net_)?pa$/, "bps"],
  ["Reward", /^(val\/)?reward$/, ""],
  ["Fill rate", /^(val\/)?ffr$/, ""],
  ["Losses", /^loss(\/(?!ent)|$)/, ""],
  ["Entropy", /^(loss\/ent|entropy)$/, ""],
  ["KL divergence", /(^|[/_])kl($|[/_])/, ""],
  ["Gradient norm", /^gradient_norm$/, ""],
  ["Throughput, episodes/s", /^throughput$/, ""],
  ["Memory, MB", /^process\/heap_bytes$/, "MB"],
];

export function groups(metrics) {
  return GROUPS.map(([title, pattern, unit]) => ({title, unit, metrics: metrics.filter(name => pattern.test(name))}))
    .filter(group => group.metrics.length);
}

const shown = metric => ({
  "pa": t("training"), "val/pa": t("validation"), "val/net_pa": t("validation") + ", " + t("after fees"), "net_pa": t("after fees"),
  "reward": t("training"), "val/reward": t("validation"), "ffr": t("training"), "val/ffr": t("validation"),
}[metric] || metric);

/** A figure of fixed height, so that nothing moves when the curves arrive. */
export function figure(title) {
  const target = h("div", {class: "plot", role: "img", "aria-label": title});
  const latest = h("figcaption", {});
  return {element: h("figure", {class: "curve"}, h("h3", {}, title), target, latest), target, latest, plot: null};
}

/**
 * Draws curves into a figure.
 *
 * runs: ids in the order of their colours. zoom(from, to) is called when a stretch is marked.
 */
export function curves(into, group, answer, runs, zoom) {
  into.plot?.destroy();
  into.plot = null;
  const colours = lineColours();
  const several = runs.length > 1;
  const scale = group.unit === "MB" ? 1 / (1 << 20) : 1;
  const drawn = answer.curves.filter(curve => group.metrics.includes(curve.metric) && curve.x.length);
  const bands = answer.bands.filter(band => group.metrics.includes(band.metric));
  const banded = new Set(bands.flatMap(band => band.runs));
  const tables = [], series = [], fills = [];
  const style = (run, metric) => {
    const place = group.metrics.indexOf(metric);
    const which = several ? runs.indexOf(run) : place;
    return {stroke: colours[which % colours.length], dash: several ? dashes[place % dashes.length] : []};
  };
  const add = (x, y, options) => {
    tables.push([x, scale === 1 ? y : y.map(each => each == null ? null : each * scale)]);
    series.push({spanGaps: true, width: 1.75, points: {show: x.length < 2, size: 5}, value: (u, v) => value(v), ...options});
    return series.length;
  };
  for (const band of bands) {
    const {stroke, dash} = style(band.runs[0], band.metric);
    const name = group.metrics.length > 1 ? shown(band.metric) + ", " : "";
    const high = add(band.x, band.high, {label: "", stroke, width: 0, points: {show: false}, class: "hidden"});
    const low = add(band.x, band.low, {label: "", stroke, width: 0, points: {show: false}, class: "hidden"});
    fills.push({series: [high, low], fill: stroke + "33"});
    add(band.x, band.mean, {label: name + t("mean of {0} seeds", band.runs.length), stroke, dash, width: 2.25});
  }
  for (const curve of drawn) {
    const {stroke, dash} = style(curve.run, curve.metric);
    if (banded.has(curve.run)) continue;
    const label = !several ? shown(curve.metric) : group.metrics.length > 1 ? curve.run + ", " + shown(curve.metric) : curve.run;
    add(curve.x, curve.y, {label, stroke, dash});
  }
  if (!tables.length) {
    into.latest.textContent = "–";
    return;
  }
  const width = Math.max(240, into.target.clientWidth);
  into.plot = new uPlot({
    width, height: 220, padding: [8, 10, 0, 0],
    cursor: {y: false, drag: {x: true, y: false, setScale: false}},
    legend: {live: false, show: false},
    scales: {x: {time: false}},
    series: [{label: t("iteration")}, ...series],
    bands: fills,
    axes: [axis({grid: {show: false}, space: 60, values: (u, splits) => splits.map(at => Number.isInteger(at) ? at.toLocaleString("en-US") : "")}),
      axis({size: 54, values: ticks, label: group.unit || undefined})],
    hooks: {
      setSelect: [u => {
        if (u.select.width > 4) {
          zoom(Math.floor(u.posToVal(u.select.left, "x")), Math.ceil(u.posToVal(u.select.left + u.select.width, "x")));
          u.setSelect({width: 0, left: 0}, false);
        }
      }],
    },
  }, uPlot.join(tables), into.target);
  caption(into, drawn, bands, series, scale);
}

/** The newest value of each curve, as text: what a reader without the picture needs. */
function caption(into, drawn, bands, series, scale) {
  const named = series.filter(each => each.label);
  const last = [...bands.map(band => band.mean.at(-1)), ...drawn.filter(curve => !bands.some(band => band.runs.includes(curve.run))).map(curve => curve.y.at(-1))];
  into.latest.replaceChildren(...named.slice(0, 12).map((each, i) => {
    const mark = h("i", {class: "mark", "aria-hidden": "true"});
    mark.style.background = each.stroke;
    return h("span", {class: "latest"}, mark, h("span", {class: "of"}, each.label), " ", h("b", {}, value(last[i] == null ? null : last[i] * scale)));
  }));
}
