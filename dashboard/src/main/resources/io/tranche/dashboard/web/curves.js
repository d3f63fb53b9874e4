// All charts of one or several runs, with smoothing and zoom.
import {get} from "./api.js";
import {h} from "./dom.js";
import {curves, figure, groups} from "./draw.js";
import {t} from "./words.js";

let smoothing = Number(sessionStorage.getItem("smoothing") || 0);

export class CurveGrid {
  constructor(runs, metrics) {
    this.runs = runs;
    this.range = null;
    this.groups = groups(metrics).map(group => ({...group, figure: figure(t(group.title))}));
    const label = h("output", {}, String(smoothing));
    const slider = h("input", {type: "range", min: 0, max: 0.99, step: 0.01, value: smoothing, id: "smoothing", oninput: event => {
      smoothing = Number(event.target.value);
      label.textContent = smoothing.toFixed(2);
      sessionStorage.setItem("smoothing", smoothing);
      this.load();
    }});
    this.reset = h("button", {type: "button", disabled: true, onclick: () => this.zoom(null)}, t("Whole run"));
    this.state = h("span", {class: "note", role: "status"});
    this.element = h("div", {},
      h("div", {class: "controls"}, h("label", {for: "smoothing"}, t("Smoothing")), slider, label, this.reset, this.state),
      h("div", {class: "grid"}, this.groups.map(group => group.figure.element)));
  }

  zoom(from, to) {
    this.range = from == null ? null : {from: Math.max(0, from), to};
    this.reset.disabled = !this.range;
    this.load();
  }

  /** Asks for the curves and draws them; asks again while the server is still reading a long file. */
  async load() {
    this.asked?.abort();
    const asked = this.asked = new AbortController();
    const metrics = this.groups.flatMap(group => group.metrics);
    if (!metrics.length) return;
    try {
      let answer;
      do {
        answer = await get("series", {run: this.runs, metric: metrics, points: 800, smoothing, bands: this.runs.length > 1 ? 1 : 0,
          from: this.range?.from, to: this.range?.to}, asked.signal);
        this.answer = answer;
        this.draw();
        this.state.textContent = answer.complete ? "" : t("Still reading the file") + " …";
        if (!answer.complete) await new Promise(done => setTimeout(done, 150));
      } while (!answer.complete && !asked.signal.aborted);
    } catch (error) {
      if (error.name !== "AbortError") this.state.textContent = error.message;
    }
  }

  draw() {
    if (!this.answer) return;
    for (const group of this.groups) curves(group.figure, group, this.answer, this.runs, (from, to) => this.zoom(from, to));
    document.documentElement.dataset.drawn = String(Number(document.documentElement.dataset.drawn || 0) + 1);
  }

  close() {
    this.asked?.abort();
    for (const group of this.groups) group.figure.plot?.destroy();
  }
}
