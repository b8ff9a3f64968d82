import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { limits } from '../src/limits.ts'
import type { Operation } from '../src/operation.ts'
import { operations } from '../src/operations.ts'
import { useProductionDeadlines } from './support/deadlines.ts'

useProductionDeadlines()

const text = (file: string) => readFileSync(file, 'utf8')
/** Removes the padding of table rows. */
const squeezed = (file: string) => text(file).replace(/ +/g, ' ')
const manual = squeezed('docs/interface.md')

const ACCESS: Record<Operation['access'], string> = {
  public: 'nobody needs a key',
  caller: 'any user',
  operatorOnly: 'operator',
  viewer: 'viewer',
  editor: 'editor',
  administrator: 'administrator',
  operator: 'operator',
}

/** The row of docs/interface.md for each method and path of an operation. */
function rowsOf({ name, bindings, access, keys }: Operation): string[] {
  const revisions = new Map<string, string[]>()
  for (const [revision, { method, path }] of Object.entries(bindings)) {
    const place = `${method} | \`${path.replace(/:(\w+)/g, '{$1}')}\``
    revisions.set(place, [...(revisions.get(place) ?? []), revision])
  }
  const who = [ACCESS[access], ...keys.map((type) => `${type} keys`)].join(', ')
  return [...revisions].map(
    ([place, versions]) => `| ${name} | ${place} | ${versions.join(', ')} | ${who} |`,
  )
}

/** Method and path, such as `POST /api/search`, of every request in the examples. */
function callsIn(files: readonly string[]): string[] {
  const blocks = files.flatMap((file) => [...text(file).matchAll(/^```sh\n(.*?)^```$/gms)])
  const lines = blocks.flatMap(([, block]) => block!.replaceAll('\\\n', ' ').split('\n'))
  return lines.flatMap((line) => {
    const [, path] = /\$AISLE(\/[^\s"'?)|]*)/.exec(line) ?? []
    if (path === undefined) return []
    const sends = / -d |--data/.test(line) ? 'POST' : 'GET'
    return [`${/-X (\w+)/.exec(line)?.[1] ?? sends} ${path}`]
  })
}

const matchesOf = ({ method, path }: { method: string; path: string }) => {
  const pattern = new RegExp(`^${method} ${path.replace(/:\w+/g, '[^/]+')}$`)
  return (call: string) => pattern.test(call)
}

describe('docs/interface.md', () => {
  test('lists every operation that is served, and no others', () => {
    const listed = manual
      .split('\n')
      .filter((line) => /^\|.+\| (GET|POST|PUT|DELETE) \|/.test(line))
    expect(listed.toSorted()).toEqual(operations.flatMap(rowsOf).toSorted())
  })

  test('has an example of every operation, which test/tour.test.ts runs', () => {
    const called = callsIn(['README.md', 'docs/interface.md'])
    const uncalled = operations.filter(
      ({ bindings }) => !Object.values(bindings).some((one) => called.some(matchesOf(one))),
    )
    expect(uncalled.map(({ name }) => name)).toEqual([])
  })

  test('lists every limit with its value', () => {
    const listed = [...manual.matchAll(/^\| `(\w+)` \| ([\d,]+) \|/gm)].map(
      ([, name, value]) => [name, Number(value!.replaceAll(',', ''))] as const,
    )
    expect(Object.fromEntries(listed)).toEqual(limits)
  })
})

test('docs/extensions.md has the correct value of every limit', () => {
  const page = squeezed('docs/extensions.md')
  const named = [...page.matchAll(/`(\w+)`/g)].map(([, name]) => name!)
  const known = new Set(named.filter((name) => Object.hasOwn(limits, name)))
  expect(known.size).toBeGreaterThan(10)
  for (const name of known) {
    const value = limits[name as keyof typeof limits].toLocaleString('en-US')
    expect(page).toContain(`| \`${name}\` | ${value} |`)
  }
})

describe('README.md', () => {
  const readme = squeezed('README.md')

  test('lists every setting', () => {
    const settings = [...text('src/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)]
    const rows = readme.split('\n').filter((line) => /^\| (`[A-Z_]+`(, )?)+ \|/.test(line))
    const named = rows.flatMap((line) => [...line.split('|')[1]!.matchAll(/`(\w+)`/g)])
    const [expected, found] = [settings, named].map((all) => all.map(([, name]) => name).toSorted())
    expect(settings.length).toBeGreaterThan(10)
    expect(found).toEqual(expected)
  })

  test('and docs/ link only to existing files', () => {
    const files = ['README.md', ...readdirSync('docs').map((name) => join('docs', name))]
    const missing = files.flatMap((file) =>
      [...text(file).matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
        .map(([, target]) => join(file, '..', target!))
        .filter((path) => !existsSync(path)),
    )
    expect(missing).toEqual([])
  })
})
