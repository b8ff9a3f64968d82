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

/** Shorter answers fit into one packet uncompressed. */
const LEAST_BYTES = 1_400

const packZstd = promisify<InputType, ZstdOptions, Buffer>(zstdCompress)
const packBrotli = promisify<InputType, BrotliOptions, Buffer>(brotliCompress)
const packGzip = promisify<InputType, ZlibOptions, Buffer>(gzip)

type Compressors = Readonly<Record<ContentEncoding, (bytes: InputType) => Promise<Buffer>>>

const compressors = (levels: Readonly<Record<ContentEncoding, number>>): Compressors => ({
  zstd: (bytes) =>
    packZstd(bytes, { params: { [constants.ZSTD_c_compressionLevel]: levels.zstd } }),
  br: (bytes) => packBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: levels.br } }),
  gzip: (bytes) => packGzip(bytes, { level: levels.gzip }),
})

/** For bodies that are compressed anew for each answer. */
const quick = compressors({ zstd: 1, br: 1, gzip: 1 })
/** For bodies that are compressed once and sent often. */
const thorough = compressors({ zstd: 15, br: 9, gzip: 9 })

/** In order of cost. The first takes half of gzip's processor time, and its output is smaller. */
const ENCODINGS = Object.keys(quick) as ContentEncoding[]

/**
 * The encoding for a caller's Accept-Encoding: the one with the highest weight, and of equals the
 * cheapest. Undefined when none of ours is accepted.
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

/** The headers of any body that may be compressed, whether it is or not. */
export const PACKABLE = { vary: 'accept-encoding' } as const

/** The body of an answer, compressed if the caller accepts that, with its headers. */
export async function encoded(
  body: string | Buffer,
  acceptEncoding: string | undefined,
): Promise<{ body: string | Buffer; headers: Record<string, string> }> {
  const encoding = body.length < LEAST_BYTES ? undefined : acceptedEncoding(acceptEncoding)
  if (!encoding) return { body, headers: PACKABLE }
  return {
    body: await quick[encoding](body),
    headers: { ...PACKABLE, 'content-encoding': encoding },
  }
}

/** Compresses a body that never changes, once for each encoding that a caller accepts. */
export function packer(body: Uint8Array<ArrayBuffer>) {
  const packed = new Map<ContentEncoding, Promise<Uint8Array<ArrayBuffer>>>()
  return async (acceptEncoding: string | undefined) => {
    const encoding = body.length < LEAST_BYTES ? undefined : acceptedEncoding(acceptEncoding)
    if (!encoding) return { body, headers: PACKABLE }
    const kept = packed.get(encoding) ?? thorough[encoding](body).then((bytes) => bytes.slice())
    packed.set(encoding, kept)
    return { body: await kept, headers: { ...PACKABLE, 'content-encoding': encoding } }
  }
}
