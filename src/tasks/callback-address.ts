import type { Services } from '../operation.ts'
import type { Reencrypt } from '../platform/secrets.ts'

/** The address of a callback as stored in a task and its delivery. It may contain a credential. */
interface SealedAddress {
  readonly organization: string
  readonly taskId: string
  readonly url: string
}

type Sealing = Pick<Services, 'secrets'>

const addressContext = ({ organization, taskId }: Omit<SealedAddress, 'url'>): string[] => [
  organization,
  'callback',
  taskId,
]

export const sealedAddress = ({ secrets }: Sealing, { url, ...of }: SealedAddress): string =>
  secrets.seal(url, addressContext(of))

/** Earlier versions stored addresses in clear. */
const isClear = (url: string): boolean => /^https?:/i.test(url)

/** The address in clear. Throws SecretUnreadable. */
export const openedAddress = ({ secrets }: Sealing, { url, ...of }: SealedAddress): string =>
  isClear(url) ? url : secrets.open(url, addressContext(of))

/** The address sealed with the current key, also one that was stored in clear. */
export const reencryptAddress = ({ url, ...of }: SealedAddress, reencrypt: Reencrypt): string =>
  reencrypt(url, addressContext(of), { isClear: isClear(url) })
