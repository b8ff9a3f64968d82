import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createBrotliDecompress } from 'node:zlib'

/** The lines of a file that demo/make.ts made. */
export async function* demoLines(name: 'pictures' | 'products'): AsyncGenerator<string> {
  const file = createReadStream(new URL(`${name}.jsonl.br`, import.meta.url))
  const text = pipeline(file, createBrotliDecompress(), () => undefined).setEncoding('utf8')
  let rest = ''
  for await (const chunk of text) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop()!
    yield* lines
  }
}
