import { afterAll } from 'vitest'
import { lengthenDeadlines } from './deadlines.ts'
import { endRunning } from './end-with-file.ts'

lengthenDeadlines()
// Files share a worker, so what one leaves running would disturb the next ones.
afterAll(endRunning)
