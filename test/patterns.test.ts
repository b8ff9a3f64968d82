import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { parse } from 'acorn'
import { full } from 'acorn-walk'
import { check } from 'recheck'
import { describe, expect, test, vi } from 'vitest'
import { matcher, routesOf } from '../src/http/routes.ts'
import { operations } from '../src/operations.ts'

const SRC = join(import.meta.dirname, '../src')

interface Pattern {
  readonly place: string
  readonly source: string
  readonly flags: string
}

/** The regular expressions in a file, and the places where it builds one from text. */
function patternsIn(file: string): { written: Pattern[]; made: string[] } {
  const text = readFileSync(join(SRC, file), 'utf8')
  const script = file.endsWith('.ts') ? stripTypeScriptTypes(text) : text
  const written: Pattern[] = []
  const made: string[] = []
  full(parse(script, { ecmaVersion: 'latest', sourceType: 'module', locations: true }), (node) => {
    const place = `src/${file}:${node.loc!.start.line}`
    if (node.type === 'Literal' && 'regex' in node && node.regex) {
      written.push({ place, source: node.regex.pattern, flags: node.regex.flags })
    }
    if (node.type === 'Identifier' && 'name' in node && node.name === 'RegExp') made.push(file)
  })
  return { written, made }
}

/** The expressions that take more than linear time for some text. */
async function slowOf(patterns: readonly Pattern[]): Promise<string[]> {
  const judged = await Promise.all(
    patterns.filter(repeats).map(async ({ place, source, flags }) => {
      // This checker proves its verdict. It does not support lookarounds, so they are not used
      // here.
      const verdict = await check(source, flags, { checker: 'automaton', timeout: null })
      if (verdict.status === 'safe') return []
      const why = verdict.status === 'vulnerable' ? verdict.complexity.summary : 'cannot be judged'
      return [`${place} ${why}: /${source}/${flags}`]
    }),
  )
  return judged.flat()
}

/** An expression without unbounded repetition needs no check. */
const repeats = ({ source }: Pattern): boolean => /[*+]|,\}/.test(source)

/** The expressions that `work` builds from text. */
async function madeBy(place: string, work: () => unknown): Promise<Pattern[]> {
  const made: Pattern[] = []
  vi.stubGlobal(
    'RegExp',
    new Proxy(RegExp, {
      construct(target, [source, flags = '']) {
        made.push({ place, source, flags })
        return new target(source, flags)
      },
    }),
  )
  await work()
  vi.unstubAllGlobals()
  return made
}

describe('regular expressions for external text take time proportional to its length', () => {
  // The dependencies of the storefront run in the browser of the person who types.
  const files = globSync('**/*.{ts,js}', { cwd: SRC, exclude: ['storefront/built/**'] })
  const found = files.map(patternsIn)

  test('literal ones', async () => {
    const patterns = found.flatMap(({ written }) => written)
    expect(patterns.length).toBeGreaterThan(100)
    expect(await slowOf(patterns)).toEqual([])
  })

  test('those built from constants, and there are no others', async () => {
    const makers = new Set(found.flatMap(({ made }) => made))
    expect([...makers].sort()).toEqual(['http/routes.ts', 'recommendations/bom/quantity.ts'])
    const routes = await madeBy('http/routes.ts', () => matcher(routesOf(operations)))
    const byDepth = new Map(routes.map((route) => [route.source.split('/').length, route]))
    const quantities = await madeBy(
      'recommendations/bom/quantity.ts',
      () => import('../src/recommendations/bom/quantity.ts?again' as string),
    )
    expect(quantities.length).toBeGreaterThan(5)
    expect(await slowOf([...byDepth.values(), ...quantities])).toEqual([])
  })
})
