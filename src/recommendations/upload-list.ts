import { Invalid } from '../errors.ts'
import { findReadyExtension } from '../extensions/run-extension.ts'
import { fileUrl, keepFile } from '../files/store.ts'
import { storedBuffer } from '../formats/bytes/stored-bytes.ts'
import { decodeUpload } from '../images/decode-upload.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { chargeCpuTime } from '../platform/charge-cpu-time.ts'
import { inSteps } from '../platform/in-steps.ts'
import { rowsIn } from './bom/file.ts'
import { checkedList } from './bom/line.ts'
import { builtIns } from './built-in.ts'

/** Stores a list for later runs and returns its URL. Throws NotFound, Invalid, TooLarge. */
export async function uploadList(
  ctx: Context,
  extension: string,
  { file, fileName }: { file: string; fileName: string | null },
): Promise<{ url: string }> {
  await findReadyExtension(ctx, { kind: 'recommendation', id: extension, builtIns })
  if (file === '') throw new Invalid('file: required, base64 or a base64 data URL')
  const most = limits.recommendationFileBytes
  const bytes = chargeCpuTime(() => decodeUpload(file, { what: 'The file', most }))
  // A list that cannot be read is refused now, and not at each run.
  await inSteps(checkedList(await rowsIn(bytes, ctx)))
  const { id } = await keepFile(ctx, {
    name: fileName ?? 'list',
    type: 'application/octet-stream',
    body: storedBuffer(bytes).read(),
  })
  return { url: fileUrl(ctx, id) }
}
