import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const SRC = resolve('src')
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .sort()

/** A layer may import only from layers after it; see docs/architecture.md. */
const LAYERS = [
  ['main.ts', 'migrate.ts'],
  ['service.ts'],
  ['upkeep.ts'],
  ['app.ts'],
  ['mcp', 'openapi', 'storefront'],
  ['operations.ts', 'features', 'http', 'engine'],
  ['authentication.ts'],
  ['operation.ts', 'shapes.ts'],
  ['context.ts'],
  ['caller.ts'],
  ['elastic'],
  ['platform', 'text.ts'],
  ['limits.ts', 'errors.ts'],
  [
    'extension-limits.ts',
    'load-limits.ts',
    'product-limits.ts',
    'search-limits.ts',
    'sign-in-limits.ts',
    'tuning-limits.ts',
    'xml-limits.ts',
  ],
]
/** Only files that start a process read config.ts. */
const STARTERS = ['main.ts', 'migrate.ts']
const SHARED_FOLDERS = ['mcp', 'openapi', 'storefront', 'http', 'elastic', 'engine', 'platform']

/**
 * Folders of pure files, which use no file, socket or clock, with their files that are not pure.
 */
const PURE_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  'formats/bmecat': ['format.ts'],
  'formats/rows': [],
  'formats/systems': [],
  'recommendations/bom': ['extension.ts', 'file.ts', 'matching.ts'],
  languages: [],
  search: [
    'answered-search.ts',
    'cached-search.ts',
    'check-offers.ts',
    'explained.ts',
    'history.ts',
    'many-searches.ts',
    'operations.ts',
  ],
  'search/learning': ['learn-types.ts'],
  'search/suggestions': ['suggest.ts'],
  'search/tuning': ['experiments.ts', 'operations.ts', 'preview.ts', 'store.ts'],
  'search/understanding': [],
}
/** Pure files in other folders. */
const PURE_FILES = [
  'analytics/event.ts',
  'analytics/experiment.ts',
  'analytics/experiment-figures.ts',
  'analytics/popularity.ts',
  'analytics/responses.ts',
  'analytics/query-text.ts',
  'analytics/rate-difference.ts',
  'analytics/report.ts',
  'analytics/robots.ts',
  'analytics/search-token.ts',
  'annotations/changes.ts',
  'audit/changes.ts',
  'audit/responses.ts',
  'audit/query.ts',
  'bulk/merge-attempts.ts',
  'bulk/idempotent-writes.ts',
  'callbacks/delivery.ts',
  'callbacks/retry-schedule.ts',
  'catalogs/price-lists/price-list.ts',
  'elastic/answer-parts.ts',
  'elastic/exact-counts.ts',
  'elastic/clauses.ts',
  'elastic/search-preference.ts',
  'elastic/mapping-changes.ts',
  'elastic/patterns.ts',
  'elastic/renamed-fields.ts',
  'elastic/sampled.ts',
  'elastic/tagged-fields.ts',
  'exports/common-names.ts',
  'extensions/destinations.ts',
  'extensions/field-values.ts',
  'extensions/redact.ts',
  'extensions/product-identity.ts',
  'extensions/json.ts',
  'extensions/manifest.ts',
  'extensions/realtime-answer.ts',
  'extensions/remote-answers.ts',
  'extensions/schedule.ts',
  'formats/google/item.ts',
  'formats/text/xml-namespaces.ts',
  'images/image-kinds.ts',
  'images/picture-parts.ts',
  'images/sizes.ts',
  'images/decode-upload.ts',
  'imports/writing/row-digest.ts',
  'installations/manifest-problems.ts',
  'installations/next-run.ts',
  'installations/changed-settings.ts',
  'keys/bounds.ts',
  'mcp/truncate-response.ts',
  'platform/fair-queue.ts',
  'platform/json-size.ts',
  'platform/bloom-filter.ts',
  'platform/fnv1a.ts',
  'platform/load-owner.ts',
  'platform/known-fields.ts',
  'platform/steps.ts',
  'platform/closest-name.ts',
  'platform/validation-problem.ts',
  'price-lists/lines.ts',
  'products/annotation-fields.ts',
  'products/availability.ts',
  'products/catalog-words.ts',
  'products/next-document.ts',
  'products/offer-prices.ts',
  'products/copy-patch.ts',
  'products/criteria.ts',
  'products/criterion-clauses.ts',
  'products/image-ids.ts',
  'products/list-prices.ts',
  'products/manufacturer-names.ts',
  'products/measures.ts',
  'products/patch.ts',
  'products/product-type.ts',
  'products/restore-patch.ts',
  'products/row-digest.ts',
  'products/responses.ts',
  'products/roles.ts',
  'products/search-fields.ts',
  'products/selection.ts',
  'products/text-fields.ts',
  'products/view.ts',
  'products/visible.ts',
  'punchout/return-address.ts',
  'punchout/order.ts',
  'recommendations/recommendation.ts',
  'recommendations/similar/likeness.ts',
  'recommendations/together/likelihood.ts',
  'recommendations/together/queries.ts',
  'sign-in/person.ts',
  'sign-in/settings.ts',
  'tasks/check-input.ts',
  'tasks/progress.ts',
  'text.ts',
]
const EFFECTS =
  /^(node:(child_process|dns|fs|https?|net|timers|tls|worker_threads)|undici|nodemailer|pino|@elastic\/|platform\/(outbound\/|s3-|log\.ts))/

