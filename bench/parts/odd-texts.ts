import { limits } from '../../src/limits.ts'
import { oddTexts } from '../../test/support/odd-texts.ts'
import { word } from '../catalog/words.ts'
import { jsonOf, type Wire } from '../http.ts'
import { CATALOG, type Organization } from '../organization.ts'
import type { OddTextsRow } from '../report.ts'
import type { Stage } from '../stage.ts'

/** The words that most products contain. */
const COMMON = Array.from({ length: 64 }, (_, rank) => word(rank))
const ALL = { pageSize: 50, highlight: true, explain: true, group: true, counts: true }
const SUGGESTED = 'include=products,queries,categories'

/** Measures the slowest searches that texts alone can cause, one by one, with all options on. */
export async function measureOddTexts({ organization }: Stage): Promise<OddTextsRow> {
  const { wire } = organization
  const path = `/api/search?catalog=${CATALOG}`
  const times: OddTextsRow['times'][number][] = []
  for (const [name, keywords] of Object.entries(oddTexts(COMMON))) {
    const searched = await timed(organization, wire('POST', path, { keywords, ...ALL }))
    const typed = await timed(organization, wire('POST', path, { keywords, ...ALL, typing: true }))
    const text = encodeURIComponent(keywords.slice(0, limits.nameLength).toWellFormed())
    const quick = `/api/search/quicksearch?catalog=${CATALOG}&search=${text}&${SUGGESTED}`
    times.push({ name, searched, typed, suggested: await timed(organization, wire('GET', quick)) })
  }
  return { times }
}

async function timed({ target }: Organization, request: Wire): Promise<number> {
  const began = performance.now()
  const reply = await target.send(request)
  const took = performance.now() - began
  jsonOf(reply, `${request.path} ${request.body ?? ''}`)
  return took
}
