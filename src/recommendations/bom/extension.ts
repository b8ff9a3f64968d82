import { openCatalog } from '../../catalogs/store.ts'
import { Invalid } from '../../errors.ts'
import type { Call, RecommendationExtension, RunRequest } from '../../extensions/contract.ts'
import { field } from '../../extensions/fields.ts'
import { fileIdIn, findFile } from '../../files/store.ts'
import { limits } from '../../limits.ts'
import type { Context } from '../../operation.ts'
import { inSteps } from '../../platform/in-steps.ts'
import { manifestOf } from '../recommendation.ts'
import { answerOf } from './answer.ts'
import { rowsIn, rowsOf } from './file.ts'
import { checkedList } from './line.ts'
import { makersOf, matchList } from './matching.ts'
import type { SheetRow } from './sheet.ts'

const optional = { optional: true } as const

/** Finds the products of a bill of materials or a quote list. */
export const bom: RecommendationExtension = {
  manifest: manifestOf({
    id: 'bom',
    name: 'Bill of materials',
    description:
      'Find products for a list of part numbers, manufacturers, keywords and quantities.',
    fields: [
      field('text', 'List. One product per line.', { ...optional, fieldType: 'textarea' }),
      field('fileUrl', 'List file URL. URL of an uploaded list.', optional),
      field('catalog', 'Catalog. Default: the default catalog.', optional),
    ],
  }),
  run: runBom,
}

async function runBom({ ctx, installed, request }: Call<RunRequest>) {
  const fields = { ...installed.fields, ...request.additionalFields }
  const scope = await openCatalog(ctx, fields.catalog ?? installed.catalog)
  const [rows, makers] = await Promise.all([rowsFor(fields, ctx), makersOf(ctx, scope)])
  const list = await inSteps(checkedList(rows))
  return answerOf(await matchList(ctx, scope, { list, makers }), scope.name)
}

async function rowsFor(
  { text, fileUrl }: Readonly<Record<string, string>>,
  ctx: Context,
): Promise<SheetRow[]> {
  if (text !== undefined && fileUrl !== undefined) {
    throw new Invalid('additionalFields.text: cannot be combined with fileUrl')
  }
  if (text !== undefined) return rowsOf(text)
  if (fileUrl !== undefined) return rowsIn(await readList(ctx, fileUrl), ctx)
  throw new Invalid('additionalFields.text: required, or fileUrl')
}

/**
 * The bytes of an uploaded list. Throws Invalid, and NotFound for a file of another organization.
 */
async function readList(ctx: Context, url: string): Promise<Buffer> {
  const id = fileIdIn(ctx, url)
  if (id === undefined) {
    throw new Invalid('additionalFields.fileUrl: must be the url from Upload Recommendation File')
  }
  const { bytes } = await findFile(ctx, id)
  if (bytes > limits.recommendationFileBytes) {
    throw new Invalid(`A list has at most ${limits.recommendationFileBytes} bytes.`)
  }
  const found = await ctx.files.read(id)
  if (!found) throw new Invalid('additionalFields.fileUrl: the file does not exist or has expired')
  return Buffer.from(await new Response(found.body).arrayBuffer())
}
