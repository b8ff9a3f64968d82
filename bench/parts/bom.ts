import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LAYOUTS, type ListedProduct, lineAt, listOf, numbersOf } from '../bom/lines.ts'
import { type BomRow, bomRow } from '../bom/report.ts'
import type { AnsweredLine } from '../bom/score.ts'
import { convert } from '../icecat.ts'
import { CATALOG, type Organization, openOrganization } from '../organization.ts'
import { startRecorder } from '../recorder.ts'
import { startService } from '../service.ts'
import type { Session } from '../session.ts'
import { settle } from '../stage.ts'

/** Name of the export in the folder that --data names. */
const EXPORT = 'products.jsonl.gz'
const LINES = 200
/** Products that the catalog may reject, because a value of the export is too long. */
const REJECTED = 5

interface Entry {
  readonly productId: string
  readonly qty: string | null
  readonly matchGroup: string
}

interface Answer {
  readonly matchedProducts: readonly Entry[]
  readonly possibleProducts: readonly Entry[]
}

/** Matches lists made from real products, and counts the correct lines. */
export async function measureBom(session: Session): Promise<BomRow> {
  const { data, lists } = session.options
  if (data === undefined) throw new Error('the part bom needs --data, a folder with an export')
  const file = session.path('icecat.jsonl')
  await convert(join(data, EXPORT), file)
  const products = (await readFile(file, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ListedProduct)
  const recorder = await startRecorder(session)
  const service = await startService(session.serviceOptions('bom', recorder.node))
  const organization = await openOrganization(service.origin, 'bench')
  try {
    session.say(`importing ${products.length} products`)
    const { created, rejected } = await organization.import(await organization.upload(file))
    if (rejected > REJECTED) throw new Error(`void: imported ${created} products`)
    await settle(session.elastic('bom'))
    const known = numbersOf(products)
    const answers: (AnsweredLine & { layout: string })[] = []
    const seconds: number[] = []
    let trips = 0
    recorder.record(({ wire }) => {
      if (wire.path.includes('_msearch')) trips++
    })
    for (let list = 0; list < lists; list++) {
      const layout = LAYOUTS[list % LAYOUTS.length]!
      const made = Array.from({ length: LINES }, (_, at) =>
        lineAt(`bom ${list} ${at}`, products, known),
      )
      const text = listOf(made, layout, `bom ${list}`)
      const began = performance.now()
      const answer = await match(organization, text)
      seconds.push((performance.now() - began) / 1_000)
      answers.push(...linesIn(answer, text, made).map((one) => ({ ...one, layout })))
    }
    recorder.stop()
    return bomRow({ products: products.length, answers, seconds, trips, lines: LINES })
  } finally {
    await organization.close()
    await service.stop()
    await recorder.close()
    await session.drop('bom')
  }
}

async function match(organization: Organization, text: string): Promise<Answer> {
  const { url } = await organization.call<{ url: string }>(
    'POST',
    '/api/extensions/recommendation/bom/files',
    { file: Buffer.from(text).toString('base64'), fileName: 'list' },
  )
  const fields = { fileUrl: url, catalog: CATALOG }
  return organization.call('POST', '/api/extensions/recommendation/bom/run', {
    additionalFields: fields,
  })
}

/** Pairs each line that was made with its answer; a header takes one line before them. */
function linesIn(
  { matchedProducts, possibleProducts }: Answer,
  text: string,
  made: readonly AnsweredLine['made'][],
): AnsweredLine[] {
  const written = text.split('\n')
  const skipped = written.length - made.length
  const matched = Map.groupBy(matchedProducts, ({ matchGroup }) => matchGroup)
  const possible = Map.groupBy(possibleProducts, ({ matchGroup }) => matchGroup)
  return made.map((one, at) => {
    const group = String(at + skipped + 1)
    return {
      made: one,
      text: written[at + skipped]!,
      matched: matched.get(group) ?? [],
      possible: possible.get(group) ?? [],
    }
  })
}
