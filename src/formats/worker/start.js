import '../../compile-cache.js'

await import('./worker.ts')
