import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { operations } from '../../src/operations.ts'

// biome-ignore lint/suspicious/noExplicitAny: objects of another system, looked into by name
type Manifest = any

const settings = [...readFileSync('src/config.ts', 'utf8').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(
  ([, name]) => name,
)
const image = readFileSync('Dockerfile', 'utf8')

function manifestsOf(file: string): Manifest[] {
  const documents = parseAllDocuments(readFileSync(`deploy/kubernetes/${file}`, 'utf8'), {
    strict: true,
    uniqueKeys: true,
  })
  return documents.map((document) => {
    expect([...document.errors, ...document.warnings]).toEqual([])
    return document.toJS()
  })
}

const all = [...manifestsOf('aisle.yaml'), ...manifestsOf('migrate.yaml')]
const of = (kind: string): Manifest => all.find((manifest) => manifest.kind === kind)
const podOf = (kind: string): Manifest => of(kind).spec.template.spec
const containerOf = (kind: string): Manifest => podOf(kind).containers[0]

describe('Kubernetes manifests', () => {
  test('refer to each other correctly: names, labels and ports', () => {
    const { name } = of('Deployment').metadata
    const { labels } = of('Deployment').spec.template.metadata
    expect(of('Deployment').spec.selector.matchLabels).toEqual(labels)
    expect(of('Service').spec.selector).toEqual(labels)
    expect(of('PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels)
    expect(of('Job').spec.template.metadata.labels).not.toEqual(labels)
    expect(of('HorizontalPodAutoscaler').spec.scaleTargetRef).toMatchObject({
      ...{ kind: 'Deployment', name },
    })
    const { ports } = containerOf('Deployment')
    expect(image).toContain(`PORT=${ports[0].containerPort}`)
    expect(of('Service').spec.ports[0].targetPort).toBe(ports[0].name)
  })

  test('contain only existing settings, and no secret', () => {
    const { data } = of('ConfigMap')
    expect(settings).toEqual(expect.arrayContaining(Object.keys(data)))
    for (const name of Object.keys(data)) expect(name).not.toMatch(/KEY|PASSWORD|SECRET/)
    for (const value of Object.values(data)) expect(value).toBeTypeOf('string')
  })

  test('probe a path that needs no key', () => {
    const open = operations.filter(({ access }) => access === 'public')
    const paths = open.flatMap(({ bindings }) => Object.values(bindings).map(({ path }) => path))
    const { livenessProbe, readinessProbe, startupProbe } = containerOf('Deployment')
    for (const probe of [livenessProbe, readinessProbe, startupProbe]) {
      expect(paths).toContain(probe.httpGet.path)
    }
  })

  test.each(['Deployment', 'Job'])(
    'run the image in a %s as its user, who can write only to /data and /tmp',
    (kind) => {
      const { image: name, envFrom } = containerOf('Deployment')
      expect(containerOf(kind)).toMatchObject({ image: name, envFrom })
      expect(podOf(kind).securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
      expect(containerOf(kind).securityContext).toEqual({
        ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
        capabilities: { drop: ['ALL'] },
      })
      const mounted = containerOf(kind).volumeMounts.map(({ name }: Manifest) => name)
      expect(podOf(kind).volumes.map(({ name }: Manifest) => name)).toEqual(mounted)
    },
  )
})

test('the systemd unit starts the same as npm start and the image', () => {
  const unit = readFileSync('deploy/systemd/aisle.service', 'utf8')
  const lines = unit.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  for (const line of lines) expect(line).toMatch(/^(\[(Unit|Service|Install)\]|[A-Z]\w+=.*)$/)
  const { start } = JSON.parse(readFileSync('package.json', 'utf8')).scripts
  const image = readFileSync('Dockerfile', 'utf8')
  const command = 'node --max-semi-space-size=8 --v8-pool-size=0 src/start.js'
  const setting = 'MALLOC_MMAP_THRESHOLD_=65536'
  for (const text of [unit, start]) expect(text).toContain(command)
  expect(image).toContain(`CMD ${JSON.stringify(command.split(' ')).replaceAll(',', ', ')}`)
  for (const text of [unit, start, image]) expect(text).toContain(setting)
})

test('metrics of searches cover every operation that pages search with', () => {
  const names = operations.map(({ name }) => name)
  for (const file of ['alerts.yml', 'grafana/dashboards/aisle.json']) {
    const text = readFileSync(`monitoring/${file}`, 'utf8')
    const patterns = [...text.matchAll(/operation=~\\?"([^"\\]+)/g)].map(([, pattern]) => pattern)
    expect(patterns.length, file).toBeGreaterThan(0)
    for (const pattern of patterns) {
      const told = names.filter((name) => new RegExp(`^(?:${pattern})$`).test(name))
      expect(told.sort(), file).toEqual([
        ...['Quicksearch', 'Search', 'Search (GET)', 'Search Many', 'Simple Search'],
      ])
    }
  }
})
