import { type Log, warnOf } from './log.ts'

/** Runs `work` every `ms`, never twice at once; failures are logged and tried again next time. */
export function periodically(log: Log, name: string, ms: number, work: () => Promise<unknown>) {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= work()
      .then(() => undefined)
      .catch((error: unknown) => warnOf(log, name, error))
      .finally(() => {
        running = undefined
      })
  }, ms)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