const home = (file: string): string => {
  const [first, second] = file.split('/')
  if (second === undefined) return first!
  return SHARED_FOLDERS.includes(first!) ? first! : 'features'
}
const layerOf = (file: string): number => LAYERS.findIndex((names) => names.includes(home(file)))
const folder = (file: string): string => (file.includes('/') ? file.split('/')[0]! : file)

interface Import {
  readonly from: string
  readonly target: string
  readonly typeOnly: boolean
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(SRC, file), 'utf8')
  const pattern =
    /^(?:import|export)\s+(type\s+)?[^'"]*?from\s+'([^']+)'|^import\s+'([^']+)'|import\('([^']+)'\)/gms
  return [...text.matchAll(pattern)].map((match) => {
    const target = (match[2] ?? match[3] ?? match[4])!
    return {
      from: file,
      target: target.startsWith('.') ? relative(SRC, resolve(SRC, dirname(file), target)) : target,
      typeOnly: match[1] !== undefined,
    }
  })
}

const imports = files.flatMap(importsOf)
const inside = imports.filter(({ target }) => files.includes(target))

function graphOf(edges: readonly (readonly [string, string])[]): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>()
  for (const [from, to] of edges) graph.set(from, (graph.get(from) ?? new Set()).add(to))
  return graph
}

/** The first import cycle that is found, as the files along it. */
function circleIn(graph: Map<string, Set<string>>): string[] {
  const done = new Set<string>()
  const walk = (node: string, path: readonly string[]): string[] => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node]
    if (done.has(node)) return []
    for (const next of graph.get(node) ?? []) {
      const found = walk(next, [...path, node])
      if (found.length > 0) return found
    }
    done.add(node)
    return []
  }
  for (const start of graph.keys()) {
    const found = walk(start, [])
    if (found.length > 0) return found
  }
  return []
}

