import { Invalid } from '../errors.ts'
import { fileIdIn, findFile } from '../files/store.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'

/** The bytes of a list that was uploaded. Throws Invalid, and NotFound for a foreign one. */
export async function readList(ctx: Context, url: string): Promise<Buffer> {
  const id = fileIdIn(ctx, url)
  if (id === undefined) {
    throw new Invalid('additionalFields.fileUrl: the url that Upload Recommendation File answers')
  }
  const { bytes } = await findFile(ctx, id)
  if (bytes > limits.recommendationFileBytes) {
    throw new Invalid(`A list has at most ${limits.recommendationFileBytes} bytes.`)
  }
  const body = await ctx.files.read(id)
  if (!body) throw new Invalid('additionalFields.fileUrl: the file is not there any more')
  return Buffer.from(await new Response(body).arrayBuffer())
}
