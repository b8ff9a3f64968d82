/** The bytes of a file behind its first ones. */
export async function* behind(chunks: AsyncIterable<Buffer>, skip: number): AsyncGenerator<Buffer> {
  let left = skip
  for await (const chunk of chunks) {
    if (chunk.length > left) yield chunk.subarray(left)
    left = Math.max(0, left - chunk.length)
  }
}
