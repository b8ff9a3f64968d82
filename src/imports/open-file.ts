import type { StoredBytes } from '../formats/bytes/stored-bytes.ts'
import type { FileRows, OpenFile, OpenOptions } from '../formats/format.ts'
import { formatOf } from '../formats/registry.ts'
import type { FileSettings } from './settings.ts'

/** Opens the file of an import. Throws NotFound, Invalid, Interrupted when cancelled. */
export async function openFile(
  stored: StoredBytes,
  settings: FileSettings,
  options: OpenOptions,
): Promise<OpenFile> {
  const file = await formatOf(settings.fileType)!.open(stored, settings, options)
  return { ...file, read: refusingOthers(file.read, settings) }
}

/** Refuses rows with another vendor's offer, which still identify their product. */
function refusingOthers(
  read: FileRows['read'],
  { vendor, fallbackVendor = null, vendors }: FileSettings,
): FileRows['read'] {
  if (vendors !== 'one') return read
  const own = vendor ?? fallbackVendor
  return (row) => {
    const change = read(row)
    if (change.action === 'delete') return { ...change, refused: NO_DELETION }
    const other = change.offers.find(({ vendorName }) => vendorName !== own)
    return other ? { ...change, refused: reason(other.vendorName, vendor) } : change
  }
}

const NO_DELETION = 'deletes a product, but the extension is installed for one vendor only'

const reason = (named: string, vendor: string | null): string =>
  vendor === null
    ? `has an offer of ${named}, but the extension is installed without a vendor`
    : `has an offer of ${named}, but the extension is installed for ${vendor}`
