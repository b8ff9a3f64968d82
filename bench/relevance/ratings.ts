import { cellsIn } from '../../src/formats/csv/cells.ts'
import type { Grades } from './metrics.ts'

/** Reads `query,product,grade` lines. Throws an Error that gives the number of an invalid line. */
export function readRatings(text: string): Map<string, Grades> {
  const queries = new Map<string, Map<string, number>>()
  const [, ...lines] = text.split(/\r?\n/)
  for (const [at, line] of lines.entries()) {
    if (line === '') continue
    const [query = '', product = '', grade = ''] = cellsIn(line, { delimiter: ',', quote: '"' })
    if (query === '' || product === '' || !/^[0-3]$/.test(grade)) {
      throw new Error(`ratings: line ${at + 2} is no query, product and grade from 0 to 3`)
    }
    const grades = queries.get(query) ?? new Map<string, number>()
    queries.set(query, grades.set(product, Number(grade)))
  }
  return queries
}
