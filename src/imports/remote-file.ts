import type { FileRecord } from '../files/store.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import type { OutboundRequest } from '../platform/outbound/request.ts'

/** A file in our own store. */
export type KeptFile = Pick<FileRecord, 'id' | 'name' | 'bytes'>

/** A remote file, which the import copies first. */
export interface RemoteFile {
  readonly name: string
  /** Its sealed address, which may be a secret, and its credentials. */
  readonly sealed: string
}

type FileLocation = Pick<OutboundRequest, 'url' | 'basic'>

/** Seals the address of a file. Throws Invalid for an address that may not be called. */
export function remoteFile(
  ctx: Context,
  url: string,
  { username, password }: Record<'username' | 'password', string | null>,
): RemoteFile {
  ctx.outbound.check(url, 'fileUrl')
  const known = username !== null || password !== null
  const basic = known ? { basic: { username: username ?? '', password: password ?? '' } } : {}
  const where: FileLocation = { url, ...basic }
  return {
    name: nameIn(url),
    sealed: ctx.secrets.seal(JSON.stringify(where), locationContext(ctx)),
  }
}

/** Opens the sealed address of a file. Throws SecretUnreadable. */
export const fileLocation = (
  ctx: Pick<Context, 'secrets' | 'organization'>,
  { sealed }: RemoteFile,
): FileLocation => JSON.parse(ctx.secrets.open(sealed, locationContext(ctx)))

const locationContext = ({ organization }: Pick<Context, 'organization'>) => [
  organization.id,
  'import',
  'fileUrl',
]

/** The second half of a character whose first half was cut off. */
const HALF_CHARACTER = /^[\udc00-\udfff]/

/** The last part of an address's path, as the name of a file. */
export function nameIn(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1)!
  const name = decoded(last).replace(/[\p{Cc}/\\]/gu, '')
  return name.slice(-limits.nameLength).replace(HALF_CHARACTER, '') || 'file'
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
