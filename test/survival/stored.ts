/** A product as Elasticsearch has it. */
export interface StoredFact {
  readonly id: string
  readonly name: string
  readonly version: number
  readonly offers: Readonly<Record<string, number>>
  readonly fence: number
  /** Orders the writes of an index. */
  readonly seqNo: number
}

export interface Place {
  readonly node: string
  readonly prefix: string
}

async function ask(node: string, path: string, body?: object) {
  const answer = await fetch(`${node}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  // biome-ignore lint/suspicious/noExplicitAny: an answer of Elasticsearch, read here only
  return (await answer.json()) as any
}

const PAGE = 5_000
const SOURCE = ['id', 'name', 'version', 'vendors'].map((field) => `product.${field}`)

/** Every product of a catalog, read past the service. */
export async function* storedIn(
  { node, prefix }: Place,
  scope: string,
): AsyncGenerator<StoredFact> {
  await ask(node, `${prefix}-products/_refresh`)
  for (let after: unknown[] | undefined; ; ) {
    const { hits } = (
      await ask(node, `${prefix}-products/_search`, {
        size: PAGE,
        query: { term: { scope } },
        sort: [{ 'search.id': 'asc' }],
        seq_no_primary_term: true,
        _source: [...SOURCE, 'imported.fence'],
        ...(after ? { search_after: after } : {}),
      })
    ).hits
    for (const { _seq_no, _source, sort } of hits) {
      const { id, name, version, vendors } = _source.product
      const offers = vendors.map((offer: { vendorName: string; cost: number }) => [
        offer.vendorName,
        offer.cost,
      ])
      after = sort
      yield {
        id,
        name,
        version,
        offers: Object.fromEntries(offers),
        fence: _source.imported?.fence ?? 0,
        seqNo: _seq_no,
      }
    }
    if (hits.length < PAGE) return
  }
}

export interface LeaseFact {
  readonly holder: string
  readonly fence: number
}

/** Who runs an organization's only task; undefined while nobody does. */
export async function leaseIn(
  { node, prefix }: Place,
  organization: string,
): Promise<LeaseFact | undefined> {
  await ask(node, `${prefix}-tasks/_refresh`)
  const { hits } = await ask(node, `${prefix}-tasks/_search`, {
    query: {
      bool: { filter: [{ term: { scope: organization } }, { term: { status: 'running' } }] },
    },
    _source: ['lease'],
  })
  return hits.hits[0]?._source.lease
}
