import '../../compile-cache.js'

await import('./reading-thread.ts')
