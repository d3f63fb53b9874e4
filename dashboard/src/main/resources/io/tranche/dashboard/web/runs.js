// The list of runs.
import {get} from "./api.js";
import {badge, bps, count, empty, h, interval, link, moment, runLink, table} from "./dom.js";
import {t} from "./words.js";

const chosen = new Set();
let filter = "", all = false, sort = {key: "changed", down: true};

const keys = {
  id: run => run.id, state: run => run.state, progress: run => run.iterations, validation: run => run.last["val/pa"] ?? -Infinity,
  twap: run => run.overTwap?.together.meanBps ?? -Infinity, seed: run => run.seed ?? -1, changed: run => run.changed,
};

export async function runsPage(place) {
  const answer = await get("runs", {}, place.signal);
  if (!answer.runs.length) {
    place.onChange(() => place.again());
    return h("div", {}, empty(t("No runs yet"), t("There is no run in {0}. Train one, and it appears here while it goes:", answer.folder), "tranche train CONFIG --out " + answer.folder + "/NAME"));
  }
  const list = h("div", {});
  const compare = h("a", {class: "button", href: "#/compare"}, "");
  const show = () => {
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = answer.runs
      .filter(run => all || !["TRIAL", "WINDOW"].includes(run.kind))
      .filter(run => words.every(word => [run.id, run.state, run.kind, ...run.tags].join(" ").toLowerCase().includes(word)))
      .sort((a, b) => {
        const x = keys[sort.key](a), y = keys[sort.key](b);
        return (sort.down ? -1 : 1) * (x < y ? -1 : x > y ? 1 : 0);
      });
    const column = (key, name, more) => ({
      name, ...more, sorted: sort.key === key ? (sort.down ? "descending" : "ascending") : null,
      sort: () => {
        sort = {key, down: sort.key === key ? !sort.down : key !== "id"};
        show();
        list.querySelectorAll("button.sort")[Object.keys(keys).indexOf(key)]?.focus();
      },
    });
    for (const id of chosen) if (!answer.runs.some(run => run.id === id)) chosen.delete(id);
    const choose = () => {
      compare.href = "#/compare?" + [...chosen].map(id => "run=" + encodeURIComponent(id)).join("&");
      compare.textContent = t("Compare {0} runs", chosen.size);
      compare.toggleAttribute("inert", chosen.size < 1);
      compare.classList.toggle("off", chosen.size < 1);
    };
    choose();
    list.replaceChildren(rows.length ? table([
      {name: "", class: "pick", cell: run => h("input", {type: "checkbox", checked: chosen.has(run.id), "aria-label": run.id,
        onchange: event => { event.target.checked ? chosen.add(run.id) : chosen.delete(run.id); choose(); }})},
      column("id", t("Name"), {cell: run => [runLink(run.id), run.kind === "RUN" ? null : h("span", {class: "kind"}, t(run.kind)), run.problem ? h("span", {class: "problem small"}, run.problem) : null]}),
      column("state", t("State"), {cell: run => badge(run.state)}),
      column("progress", t("Progress"), {class: "progress", cell: progress}),
      column("validation", t("Validation, bps"), {number: true, cell: run => bps(run.last["val/pa"])}),
      column("twap", t("Over TWAP, bps"), {number: true, cell: run => run.overTwap ? [bps(run.overTwap.together.meanBps), h("span", {class: "interval"}, interval(run.overTwap.together))] : "–"}),
      column("seed", t("Seed"), {number: true, cell: run => run.seed ?? "–"}),
      {name: t("Tags"), cell: run => run.tags.map(tag => h("span", {class: "tag"}, tag))},
      column("changed", t("Changed"), {number: true, cell: run => moment(run.changed)}),
    ], rows, {label: t("Runs"), head: 1}) : empty(t("No run matches")));
  };
  show();
  place.onChange(async () => {
    const now = await get("runs", {}, place.signal).catch(() => null);
    if (!now || place.signal.aborted) return;
    if (!now.runs.length) return place.again();
    answer.runs = now.runs;
    const mark = element => element.getAttribute("href") || element.getAttribute("aria-label") || element.textContent;
    const focused = list.contains(document.activeElement) ? mark(document.activeElement) : null;
    show();
    if (focused) [...list.querySelectorAll("a, button, input")].find(element => mark(element) === focused)?.focus();
  });
  return h("div", {},
    h("div", {class: "title"}, h("h1", {}, t("Runs")), h("p", {class: "note path"}, answer.folder)),
    h("div", {class: "controls"},
      h("input", {type: "search", value: filter, placeholder: t("Filter by name or tag"), "aria-label": t("Filter by name or tag"),
        oninput: event => { filter = event.target.value; show(); }}),
      h("label", {class: "check"}, h("input", {type: "checkbox", checked: all, onchange: event => { all = event.target.checked; show(); }}), t("Show trials and windows")),
      compare),
    list);
}

function progress(run) {
  const part = run.planned ? Math.min(1, run.iterations / run.planned) : run.iterations ? 1 : 0;
  const meter = h("span", {class: "meter", "aria-hidden": "true"}, h("span", {}));
  meter.firstChild.style.width = 100 * part + "%";
  return [h("span", {class: "n"}, count(run.iterations), run.planned ? h("span", {class: "of"}, " / " + count(run.planned)) : null), meter];
}
