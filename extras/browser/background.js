// Passes results from a result page to the user's own service on loopback, and its answer back.
const SERVICE = "http://127.0.0.1:8000/reduce";

async function reduce(request) {
  try {
    const answer = await fetch(SERVICE, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(request),
    });
    return answer.ok ? await answer.json() : { error: `the service answers ${answer.status}` };
  } catch {
    return { error: "no service on 127.0.0.1:8000 (start it with: reducepp serve)" };
  }
}

chrome.runtime.onMessage.addListener((request, sender, respond) => {
  reduce(request).then(respond);
  return true;
});
