import { promisify } from 'node:util'
import {
  type BrotliOptions,
  brotliCompress,
  constants,
  gzip,
  type InputType,
  type ZlibOptions,
  type ZstdOptions,
  zstdCompress,
} from 'node:zlib'
import { parseAccept } from 'hono/utils/accept'

export type ContentEncoding = 'zstd' | 'br' | 'gzip'

/** Shorter answers fit into a packet as they are. */
const LEAST_BYTES = 1_400

const packZstd = promisify<InputType, ZstdOptions, Buffer>(zstdCompress)
const packBrotli = promisify<InputType, BrotliOptions, Buffer>(brotliCompress)
const packGzip = promisify<InputType, ZlibOptions, Buffer>(gzip)

const compressors: Readonly<Record<ContentEncoding, (bytes: InputType) => Promise<Buffer>>> = {
  zstd: (bytes) => packZstd(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  br: (bytes) => packBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: (bytes) => packGzip(bytes, { level: 1 }),
}

/** In the order of what they cost: half of gzip's processor time, and smaller. */
const ENCODINGS = Object.keys(compressors) as ContentEncoding[]

/**
 * The encoding for a caller's Accept-Encoding: the one with the highest weight, of equal ones the
 * cheapest; undefined when none of ours is accepted.
 */
export function acceptedEncoding(header: string | undefined): ContentEncoding | undefined {
  if (header === undefined || header === '') return undefined
  const weights = new Map(parseAccept(header).map(({ type, q }) => [type.toLowerCase(), q]))
  const weight = (encoding: string) => weights.get(encoding) ?? weights.get('*') ?? 0
  const identity = weights.get('identity') ?? 0
  return ENCODINGS.filter((encoding) => weight(encoding) > 0 && weight(encoding) >= identity).sort(
    (a, b) => weight(b) - weight(a),
  )[0]
}

/** The body of an answer as it is sent, with the headers that say so. */
export async function encoded(
  body: string | Buffer,
  acceptEncoding: string | undefined,
): Promise<{ body: string | Buffer; headers: Record<string, string> }> {
  const headers = { vary: 'accept-encoding' }
  const encoding = body.length < LEAST_BYTES ? undefined : acceptedEncoding(acceptEncoding)
  if (!encoding) return { body, headers }
  return {
    body: await compressors[encoding](body),
    headers: { ...headers, 'content-encoding': encoding },
  }
}
