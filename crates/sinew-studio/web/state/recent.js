// Recently opened files. The browser stores their bytes, so that they can be opened again after a restart of the engine
// or a reload. If the browser stores nothing, there are no recent files.

/** @import { RecentFile } from "../types" */

const MOST_FILES = 8;
const MOST_BYTES = 64 << 20;
const TABLE = "files";

/**
 * @typedef {object} Kept
 * @property {string} key the engine's
 * @property {string} name
 * @property {{name: string, bytes: ArrayBuffer}[]} files the file and what lay beside it
 * @property {string | null} onto the key of the character that a motion was retargeted to
 *
 * @typedef {RecentFile & Kept} KeptFile
 */

/** @returns {Promise<IDBDatabase>} */
function database() {
  const request = indexedDB.open("sinew", 1);
  request.onupgradeneeded = () => request.result.createObjectStore(TABLE, { keyPath: "key" });
  return settled(request);
}

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function settled(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(table: IDBObjectStore) => Promise<T>} work
 * @param {T} otherwise
 * @returns {Promise<T>}
 */
async function withTable(mode, work, otherwise) {
  try {
    const opened = await database();
    try {
      return await work(opened.transaction(TABLE, mode).objectStore(TABLE));
    } finally {
      opened.close();
    }
  } catch {
    return otherwise;
  }
}

/**
 * Keeps a file, and forgets the oldest when there are too many.
 * @param {Kept} file
 */
export function keep(file) {
  const bytes = file.files.reduce((sum, { bytes: { byteLength } }) => sum + byteLength, 0);
  if (bytes > MOST_BYTES) return Promise.resolve();
  /** @type {KeptFile} */
  const kept = { ...file, bytes, opened: Date.now() };
  return withTable(
    "readwrite",
    async (table) => {
      await settled(table.put(kept));
      /** @type {KeptFile[]} */
      const all = await settled(table.getAll());
      for (const old of newestFirst(all).slice(MOST_FILES)) table.delete(old.key);
    },
    undefined,
  );
}

/** @returns {Promise<RecentFile[]>} the newest first */
export async function recentFiles() {
  /** @type {KeptFile[]} */
  const all = await withTable("readonly", (table) => settled(table.getAll()), []);
  return newestFirst(all).map(({ key, name, bytes, opened }) => ({ key, name, bytes, opened }));
}

/**
 * @param {string} key
 * @returns {Promise<KeptFile | undefined>}
 */
export function keptFile(key) {
  return withTable("readonly", (table) => settled(table.get(key)), undefined);
}

/** @param {KeptFile[]} files */
const newestFirst = (files) => files.sort((a, b) => b.opened - a.opened);
