import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Sent } from './contract.ts'
import type { Case } from './contracts.ts'

const FOLDER = 'src/openapi/examples'

/** The documentation's example of an operation in one revision. */
export interface Recorded {
  readonly path?: readonly string[]
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly answer?: unknown
}

const fileOf = (feature: string) => `${FOLDER}/${feature}.json`

function readAll(feature: string): Record<string, Recorded> {
  const file = fileOf(feature)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

export const recordedOf = ({ feature, title }: Case): Recorded | undefined =>
  readAll(feature!)[title]

/** Whether this run updates the examples of the documentation, as `npm run examples` does. */
export const recording = process.env.RECORD_EXAMPLES === '1'

export function record({ feature, title }: Case, recorded: Recorded): void {
  const all = Object.entries({ ...readAll(feature!), [title]: recorded })
  const sorted = Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)))
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(fileOf(feature!), `${JSON.stringify(sorted, null, 2)}\n`)
}

/** A request as it is documented: JSON bodies only, and names without their unique suffix. */
export function shownRequest({ path, query, body }: Sent, organization: string): Recorded {
  const isJson = body !== undefined && !(body instanceof Uint8Array)
  const parts = { ...(path && { path }), ...(query && { query }), ...(isJson && { body }) }
  return JSON.parse(shown(JSON.stringify(parts), organization))
}

export const shownAnswer = (answer: unknown, organization: string): unknown =>
  shorter(JSON.parse(shown(JSON.stringify(answer), organization)))

/** Replaces what differs from run to run by a typical value. */
const shown = (text: string, organization: string): string =>
  text
    .replaceAll(organization, 'acme')
    .replace(/--[0-9a-f]{8}/g, '')
    .replace(/aisle_(\w+?)_[0-9a-f]{48}_[0-9a-f]{8}/g, 'aisle_$1_9b2d…')
    .replace(/aisle_(\w+?)_[0-9a-f]{8}/g, 'aisle_$1_9b2d41c0')
    .replace(/whsec_[A-Za-z0-9+/]+=*/g, 'whsec_…')
    .replace(/"searchId":"[^"]+"/g, '"searchId":"v1.mH3k9QzX.vB7nL5tR8wYpAe9F.h1JcKu4Gz6Ti…"')
    .replace(/"\d{4}-\d\d-\d\d"/g, '"2026-01-15"')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, '0198c5a4-7a3e-7b61-9d2f-5c1e8a90b4d7')
    .replace(/\b[0-9a-f]{32}\b/g, '5f2b1d8c9a3e4f60b7c1d2e3f4a5b6c7')
    .replace(/(?<![\w-])[\w-]{43}(?![\w-])/g, 'Qd8mS0vX3kB7nL5tR2wYpAe9Fh1JcKu4Gz6TiMoVsWx')
    .replace(/(punchout=|")(?![0-9a-f]{32})[\w-]{32}"/g, '$1kF2mS0vX3kB7nL5tR2wYpAe9Fh1JcKu4"')
    .replace(/"took":\d+/g, '"took":8')
    .replace(/[\w-]{22}\.(png|jpg|gif|webp)/g, 'mH3k9QzX2vB7nL5tR8wYpA.$1')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '2026-01-15T09:30:00.000Z')

/** Shortens lists to two entries. */
function shorter(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 2).map(shorter)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shorter(item)]))
}
