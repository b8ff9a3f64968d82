/** An organization with a catalog `shop`, and a full key of its administrator. */
export interface Tenant {
  readonly id: string
  readonly key: string
  /** Headers of a JSON request in revision 6.0 with the key. */
  readonly headers: Readonly<Record<string, string>>
  /** Sends JSON; does not check the answer. */
  call(method: string, path: string, body?: unknown): Promise<Response>
  /**
   * Creates products in `shop` by Create Product, a few at a time, and waits until searches find
   * them.
   */
  add(products: readonly Readonly<Record<string, unknown>>[]): Promise<void>
}

/** A separate service process with its own embedded Elasticsearch. */
export interface Target {
  readonly address: string
  readonly port: number
  readonly operatorKey: string
  /** Creates an organization with `products` small products in its catalog, 0 if absent. */
  tenant(options?: { readonly products?: number }): Promise<Tenant>
}

/**
 * An attempt to take a service down, bounded in size and time. It prepares what it needs, attacks
 * until `signal` aborts (some 20 s), and describes the answers that it got in one line.
 */
export interface Attack {
  readonly name: string
  readonly what: string
  /** Creates everything that must exist before the time starts. */
  prepare(target: Target): Promise<(signal: AbortSignal) => Promise<string>>
}
