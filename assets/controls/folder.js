// @ts-check Packs a tracker's folder into one file.

/** The files that scenes read from a tracker's folder. Checkpoints and all other files are left out. */
const READ = /tfevents|\.wandb$|(^|\/)metrics\.csv$|(^|\/)(loss|gramian)\//;

/** @typedef {{name: string, file: File}} Inside a file and its path in the folder */

/**
 * Returns the files of a folder from a file input.
 * @param {FileList|null} files
 * @returns {Inside[]}
 */
export const chosen = (files) => [...files ?? []].map((file) => ({ name: file.webkitRelativePath, file }));

/**
 * Returns the files in the dropped folders, or undefined if no dropped item is a folder. Call it during the drop event.
 * @param {DataTransfer|null} given
 * @returns {Promise<Inside[]>|undefined}
 */
export function droppedFolders(given) {
  const entries = [...given?.items ?? []].map((item) => item.webkitGetAsEntry());
  if (!entries.some((entry) => entry?.isDirectory)) return undefined;
  return Promise.all(entries.map((entry) => entry ? inside(entry) : [])).then((all) => all.flat());
}

/**
 * @param {FileSystemEntry} entry
 * @returns {Promise<Inside[]>}
 */
async function inside(entry) {
  if (entry.isFile) {
    const one = /** @type {FileSystemFileEntry} */ (entry);
    return [{ name: entry.fullPath.slice(1), file: await new Promise((done, failed) => one.file(done, failed)) }];
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  /** @type {Inside[]} */
  const all = [];
  for (;;) { // returns a few entries at a time
    /** @type {FileSystemEntry[]} */
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (some.length === 0) return all;
    for (const one of some) all.push(...await inside(one));
  }
}

/**
 * Packs the files that scenes read into a zip: stored, without dates and checksums, so that equal files produce equal
 * bytes.
 * @param {Inside[]} files
 * @returns {Blob}
 */
export function packed(files) {
  const read = files.filter(({ name }) => READ.test(name)).sort((a, b) => a.name < b.name ? -1 : 1);
  if (read.length === 0) throw new Error('the folder contains no file from TensorBoard, W&B, MLflow or Lightning.');
  /** @type {BlobPart[]} */
  const parts = [];
  /** @type {BlobPart[]} */
  const directory = [];
  let at = 0, listed = 0;
  for (const { name, file } of read) {
    const path = new TextEncoder().encode(name);
    // The fields: version 2.0, names in UTF-8, stored, no date, no checksum, the size twice, the name's length,
    // nothing extra.
    const common = [[20, 2], [0x800, 2], [0, 2], [0, 2], [0x21, 2], [0, 4], [file.size, 4], [file.size, 4], [path.length, 2], [0, 2]];
    const entry = bytes([[0x02014b50, 4], [20, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [at, 4]]);
    const head = bytes([[0x04034b50, 4], ...common]);
    directory.push(entry, path);
    listed += entry.length + path.length;
    parts.push(head, path, file);
    at += head.length + path.length + file.size;
  }
  const end = bytes([[0x06054b50, 4], [0, 2], [0, 2], [read.length, 2], [read.length, 2], [listed, 4], [at, 4], [0, 2]]);
  return new Blob([...parts, ...directory, end]);
}

/**
 * Encodes numbers in the given sizes in bytes, little-endian.
 * @param {number[][]} fields
 */
const bytes = (fields) => Uint8Array.from(fields.flatMap(([value, size]) => Array.from({ length: size }, (_, i) => value >>> 8 * i & 255)));
