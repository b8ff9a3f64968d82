/** A product as Elasticsearch has it. */
export interface StoredFact {
  readonly id: string
  readonly name: string
  readonly version: number
  readonly msrp: number | null
  readonly segment: string | null
  /** Ids of log entries that wait in it. */
  readonly pending: readonly string[]
  readonly offers: Readonly<Record<string, number>>
  /** Where the pictures that were fetched are, by the address of each. */
  readonly pictures: Readonly<Record<string, string>>
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

interface Wanted {
  readonly query: object
  /** Unique together. */
  readonly sort: readonly string[]
  readonly source: readonly string[]
}

/** All documents that are found, read past the service. */
async function* documentsIn(node: string, index: string, { query, sort, source }: Wanted) {
  await ask(node, `${index}/_refresh`)
  for (let after: unknown[] | undefined; ; ) {
    const { hits } = (
      await ask(node, `${index}/_search`, {
        size: PAGE,
        query,
        sort,
        seq_no_primary_term: true,
        _source: source,
        ...(after ? { search_after: after } : {}),
      })
    ).hits
    for (const hit of hits) {
      after = hit.sort
      yield hit
    }
    if (hits.length < PAGE) return
  }
}

const PRODUCT = ['id', 'name', 'version', 'vendors', 'msrp', 'segment'].map(
  (field) => `product.${field}`,
)

/** Every product of a catalog in one kind of index. */
export async function* storedIn(
  { node, prefix }: Place,
  scope: string,
  kind = 'products',
): AsyncGenerator<StoredFact> {
  const wanted = {
    query: { term: { scope } },
    sort: ['search.id'],
    source: [...PRODUCT, 'pending.id', 'imported.fence', 'pictures'],
  }
  for await (const hit of documentsIn(node, `${prefix}-${kind}`, wanted)) {
    const { _seq_no, _source } = hit
    const { id, name, version, vendors = [], msrp, segment } = _source.product
    const pictures = (_source.pictures ?? []).map((one: { source: string; url: string }) => [
      one.source,
      one.url,
    ])
    const offers = vendors.map((offer: { vendorName: string; cost: number }) => [
      offer.vendorName,
      offer.cost,
    ])
    yield {
      id,
      name,
      version,
      msrp,
      segment,
      offers: Object.fromEntries(offers),
      pictures: Object.fromEntries(pictures),
      pending: (_source.pending ?? []).map((entry: { id: string }) => entry.id),
      fence: _source.imported?.fence ?? 0,
      seqNo: _seq_no,
    }
  }
}

/** Every entry of an organization's change log: its id, and whose it is. */
export async function* entriesIn(
  { node, prefix }: Place,
  organization: string,
): AsyncGenerator<{ readonly id: string; readonly productId: string }> {
  const wanted = {
    query: { term: { scope: organization } },
    sort: ['id'],
    source: ['id', 'productId'],
  }
  for await (const { _source } of documentsIn(node, `${prefix}-changes-*`, wanted)) yield _source
}

/** The pictures that an organization keeps: their ids. */
export async function* imagesIn(
  { node, prefix }: Place,
  organization: string,
): AsyncGenerator<string> {
  const wanted = { query: { term: { scope: organization } }, sort: ['id'], source: ['id'] }
  for await (const { _source } of documentsIn(node, `${prefix}-images`, wanted)) yield _source.id
}

/** Every point of an organization's Insights. */
export async function* pointsIn(
  { node, prefix }: Place,
  organization: string,
): AsyncGenerator<{ readonly productId: string; readonly price: number }> {
  const wanted = {
    query: { term: { scope: organization } },
    sort: ['productId', 'date'],
    source: ['productId', 'price'],
  }
  for await (const { _source } of documentsIn(node, `${prefix}-insights-*`, wanted)) yield _source
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
