import { type BaseConnection, ClusterConnectionPool } from '@elastic/elasticsearch'

/** How long a node that did not answer is left alone while others do. */
const AWAY_MS = 5_000
const PING = { requestId: 'ping', name: 'aisle', context: null, timeout: 500 } as const

/** Asks the nodes in turn; those that did not answer are looked at again every few seconds. */
export class NodePool extends ClusterConnectionPool {
  override resurrectTimeout = AWAY_MS
  override resurrectTimeoutCutoff = 0
  readonly #pinged = new Set<BaseConnection>()

  /** Whether every node answered when it was asked last. */
  get isWhole(): boolean {
    return this.dead.length === 0
  }

  /** Of a node that keeps a request waiting a ping says whether it is away, or waits for another one. */
  suspect(node: BaseConnection): void {
    if (!this.dead.includes(node.id)) this.#ping(node)
  }

  override resurrect({ now }: { readonly now: number }): void {
    const [first] = this.dead
    const node = this.connections.find(({ id }) => id === first)
    if (node && now >= node.resurrectTimeout) this.#ping(node)
  }

  /** One at a time, for a node that hangs keeps every connection open. */
  #ping(node: BaseConnection): void {
    if (this.#pinged.has(node)) return
    this.#pinged.add(node)
    node
      .request({ method: 'HEAD', path: '/' }, PING)
      .then(
        ({ statusCode }) => (statusCode < 500 ? this.markAlive(node) : this.markDead(node)),
        () => this.markDead(node),
      )
      .finally(() => this.#pinged.delete(node))
  }
}
