import { limits } from '../../limits.ts'
import { parseUrl } from '../parse-url.ts'

export type OutboundFailureKind =
  | 'unreachable'
  | 'late'
  | 'broken'
  | 'redirect'
  | 'tooLarge'
  | 'largeHeaders'
  | 'tinyPieces'

const TEXTS: Readonly<Record<OutboundFailureKind, string>> = {
  // All failures before an answer have the same message, so that callers learn nothing about
  // internal addresses.
  unreachable: 'The address cannot be reached or is not allowed.',
  late: 'No complete response was received in time.',
  broken: 'The response is incomplete or not HTTP.',
  redirect: 'The response is a redirect, which is not followed.',
  tooLarge: 'The response is too large.',
  largeHeaders: 'The headers of the response are larger than 16 KiB.',
  tinyPieces: `The response arrives in chunks of less than ${limits.bodyPieceBytes} bytes. Send larger chunks.`,
}

/** Failures that a retry would repeat. */
const FINAL: readonly OutboundFailureKind[] = ['redirect', 'tooLarge', 'largeHeaders', 'tinyPieces']

/** Why there is no answer. `message` may be shown to anybody; `cause` is for the log. */
export class OutboundFailure extends Error {
  readonly kind: OutboundFailureKind
  /** The Location header of a redirect. */
  readonly location: string | undefined
  /** Whether a retry may succeed. */
  readonly mayRepeat: boolean

  constructor(kind: OutboundFailureKind, cause?: unknown, location?: string) {
    super(TEXTS[kind], { cause })
    this.name = 'OutboundFailure'
    this.kind = kind
    this.location = location
    this.mayRepeat = !FINAL.includes(kind)
  }
}

interface Cause {
  readonly code?: string
  readonly message?: string
}

const CUT_OFF = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']

/** Whether the other side closed the connection. */
export const isCutOff = (error: unknown): boolean => CUT_OFF.includes((error as Cause)?.code ?? '')

const LONGEST = 200

/**
 * The log text of a failure. It contains only the host of the address, since the rest may be
 * secret.
 */
export function failureLogText(url: string, { kind, cause }: OutboundFailure) {
  const { code, message } = (cause ?? {}) as Cause
  return {
    host: parseUrl(url)?.host ?? null,
    kind,
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { cause: message.slice(0, LONGEST) }),
  }
}
