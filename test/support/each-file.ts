import { afterAll } from 'vitest'
import { endRunning } from './end-with-file.ts'

// Files share a worker: what one leaves running would work on while the next ones do.
afterAll(endRunning)
