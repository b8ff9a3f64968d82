import type { z } from 'zod'
import type { BinaryAnswer, Revision } from '../operation.ts'
import { problemText } from '../platform/validation-problem.ts'
import { answerHeaders } from './revision.ts'

/** An answer without the headers that all answers share. */
export interface Answer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | ReadableStream<Uint8Array> | null
}

/**
 * The answer as sent. `more` headers replace others, except for `vary`, whose values are joined.
 */
export function responseOf(
  { status, headers, body }: Answer,
  { revision, requestId }: { revision: Revision | undefined; requestId: string },
  more: Readonly<Record<string, string>>,
): Response {
  const vary = [headers.vary, more.vary].filter(Boolean).join(', ')
  return new Response(body as ConstructorParameters<typeof Response>[0], {
    status,
    headers: {
      ...answerHeaders(revision, requestId),
      ...headers,
      ...more,
      ...(vary === '' ? {} : { vary }),
    },
  })
}

/** Answers HEAD without the body, which nobody would read or close. */
export async function bytesAnswer(
  { status = 200, type, length, body, headers }: BinaryAnswer,
  method: string,
): Promise<Answer> {
  if (method === 'HEAD') await body.cancel()
  return {
    status,
    headers: {
      'content-type': type,
      ...(length === null ? {} : { 'content-length': String(length) }),
      ...headers,
    },
    body: method === 'HEAD' ? null : body,
  }
}

/** Throws Error for an answer of another shape than the operation declares. */
export function checkAnswer(schema: z.ZodType, body: unknown, name: string): void {
  const checked = schema.safeParse(JSON.parse(JSON.stringify(body)))
  if (!checked.success) {
    throw new Error(
      `${name} returned a response that violates its schema: ${problemText(checked.error, 'answer')}`,
    )
  }
}
