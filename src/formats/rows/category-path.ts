import { limits } from '../../limits.ts'
import { cut, splitTrimmed } from '../../text.ts'

const levelsIn = (path: string): string[] => splitTrimmed(path, '>')

/**
 * The first of several paths. They are separated by a bar when a path follows it, or by a comma
 * when a path with the same root follows, since the name of a level may contain a comma.
 */
function firstPath(text: string): string {
  const [bar = '', ...others] = text.split('|')
  const first = others.some((other) => other.includes('>')) ? bar : text
  const [path = '', ...more] = first.split(',')
  const [root] = levelsIn(path)
  const isList = more.some((other) => other.includes('>') && levelsIn(other)[0] === root)
  return isList ? path : first
}

/** The levels of the first category in a cell, from the top; one level if it is not a path. */
export function categoryLevels(text: string): readonly string[] {
  const first = firstPath(text).trim()
  const levels = levelsIn(first)
  return (levels.length > 1 ? levels : [first]).map((level) => cut(level, limits.nameLength))
}
