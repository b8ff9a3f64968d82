import type { OutboundTarget } from './target.ts'

export interface OutboundRequest {
  readonly url: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Milliseconds for the whole call, including name resolution and reading the answer. */
  readonly timeoutMs: number
  /** Bytes of the answer's body. */
  readonly maxBytes: number
  readonly signal?: AbortSignal
  readonly basic?: { readonly username: string; readonly password: string }
  /** For whom the call counts, as loadOwner says; the operator when absent. */
  readonly owner?: string
  /** The purpose of the call in the log: a request's id, an extension. No secrets. */
  readonly about?: Readonly<Record<string, string>>
}

export interface OutboundAnswer<Body> {
  readonly status: number
  /** By lower-case name; repeated names have their values joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
}

/** The target of a request and its checked addresses. */
export type ResolveTarget = (
  url: string,
) => Promise<{ target: OutboundTarget; addresses: string[] }>
