import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// The same as of the process; see ../../start.js.
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/compiled'))
await import('./reading-thread.ts')
