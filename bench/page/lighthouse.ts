import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import chromium from '@sparticuz/chromium'

/**
 * Fetched by `npm exec`, since nothing else here needs it. Version 13 misses the request of the
 * page in this Chromium.
 */
const PACKAGE = 'lighthouse@12.8.2'

export interface Audit {
  /** Score from 0 to 100. */
  readonly performance: number
  readonly accessibility: number
  /** Audits without a full score, with their values. */
  readonly short: readonly string[]
}

interface ShownAudit {
  readonly title: string
  readonly score: number | null
  readonly displayValue?: string
  readonly details?: {
    readonly items?: readonly { readonly node?: { readonly selector: string } }[]
  }
}

interface Report {
  readonly categories: Readonly<
    Record<
      'performance' | 'accessibility',
      {
        readonly score: number
        readonly auditRefs: readonly { readonly id: string; readonly weight: number }[]
      }
    >
  >
  readonly audits: Readonly<Record<string, ShownAudit>>
}

/**
 * Starts a Chromium that nothing else controls, and returns its port. Leaves out the package's
 * default arguments, which are for cloud functions: in a single process Lighthouse crashes it.
 */
export async function startPlainChromium(): Promise<{ port: number; stop(): Promise<void> }> {
  const profile = await mkdtemp(join(tmpdir(), 'aisle-chromium-'))
  const child = spawn(
    await chromium.executablePath(),
    [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
      ...['--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const stop = async () => {
    child.kill()
    await ended
    await rm(profile, { recursive: true, force: true })
  }
  for await (const line of createInterface(child.stderr)) {
    const [, port] = /^DevTools listening on ws:\/\/[^:]+:(\d+)\//.exec(line) ?? []
    if (port !== undefined) {
      child.stderr.resume()
      return { port: Number(port), stop }
    }
  }
  await stop()
  throw new Error('Chromium did not start.')
}

interface Asked {
  readonly address: string
  /** Debugging port of a running Chromium. */
  readonly port: number
  readonly form: 'mobile' | 'desktop'
}

/** Runs Lighthouse against a page, with the throttling of its presets. */
export async function auditPage({ address, port, form }: Asked): Promise<Audit> {
  const folder = await mkdtemp(join(tmpdir(), 'aisle-lighthouse-'))
  const output = join(folder, 'report.json')
  const preset = form === 'desktop' ? ['--preset=desktop'] : []
  try {
    await promisify(execFile)('npm', [
      ...['exec', '--yes', `--package=${PACKAGE}`, '--', 'lighthouse', address],
      ...[`--port=${port}`, '--output=json', `--output-path=${output}`, '--quiet'],
      ...['--only-categories=performance,accessibility', ...preset],
    ])
    return auditOf(JSON.parse(await readFile(output, 'utf8')))
  } finally {
    await rm(folder, { recursive: true })
  }
}

function auditOf({ categories, audits }: Report): Audit {
  const { performance, accessibility } = categories
  const counted = [...performance.auditRefs, ...accessibility.auditRefs].filter(
    ({ weight }) => weight > 0,
  )
  const short = counted.flatMap(({ id }) => {
    const { title, score, displayValue = '', details } = audits[id]!
    if (score === null || score === 1) return []
    const where = details?.items?.flatMap(({ node }) => node?.selector ?? []).slice(0, 3) ?? []
    return [[title, displayValue, `(${score})`, ...where].join(' ')]
  })
  return {
    performance: Math.round(performance.score * 100),
    accessibility: Math.round(accessibility.score * 100),
    short,
  }
}
