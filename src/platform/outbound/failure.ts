export type OutboundFailureKind = 'unreachable' | 'late' | 'broken' | 'redirect' | 'tooLarge'

const TEXTS: Readonly<Record<OutboundFailureKind, string>> = {
  // One text for all that comes before an answer: nobody learns what is behind an address.
  unreachable: 'The address cannot be reached, or may not be called.',
  late: 'No whole answer came in time.',
  broken: 'The answer was cut short or is not HTTP.',
  redirect: 'The answer is a redirect, which is not followed.',
  tooLarge: 'The answer is too large.',
}

/** Why there is no answer. `message` may be shown to anybody; `cause` is for the log. */
export class OutboundFailure extends Error {
  readonly kind: OutboundFailureKind

  constructor(kind: OutboundFailureKind, cause?: unknown) {
    super(TEXTS[kind], { cause })
    this.name = 'OutboundFailure'
    this.kind = kind
  }
}

interface Cause {
  readonly code?: string
  readonly message?: string
}

const CUT_OFF = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']

/** Whether the other side has closed the connection. */
export const isCutOff = (error: unknown): boolean => CUT_OFF.includes((error as Cause)?.code ?? '')

const LONGEST = 200

/** What an operator is told of a failure; of the address its host alone, the rest may be secret. */
export function toldOf(url: string, { kind, cause }: OutboundFailure) {
  const { code, message } = (cause ?? {}) as Cause
  return {
    host: URL.canParse(url) ? new URL(url).host : null,
    kind,
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { cause: message.slice(0, LONGEST) }),
  }
}
