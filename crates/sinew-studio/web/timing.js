// Functions that are called less often: debounced, throttled, one request at a time.

/**
 * Runs one request at a time. What is asked meanwhile waits, and only the newest of it is asked next.
 *
 * @template T
 * @param {(value: T) => Promise<void>} run must not fail
 */
export function latestOnly(run) {
  let busy = false;
  /** @type {{value: T} | null} */
  let waiting = null;
  return async (/** @type {T} */ value) => {
    waiting = { value };
    if (busy) return;
    busy = true;
    while (waiting) {
      const next = waiting;
      waiting = null;
      await run(next.value);
    }
    busy = false;
  };
}

/**
 * Calls a function after so many milliseconds in which it was not asked for again.
 *
 * @param {number} milliseconds
 * @param {() => void} call
 */
export function debounce(milliseconds, call) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(call, milliseconds);
  };
}

/**
 * Calls a function at most every so many milliseconds, the last time included.
 *
 * @param {number} milliseconds
 * @param {() => void} call
 */
export function throttle(milliseconds, call) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    setTimeout(() => {
      waiting = false;
      call();
    }, milliseconds);
  };
}
