import { storedFile } from '../../src/formats/bytes/stored-bytes.ts'
import { openFile } from '../../src/imports/open-file.ts'
import { createDirectoryStore } from '../../src/platform/directory-store.ts'

/** Reads all rows of a stored file as an import does; prints their number and the memory used. */
const [folder, id, bytes, fileType] = process.argv.slice(2) as [string, string, string, string]

const stored = storedFile(createDirectoryStore(folder), { id, bytes: Number(bytes) })
const settings = {
  ...{ fileType, delimiter: null, quote: '"', header: true, entry: null },
  ...{ sheet: null, columns: null, vendor: 'Nord' },
}
const file = await openFile(stored, settings, { now: new Date(), isCancelled: () => false })
let rows = 0
// The system's own peak figure would start with that of the parent process.
let most = process.memoryUsage.rss()
for await (const batch of file.rows({})) {
  rows += batch.rows.length
  await file.rejectedLines([], rows)
  most = Math.max(most, process.memoryUsage.rss())
}
await file.close()
console.log(JSON.stringify({ rows, mib: Math.round(most / 1024 ** 2) }))
