// Elements made of texts: nothing that comes from a file is ever read as markup.
import {t} from "./words.js";

const {number, large} = TrancheCharts;

export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value == null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name in element && typeof value === "boolean") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter(child => child != null && child !== false));
  return element;
}

export const section = (title, ...children) => h("section", {}, h("h2", {}, title), ...children);

export const empty = (title, text, command) => h("div", {class: "empty"},
  h("h2", {}, title), text ? h("p", {}, text) : null, command ? h("pre", {class: "command"}, h("code", {}, command)) : null);

/** A table. Columns: {name, number, cell(row)}. Row headers are the first column. */
export function table(columns, rows, attributes = {}) {
  const body = h("tbody", {}, rows.map(row => h("tr", attributes.row ? attributes.row(row) : {}, columns.map((column, i) =>
    h(i === (attributes.head ?? 0) ? "th" : "td", {
      class: column.number ? "n" : column.class, scope: i === (attributes.head ?? 0) ? "row" : null,
    }, column.cell(row))))));
  return h("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": attributes.label},
    h("table", {}, h("thead", {}, h("tr", {}, columns.map(column =>
      h("th", {scope: "col", class: column.number ? "n" : null, "aria-sort": column.sorted},
        column.sort ? h("button", {type: "button", class: "sort", onclick: column.sort, title: t("Sort by {0}", column.name)},
          column.name, h("span", {"aria-hidden": "true"}, column.sorted === "ascending" ? " ↑" : column.sorted ? " ↓" : "")) : column.name)))), body));
}

const tidy = text => /^[−-]0(\.0*)?$/.test(text) ? text.slice(1) : text; // no zero below zero
export const bps = value => value == null ? "–" : (value >= 0.05 ? "+" : "") + tidy(number(value, 1));
export const percent = value => value == null ? "–" : number(100 * value, 1) + " %";
export const interval = difference => difference == null || difference.low == null ? "–"
  : number(difference.low, 1) + " … " + number(difference.high, 1);
export const count = value => value == null ? "–" : Math.round(value).toLocaleString("en-US");
export const bytes = value => value == null ? "–" : value >= 1 << 20 ? number(value / (1 << 20), 1) + " MB" : number(value / 1024, 0) + " kB";
export const value = number_ => {
  if (number_ == null) return "–";
  const size = Math.abs(number_);
  return size >= 1e5 ? large(number_) : number(number_, size >= 100 ? 1 : size >= 1 ? 2 : 4);
};
export function moment(seconds) {
  if (!seconds) return "–";
  const age = Date.now() / 1000 - seconds;
  if (age < 60) return t("now");
  if (age < 3600) return t("{0} min ago", Math.floor(age / 60));
  if (age < 86400) return t("{0} h ago", Math.floor(age / 3600));
  return new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ");
}
export const words = text => text.toLowerCase().replaceAll("_", " ");
export const link = (path, ...children) => h("a", {href: "#/" + path}, ...children);
export const runLink = (id, text) => link("run/" + encodeURIComponent(id), text || id);
export const badge = state => h("span", {class: "badge " + state.toLowerCase()}, t(state));
export const problem = text => h("p", {class: "problem", role: "alert"}, h("strong", {}, t("Something cannot be read")), " ", h("span", {}, text));
