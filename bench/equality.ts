/** Number and ids of the hits of a request, in order. Undefined if the answer has no such part. */
export interface Findings {
  readonly total?: number
  readonly ids?: readonly string[]
}

interface Hits {
  /** Absent if the search does not request it. */
  readonly total?: { readonly value: number }
  readonly hits: readonly { readonly _source?: { readonly product?: { readonly id: string } } }[]
}

interface ElasticsearchAnswer {
  readonly hits?: Hits
  readonly responses?: readonly ElasticsearchAnswer[]
  readonly count?: number
  readonly _source?: { readonly product?: { readonly id: string } }
}

interface ServiceAnswer {
  readonly total?: number
  readonly products?: readonly { readonly id: string }[]
  readonly count?: number
  readonly id?: string
}

/**
 * Findings of the direct requests for one answer: of the last with hits, or of the last that counted
 * any, else of the first.
 */
export function directFindings(answers: readonly unknown[]): Findings {
  const all = (answers as ElasticsearchAnswer[]).flatMap(({ responses, ...answer }) =>
    responses ? [...responses] : [answer],
  )
  const searches = all.flatMap(({ hits }) => (hits ? [hits] : []))
  const deciding =
    searches.findLast(({ hits }) => hits.length > 0) ??
    searches.findLast(({ total }) => total && total.value > 0) ??
    searches[0]
  if (deciding) {
    const ids = deciding.hits.flatMap(({ _source }) => _source?.product?.id ?? [])
    return { ...(deciding.total ? { total: deciding.total.value } : {}), ids }
  }
  const counted = all.findLast(({ count }) => count !== undefined)
  if (counted) return { total: counted.count! }
  const found = all.find(({ _source }) => _source?.product)
  return found ? { ids: [found._source!.product!.id] } : {}
}

export function serviceFindings(answer: unknown): Findings {
  const { total, products, count, id } = answer as ServiceAnswer
  if (products) return { ...(total === undefined ? {} : { total }), ids: products.map((p) => p.id) }
  if (count !== undefined) return { total: count }
  return id === undefined ? {} : { ids: [id] }
}

/** Fields of an answer that vary from call to call without meaning. */
const VOLATILE = new Set(['took', '_shards', 'max_score', '_score', '_seq_no', '_primary_term'])

/** Digits of fractions that are compared: sums differ by the order in which they are added up. */
const DIGITS = 12

/**
 * Serializes an answer so that equal answers give equal texts, whatever the order of their fields.
 */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (name, part: unknown) => {
    if (VOLATILE.has(name)) return undefined
    if (typeof part === 'number' && !Number.isInteger(part)) {
      return Number(part.toPrecision(DIGITS))
    }
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

/** Describes how two findings differ; undefined if they agree on the parts that both have. */
export function disagreement(direct: Findings, service: Findings): string | undefined {
  const { total: a, ids: x } = direct
  const { total: b, ids: y } = service
  if (a !== undefined && b !== undefined && a !== b) return `total ${a} directly, ${b} served`
  if (x && y && x.join('\n') !== y.join('\n')) {
    const place = x.findIndex((id, i) => id !== y[i])
    const at = place === -1 ? x.length : place
    return `hit ${at} is ${x[at] ?? 'absent'} directly, ${y[at] ?? 'absent'} served`
  }
  return undefined
}

const SHOWN = 60

/** The first place where two serialized answers differ, with some characters around it. */
export function firstDifference(one: string, other: string): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const around = (text: string) => text.slice(Math.max(0, at - SHOWN), at + SHOWN)
  return `${around(one)} against ${around(other)}`
}
