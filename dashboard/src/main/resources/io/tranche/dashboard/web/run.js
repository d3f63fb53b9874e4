// One run: curves, results, checkpoints, configuration, health, windows and trials.
import {get, hasToken, post} from "./api.js";
import {CurveGrid} from "./curves.js";
import {badge, bps, bytes, count, empty, h, interval, link, moment, percent, problem, section, table, value} from "./dom.js";
import {askToken} from "./main.js";
import {rollSection, searchSection} from "./search.js";
import {t} from "./words.js";

export async function runPage(at) {
  const id = at.rest[0];
  const page = await get("run", {id}, at.signal);
  const {run, report} = page;
  const grid = new CurveGrid([id], page.metrics);
  at.signal.addEventListener("abort", () => grid.close());
  const state = h("span", {id: "state"}, badge(run.state));
  const progress = h("span", {id: "progress", class: "note"}, iterations(run));
  at.onChange(async changed => {
    if (changed && !changed.includes(id)) return;
    const now = await get("run", {id}, at.signal).catch(() => null);
    if (at.signal.aborted) return;
    // What was written besides metrics, or what is gone, changes the page itself.
    if (!now || now.metrics.length !== page.metrics.length || JSON.stringify(now.report) !== JSON.stringify(report) || now.run.problem !== run.problem
      || now.run.state !== run.state || now.checkpoints?.length !== page.checkpoints?.length || now.run.tags.join() !== run.tags.join()) {
      at.again();
      return;
    }
    state.replaceChildren(badge(now.run.state));
    progress.textContent = iterations(now.run);
    grid.load();
  });
  at.onResize(() => grid.draw());
  at.ready = () => grid.load();
  const special = run.kind === "ROLL" ? await rollSection(id, at) : run.kind === "SEARCH" ? await searchSection(id, at) : null;
  return h("div", {},
    h("div", {class: "title"}, h("h1", {}, id), state, progress, h("span", {class: "tags"}, run.tags.map(tag => h("span", {class: "tag"}, tag)))),
    actions(run, page, at),
    run.problem ? problem(run.problem) : null,
    report?.verdict ? verdict(report.verdict) : null,
    special,
    page.metrics.length ? section(t("Curves"), grid.element) : null,
    page.reportProblem ? problem(page.reportProblem) : results(id, report, run),
    checkpoints(page),
    healthSection(id, at),
    page.config ? section(t("Configuration"), h("details", {}, h("summary", {}, "config.yml"), h("pre", {tabindex: 0}, page.config))) : null);
}

const iterations = run => run.iterations || run.planned
  ? t("iteration {0}", run.planned == null ? count(run.iterations) : t("{0} of {1}", count(run.iterations), count(run.planned))) : "";

export const verdict = ({kind, sentence}) => h("p", {class: "verdict " + kind.toLowerCase().replaceAll("_", "-"), id: "verdict"},
  h("strong", {}, t(kind.toLowerCase().replaceAll("_", " "))), h("span", {}, sentence));

function actions(run, page, at) {
  const message = h("span", {class: "note", role: "status"}, page.stopping ? t("asked to stop") : "");
  const act = async (path, body) => {
    if (!hasToken()) return askToken();
    try {
      await post(path, {run: run.id, ...body});
      at.again();
    } catch (error) {
      message.textContent = error.message;
    }
  };
  const isPlain = run.kind === "RUN";
  return h("div", {class: "controls"},
    isPlain ? h("a", {class: "button", href: "#/orders/" + encodeURIComponent(run.id)}, t("Explore its orders")) : null,
    h("button", {type: "button", onclick: () => hasToken() ? editTags(run, act) : askToken()}, t("Edit tags")),
    run.state === "RUNNING" && isPlain ? h("button", {type: "button", disabled: page.stopping, onclick: () => act("stop", {})}, t("Stop after this iteration")) : null,
    run.state === "STOPPED" && isPlain ? h("button", {type: "button", onclick: () => act("resume", {})}, t("Resume")) : null,
    message);
}

