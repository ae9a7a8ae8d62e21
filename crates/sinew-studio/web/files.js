// Files to and from the disk of the person.

/** How long the browser has to read a download. */
const URL_LIFETIME_MS = 60_000;

/**
 * Downloads a text.
 *
 * @param {string} name
 * @param {string} text
 */
export function downloadText(name, text) {
  downloadBlob(name, new Blob([text], { type: "text/plain" }));
}

/** Downloads a file. @param {string} name @param {Blob} blob */
export function downloadBlob(name, blob) {
  const url = URL.createObjectURL(blob);
  downloadUrl(url, name);
  setTimeout(() => URL.revokeObjectURL(url), URL_LIFETIME_MS);
}

/** Downloads an address of this page. @param {string} url @param {string} name */
export function downloadUrl(url, name) {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}

/**
 * Asks for files.
 *
 * @param {string} accept
 * @param {(files: File[]) => void} chosen
 */
export function chooseFiles(accept, chosen) {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = accept;
  input.addEventListener("change", () => {
    if (input.files?.length) chosen([...input.files]);
  });
  input.click();
}

/** A file's name without its extension. @param {string} name */
export function stem(name) {
  return name.replace(/\.[^.]*$/, "") || "character";
}
