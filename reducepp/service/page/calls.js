// Calls to the service this page came from, and the line that says how they went.
"use strict";
var ReducePage = {};
(function (page) {
  page.find = (id) => document.getElementById(id);

  page.say = function (text, wrong = false) {
    const line = page.find("status");
    line.textContent = text;
    line.classList.toggle("wrong", wrong);
  };

  /** POST a value, get a value; an Error says in one line what the service said. */
  page.call = async function (route, value) {
    const headers = { "content-type": "application/json" };
    const token = page.find("token").value;
    if (token) headers.authorization = `Bearer ${token}`;
    let answer;
    try {
      answer = await fetch(`/${route}`, { method: "POST", headers, body: JSON.stringify(value) });
    } catch {
      throw new Error("The service does not answer; is it still running?");
    }
    if (answer.status === 401) page.find("token-field").hidden = false;
    if (answer.status === 503) throw new Error(`The service is busy; try again in ${answer.headers.get("retry-after")} s.`);
    const found = await answer.json();
    if (!answer.ok) throw new Error(found.error);
    return found;
  };

  /** Hand the reader a file. */
  page.download = function (name, kind, text) {
    const url = URL.createObjectURL(new Blob([text], { type: kind }));
    const link = ReduceReport.make("a", { href: url, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  };
})(ReducePage);
