/** An organization with a catalog `shop`, and a full key of its administrator. */
export interface Tenant {
  readonly id: string
  readonly key: string
  /** Headers of a JSON request in revision 6.0 with the key. */
  readonly headers: Readonly<Record<string, string>>
  /** Sends JSON; the answer is not looked at. */
  call(method: string, path: string, body?: unknown): Promise<Response>
  /** Creates products in `shop` through Create Product, a few at a time, and waits until they are found. */
  add(products: readonly Readonly<Record<string, unknown>>[]): Promise<void>
}

/** A service of its own in a process of its own, with an embedded Elasticsearch of its own. */
export interface Target {
  readonly address: string
  readonly port: number
  readonly operatorKey: string
  /** A new organization; `products`: small products in its catalog, 0 when absent. */
  tenant(options?: { readonly products?: number }): Promise<Tenant>
}

/**
 * One way to take a service down, bounded in size and time. It prepares what it needs, then attacks
 * until `signal` aborts (some 20 s), and says in a line what the attacker was answered.
 */
export interface Attack {
  readonly name: string
  readonly what: string
  /** Everything that must be there before the clock starts. */
  prepare(target: Target): Promise<(signal: AbortSignal) => Promise<string>>
}
