import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import { Failure } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import { inSteps } from '../platform/in-steps.ts'
import { checkingValue, JSON_TYPE } from '../platform/input-checks.ts'
import { loadOwner } from '../platform/load-owner.ts'
import { OutboundFailure } from '../platform/outbound/failure.ts'
import { withHeldBody } from '../platform/outbound/held-answer.ts'
import type { OutboundAnswer, OutboundRequest } from '../platform/outbound/request.ts'
import { parseInSteps } from '../platform/parse-in-steps.ts'
import { dataOf } from '../platform/validation-problem.ts'
import { webhookHeaders } from '../platform/webhook-signature.ts'
import type { Call, ExtensionCall, Manifest, OpenInstallation } from './contract.ts'
import { EXTERNAL, uncheckedJson } from './json.ts'
import { protectedTexts, redacted, redacting } from './redact.ts'
import { answers, failureIn, withoutItems } from './remote-answers.ts'

/** A remote extension: its base address and the secret that signs its calls. */
export interface Remote {
  readonly name: string
  readonly url: string
  /** The fields of its manifest. Values of protected ones are redacted in answers. */
  readonly fields: Manifest['fields']
  /** Opened for each call. Throws SecretUnreadable. */
  secret(): string
}

/**
 * A failure of a remote extension. The message names the extension and the reason, and is kept in
 * logs and tasks.
 */
export class RemoteFailed extends Failure {
  constructor(name: string, what: string, cause?: unknown) {
    super('invalid', `${name} ${what}`.slice(0, limits.valueLength), { cause })
  }
}

/** Turns a failure of the remote extension into an answer; failures of the caller are rethrown. */
export async function failuresAsAnswers<T>(
  work: () => Promise<T>,
  failed: (error: string) => T,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RemoteFailed) return failed(error.message)
    throw error
  }
}

const shown = ({ id, organization, vendor, fields }: OpenInstallation) => ({
  id,
  organization,
  vendor,
  fields,
})

/** The signed request of one call. */
export function requestOf(
  { clock }: Pick<Services, 'clock'>,
  { url, secret }: Remote,
  { name, call }: { name: ExtensionCall; call: Pick<Call<unknown>, 'installed' | 'request'> },
): Pick<OutboundRequest, 'url' | 'method' | 'headers' | 'body'> {
  const body = JSON.stringify({ installation: shown(call.installed), request: call.request })
  const message = { id: `call_${crypto.randomUUID()}`, body, now: clock.now() }
  return {
    url: `${url}/${name}`,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...webhookHeaders(message, [secret()]),
    },
    body,
  }
}

/** The purpose of a call, for the log. */
export const aboutOf = ({ ctx, installed }: Call<unknown>, name: ExtensionCall) => ({
  requestId: ctx.requestId,
  organization: installed.organization,
  extension: installed.id,
  call: name,
})

/** Calls a remote extension and reads its answer. Throws RemoteFailed. */
export async function callRemote<S extends z.ZodType>(
  remote: Remote,
  { name, call, answer }: { name: ExtensionCall; call: Call<unknown>; answer: S },
): Promise<z.output<S>> {
  const { ctx } = call
  ctx.leavePlace?.()
  const got = await reportingOutages(remote, () =>
    ctx.outbound.open({
      ...requestOf(ctx, remote, { name, call }),
      timeoutMs: limits.extensionCallMs,
      maxBytes: limits.extensionAnswerBytes,
      signal: ctx.signal,
      owner: loadOwner(ctx.organization),
      about: aboutOf(call, name),
    }),
  )
  const said = await readAnswer(remote, got, { answer, call, signal: ctx.signal })
  await ctx.retakePlace?.(ctx.signal)
  return said
}

interface ExpectedAnswer<S extends z.ZodType> {
  readonly answer: S
  readonly call: Pick<Call<unknown>, 'ctx' | 'installed' | 'request'>
}

/** Reads an answer to its end, after its headers have arrived. Throws RemoteFailed. */
export async function readAnswer<S extends z.ZodType>(
  remote: Remote,
  got: OutboundAnswer<AsyncGenerator<Uint8Array>>,
  { signal, ...expected }: ExpectedAnswer<S> & { readonly signal: AbortSignal },
): Promise<z.output<S>> {
  try {
    checkStatus(remote, got)
    return await reportingOutages(remote, () =>
      withHeldBody({ ...expected.call.ctx, signal }, got, {
        maxBytes: limits.extensionAnswerBytes,
        work: (bytes) => read(remote, bytes, expected),
      }),
    )
  } finally {
    await got.body.return(undefined)
  }
}

/** Throws RemoteFailed unless the answer is a 200 with JSON. */
function checkStatus(
  remote: Remote,
  { status, headers }: { status: number; headers: Readonly<Record<string, string>> },
): void {
  if (status !== 200) throw new RemoteFailed(remote.name, `responded with status ${status}.`)
  const type = headers['content-type'] ?? ''
  if (JSON_TYPE.test(type)) return
  const known = /^[\w.+-]+\/[\w.+-]+/.exec(type)?.[0].slice(0, 60) ?? 'no content type'
  throw new RemoteFailed(remote.name, `responded with ${known} instead of application/json.`)
}

/**
 * Parses the body of an answer and redacts protected values in it, except in the location of a
 * file, which is shown to nobody. Throws RemoteFailed with the place of the problem.
 */
async function read<S extends z.ZodType>(
  remote: Remote,
  body: Uint8Array,
  { answer, call }: ExpectedAnswer<S>,
): Promise<z.output<S>> {
  const hidden = protectedTexts(remote, call)
  if (hidden.length * body.byteLength > limits.hiddenFormBytes) {
    throw new RemoteFailed(
      remote.name,
      'sent a response that is too large to redact its protected values.',
    )
  }
  try {
    const said = uncheckedJson(body, 'answer')
    await setImmediate()
    const shown = await inSteps(redacting(said, hidden))
    const failure = failureIn(answer, shown)
    if (failure !== undefined) throw new RemoteFailed(remote.name, `failed: ${failure}`)
    await setImmediate()
    const given = isSource(answer) ? said : shown
    const parsed = dataOf(await parseInSteps(answer, given), 'answer', EXTERNAL)
    await inSteps(checkingValue(withoutItems(answer, parsed), 'answer'))
    return parsed
  } catch (error) {
    if (!(error instanceof Failure) || error instanceof RemoteFailed) throw error
    const text = redacted(error.message, hidden)
    throw new RemoteFailed(remote.name, `sent an invalid response: ${text}`)
  }
}

const isSource = (answer: z.ZodType): boolean => answer === answers.import

/** The result of `work`; a missing answer also becomes a RemoteFailed. */
export async function reportingOutages<T>({ name }: Remote, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // The deadline of the waiting request has passed.
    if (isTimeout(error)) throw new RemoteFailed(name, 'did not respond in time.', error)
    if (!(error instanceof OutboundFailure)) throw error
    throw new RemoteFailed(name, `sent no usable response: ${error.message}`, error)
  }
}

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && error.name === 'TimeoutError'
