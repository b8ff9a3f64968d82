import type { z } from 'zod'
import { limits } from '../limits.ts'
import { closeOnReturn } from '../platform/close-on-return.ts'
import type { Outbound } from '../platform/outbound/outbound.ts'
import type {
  AnyExtension,
  Call,
  ExtensionCall,
  ExtensionKind,
  ExtensionOf,
  ImportSource,
  Manifest,
  ProductIdentity,
  RunRequest,
} from './contract.ts'
import { answers } from './remote-answers.ts'
import {
  aboutOf,
  callRemote,
  checkStatus,
  type Remote,
  RemoteFailed,
  read,
  reportingOutages,
  requestOf,
} from './remote-call.ts'

/** Milliseconds for all lines of an import. */
const LINES_MS = 60 * 60 * 1000
const LINES_TYPE = /^application\/(?:jsonl|x-jsonlines|x-ndjson|ndjson)\s*(?:;|$)/i

/** An extension whose functions are HTTP calls. Answers are validated before use. */
export function remoteExtension(manifest: Manifest, remote: Remote): AnyExtension {
  const ask =
    <S extends z.ZodType>(name: ExtensionCall, answer: S) =>
    (call: Call<unknown>) =>
      callRemote(remote, { name, call, answer })
  const ofKind = {
    realtime: { run: ask('run', answers.realtime) },
    recommendation: { run: ask('run', answers.recommendation) },
    import: {
      sample: ask('sample', answers.sample),
      run: (call: Call<null>) => importSource(remote, call),
    },
    export: {
      links: (call: LinksCall) => linksOf(remote, call),
      possibleMatches: (call: Call<RunRequest>) => matchesOf(remote, call),
      run: (call: Call<RunRequest>) => exported(remote, call),
    },
  } satisfies { [Kind in ExtensionKind]: Omit<ExtensionOf<Kind>, 'manifest'> }
  const all = {
    validate: ask('validate', answers.validate),
    options: ask('options', answers.options),
    ...ofKind[manifest.kind],
  }
  const called = Object.entries(all).filter(([name]) =>
    manifest.calls.includes(name as ExtensionCall),
  )
  return { manifest, ...Object.fromEntries(called) } as unknown as AnyExtension
}

type LinksCall = Call<{ products: readonly ProductIdentity[] }>

interface AnsweredProduct {
  readonly id: string
  /** Null: the catalog that it was asked about in. */
  readonly catalog: string | null
  readonly place: string
}

/** The catalog of an answered product. Throws RemoteFailed for one that was not asked about. */
function catalogOf(
  { name }: Remote,
  asked: readonly ProductIdentity[],
  { id, catalog, place }: AnsweredProduct,
): string {
  const found = asked.find(
    (product) => product.id === id && (catalog === null || product.catalog === catalog),
  )
  if (found) return found.catalog
  throw new RemoteFailed(name, `answered wrongly: ${place}: was not asked about`)
}

async function exported(remote: Remote, call: Call<RunRequest>) {
  const answer = await callRemote(remote, { name: 'run', call, answer: answers.export })
  const products = answer.products.map((one, at) => {
    const said = { ...one, place: `products[${at}]` }
    return { ...one, catalog: catalogOf(remote, call.request.products, said) }
  })
  return { ...answer, products }
}

async function linksOf(remote: Remote, call: LinksCall) {
  const answer = await callRemote(remote, { name: 'links', call, answer: answers.links })
  const links = answer.links.map((link, at) => {
    const said = { id: link.acId, catalog: link.acCatalog, place: `links[${at}]` }
    const acCatalog = catalogOf(remote, call.request.products, said)
    return { ...link, type: link.type ?? call.installed.id, acCatalog }
  })
  return { links }
}

async function matchesOf(remote: Remote, call: Call<RunRequest>) {
  const answer = await callRemote(remote, {
    name: 'possibleMatches',
    call,
    answer: answers.possibleMatches,
  })
  for (const [at, { acId }] of answer.products.entries()) {
    catalogOf(remote, call.request.products, { id: acId, catalog: null, place: `products[${at}]` })
  }
  return answer
}

/** The location of an import's rows, or the rows themselves as a stream. */
async function importSource(remote: Remote, call: Call<null>): Promise<ImportSource> {
  const { ctx } = call
  const { headers, ...request } = requestOf(ctx, remote, { name: 'run', call })
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(outOfTime()), limits.extensionCallMs)
  try {
    return await sourceOf({ remote, call }, () =>
      ctx.outbound.open({
        ...request,
        headers: { ...headers, accept: 'application/json, application/jsonl' },
        timeoutMs: LINES_MS,
        maxBytes: limits.fileBytes,
        signal: AbortSignal.any([ctx.signal, late.signal]),
        about: aboutOf(call, 'run'),
      }),
    )
  } finally {
    // Once lines have begun to arrive, the timer no longer applies.
    clearTimeout(timer)
  }
}

const outOfTime = () => new DOMException('The answer did not come in time.', 'TimeoutError')

async function sourceOf(
  { remote, call }: { remote: Remote; call: Call<null> },
  open: () => ReturnType<Outbound['open']>,
): Promise<ImportSource> {
  const got = await reportingOutages(remote, open)
  if (got.status === 200 && LINES_TYPE.test(got.headers['content-type'] ?? '')) {
    const lines = closeOnReturn(chunksOf(remote, got.body), () => got.body.return(undefined))
    return { request: { fileType: 'jsonl' }, lines }
  }
  try {
    checkStatus(remote, got)
    const body = await reportingOutages(remote, () => whole(remote, got.body))
    return { request: read(remote, body, { answer: answers.import, call }) }
  } finally {
    await got.body.return(undefined)
  }
}

async function* chunksOf(remote: Remote, body: AsyncGenerator<Uint8Array>) {
  for (;;) {
    const next = await reportingOutages(remote, () => body.next())
    if (next.done) return
    yield next.value
  }
}

async function whole({ name }: Remote, body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > limits.extensionAnswerBytes) {
      throw new RemoteFailed(name, 'gave no answer that can be used: The answer is too large.')
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
