import { demoPictures } from './pictures.ts'
import { demoProducts } from './products.ts'

const jsonl = (values: Iterable<unknown>): string =>
  [...values].map((value) => `${JSON.stringify(value)}\n`).join('')

/** Uncompressed content of the files in src/demo, by file name. */
export const demoFiles = (): Record<string, string> => ({
  'pictures.jsonl.br': jsonl(demoPictures()),
  'products.jsonl.br': jsonl(demoProducts()),
})
