const LF = 10
const CR = 13

/** Whether the byte at `at` ends a line; of CR LF only the LF does. */
const endsLine = (bytes: Buffer, at: number): boolean =>
  bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] !== LF)

/** Lines that end within these bytes. CR LF, LF and CR each end one. */
export function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) lines++
  for (let at = bytes.indexOf(CR); at !== -1; at = bytes.indexOf(CR, at + 1)) {
    if (endsLine(bytes, at)) lines++
  }
  return lines
}

/** Where the first line of these bytes ends, behind its line end; -1 when it does not. */
export function lineEnd(bytes: Buffer): number {
  const lf = bytes.indexOf(LF)
  const cr = bytes.subarray(0, lf === -1 ? bytes.length : lf).indexOf(CR)
  if (cr === -1) return lf === -1 ? -1 : lf + 1
  if (cr + 1 === bytes.length) return -1
  return bytes[cr + 1] === LF ? cr + 2 : cr + 1
}
