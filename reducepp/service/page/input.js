// What is given: dropped, chosen or pasted files, or the demo.
(function (page) {
  const MOST_BYTES = 24 * 1024 * 1024;

  async function asBase64(file) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    let text = "";
    for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
    return btoa(text);
  }

  async function asRequest(files) {
    const size = files.reduce((sum, file) => sum + file.size, 0);
    if (size > MOST_BYTES) throw new Error(`${Math.round(size / 1e6)} MB: at most ${Math.round(MOST_BYTES / 1e6)} MB are taken at once`);
    const sorted = [...files].sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
    const given = [];
    for (const file of sorted) given.push({ name: file.name, base64: await asBase64(file) });
    return { files: given };
  }

  /** Wire the input area; `show(request, name)` is called with what to view. */
  page.openInput = function (show) {
    const [drop, files, paste, button] = ["drop", "files", "paste", "show"].map(page.find);

    async function take(list, name) {
      if (!list.length) return;
      try {
        show(await asRequest(list), name || (list.length === 1 ? list[0].name : `${list.length} files`));
      } catch (error) {
        page.say(error.message, true);
      }
    }

    drop.addEventListener("click", (event) => event.target !== files && files.click());
    drop.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        files.click();
      }
    });
    files.addEventListener("change", () => {
      take([...files.files]);
      files.value = "";
    });
    for (const kind of ["dragenter", "dragover", "dragleave", "drop"]) {
      document.addEventListener(kind, (event) => {
        event.preventDefault();
        drop.classList.toggle("over", kind === "dragenter" || kind === "dragover");
        if (kind === "drop") take([...event.dataTransfer.files]);
      });
    }
    paste.addEventListener("input", () => (button.disabled = !paste.value.trim()));
    button.addEventListener("click", () => take([new File([paste.value], "pasted")], "pasted text"));
    page.find("demo").addEventListener("click", () => show({ demo: true }, "the demo"));
  };
})(ReducePage);
