// A button that starts a job, with its progress, a way to stop it, and its result.

import { isCancelled, sentence } from "../errors.js";
import { element } from "../widgets/dom.js";
import { button } from "../widgets/form.js";

/** @import { Studio } from "../types" */

/** @typedef {{onProgress(listener: (done: number, text: string) => void): void, cancel(): void}} Running */
/** @template T @typedef {(Running & {done: Promise<T>}) | null} Started null when there is nothing to do */

/**
 * @template T
 * @param {object} options
 * @param {Studio} options.studio
 * @param {string} options.label
 * @param {string} options.title
 * @param {"primary"} [options.look]
 * @param {() => Started<T> | Promise<Started<T>>} options.start
 * @param {(result: T) => void | Promise<void>} options.finish
 */
export function jobButton({ studio, label, title, look, start, finish }) {
  const bar = element("progress", { max: 1, value: 0, "aria-label": label });
  const text = element("span", { class: "note", "aria-live": "polite" });
  /** @type {Running | null} */
  let running = null;
  const cancel = button({ label: "Cancel", title: `Stop: ${label.toLowerCase()}`, onClick: () => running?.cancel() });
  const status = element("div", { class: "job" }, bar, text, cancel);
  status.hidden = true;
  const attempt = async () => {
    try {
      const job = await start();
      if (!job) return;
      running = job;
      go.disabled = true;
      status.hidden = false;
      bar.value = 0;
      text.textContent = "Starting …";
      job.onProgress((done, what) => {
        bar.value = done;
        text.textContent = `${what} ${Math.round(100 * done)} %`.trim();
      });
      await finish(await job.done);
    } catch (error) {
      studio.notify(
        isCancelled(error) ? "info" : "error",
        isCancelled(error) ? `Stopped: ${label.toLowerCase()}.` : sentence(error),
      );
    } finally {
      running = null;
      go.disabled = false;
      status.hidden = true;
    }
  };
  /** @type {Promise<void> | null} */
  let underWay = null;
  /** Starts the job unless it is running; in both cases the promise resolves at its end. */
  const run = () => {
    underWay ??= attempt().finally(() => {
      underWay = null;
    });
    return underWay;
  };
  const go = button({ label, title, look, onClick: () => void run() });
  return { button: go, status, run };
}
