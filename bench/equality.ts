/** What a request finds: how many, and which, in order. Undefined where an answer has no such part. */
export interface Findings {
  readonly total?: number
  readonly ids?: readonly string[]
}

interface Hits {
  /** Absent where a search does not ask for it. */
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

/** Of several requests for one answer the last that finds something decides, else the first. */
export function directFindings(answers: readonly unknown[]): Findings {
  const all = (answers as ElasticsearchAnswer[]).flatMap(({ responses, ...answer }) =>
    responses ? [...responses] : [answer],
  )
  const searches = all.flatMap(({ hits }) => (hits ? [hits] : []))
  const deciding = searches.findLast(({ hits }) => hits.length > 0) ?? searches[0]
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

/** Parts of an answer that differ from one call to the next without meaning anything. */
const VOLATILE = new Set(['took', '_shards', 'max_score', '_score', '_seq_no', '_primary_term'])

/** An answer as text that is equal for equal answers, whatever the order of fields. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (name, part: unknown) => {
    if (VOLATILE.has(name)) return undefined
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

/** What is wrong between two findings, or undefined when they agree where both say something. */
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
