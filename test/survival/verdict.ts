import { type Place, storedIn } from './stored.ts'
import type { Expected } from './survival-file.ts'

interface Wanted {
  readonly expected: Expected
  readonly edits: ReadonlyMap<string, string>
}

/** Compares what is stored with the file and with the changes by people. */
export async function compare(place: Place, scope: string, { expected, edits }: Wanted) {
  let found = 0
  let lost = 0
  let doubled = 0
  let editsLost = 0
  for await (const { id, name, version, offers } of storedIn(place, scope)) {
    const wanted = expected.products.get(id)
    if (!wanted) {
      doubled++
      continue
    }
    found++
    const edit = edits.get(id)
    if (name !== (edit ?? wanted.name)) edit === undefined ? lost++ : editsLost++
    if (!isSame(offers, wanted.offers)) lost++
    if (version > 1 + wanted.changes + (edit === undefined ? 0 : 1)) doubled++
  }
  return { lost: lost + expected.products.size - found, doubled, editsLost }
}

const isSame = (a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>) =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([vendor, price]) => b[vendor] === price)
