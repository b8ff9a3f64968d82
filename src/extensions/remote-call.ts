import type { z } from 'zod'
import { Failure } from '../errors.ts'
import { limits } from '../limits.ts'
import { inSteps, takeStep } from '../platform/in-steps.ts'
import { checkingValue, JSON_TYPE } from '../platform/input-checks.ts'
import { loadOwner } from '../platform/load-owner.ts'
import { OutboundFailure } from '../platform/outbound/failure.ts'
import { withHeldBody } from '../platform/outbound/held-answer.ts'
import type { OutboundAnswer } from '../platform/outbound/request.ts'
import { parseInSteps } from '../platform/parse-in-steps.ts'
import { dataOf } from '../platform/validation-problem.ts'
import type { Call, ExtensionCall } from './contract.ts'
import { EXTERNAL, parsingUnchecked } from './json.ts'
import { answerInTurnIfLarge, inTurnIfLarge, lengthOf, whileHeld } from './large-values.ts'
import { LEAST_FORMS, protectedTexts, protectedValues, redacted, redacting } from './redact.ts'
import { answers, failureIn, withoutItems } from './remote-answers.ts'
import { type Remote, signedRequest } from './signed-request.ts'

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

/** The purpose of a call, for the log. */
export const aboutOf = ({ ctx, installed }: Call<unknown>, name: ExtensionCall) => ({
  requestId: ctx.requestId,
  organization: installed.organization,
  extension: installed.id,
  call: name,
})

interface RemoteCall<S extends z.ZodType, R> extends ExpectedAnswer<S, R> {
  readonly name: ExtensionCall
  readonly call: Call<unknown>
}

/** Calls a remote extension and reads its answer. Throws RemoteFailed. */
export async function callRemote<S extends z.ZodType, R = z.output<S>>(
  remote: Remote,
  { name, call, ...expected }: RemoteCall<S, R>,
): Promise<R> {
  const { ctx } = call
  const { organization, signal } = ctx
  ctx.leavePlace?.()
  const send = () =>
    reportingOutages(remote, async () => {
      // A request may call many extensions.
      await takeStep()
      const request = await signedRequest(remote, name, call)
      return ctx.outbound.open({
        ...request,
        timeoutMs: limits.extensionCallMs,
        maxBytes: limits.extensionAnswerBytes,
        signal,
        owner: loadOwner(organization),
        about: aboutOf(call, name),
      })
    })
  // A request that has left its place is not bounded by places any longer.
  const got = await (ctx.leavePlace
    ? whileHeld(organization, lengthOf([call.installed.fields, call.request]), send, { signal })
    : send())
  const said = await readAnswer(remote, got, { ...expected, call, signal })
  await ctx.retakePlace?.(signal)
  return said
}

interface ExpectedAnswer<S extends z.ZodType, R = z.output<S>> {
  readonly answer: S
  readonly call: Pick<Call<unknown>, 'ctx' | 'installed' | 'request'>
  /** What is made of it, in the turn of the answer; the answer itself when absent. */
  readonly use?: (said: z.output<S>) => Promise<R>
}

/** Reads an answer to its end, after its headers have arrived. Throws RemoteFailed. */
export async function readAnswer<S extends z.ZodType, R = z.output<S>>(
  remote: Remote,
  got: OutboundAnswer<AsyncGenerator<Uint8Array>>,
  { signal, ...expected }: ExpectedAnswer<S, R> & { readonly signal: AbortSignal },
): Promise<R> {
  const ctx = { ...expected.call.ctx, signal }
  const used = async (bytes: Uint8Array) => {
    const said = await read(remote, bytes, expected)
    return expected.use ? expected.use(said) : (said as R)
  }
  try {
    checkStatus(remote, got)
    return await reportingOutages(remote, () =>
      withHeldBody(ctx, got, {
        maxBytes: limits.extensionAnswerBytes,
        work: (bytes) => answerInTurnIfLarge(ctx, bytes.byteLength, () => used(bytes)),
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
  { answer, call }: Pick<ExpectedAnswer<S>, 'answer' | 'call'>,
): Promise<z.output<S>> {
  const hidden = await hiddenTexts(remote, call, body)
  try {
    await takeStep()
    const said = await inSteps(parsingUnchecked(body, 'answer'))
    await takeStep()
    const searched = (hidden.length * body.byteLength) / SEARCHED_AT_ONCE
    const shown = await inTurnIfLarge(call.ctx, searched, redacting(said, hidden))
    const failure = failureIn(answer, shown)
    if (failure !== undefined) throw new RemoteFailed(remote.name, `failed: ${failure}`)
    await takeStep()
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

/** Characters that are searched in the time in which one is opened, sent or encoded. */
const SEARCHED_AT_ONCE = 32

/** The protected values to look for in an answer. Throws RemoteFailed if that would be too much. */
async function hiddenTexts(
  remote: Remote,
  call: Pick<Call<unknown>, 'ctx' | 'installed' | 'request'>,
  { byteLength }: Uint8Array,
): Promise<readonly string[]> {
  // No text of JSON is longer than its bytes.
  const values = protectedValues(remote, call).filter(({ length }) => length <= byteLength)
  const check = (forms: number) => {
    if (forms * byteLength <= limits.hiddenFormBytes) return
    throw new RemoteFailed(
      remote.name,
      'sent a response that is too large to redact its protected values.',
    )
  }
  check(values.length * LEAST_FORMS)
  const hidden = await inTurnIfLarge(call.ctx, lengthOf(values), protectedTexts(values))
  check(hidden.length)
  return hidden
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
