import type { Target } from './target.ts'

export interface OutboundRequest {
  readonly url: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Milliseconds of the whole call, looking the name up and reading the answer included. */
  readonly timeoutMs: number
  /** Bytes of the answer's body. */
  readonly maxBytes: number
  readonly signal?: AbortSignal
  readonly basic?: { readonly username: string; readonly password: string }
  /** What the call is for, as the log names it: a request's id, an extension. No secrets. */
  readonly about?: Readonly<Record<string, string>>
}

export interface OutboundAnswer<Body> {
  readonly status: number
  /** By lower-case name; of several with one name the values joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
}

/** Where a request goes: its target and the addresses that were checked. */
export type Find = (url: string) => Promise<{ target: Target; addresses: string[] }>
