import { parseArgs } from 'node:util'
import { workerBrowser } from '../../test/support/browser.ts'
import { quantile } from '../statistics.ts'
import { measureKeystrokes } from './keystrokes.ts'
import { auditPage, startPlainChromium } from './lighthouse.ts'

const USAGE = `npm run bench:page -- [options]
  --url http://127.0.0.1:3000    a service that shows the demo
  --only keys|lighthouse         both when absent`

const say = (line: string) => process.stdout.write(`${line}\n`)

async function reportKeys(address: string): Promise<void> {
  const strokes = await measureKeystrokes(await workerBrowser(), address)
  const line = (name: string, values: readonly number[]) => {
    const [half, most] = [quantile(values, 0.5), quantile(values, 0.95)]
    say(`  ${name}: p50 ${half.toFixed(0)} ms, p95 ${most.toFixed(0)} ms`)
  }
  say(`${strokes.length} key strokes`)
  line(
    'the answer is there',
    strokes.map(({ answered }) => answered),
  )
  line(
    'its hits are on the screen',
    strokes.map(({ painted }) => painted),
  )
}

/** Addresses of the start page, of a search, and of a product that it finds. */
async function pagesOf(address: string): Promise<string[]> {
  const found = '?q=cordless+drill'
  const page = await (await workerBrowser()).newPage()
  await page.goto(`${address}/${found}`)
  const product = await page.locator('.card-name a').first().getAttribute('href')
  await page.close()
  return ['', found, product!]
}

async function reportAudits(address: string): Promise<void> {
  const pages = await pagesOf(address)
  const { port, stop } = await startPlainChromium()
  try {
    for (const path of pages) {
      for (const form of ['mobile', 'desktop'] as const) {
        const audit = await auditPage({ address: `${address}/${path}`, port, form })
        const { performance, accessibility, short } = audit
        say(`/${path} ${form}: performance ${performance}, accessibility ${accessibility}`)
        for (const one of short) say(`  ${one}`)
      }
    }
  } finally {
    await stop()
  }
}

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:3000' },
    only: { type: 'string' },
    help: { type: 'boolean' },
  },
})
if (values.help) say(USAGE)
else {
  if (values.only !== 'lighthouse') await reportKeys(values.url)
  if (values.only !== 'keys') await reportAudits(values.url)
  await (await workerBrowser()).close()
}
