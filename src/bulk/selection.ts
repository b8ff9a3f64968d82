import { type CatalogScope, taskCatalogOf } from '../catalogs/store.ts'
import { Conflict, Invalid } from '../errors.ts'
import { readIds } from '../exports/found-ids.ts'
import { productsText } from '../exports/run.ts'
import { readPage } from '../exports/selected-portions.ts'
import { type FoundBySearch, foundBySearch } from '../exports/selected-products.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { isWord } from '../products/criteria.ts'
import { criteriaOf } from '../search/criteria.ts'
import type { SearchRequest } from '../search/request-schemas.ts'
import { queueTask } from '../tasks/store.ts'
import { SELECTION_KIND, type SelectionJob, selectionToken } from './selection-job.ts'
import type { SelectionResponse } from './selection-schemas.ts'

interface Asked extends Pick<SelectionJob, 'action' | 'patch'> {
  readonly search: SearchRequest
  readonly token: string | null
}

/** The conditions of a search, without paging, facet search and grouping. Throws Invalid. */
function conditionsOf(search: SearchRequest): SearchRequest {
  const plain: SearchRequest = {
    ...search,
    page: 0,
    pageSize: limits.defaultPageSize,
    cursor: null,
    facetSearch: null,
    group: false,
  }
  criteriaOf(plain)
  if (plain.keywords && !isWord(plain.keywords)) {
    throw new Invalid('search.keywords: expected a letter or a digit')
  }
  return plain
}

/**
 * Previews what a search finds and returns a token for it. With the token, queues the task. Throws
 * Conflict when the token no longer stands for what is found, and Invalid when Search corrected or
 * dropped words, so that nothing is written by a guess.
 */
export async function writeSelection(
  ctx: Context,
  scope: CatalogScope,
  { action, patch, token, ...asked }: Asked,
): Promise<SelectionResponse> {
  const search = conditionsOf(asked.search)
  const selection = { products: null, catalog: scope.name, search }
  const found = await foundBySearch(ctx, selection)
  if (!found.isExact) throw inexact(found)
  const { total } = found
  const first = await readIds(ctx, selection, { after: null, size: limits.selectionIds })
  const job = { action, catalog: scope.name, search, patch }
  const seen = selectionToken({ ...scope, ...job }, { total, first })
  if (token === null) {
    const sample = first.slice(0, limits.selectionSample)
    const chosen = sample.map(({ id }) => ({ catalog: scope.name, id }))
    const page = { exported: 0, after: null, mode: 'strict', size: sample.length } as const
    const { products } = await readPage(
      ctx,
      { ...selection, products: chosen },
      page,
      ({ id, name, manufacturer, manufacturerPartNumber }) => ({
        id,
        name,
        manufacturer,
        manufacturerPartNumber,
      }),
    )
    return {
      success: true,
      message: `${productsText(total)} found. Send the request again with the token to ${action} them.`,
      taskId: null,
      total,
      sample: [...products],
      token: seen,
    }
  }
  if (token !== seen) {
    throw new Conflict(
      `token: belongs to a different request, or to other products than the ${total} that are found now; send the request without a token first`,
    )
  }
  const input: SelectionJob = { ...job, ...taskCatalogOf(scope), total, token }
  const { id: taskId } = await queueTask(ctx, {
    kind: SELECTION_KIND,
    source: scope.name,
    sourceType: action,
    target: `${scope.owner}/${scope.name}`,
    input,
  })
  const after = { taskId, products: total, patch }
  ctx.noteChange?.({ owner: scope.owner, after })
  const message = `${action === 'delete' ? 'Deleting' : 'Updating'} ${productsText(total)} is queued.`
  return { success: true, message, taskId, total, sample: [], token: null }
}

function inexact({ total, droppedWords = [], correctedTo }: FoundBySearch): Invalid {
  const otherwise = [
    ...(correctedTo === undefined ? [] : [`as "${correctedTo}"`]),
    ...(droppedWords.length === 0 ? [] : [`without "${droppedWords.join('", "')}"`]),
  ]
  const how = otherwise.length === 0 ? 'with fewer of these words' : otherwise.join(' and ')
  return new Invalid(
    `search.keywords: Search finds ${productsText(total)} ${how}, but a selection needs all words as they are sent. Send the exact words to select by.`,
  )
}
