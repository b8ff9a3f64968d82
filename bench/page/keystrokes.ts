import type { Browser } from 'playwright-core'

/** Milliseconds from a keystroke until its hits are painted, and until the service has answered. */
export interface Stroke {
  /** The text typed so far. */
  readonly text: string
  readonly painted: number
  readonly answered: number
}

/** Typed with a pause after each key, long enough to read what is shown. */
const WORDS = ['cordless drill', 'hex bolt m8', 'toner']
const REST_MS = 150
const PATIENCE_MS = 10_000

/**
 * Runs in the page. Records when a key was pressed, when its answer arrived, and when the change
 * was painted: in the task after the next frame. Without a change, two frames are waited for.
 */
const WATCH = `
  window.strokes = []
  addEventListener('input', (event) => {
    strokes.push({ text: event.target.value, at: event.timeStamp, answered: 0, painted: 0 })
  }, true)
  const painted = (done) => {
    let isDone = false
    const end = () => {
      if (isDone) return
      isDone = true
      observer.disconnect()
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = done
        port2.postMessage(0)
      })
    }
    const observer = new MutationObserver(end)
    const all = { childList: true, subtree: true, characterData: true, attributes: true }
    observer.observe(document.querySelector('main'), all)
    requestAnimationFrame(() => requestAnimationFrame(end))
  }
  const ask = window.fetch
  window.fetch = async (address, init) => {
    const answer = await ask(address, init)
    if (!String(address).includes('api/search?')) return answer
    const { keywords } = JSON.parse(init.body)
    const read = answer.json.bind(answer)
    answer.json = async () => {
      const body = await read()
      const stroke = strokes.findLast(({ text }) => text === keywords)
      if (stroke && !stroke.answered) {
        stroke.answered = performance.now() - stroke.at
        painted(() => { stroke.painted = performance.now() - stroke.at })
      }
      return body
    }
    return answer
  }
`

/**
 * Waits until the last keystroke is painted. The page's policy allows only its own scripts, so this
 * polls.
 */
const SHOWN = `new Promise((resolve, reject) => {
  setTimeout(reject, ${PATIENCE_MS}, new Error('a key stroke shows nothing'))
  const look = () => strokes.at(-1)?.painted > 0 ? resolve() : setTimeout(look, 10)
  look()
})`

/** Types into the search box of the storefront at an address, key by key. */
export async function measureKeystrokes(browser: Browser, address: string): Promise<Stroke[]> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  try {
    await page.addInitScript(WATCH)
    await page.goto(address)
    const box = page.getByRole('combobox', { name: 'Search products' })
    await page.getByRole('list').first().waitFor()
    await box.click()
    for (const words of WORDS) {
      for (const sign of words) {
        await box.press(sign === ' ' ? 'Space' : sign)
        await page.evaluate(SHOWN)
        await page.waitForTimeout(REST_MS)
      }
      await page.getByRole('button', { name: 'Clear search' }).click()
      await page.waitForTimeout(REST_MS)
    }
    return await page.evaluate<Stroke[]>('strokes')
  } finally {
    await page.close()
  }
}