function editTags(run, act) {
  const field = h("input", {type: "text", id: "tags", value: run.tags.join(", ")});
  const dialog = h("dialog", {"aria-labelledby": "tags-title"}, h("form", {method: "dialog", onsubmit: () =>
    act("tags", {tags: field.value.split(/[,，]/).map(tag => tag.trim()).filter(Boolean)})},
    h("h2", {id: "tags-title"}, t("Edit tags")), h("label", {for: "tags"}, t("Tags, separated by commas")), field,
    h("div", {class: "controls"}, h("button", {type: "submit", class: "main"}, t("Save")), h("button", {type: "button", onclick: () => dialog.close()}, t("Cancel")))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

export function comparisonTable(comparisons, first) {
  return table([
    {name: first || t("Against"), cell: each => each.name || each.reference},
    {name: t("Mean, bps"), number: true, cell: each => bps(each.together.meanBps)},
    {name: t("95 % interval"), number: true, cell: each => interval(each.together)},
    {name: t("Buys, bps"), number: true, cell: each => bps(each.sides?.BUY?.meanBps)},
    {name: t("Sells, bps"), number: true, cell: each => bps(each.sides?.SELL?.meanBps)},
    {name: t("Completion"), number: true, cell: each => percent(each.completion)},
    {name: t("Orders "), number: true, cell: each => count(each.together.orders)},
    {name: t("Days"), number: true, cell: each => count(each.together.days)},
  ], comparisons, {label: t("Results")});
}

function results(id, report, run) {
  if (!report) {
    return run.kind === "RUN" ? section(t("Results"), empty(t("Not judged yet"), t("No report is here. Judge the run to see how it does against TWAP, VWAP and the oracle:"), "tranche judge RUN --record all")) : null;
  }
  const total = report.costs.reduce((sum, cost) => sum + cost.bps, 0);
  return section(t("Results") + ", " + t("after costs"),
    h("p", {class: "note"}, report.description),
    comparisonTable(report.comparisons),
    report.costs.length ? [h("h3", {}, t("Costs")), table([
      {name: t("Cost"), cell: cost => cost.name}, {name: "bps", number: true, cell: cost => value(cost.bps)},
    ], report.costs.length > 1 ? [...report.costs, {name: t("Total"), bps: total}] : report.costs, {label: t("Costs")})] : null,
    report.warnings.length ? h("ul", {class: "warnings"}, report.warnings.map(line => h("li", {}, line))) : null,
    report.checkpoints.length ? [h("h3", {}, t("Selection")), table([
      {name: t("Checkpoint"), cell: each => each.name},
      {name: t("Over TWAP, bps"), number: true, cell: each => bps(each.overTwap.meanBps)},
      {name: t("95 % interval"), number: true, cell: each => interval(each.overTwap)},
      {name: t("Orders "), number: true, cell: each => count(each.overTwap.orders)},
      {name: t("Days"), number: true, cell: each => count(each.overTwap.days)},
    ], report.checkpoints, {label: t("Selection")})] : null,
    h("p", {class: "note"}, t("Report"), ": ", report.file));
}

function checkpoints(page) {
  if (page.checkpointsProblem) return problem(page.checkpointsProblem);
  const rows = (page.checkpoints || []).filter(each => !each.link).toSorted((a, b) => (b.iteration ?? 1e12) - (a.iteration ?? 1e12));
  if (!rows.length) return null;
  const list = table([
    {name: t("Checkpoint"), cell: each => [each.name, each.selected ? h("span", {class: "tag"}, t("chosen")) : null]},
    {name: t("Iteration"), number: true, cell: each => count(each.iteration)},
    {name: t("Validation, bps"), number: true, cell: each => bps(each.validation)},
    {name: t("Size"), number: true, cell: each => bytes(each.bytes)},
    {name: t("Written"), number: true, cell: each => moment(each.changed)},
  ], rows, {label: t("Checkpoints")});
  return section(t("Checkpoints"), page.guard ? h("pre", {tabindex: 0}, page.guard.trim()) : null,
    rows.length > 12 ? h("details", {}, h("summary", {}, t("all") + " " + rows.length), list) : list);
}

function healthSection(id, at) {
  const place = h("div", {});
  const ask = h("button", {type: "button", onclick: async () => {
    ask.disabled = true;
    try {
      const health = await get("health", {run: id}, at.signal);
      place.replaceChildren(
        health.problem ? problem(health.problem) : "",
        health.diagnoses.length ? table([
          {name: t("Symptom"), cell: each => each.name}, {name: t("What was seen"), cell: each => each.symptom},
          {name: t("Likely cause"), cell: each => each.cause}, {name: t("What helps"), cell: each => each.cure},
        ], health.diagnoses, {label: t("Data health")}) : health.problem ? "" : h("p", {class: "note"}, t("Nothing strange was found.")),
        ...health.data.map(data => h("div", {}, h("h3", {}, data.path), data.problem ? problem(data.problem)
          : data.findings.length ? table([
            {name: t("Rule"), cell: each => each.rule}, {name: t("Place"), cell: each => each.place}, {name: t("Finding"), cell: each => each.text},
          ], data.findings, {label: data.path}) : h("p", {class: "note"}, t("Nothing strange was found.")))));
    } catch (error) {
      if (error.name !== "AbortError") place.replaceChildren(problem(error.message));
    }
    ask.disabled = false;
  }}, t("Look for problems"));
  return section(t("Data health"), h("div", {class: "controls"}, ask), place);
}
