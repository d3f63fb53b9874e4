import {empty, h} from "./dom.js";
export async function ordersPage() { return h("div", {}, empty("Orders")); }
export async function orderPage() { return h("div", {}, empty("Order")); }