describe('architecture', () => {
  test('every file belongs to a layer', () => {
    const homeless = files.filter((file) => layerOf(file) === -1 && file !== 'config.ts')
    expect(homeless).toEqual([])
  })

  test('a file imports only from its own folder or from layers to its right', () => {
    const wrong = inside.filter(({ from, target }) => {
      if (target === 'config.ts') return !STARTERS.includes(from)
      if (from === 'config.ts') return !['errors.ts', 'limits.ts'].includes(target)
      if (folder(from) === folder(target)) return false
      if (from === 'operations.ts') return home(target) !== 'features' && layerOf(target) <= 5
      if (home(from) === 'features' && home(target) === 'features') return false
      return layerOf(from) >= layerOf(target)
    })
    expect(wrong.map(({ from, target }) => `${from} -> ${target}`)).toEqual([])
  })

  test('a feature imports only stores and pure files of other features, without circles', () => {
    const wrong = inside.filter(
      ({ from, target }) =>
        home(from) === 'features' &&
        home(target) === 'features' &&
        folder(from) !== folder(target) &&
        target.endsWith('/operations.ts'),
    )
    expect(wrong.map(({ from, target }) => `${from} -> ${target}`)).toEqual([])
    const between = inside.filter(
      ({ from, target }) =>
        home(from) === 'features' && home(target) === 'features' && folder(from) !== folder(target),
    )
    const edges = between.map(({ from, target }) => [folder(from), folder(target)] as const)
    expect(circleIn(graphOf(edges))).toEqual([])
  })

  test('no files import each other in a circle, including types', () => {
    const edges = inside.map(({ from, target }) => [from, target] as const)
    expect(circleIn(graphOf(edges))).toEqual([])
  })

  test('pure files import nothing that has side effects, even indirectly', () => {
    const runtime = imports.filter(({ typeOnly }) => !typeOnly)
    const effectOf = (file: string, path: readonly string[] = []): string[] => {
      if (EFFECTS.test(file)) return [[...path, file].join(' -> ')]
      if (path.includes(file)) return []
      const targets = runtime.filter(({ from }) => from === file).map(({ target }) => target)
      return targets.flatMap((target) => effectOf(target, [...path, file]))
    }
    const pure = files.filter((file) => {
      const impure = PURE_FOLDERS[dirname(file)]
      return impure ? !impure.includes(basename(file)) : PURE_FILES.includes(file)
    })
    expect(pure).toEqual(expect.arrayContaining(PURE_FILES))
    expect(files.map(dirname)).toEqual(expect.arrayContaining(Object.keys(PURE_FOLDERS)))
    expect(pure.flatMap((file) => effectOf(file).slice(0, 1))).toEqual([])
  })

  test('hono is imported in http and app only', () => {
    const wrong = imports.filter(
      ({ from, target }) =>
        /^(hono|@hono\/)/.test(target) && home(from) !== 'http' && from !== 'app.ts',
    )
    expect(wrong.map(({ from }) => from)).toEqual([])
  })

  test('values of the Elasticsearch client are imported in elastic and engine only', () => {
    const wrong = imports.filter(
      ({ from, target, typeOnly }) =>
        target.startsWith('@elastic/') && !typeOnly && !['elastic', 'engine'].includes(home(from)),
    )
    expect(wrong.map(({ from }) => from)).toEqual([])
    const raw = files.filter(
      (file) =>
        home(file) === 'features' &&
        /elastic\.client\b/.test(readFileSync(join(SRC, file), 'utf8')),
    )
    expect(raw).toEqual([])
  })

  test('nothing but the outbound module makes outbound calls', () => {
    // Clients of addresses that the operator configures: Elasticsearch and the bucket.
    const clients = ['engine/process.ts', 'platform/s3-calls.ts']
    const wrong = files.filter((file) => {
      if (file.startsWith('platform/outbound/') || clients.includes(file)) return false
      const text = readFileSync(join(SRC, file), 'utf8')
      const fetches = /(?<![.\w])fetch\(|globalThis\.fetch|WebSocket|EventSource\(/.test(text)
      const sockets = imports.some(
        ({ from, target, typeOnly }) =>
          from === file &&
          !typeOnly &&
          /^(undici|node:(http2?|https|net|tls|dgram|dns))(\/.*)?$/.test(target) &&
          file !== 'http/server.ts',
      )
      return fetches || sockets
    })
    expect(wrong).toEqual([])
  })

  test('URLs of others are parsed by parseUrl only', () => {
    const wrong = files.filter((file) =>
      /\bURL\.(?:parse|canParse)\b/.test(readFileSync(join(SRC, file), 'utf8')),
    )
    expect(wrong).toEqual(['platform/parse-url.ts'])
  })

  test('nothing requests words from Elasticsearch without the tenant filter', () => {
    const wrong = files.filter((file) =>
      /\bsuggest_mode\b|termsEnum|_terms_enum|\bcompletion\b/.test(
        readFileSync(join(SRC, file), 'utf8'),
      ),
    )
    // There each word begins with the tag of its catalog, which no suggestion may change.
    expect(wrong).toEqual(['search/understanding/spelling.ts'])
  })

  test('every type has a unique name', () => {
    const places = new Map<string, string[]>()
    for (const file of files) {
      const text = readFileSync(join(SRC, file), 'utf8')
      for (const [, name] of text.matchAll(/^(?:export )?(?:interface|type|class) (\w{2,})/gm)) {
        places.set(name!, [...(places.get(name!) ?? []), file])
      }
    }
    expect(places.size).toBeGreaterThan(1_000)
    expect([...places].filter(([, where]) => where.length > 1)).toEqual([])
  })

  test('no file has more than 250 lines', () => {
    const long = files.filter(
      (file) => readFileSync(join(SRC, file), 'utf8').split('\n').length > 251,
    )
    expect(long).toEqual([])
  })
})
