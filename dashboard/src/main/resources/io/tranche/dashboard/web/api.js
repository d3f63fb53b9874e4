// Questions to the server, and its live messages.
let token = sessionStorage.getItem("token") || "";

export const hasToken = () => token !== "";
export function setToken(text) {
  token = text;
  if (text) sessionStorage.setItem("token", text);
  else sessionStorage.removeItem("token");
}

const headers = () => token ? {authorization: "Bearer " + token} : {};

export class Unanswered extends Error {}

async function read(answer) {
  const body = await answer.json().catch(() => null);
  if (!answer.ok) {
    const error = new Error(body?.message || "status " + answer.status);
    error.status = answer.status;
    throw error;
  }
  return body;
}

/** Asks for JSON. Values of `query` may be lists; those that are null or undefined are left out. */
export async function get(path, query = {}, signal) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value].flat()) if (each != null) parameters.append(name, each);
  }
  const text = parameters.toString();
  let answer;
  try {
    answer = await fetch("/api/" + path + (text ? "?" + text : ""), {headers: headers(), signal});
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Unanswered(error.message);
  }
  return read(answer);
}

export async function post(path, body) {
  return read(await fetch("/api/" + path, {
    method: "POST", headers: {...headers(), "content-type": "application/json"}, body: JSON.stringify(body),
  }));
}

/** Listens for ever; calls `heard` with each message and `state` with whether it is connected. */
export async function listen(heard, state) {
  for (;;) {
    try {
      const answer = await fetch("/api/events", {headers: headers()});
      if (!answer.ok) throw new Error("status " + answer.status);
      state(true);
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      for (;;) {
        const {value, done} = await reader.read();
        if (done) break;
        text += value;
        const messages = text.split("\n\n");
        text = messages.pop();
        for (const message of messages) if (message.startsWith("data: ")) heard(JSON.parse(message.slice(6)));
      }
    } catch { /* the server has stopped; it may come back */ }
    state(false);
    await new Promise(done => setTimeout(done, 2000));
  }
}
