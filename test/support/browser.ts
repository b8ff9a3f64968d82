import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'

/**
 * Default arguments of that Chromium, meant for cloud functions, that would disable the sandbox, or
 * compose pages by an emulated graphics card, which takes four times the processor time.
 */
const LEFT_OUT = [
  '--single-process',
  '--no-zygote',
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--in-process-gpu',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--ignore-gpu-blocklist',
  '--enable-unsafe-swiftshader',
]
const ADDED = ['--disable-gpu', '--disable-software-rasterizer']

let shared: Promise<Browser> | undefined

/** The headless Chromium of a worker, which ends with the worker. Tests must close their pages. */
export const workerBrowser = (): Promise<Browser> => {
  shared ??= start()
  return shared
}

const start = async () =>
  playwright.launch({
    args: [...chromium.args.filter((argument) => !LEFT_OUT.includes(argument)), ...ADDED],
    executablePath: await chromium.executablePath(),
    headless: true,
  })
