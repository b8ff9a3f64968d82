import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type OpenApi, openApiDocument } from '../src/openapi/document.ts'
import type { Binding, Operation } from '../src/operation.ts'
import { operations } from '../src/operations.ts'

const REVISION = '6.0'
const GENERATED = join(import.meta.dirname, 'src', 'generated')
const NOTE =
  '// Made of the operation table by `npm run client:generate`; test/client/generated.test.ts compares.\n'

interface Described {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly schema: unknown
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> }
  readonly responses: Readonly<Record<string, { readonly content?: object }>>
}
type Paths = Readonly<Record<string, Readonly<Record<string, Described>>>>

/** The generated files of the client, by name. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const document = openApiDocument({ operations, revision: REVISION, base: '' })
  return new Map([
    ['api.ts', NOTE + (await typesOf(forTypes(document)))],
    ['operations.ts', NOTE + operationsFile(document)],
  ])
}

/** The document reduced to what the client is typed by: inputs and successful answers. */
function forTypes(document: OpenApi): object {
  const paths = Object.entries(document.paths as Paths).map(([path, methods]) => {
    const kept = Object.entries(methods).map(([method, described]) => [
      method,
      typedParts(described),
    ])
    return [path, Object.fromEntries(kept)]
  })
  return { ...document, paths: Object.fromEntries(paths) }
}

function typedParts({ operationId, parameters, requestBody, responses }: Described): object {
  return {
    operationId,
    parameters: clientParameters(parameters).map(({ schema, ...one }) => ({
      ...one,
      example: undefined,
      schema: isFlag(schema) ? { type: 'boolean' } : schema,
    })),
    ...(requestBody
      ? { requestBody: { ...requestBody, content: withoutExamples(requestBody.content) } }
      : {}),
    responses: {
      200: { description: '', content: withoutExamples(responses[200]?.content ?? {}) },
    },
  }
}

/** Whether a query parameter is a boolean spelled as a word. */
const isFlag = (schema: unknown): boolean =>
  JSON.stringify(schema).includes('"enum":["true","false",""]')

/**
 * Leaves out headers and the API key: the client sends the key in a header, never in an address.
 */
const clientParameters = (parameters: Described['parameters']) =>
  parameters.filter(({ name, in: place }) => place !== 'header' && name !== 'key')

const withoutExamples = (content: object): object =>
  Object.fromEntries(
    Object.entries(content).map(([type, { schema }]) => [type, schema ? { schema } : {}]),
  )

/**
 * Runs openapi-typescript, which needs an older TypeScript and is therefore installed with it in a
 * folder of its own.
 */
async function typesOf(document: object): Promise<string> {
  const packages = createRequire(join(import.meta.dirname, '../test/openapi/clients/package.json'))
  const generator = join(dirname(packages.resolve('openapi-typescript/package.json')), 'bin/cli.js')
  const folder = await mkdtemp(join(tmpdir(), 'aisle-client-'))
  try {
    const [source, target] = [join(folder, 'api.json'), join(folder, 'api.ts')]
    await writeFile(source, JSON.stringify(document))
    const options = ['--root-types', '--root-types-no-schema-prefix', '--immutable']
    await promisify(execFile)(process.execPath, [generator, source, '-o', target, ...options])
    return await readFile(target, 'utf8')
  } finally {
    await rm(folder, { recursive: true })
  }
}

function operationsFile(document: OpenApi): string {
  const lines = operations.flatMap((operation) => {
    const binding = operation.bindings[REVISION] ?? operation.bindings.any
    return binding ? [declarationOf(document, operation, binding)] : []
  })
  return `import { operation } from '../operation.ts'\n\n${lines.join('\n')}`
}

function declarationOf(
  document: OpenApi,
  operation: Operation,
  binding: Binding<never, never>,
): string {
  const path = binding.path.replace(/:(\w+)/g, '{$1}')
  const described = (document.paths as Paths)[path]![binding.method.toLowerCase()]!
  const id = described.operationId
  const query = clientParameters(described.parameters)
    .filter((one) => one.in === 'query')
    .map(({ name }) => name)
  const place = `${binding.method} ${path.slice(1)}${query.length > 0 ? `?${query.join('&')}` : ''}`
  const facts = factsOf(operation, binding)
  const about = described.description.replaceAll('\n\n', ' ')
  return `/** ${about} */
export const ${id} = /* @__PURE__ */ operation<'${id}'>(
  '${place}',${facts === '{}' ? '' : `\n  ${facts},`}
)
`
}

/** The facts of an operation that its place does not say. */
function factsOf(operation: Operation, binding: Binding<never, never>): string {
  const { method, answer, body, noHead } = binding
  const isRepeatable = method === 'POST' ? operation.reads : !noHead
  const kind = body === 'stream' ? 'stream' : body && method !== 'GET' ? 'json' : undefined
  const facts = [
    ...(kind ? [`body: '${kind}'`] : []),
    ...(typeof answer === 'string' ? [`answer: '${answer}'`] : []),
    ...(isRepeatable ? ['repeatable: true'] : []),
    ...(operation.idempotent ? ['keyed: true'] : []),
  ]
  return facts.length === 0 ? '{}' : `{ ${facts.join(', ')} }`
}

if (import.meta.main) {
  for (const [name, text] of await generatedFiles()) await writeFile(join(GENERATED, name), text)
}
