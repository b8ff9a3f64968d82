import { StartupFailure } from '../errors.ts'
import { createDirectoryStore } from './directory-store.ts'
import type { FileStore } from './file-store.ts'
import { s3Address } from './s3-address.ts'
import { codeOf } from './s3-calls.ts'
import { createS3Store } from './s3-store.ts'

export interface FileStoreSettings {
  /** `s3://…`; absent: the folder. */
  readonly url?: string | undefined
  readonly accessKeyId?: string | undefined
  readonly secretAccessKey?: string | undefined
  readonly folder: string
}

/** Opens the configured store and tests it once. Throws StartupFailure with a remedy. */
export async function openFileStore(settings: FileStoreSettings): Promise<FileStore> {
  const { url, accessKeyId, secretAccessKey, folder } = settings
  if (url === undefined) return createDirectoryStore(folder)
  const address = s3Address(url)
  if (!accessKeyId || !secretAccessKey) {
    throw new StartupFailure(
      'FILES_URL requires credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    )
  }
  const store = createS3Store({ ...address, accessKeyId, secretAccessKey })
  try {
    await store.id()
  } catch (error) {
    throw new StartupFailure(
      `The bucket ${address.bucket} at ${address.endpoint} cannot be used (${reasonOf(error)}): check FILES_URL, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`,
      { cause: error },
    )
  }
  return store
}

/** The store's own error code, else why it could not be reached. */
function reasonOf(error: unknown): string {
  let last = error
  while (last instanceof Error && last.cause instanceof Error) last = last.cause
  return codeOf(last) ?? (last instanceof Error ? last.message : String(last))
}
