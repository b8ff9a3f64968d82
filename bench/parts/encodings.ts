import { type Block, figuresOf, measureBlock, warmUp } from '../blocks.ts'
import type { Wire } from '../http.ts'
import type { EncodingsRow } from '../report.ts'
import type { Session } from '../session.ts'
import type { Stage } from '../stage.ts'
import { median } from '../statistics.ts'
import type { Prepared } from './requests.ts'

/** Page size of a shop. */
const PRODUCTS = 24
/** The baseline without compression, then the service's order of preference. */
const ENCODINGS = ['identity', 'zstd', 'br', 'gzip'] as const
type Encoding = (typeof ENCODINGS)[number]

/**
 * Measures the cost of a page of products with facets in each encoding. Rounds alternate the order
 * of the encodings, so that drift favors none.
 */
export async function measureEncodings(
  { options }: Session,
  { elastic, organization, service }: Stage,
  { requests }: Prepared,
): Promise<EncodingsRow> {
  const { target } = organization
  const contestants = ENCODINGS.map((encoding) => ({
    encoding,
    ...{ target, pid: service.pid },
    actions: requests.map((wire) => [asPage(wire, encoding)]),
    blocks: [] as Block[],
  }))
  const measuring = { ...options, elastic }
  for (const one of contestants) await warmUp(one, measuring)
  for (let round = 0; round < options.pairs; round++) {
    for (const one of round % 2 === 0 ? contestants : contestants.toReversed()) {
      one.blocks.push(await measureBlock(one, measuring))
    }
  }
  const plain = contestants[0]!.blocks
  const sides = contestants.map(async ({ encoding, actions, blocks }) => {
    const { rate, cpu } = figuresOf(blocks)
    const costs = blocks.map(({ cpu: { service: own } }, round) => {
      const { service: without, elasticsearch } = plain[round]!.cpu
      return (own - without) / (without + elasticsearch)
    })
    const lengths = await Promise.all(
      actions.map(async ([wire]) => (await target.send(wire!)).body.length),
    )
    return { encoding, rate, cpu, bytes: median(lengths), cost: median(costs) }
  })
  return { products: PRODUCTS, distinct: requests.length, sides: await Promise.all(sides) }
}

const asPage = ({ body, headers, ...wire }: Wire, encoding: Encoding): Wire => ({
  ...wire,
  headers: { ...headers, 'accept-encoding': encoding },
  body: Buffer.from(JSON.stringify({ ...JSON.parse(String(body)), pageSize: PRODUCTS })),
})
