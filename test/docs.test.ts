import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { limits } from '../src/limits.ts'
import type { Operation } from '../src/operation.ts'
import { operations } from '../src/operations.ts'

const text = (file: string) => readFileSync(file, 'utf8')
/** Table rows are padded for reading. */
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

describe('docs/interface.md', () => {
  test('lists every operation as it is served, and no other', () => {
    const listed = manual
      .split('\n')
      .filter((line) => /^\|.+\| (GET|POST|PUT|DELETE) \|/.test(line))
    expect(listed.toSorted()).toEqual(operations.flatMap(rowsOf).toSorted())
  })

  test('names every limit with its value', () => {
    const listed = [...manual.matchAll(/^\| `(\w+)` \| ([\d,]+) \|/gm)].map(
      ([, name, value]) => [name, Number(value!.replaceAll(',', ''))] as const,
    )
    expect(Object.fromEntries(listed)).toEqual(limits)
  })
})

describe('README.md', () => {
  const readme = squeezed('README.md')

  test('names every setting', () => {
    const settings = [...text('src/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)]
    const rows = readme.split('\n').filter((line) => /^\| (`[A-Z_]+`(, )?)+ \|/.test(line))
    const named = rows.flatMap((line) => [...line.split('|')[1]!.matchAll(/`(\w+)`/g)])
    const [expected, found] = [settings, named].map((all) => all.map(([, name]) => name).toSorted())
    expect(settings.length).toBeGreaterThan(10)
    expect(found).toEqual(expected)
  })

  test('and docs/ link only to files that exist', () => {
    const files = ['README.md', ...readdirSync('docs').map((name) => join('docs', name))]
    const missing = files.flatMap((file) =>
      [...text(file).matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
        .map(([, target]) => join(file, '..', target!))
        .filter((path) => !existsSync(path)),
    )
    expect(missing).toEqual([])
  })
})
