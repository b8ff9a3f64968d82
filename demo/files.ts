import { demoPictures } from './pictures.ts'
import { demoProducts } from './products.ts'

const jsonl = (values: Iterable<unknown>): string =>
  [...values].map((value) => `${JSON.stringify(value)}\n`).join('')

/** What the files of src/demo hold when they are unpacked, by their names. */
export const demoFiles = (): Record<string, string> => ({
  'pictures.jsonl.br': jsonl(demoPictures()),
  'products.jsonl.br': jsonl(demoProducts()),
})
