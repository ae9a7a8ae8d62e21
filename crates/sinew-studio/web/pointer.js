// Whether a button of the pointer is down, anywhere on the page.

/** @param {(isHeld: boolean) => void} update called when it changes */
export function followPointer(update) {
  let isHeld = false;
  const follow = (/** @type {PointerEvent} */ { buttons }) => {
    if (isHeld === (buttons !== 0)) return;
    isHeld = !isHeld;
    update(isHeld);
  };
  // A list that opens can keep the release to itself; the next movement shows it.
  for (const type of /** @type {const} */ (["pointerdown", "pointermove", "pointerup", "pointercancel"])) {
    window.addEventListener(type, follow, { capture: true });
  }
}
