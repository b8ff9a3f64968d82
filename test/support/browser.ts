import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'

/** What that Chromium is given for functions in a cloud: it would take the guard from the pages. */
const LEFT_OUT = [
  '--single-process',
  '--no-zygote',
  '--disable-web-security',
  '--allow-running-insecure-content',
]

let shared: Promise<Browser> | undefined

/** The Chromium of a worker, without a window; it ends with the worker. Close the pages. */
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
