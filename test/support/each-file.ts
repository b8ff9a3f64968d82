import { afterAll } from 'vitest'
import { endRunning } from './running.ts'

// Files share a worker: what one leaves running would work on while the next ones do.
afterAll(endRunning)
