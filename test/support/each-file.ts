import { afterAll } from 'vitest'
import { lengthenDeadlines } from './deadlines.ts'
import { endRunning } from './end-with-file.ts'

lengthenDeadlines()
// Files share a worker: what one leaves running would work on while the next ones do.
afterAll(endRunning)
