import {empty, h} from "./dom.js";
export async function servicePage() { return h("div", {}, empty("Service")); }
