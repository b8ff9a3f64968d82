/** Generates the files that the demo catalog is loaded from: `npm run demo:make`. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { demoFiles } from './files.ts'

const FOLDER = join(import.meta.dirname, '../src/demo')

for (const [name, text] of Object.entries(demoFiles())) {
  const bytes = brotliCompressSync(text, {
    params: {
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    },
  })
  await writeFile(join(FOLDER, name), bytes)
  console.log(`${name}: ${bytes.length} bytes`)
}
