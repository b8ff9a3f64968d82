import type { CallOptions } from './connection.ts'

/** An operation of a client, or a function that is called like one. */
type Lists<Out> = (input: never, options?: CallOptions) => Promise<Out>
type InputOf<List extends Lists<unknown>> = NonNullable<Parameters<List>[0]>
type AnswerOf<List extends Lists<unknown>> = Awaited<ReturnType<List>>

interface Numbered {
  readonly page?: number | null
  readonly pageSize?: number | null
}

interface Cursored {
  readonly cursor?: string
}

interface Continued {
  readonly after?: string
}

/** The input of a list with page numbers; without them the same page would be returned forever. */
type Paged<Input> = 'page' extends keyof Input ? Input : never

/**
 * Iterates over the pages of a list until one is empty: `pages(client.getOrganizations, {})`.
 * The pages of a search end at hit 10,000; use `walk` for all of them.
 */
export async function* pages<List extends Lists<object>>(
  list: List,
  input: Paged<InputOf<List>>,
  options?: CallOptions,
): AsyncGenerator<AnswerOf<List>, void, undefined> {
  const { page: first, pageSize } = input as Numbered
  for (let page = first ?? 0; ; page += 1) {
    const answer = await list({ ...(input as object), page } as never, options)
    const size = lengthOf(answer)
    if (size === 0) return
    yield answer as AnswerOf<List>
    if (pageSize && size < pageSize) return
  }
}

/** Length of the one list in an answer, which may have a total beside it. */
const lengthOf = (answer: object): number =>
  Object.values(answer).find((value): value is unknown[] => Array.isArray(value))?.length ?? 0

/**
 * Iterates over all that a search finds, page by page: `walk(client.search, { catalog: 'tools' })`.
 */
export async function* walk<Search extends Lists<Cursored>>(
  search: Search,
  input: InputOf<Search>,
  options?: CallOptions,
): AsyncGenerator<AnswerOf<Search>, void, undefined> {
  const { cursor: first = '*' } = input as Cursored
  for (let cursor: string | undefined = first; cursor !== undefined; ) {
    const answer: Cursored = await search({ ...(input as object), cursor } as never, options)
    yield answer as AnswerOf<Search>
    cursor = answer.cursor
  }
}

/**
 * Iterates over a list whose pages each say where the next begins: `pagesAfter(client.getPrices,
 * …)`.
 */
export async function* pagesAfter<List extends Lists<Continued>>(
  list: List,
  input: InputOf<List>,
  options?: CallOptions,
): AsyncGenerator<AnswerOf<List>, void, undefined> {
  let { after } = input as Continued
  do {
    const answer: Continued = await list(
      { ...(input as object), ...(after === undefined ? {} : { after }) } as never,
      options,
    )
    yield answer as AnswerOf<List>
    after = answer.after
  } while (after !== undefined)
}
