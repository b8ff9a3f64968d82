import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'

/**
 * Default arguments of that Chromium, meant for cloud functions, that would disable the sandbox.
 */
const LEFT_OUT = [
  '--single-process',
  '--no-zygote',
  '--disable-web-security',
  '--allow-running-insecure-content',
]

let shared: Promise<Browser> | undefined

/** The headless Chromium of a worker, which ends with the worker. Tests must close their pages. */
export const workerBrowser = (): Promise<Browser> => {
  shared ??= start()
  return shared
}

const start = async () =>
  playwright.launch({
    args: chromium.args.filter((argument) => !LEFT_OUT.includes(argument)),
    executablePath: await chromium.executablePath(),
    headless: true,
  })
