import type { z } from 'zod'
import { limits } from '../limits.ts'
import { closeOnReturn } from '../platform/close-on-return.ts'
import { inSteps } from '../platform/in-steps.ts'
import { loadOwner } from '../platform/load-owner.ts'
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
import { realtimeResponse } from './realtime-answer.ts'
import { answers } from './remote-answers.ts'
import { aboutOf, callRemote, RemoteFailed, readAnswer, reportingOutages } from './remote-call.ts'
import { type Remote, signedRequest } from './signed-request.ts'

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
    realtime: {
      run: (call: Call<RunRequest>) =>
        callRemote(remote, {
          ...{ name: 'run', call, answer: answers.realtime },
          use: (said) => inSteps(realtimeResponse(said)),
        }),
    },
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
  /** Null for the catalog of the request. */
  readonly catalog: string | null
  readonly place: string
}

/**
 * Finds the catalog of a product in an answer. Throws RemoteFailed for one that was not asked for.
 */
function catalogsOf({ name }: Remote, asked: readonly ProductIdentity[]) {
  const byId = Map.groupBy(asked, ({ id }) => id)
  return ({ id, catalog, place }: AnsweredProduct): string => {
    const found = byId.get(id)?.find((one) => catalog === null || one.catalog === catalog)
    if (found) return found.catalog
    throw new RemoteFailed(name, `sent an invalid response: ${place}: was not requested`)
  }
}

async function exported(remote: Remote, call: Call<RunRequest>) {
  // What the receiver accepted must be recorded, so this does not wait for a slot again.
  const placeless = { ...call, ctx: { ...call.ctx, retakePlace: undefined } }
  const answer = await callRemote(remote, { name: 'run', call: placeless, answer: answers.export })
  const catalogOf = catalogsOf(remote, call.request.products)
  const products = answer.products.map((one, at) => {
    const catalog = catalogOf({ ...one, place: `products[${at}]` })
    return { ...one, catalog }
  })
  return { ...answer, products }
}

async function linksOf(remote: Remote, call: LinksCall) {
  const answer = await callRemote(remote, { name: 'links', call, answer: answers.links })
  const catalogOf = catalogsOf(remote, call.request.products)
  const links = answer.links.map((link, at) => {
    const said = { id: link.acId, catalog: link.acCatalog, place: `links[${at}]` }
    const acCatalog = catalogOf(said)
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
  const catalogOf = catalogsOf(remote, call.request.products)
  for (const [at, { acId }] of answer.products.entries()) {
    catalogOf({ id: acId, catalog: null, place: `products[${at}]` })
  }
  return answer
}

/** The location of an import's rows, or the rows themselves as a stream. */
async function importSource(remote: Remote, call: Call<null>): Promise<ImportSource> {
  const { ctx } = call
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(outOfTime()), limits.extensionCallMs)
  try {
    const signal = AbortSignal.any([ctx.signal, late.signal])
    const got = await reportingOutages(remote, async () => {
      const sent = { ...call, ctx: { ...ctx, signal } }
      const { headers, ...request } = await signedRequest(remote, 'run', sent)
      return ctx.outbound.open({
        ...request,
        headers: { ...headers, accept: 'application/json, application/jsonl' },
        timeoutMs: LINES_MS,
        maxBytes: limits.fileBytes,
        signal,
        owner: loadOwner(call.ctx.organization),
        about: aboutOf(call, 'run'),
      })
    })
    if (got.status === 200 && LINES_TYPE.test(got.headers['content-type'] ?? '')) {
      const lines = closeOnReturn(chunksOf(remote, got.body), () => got.body.return(undefined))
      return { request: { fileType: 'jsonl' }, lines }
    }
    return { request: await readAnswer(remote, got, { answer: answers.import, call, signal }) }
  } finally {
    // Once lines have begun to arrive, the timer no longer applies.
    clearTimeout(timer)
  }
}

const outOfTime = () => new DOMException('The response did not arrive in time.', 'TimeoutError')

async function* chunksOf(remote: Remote, body: AsyncGenerator<Uint8Array>) {
  for (;;) {
    const next = await reportingOutages(remote, () => body.next())
    if (next.done) return
    yield next.value
  }
}
