// Files dropped from the desktop, anywhere on the page, with an overlay during the drag.

/** @import { Studio } from "./types" */

/**
 * @param {Studio} studio
 * @param {HTMLElement} overlay
 */
export function listenForDrops(studio, overlay) {
  // Entering a child comes before leaving its parent, so the page is left when the count is back at zero.
  let depth = 0;
  const hasFiles = (/** @type {DragEvent} */ { dataTransfer }) => dataTransfer?.types.includes("Files") ?? false;
  const show = (/** @type {number} */ change) => {
    depth = Math.max(depth + change, 0);
    overlay.hidden = depth === 0;
  };
  window.addEventListener("dragenter", (event) => hasFiles(event) && show(1));
  window.addEventListener("dragleave", (event) => hasFiles(event) && show(-1));
  window.addEventListener("dragover", (event) => hasFiles(event) && event.preventDefault());
  window.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    show(-depth);
    void studio.open([...(event.dataTransfer?.files ?? [])]);
  });
}
