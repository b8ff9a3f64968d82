import { setTimeout as wait } from 'node:timers/promises'
import { type BaseConnection, ClusterConnectionPool, errors } from '@elastic/elasticsearch'
import { limits } from '../limits.ts'
import type { GatheringConnection } from './connection.ts'

/** Milliseconds for which an unresponsive node is not asked while others are available. */
const REST_MS = 5_000
/** Milliseconds of silence after which a pinged node seems to hang, and then is avoided. */
const SILENT_MS = limits.furtherTryMs / 2
const AWAY_AFTER_MS = 500
/**
 * Milliseconds of silence after which the node's pending requests fail. A shorter silence may be a
 * pause.
 */
const PAUSE_MS = 2_000
const LOOK_MS = 100
const PING = { requestId: 'ping', name: 'aisle', context: null, timeout: PAUSE_MS } as const

/** Asks the nodes in turn, and checks unresponsive ones again every few seconds. */
export class NodePool extends ClusterConnectionPool {
  override resurrectTimeout = REST_MS
  override resurrectTimeoutCutoff = 0
  /** When each node that has not answered its ping yet was pinged. */
  readonly #pinged = new Map<BaseConnection, number>()
  /** Nodes that did not answer a ping. The cluster itself notices only those that are gone. */
  readonly #hanging = new Set<BaseConnection>()
  /** When each node last refused a request because it lacks a master or a shard. */
  readonly #refused = new Map<BaseConnection, number>()
  #doubtedUntil = 0

  /** Whether a node seems to hang: a read may then be waiting for that node's copy. */
  get isDoubted(): boolean {
    return (
      performance.now() < this.#doubtedUntil || this.connections.some((node) => this.hangs(node))
    )
  }

  /** Whether a node refused nothing recently: one cut off from the others refuses all writes. */
  isWilling(node: BaseConnection): boolean {
    return performance.now() - (this.#refused.get(node) ?? Number.NEGATIVE_INFINITY) >= REST_MS
  }

  override markAlive(node: BaseConnection): this {
    this.#hanging.delete(node)
    return super.markAlive(node)
  }

  /**
   * The client takes 503 for a dead node, but every node answers 503 without a shard or a master.
   */
  override markDead(node: BaseConnection): this {
    if (!(node as GatheringConnection).isThere) return this.#rest(node)
    this.#refused.set(node, performance.now())
    return this
  }

  /** Whether a pinged node seems to hang. */
  isSilent(node: BaseConnection): boolean {
    return this.#silence(node) >= SILENT_MS
  }

  /** Whether a node did not answer a ping, or seems to hang. */
  hangs(node: BaseConnection): boolean {
    return this.#hanging.has(node) || this.isSilent(node)
  }

  /**
   * Whether every available node has answered since then or seems to hang. Before that, in a
   * process that was busy, a further attempt could go to the hanging node again.
   */
  isSure(since: number): boolean {
    return this.connections.every(
      (node) =>
        this.dead.includes(node.id) ||
        (node as GatheringConnection).heardAt >= since ||
        this.isSilent(node),
    )
  }

  /** Notes that a node with copies may be unavailable, although it is not asked directly. */
  doubt(): void {
    this.#doubtedUntil = performance.now() + REST_MS
  }

  /** Pings all nodes, which tells hanging nodes from slow ones. */
  pingAll(): void {
    for (const node of this.connections) if (!this.dead.includes(node.id)) this.#ping(node)
  }

  override resurrect({ now }: { readonly now: number }): void {
    const [first] = this.dead
    const node = this.connections.find(({ id }) => id === first)
    if (node && now >= node.resurrectTimeout) this.#ping(node)
  }

  /** Sends one ping at a time, since a hanging node keeps each connection open. */
  #ping(node: BaseConnection): void {
    if (this.#pinged.has(node)) return
    this.#pinged.set(node, performance.now())
    const isAway = () => this.#silence(node) >= AWAY_AFTER_MS
    const look = () => {
      if (this.#pinged.has(node) && isAway() && !this.#hanging.has(node)) this.#giveUp(node)
    }
    // setImmediate first reads the answers that arrived while this process was busy.
    const watch = setInterval(() => setImmediate(look), LOOK_MS)
    node
      .request({ method: 'HEAD', path: '/' }, PING)
      .then(
        ({ statusCode }) => (statusCode < 500 ? this.markAlive(node) : this.markDead(node)),
        async (error) => {
          this.#hanging.delete(node)
          if (!(error instanceof errors.TimeoutError)) return this.markDead(node)
          // If this process paused, answers that arrived meanwhile are read only now.
          await wait(LOOK_MS)
          if (!isAway()) return
          this.#giveUp(node)
          // The last node left is not given up: waiting may help.
          const isOther = (one: BaseConnection) => one !== node && !this.dead.includes(one.id)
          if (this.connections.some(isOther)) (node as GatheringConnection).giveUp()
        },
      )
      .finally(() => {
        clearInterval(watch)
        this.#pinged.delete(node)
      })
  }

  #giveUp(node: BaseConnection): void {
    this.#hanging.add(node)
    this.#rest(node)
  }

  /** Nothing if the pool was closed, which the client's own function does not expect. */
  #rest(node: BaseConnection): this {
    return this.connections.includes(node) ? super.markDead(node) : this
  }

  /** Milliseconds since a pinged node last answered anything; slow nodes do answer. */
  #silence(node: BaseConnection): number {
    const now = performance.now()
    const { heardAt } = node as GatheringConnection
    return now - Math.max(heardAt, this.#pinged.get(node) ?? now)
  }
}
