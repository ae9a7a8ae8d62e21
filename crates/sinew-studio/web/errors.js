// Errors as the page shows them.

/** What went wrong, as a sentence. @param {unknown} error */
export function sentence(error) {
  return error instanceof Error ? error.message : String(error);
}

/** Whether somebody cancelled, which is no failure. @param {unknown} error */
export function isCancelled(error) {
  return error instanceof Error && "cancelled" in error && error.cancelled === true;
}
