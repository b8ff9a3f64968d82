import { type BaseConnection, ClusterConnectionPool, errors } from '@elastic/elasticsearch'
import { limits } from '../limits.ts'
import type { GatheringConnection } from './connection.ts'

/** How long a node that did not answer is left alone while others do. */
const REST_MS = 5_000
/** Milliseconds without any answer after which a node that is pinged seems to hang, and is away. */
const SILENT_MS = limits.furtherTryMs / 2
const AWAY_AFTER_MS = 500
/** Then all that was sent to it is given up: until now it may have paused. */
const PAUSE_MS = 2_000
const LOOK_MS = 100
const PING = { requestId: 'ping', name: 'aisle', context: null, timeout: PAUSE_MS } as const

/** Asks the nodes in turn; those that did not answer are looked at again every few seconds. */
export class NodePool extends ClusterConnectionPool {
  override resurrectTimeout = REST_MS
  override resurrectTimeoutCutoff = 0
  /** When each node was pinged that has not answered that yet. */
  readonly #pinged = new Map<BaseConnection, number>()
  /** Nodes that were pinged in vain; those that are gone Elasticsearch knows at once, and asks no more. */
  readonly #hanging = new Set<BaseConnection>()
  /** When each node refused something, for want of a leading node or of a shard. */
  readonly #refused = new Map<BaseConnection, number>()
  #doubtedUntil = 0

  /** Whether a node hangs, or seems to: a read may then wait for the copy that it has. */
  get isDoubted(): boolean {
    return (
      performance.now() < this.#doubtedUntil || this.connections.some((node) => this.hangs(node))
    )
  }

  /** Whether a node refused nothing lately: one that lost the others refuses all writes. */
  isWilling(node: BaseConnection): boolean {
    return performance.now() - (this.#refused.get(node) ?? Number.NEGATIVE_INFINITY) >= REST_MS
  }

  override markAlive(node: BaseConnection): this {
    this.#hanging.delete(node)
    return super.markAlive(node)
  }

  /** The client takes a node for dead that says 503, as all do of a shard, or while they elect. */
  override markDead(node: BaseConnection): this {
    if (!(node as GatheringConnection).isThere) return super.markDead(node)
    this.#refused.set(node, performance.now())
    return this
  }

  /** Whether a node that is pinged seems to hang. */
  isSilent(node: BaseConnection): boolean {
    return this.#silence(node) >= SILENT_MS
  }

  /** Whether a node was pinged in vain, or seems to be. */
  hangs(node: BaseConnection): boolean {
    return this.#hanging.has(node) || this.isSilent(node)
  }

  /**
   * Whether each node that is not away answered something since then, or seems to hang. A further try
   * that comes earlier, in a process that was busy, may go to the node that hangs again.
   */
  isSure(since: number): boolean {
    return this.connections.every(
      (node) =>
        this.dead.includes(node.id) ||
        (node as GatheringConnection).heardAt >= since ||
        this.isSilent(node),
    )
  }

  /** A node that is not asked itself, but has copies, may be away. */
  doubt(): void {
    this.#doubtedUntil = performance.now() + REST_MS
  }

  /** Of nodes that keep a request waiting pings say whether one is away, or whether it is just slow. */
  pingAll(): void {
    for (const node of this.connections) if (!this.dead.includes(node.id)) this.#ping(node)
  }

  override resurrect({ now }: { readonly now: number }): void {
    const [first] = this.dead
    const node = this.connections.find(({ id }) => id === first)
    if (node && now >= node.resurrectTimeout) this.#ping(node)
  }

  /** One at a time, for a node that hangs keeps every connection open. */
  #ping(node: BaseConnection): void {
    if (this.#pinged.has(node)) return
    this.#pinged.set(node, performance.now())
    const isAway = () => this.#silence(node) >= AWAY_AFTER_MS
    const look = () => {
      if (this.#pinged.has(node) && isAway() && !this.#hanging.has(node)) this.#giveUp(node)
    }
    // Answers that came while this process was busy are read first.
    const watch = setInterval(() => setImmediate(look), LOOK_MS)
    node
      .request({ method: 'HEAD', path: '/' }, PING)
      .then(
        ({ statusCode }) => (statusCode < 500 ? this.markAlive(node) : this.markDead(node)),
        (error) => {
          this.#hanging.delete(node)
          if (!(error instanceof errors.TimeoutError)) return this.markDead(node)
          if (!isAway()) return
          this.#giveUp(node)
          // Where it is the only one, waiting may help.
          if (this.size > 1) (node as GatheringConnection).giveUp()
        },
      )
      .finally(() => {
        clearInterval(watch)
        this.#pinged.delete(node)
      })
  }

  #giveUp(node: BaseConnection): void {
    this.#hanging.add(node)
    super.markDead(node)
  }

  /** Milliseconds since a node that is pinged answered anything, which a slow one does. */
  #silence(node: BaseConnection): number {
    const now = performance.now()
    const { heardAt } = node as GatheringConnection
    return now - Math.max(heardAt, this.#pinged.get(node) ?? now)
  }
}
